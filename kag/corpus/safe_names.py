"""What may be a name in a corpus: what is read back from its files goes through here, so that none leads out of it."""

from __future__ import annotations

import re

from kag.core.errors import CorpusError
from kag.sources.names import safe_paper_id

_VERSION = re.compile(r"[0-9a-f]{16}")
_STAGED = re.compile(r"(.+)-([0-9a-f]{16})")
_INDEX = re.compile(r"index-[a-z0-9_]{8}")
_NUMBER = re.compile(r"[1-9][0-9]{0,99}")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\x7f-\x9f\ud800-\udfff]*")


def is_paper(name: object) -> bool:
    """Whether it can be a paper's id, as `safe_paper_id` makes them."""
    return isinstance(name, str) and safe_paper_id(name) == name


def is_version(name: object) -> bool:
    """Whether it can be a version: 16 hex digits."""
    return isinstance(name, str) and bool(_VERSION.fullmatch(name))


def is_staged(name: str) -> bool:
    """Whether a folder of this name can be a version that is being copied in."""
    found = _STAGED.fullmatch(name)
    return found is not None and is_paper(found[1])


def is_index(name: str) -> bool:
    """Whether a folder of this name can be a search index."""
    return bool(_INDEX.fullmatch(name))


def is_number(name: str) -> bool:
    """Whether it can be the number of a published state."""
    return bool(_NUMBER.fullmatch(name))


def is_iri(name: object) -> bool:
    """Whether it can stand between the brackets of N-Triples."""
    return isinstance(name, str) and bool(_IRI.fullmatch(name))


def checked(paper: object, version: object) -> tuple[str, str]:
    """A paper's id and version; raises `CorpusError` for what cannot be one."""
    if not is_paper(paper) or not is_version(version):
        hint = "The file that names it was changed: run `kag corpus check --repair`, or restore it from a copy."
        raise CorpusError(
            f"{str(paper)[:80]!r} {str(version)[:40]!r} is no paper of a corpus and its version", hint=hint
        )
    return str(paper), str(version)
