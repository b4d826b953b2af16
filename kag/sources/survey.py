"""`survey`: which papers there are at some paths, in which forms, and what was not taken and why.

A paper is a file, a folder of OCR pages, or several forms of one: files of one stem (`smith.pdf`, `smith.tei.xml`),
files whose names say nothing (`paper.pdf`, `fulltext.xml`: the folder names the paper), a file and a folder of its
name beside it, all that is in a folder named by a DOI. The richest form is read, the others are named. Folders are
looked through `DEEPEST` levels deep; no link inside is followed, and nothing is passed over in silence but hidden
names, pictures beside a paper, and what converters write along with their output.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import own_file, own_folder, shown
from kag.core.types import Document
from kag.sources.names import is_doi, safe_paper_id, stem_of, telling_folder
from kag.sources.ocr.folder import is_ocr_folder
from kag.sources.reader_registry import OCR, RANK, is_pdf, kind_of, look_at_file, read_form, source_named
from kag.sources.reading import AS_IT_IS, Reading

DEEPEST = 5
LINK = "is a symbolic link, and those are not followed"

_PICTURE = re.compile(r".*\.(?:png|jpe?g|webp|gif|tiff?|bmp|svg)", re.I)
_BESIDE = re.compile(
    r"(?:.*_)?(?:images|figures|artifacts|imgs|pictures)"  # folders of pictures
    r"|.*(?:figures_metadata\.json|_meta\.json|_model\.json|model_output\.json|_layouts?\.pdf|_spans?\.pdf)"
    r"|.*_with_boxes\.jpg|result\.mmd",
    re.I,
)
_NO_PAPER = re.compile(r"(?:readme|licen[cs]e|changelog|changes|notice|contributing|copying)\b.*", re.I)
_KNOWN = re.compile(r".*\.(?:pdf|xml|nxml|tei|json|jsonl|md|mmd|markdown|doctags|dt|txt)", re.I)
_OCR_OWN = re.compile(r".*\.(?:md|mmd)", re.I)


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a paper: where it is, and of which kind."""

    path: Path
    kind: str


@dataclass(frozen=True, slots=True)
class Found:
    """A paper: its id, the form that is read, and its other forms, the richest first."""

    paper_id: str
    form: Form
    others: tuple[Form, ...] = ()


@dataclass(frozen=True, slots=True)
class Survey:
    """The papers at some paths, and what was not taken, each with the reason."""

    papers: tuple[Found, ...]
    left: tuple[tuple[Path, str], ...]


@dataclass(slots=True)
class _Paper:
    """A paper as it is being found."""

    name: str
    forms: list[Form]


def survey(path: Path, source: str = "") -> Survey:
    """Return the papers at a path, which may itself be a link. Raises `SourceError` for an unknown source.

    With `source` only forms of that kind are taken, and a file that is given by its own path is believed to be one.
    """
    if source:
        source_named(source)
    whole = Path(os.path.realpath(path))
    left: list[tuple[Path, str]] = []
    papers: list[_Paper] = []
    if os.path.isdir(path):
        papers = _in_folder(path, source, left, 0)
    elif kind := kind_of(whole, source):
        papers = [_Paper(stem_of(whole.name) or telling_folder(whole.parent), [Form(whole, kind)])]
    else:
        left.append((path, _why(whole)))
    return Survey(tuple(map(_found, papers)), tuple(left))


def read_paper(path: Path, reading: Reading = AS_IT_IS) -> Document:
    """Read the one paper at a path, in its richest form or in that of `reading.source`.

    Raises `SourceError` where nothing is there, no paper or several, or where it cannot be read.
    """
    seen = survey(path, reading.source)
    if not seen.papers:
        raise nothing_at(path, seen)
    itself = [paper for paper in seen.papers if any(form.path == path for form in (paper.form, *paper.others))]
    if len(itself or seen.papers) > 1:
        raise SourceError(f"{shown(path)} holds {len(seen.papers)} papers", hint="Give one of them.")
    (found,) = itself or seen.papers
    return read_form(found.form.path, found.form.kind, reading, reading.paper_id or found.paper_id)


def nothing_at(path: Path, seen: Survey) -> SourceError:
    """Return the error for a path without papers."""
    if not os.path.exists(path):
        return SourceError(f"{shown(path)} does not exist", hint="Give a paper's file, or the folder that holds it.")
    what = [f"{shown(left.name)}: {why}" for left, why in seen.left if left != path][:3]
    own = [why for left, why in seen.left if left == path]
    reason = own[0] if own else f"holds no paper{'; ' if what else ''}{'; '.join(what)}"
    return SourceError(f"{shown(path)}: {reason}", hint="`kag index --list-sources` lists the formats that kag reads.")


def _found(paper: _Paper) -> Found:
    first, *others = sorted(paper.forms, key=lambda form: (RANK[form.kind], len(form.path.parts), form.path.name))
    return Found(safe_paper_id(paper.name), first, tuple(others))


