"""Names of papers: an id from the name of a file or folder, and the folder of a paper."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import own_folder

IN_RUN = "pictures"
"""The folder of a run in which the pictures are that reading the paper made; `FigureFile.path` then begins with it."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_ID = 80
_DOI = re.compile(r"10\.[0-9]{4,9}(?:[._/:@-]|%2[Ff]).+")
_ENDS = re.compile(  # what programs put behind a paper's name
    r"(?:\.(?:grobid|tei|jats|nxml|doctags|document|docling|nougat|ocr|mineru|marker|odl|pdf)"
    r"|_(?:content_list(?:_v2)?|middle|model|layout|spans?|origin|meta|det|chunks))+$",
    re.I,
)
_SAYS_NOTHING = re.compile(
    r"article|auto|content(?:_list(?:_v2)?)?|doc|docling|doctags|document|file|full|full[-_]?text|html|hybrid_auto|jats"
    r"|json|main|manuscript|markdown|md|mineru|middle(?:_json)?|model_output|ocr|original|out|output|paper|pdf|response"
    r"|results?|source|structured_content|tei|text|txt|vlm|xml",
    re.I,
)


def safe_paper_id(name: str) -> str:
    """A name as a paper id: letters, digits, `.`, `_` and `-` only, at most 80 characters.

    A name that had to be changed ends in a hash of itself, so that different names give different ids.

    >>> safe_paper_id("smith2020"), safe_paper_id("Müller & Søn (2)")
    ('smith2020', 'Muller-S-n-2-a514ea1d')
    """
    letters = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    safe = _UNSAFE.sub("-", letters)[:_LONGEST_ID].strip("._-")
    if safe and safe == name:
        return safe
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe[: _LONGEST_ID - 9].rstrip('._-') or 'paper'}-{digest}"


def checked_paper_id(wanted: str) -> str:
    """The id that was asked for; raises `SourceError` where it is none."""
    if wanted != safe_paper_id(wanted):
        raise SourceError(f"{wanted!r} cannot be a paper id", hint=f"Use {safe_paper_id(wanted)!r}, for example.")
    return wanted


def folder_of(paper_id: str, path: Path) -> Path:
    """Return the folder of a paper's pages: that folder itself, or the subfolder with the paper's name, if any.

    An id that is none (a graph of somebody else may say `../x`) leads nowhere else.
    """
    own = path / paper_id if paper_id == safe_paper_id(paper_id) else path
    return own if own_folder(own) else path


def stem_of(name: str) -> str:
    """Return a file's name without suffixes that programs add; "" if nothing of the paper's name is left.

    >>> stem_of("smith2020.tei.xml"), stem_of("smith2020_content_list.json"), stem_of("fulltext.pdf")
    ('smith2020', 'smith2020', '')
    """
    stem = _ENDS.sub("", name.rpartition(".")[0] or name)
    return "" if _SAYS_NOTHING.fullmatch(stem) else stem


def telling_folder(folder: Path) -> str:
    """Return the nearest folder name that describes the paper: `smith2020` for `smith2020/auto`."""
    whole = Path(os.path.realpath(folder))
    names = (place.name for place in (whole, *whole.parents) if place.name)
    return next((name for name in names if not _SAYS_NOTHING.fullmatch(name)), whole.name or "paper")


def is_doi(name: str) -> bool:
    """Whether a folder is named by the DOI of its paper, as `10.1371_journal.pone.0234687`."""
    return bool(_DOI.fullmatch(name))