def _in_folder(folder: Path, source: str, left: list[tuple[Path, str]], depth: int) -> list[_Paper]:
    """The papers in a folder and below; what is not taken is added to `left`."""
    try:
        paths = [folder / name for name in sorted(os.listdir(folder)) if not name.startswith(".")]
    except OSError as error:
        left.append((folder, f"cannot be read: {error.strerror}"))
        return []
    if any(path.name == "knowledge_graph.ttl" for path in paths):
        left.append((folder, "is a run that kag made"))
        return []
    before = len(left)
    ocr = is_ocr_folder(folder)
    own = telling_folder(folder)
    papers: dict[str, _Paper] = {}
    aside: list[Path] = []  # pictures and the like, which need a paper that they belong to
    for path in _files(paths, left, aside, ocr=ocr):
        kind = kind_of(path)
        if kind and (source in ("", kind) or (is_pdf(source) and is_pdf(kind))):
            name = stem_of(path.name) or own
            papers.setdefault(name, _Paper(name, [])).forms.append(Form(path, source or kind))
        else:
            left.append((path, f"{kind}, but --source {source} was given" if kind else _why(path)))
    if ocr and source in ("", OCR):
        papers = _with_pages(folder, papers, left)
    found = list(papers.values())
    for inner in _folders(paths, left, aside, depth):
        found += _merged(papers, inner, _in_folder(inner, source, left, depth + 1))
    if is_doi(own) and found:
        found = [_Paper(own, [form for paper in found for form in paper.forms])]
    if not found:
        left += ((path, "belongs to no paper here") for path in aside)
    if not found and len(left) == before:
        left.append((folder, "holds no paper"))
    return found


def _files(paths: Sequence[Path], left: list[tuple[Path, str]], aside: list[Path], *, ocr: bool) -> Iterator[Path]:
    """The files that may be a form of a paper."""
    for path in paths:
        if ocr and _OCR_OWN.fullmatch(path.name):
            continue  # its pages, whatever they are: their reader says what is wrong with them
        if os.path.islink(path):
            left.append((path, LINK))
        elif not own_file(path):
            if not own_folder(path):
                left.append((path, "is not a regular file"))
        elif _PICTURE.fullmatch(path.name) or _BESIDE.fullmatch(path.name):
            aside.append(path)
        elif _NO_PAPER.fullmatch(path.name):
            left.append((path, "not a paper, judging by its name"))
        elif _KNOWN.fullmatch(path.name):
            yield path
        else:
            left.append((path, _why(path)))


def _folders(paths: Sequence[Path], left: list[tuple[Path, str]], aside: list[Path], depth: int) -> Iterator[Path]:
    """The folders that papers may be in."""
    for path in paths:
        if not own_folder(path):
            continue
        if _BESIDE.fullmatch(path.name):
            aside.append(path)
        elif depth >= DEEPEST:
            left.append((path, f"lies more than {DEEPEST} folders deep"))
        else:
            yield path


def _with_pages(folder: Path, papers: dict[str, _Paper], left: list[tuple[Path, str]]) -> dict[str, _Paper]:
    """The paper that a folder of OCR pages is; what else is in it is another form of it, if that is one paper."""
    name = Path(os.path.realpath(folder)).name
    forms = [Form(folder, OCR)]
    if len(papers) < 2:
        forms += (form for paper in papers.values() for form in paper.forms)
    else:
        others = [form.path for paper in papers.values() for form in paper.forms]
        left += ((path, "is one of several papers beside OCR pages: give it by its own path") for path in others)
    paper = _Paper(name, forms)
    papers.clear()
    papers[name] = paper
    return papers


def _merged(papers: dict[str, _Paper], inner: Path, found: Sequence[_Paper]) -> list[_Paper]:
    """Return the papers of an inner folder that are not further forms of a neighbouring one.

    `smith/` beside `smith.pdf` holds such, and so does a folder that no paper is named after (`auto`, `ocr`).
    """
    rest = []
    for paper in found:
        same = papers.get(paper.name)
        if same and (inner.name == paper.name or telling_folder(inner) != inner.name):
            same.forms += paper.forms
        else:
            rest.append(paper)
    return rest


def _why(path: Path) -> str:
    """Why a file is not taken, as the end of a sentence that begins with its name."""
    if not os.path.exists(path):
        return "no such file"
    look = look_at_file(path)
    if look is None:
        return "not a readable regular file"
    if not look.head.strip():
        return "empty file"
    if look.root:
        return f"unrecognised XML (<{look.root[:40]}>)"
    if look.opens(b"{", b"["):
        return "unrecognised JSON (not the output of a supported converter)"
    if look.opens(b"PK"):
        return "an archive or office file; save the paper as PDF"
    return "unsupported file type"
