"""The formats of papers: `SOURCES`, and the reading of one form of a paper (`kag.sources.survey` finds the forms).

The table lists what is known, the richest first: where one paper is there in several forms, the first is read. What
the publisher has marked up comes before what a program saw, that with boxes before that without, since evidence
leads to a place on a page; among those with boxes a model's reading before what we make of a bare PDF.
"""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import open_regular, own_file, shown
from kag.core.types import Document
from kag.core.workers import give_back
from kag.sources.draft import Parsed, assemble
from kag.sources.names import checked_paper_id
from kag.sources.ocr.folder import read_document
from kag.sources.reading import Reading
from kag.sources.text_alignment import pdf_beside, placed

AHEAD = 256 * 1024  # bytes of a file's beginning that are looked at, and
BEHIND = 16 * 1024  # of its end: what a program says of itself may stand there

_ROOT = re.compile(
    rb"\s*+(?>(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[<>]|\[[^\]]*+\])*+>)\s*+)*+<([A-Za-z_][\w.:-]*)", re.S
)


@dataclass(frozen=True, slots=True)
class Look:
    """A file's name in small letters, its beginning and its end (without a byte order mark)."""

    name: str
    head: bytes
    tail: bytes = b""

    def says(self, *words: bytes) -> bool:
        """Whether each of some words is found in what was seen."""
        return all(word in self.head or word in self.tail for word in words)

    def opens(self, *marks: bytes) -> bool:
        """Whether the file begins with one of some marks, ignoring blanks."""
        return self.head.lstrip().startswith(marks)

    @property
    def root(self) -> str:
        """The name of the root element of XML, without its prefix; "" where it is none."""
        found = _ROOT.match(self.head[: AHEAD // 4]) if self.opens(b"<") else None
        return found[1].decode("ascii", "replace").rpartition(":")[2] if found else ""


def look_at_file(path: Path) -> Look | None:
    """A look at a regular file; None where it is none, or cannot be read."""
    if not own_file(path):
        return None
    try:
        with open_regular(path) as file:
            head = file.read(AHEAD)
            end = file.seek(0, os.SEEK_END)
            file.seek(max(end - BEHIND, len(head)))
            tail = file.read(BEHIND)
    except OSError:
        return None
    return Look(path.name.lower(), head.removeprefix(b"\xef\xbb\xbf"), tail)


OCR, PDF = "ocr", "pdf"


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of source: its name, what it is in words, how a file of it is known, and who reads it.

    `reader` is "module:function" in this room, imported when it is needed: `read(path, reading) -> Parsed`. The one
    kind that is a folder of many files, OCR pages, fits no single file.
    """

    name: str
    what: str
    fits: Callable[[Look], bool]
    reader: str

    def read(self, path: Path, reading: Reading) -> Parsed:
        """Read the file; raises `SourceError`."""
        module, _, function = self.reader.partition(":")
        parsed: Parsed = getattr(import_module(f"kag.sources.{module}"), function)(path, reading)
        return parsed


def _json(*words: bytes) -> Callable[[Look], bool]:
    return lambda look: look.opens(b"{", b"[") and look.says(*words)


def _content_list(look: Look) -> bool:
    return look.opens(b"[") and look.says(b'"page_idx"', b'"type"')


def _pages_of_blocks(look: Look) -> bool:
    return bool(re.match(rb"\s*\[\s*\[\s*(?:\{|\])", look.head)) and look.says(b'"type"', b'"bbox"')


def _tei(look: Look) -> bool:
    return look.root in ("TEI", "TEI.2", "teiCorpus")


def _jsonl(look: Look) -> bool:
    return look.name.endswith((".jsonl", ".json")) and look.opens(b"{") and look.says(b"olmocr", b'"text"')


def _markdown(look: Look) -> bool:
    return look.name.endswith((".md", ".mmd", ".markdown")) and b"\0" not in look.head


SOURCES: tuple[Source, ...] = (
    Source(
        "jats",
        "a publisher's XML (JATS, NLM)",
        lambda look: look.root in ("article", "pmc-articleset"),
        "jats.read:read_jats",
    ),
    Source("docling", "docling's JSON", _json(b'"DoclingDocument"'), "converters.docling:read_docling"),
    Source("mineru-2", "MinerU's *_content_list_v2.json", _pages_of_blocks, "converters.mineru:read_pages_of_blocks"),
    Source("mineru", "MinerU's *_content_list.json", _content_list, "converters.mineru:read_content_list"),
    Source("mineru-4", "MinerU 4's middle_json.json", _json(b"docvortex"), "converters.mineru:read_docvortex"),
    Source("mineru-middle", "MinerU's *_middle.json", _json(b'"pdf_info"'), "converters.mineru:read_middle"),
    Source("marker", "marker's JSON, chunks too", _json(b'"block_type"'), "converters.marker:read_marker"),
    Source("opendataloader", "opendataloader's JSON", _json(b'"kids"'), "converters.opendataloader:read_kids"),
    Source(
        "mistral",
        "an answer of Mistral OCR with blocks",
        lambda look: _json(b'"pages"', b'"markdown"', b'"blocks"')(look),
        "converters.mistral:read_mistral",
    ),
    Source(
        "doctags",
        "docling's DocTags",
        lambda look: look.root in ("doctag", "doctags"),
        "converters.doctags:read_doctags",
    ),
    Source(OCR, "a folder of OCR pages: page_NNN.md, document.md or *_det.mmd", lambda look: False, ""),
    Source("tei", "GROBID's TEI with coordinates", lambda look: _tei(look) and look.says(b" coords="), "tei:read_tei"),
    Source(PDF, "a PDF file", lambda look: b"%PDF-" in look.head[:1024], "pdf.read:read_pdf"),
    Source("pdf-liteparse", "a PDF file by --engine liteparse", lambda look: False, "pdf.liteparse:read_liteparse"),
    Source(
        "mistral-pages",
        "an answer of Mistral OCR without blocks",
        _json(b'"pages"', b'"markdown"'),
        "converters.mistral:read_mistral",
    ),
    Source("tei-plain", "TEI without coordinates", _tei, "tei:read_tei"),
    Source("olmocr", "olmOCR's JSON lines", _jsonl, "markdown:read_olmocr"),
    Source("markdown", "Markdown: Nougat's, olmOCR's, anybody's", _markdown, "markdown:read_markdown"),
)
_BY_NAME = {source.name: source for source in SOURCES}
RANK = {source.name: place for place, source in enumerate(SOURCES)}


def is_pdf(kind: str) -> bool:
    """Whether this kind of source is a PDF, by whatever engine it is read."""
    return kind.partition("-")[0] == PDF


def source_named(name: str) -> Source:
    """A kind of source by its name; raises `SourceError` for one that there is not."""
    if name not in _BY_NAME:
        raise SourceError(f"there is no source {name[:40]!r}", hint=f"Use one of {', '.join(_BY_NAME)}.")
    return _BY_NAME[name]


def kind_of(path: Path, wanted: str = "") -> str:
    """The kind of a file by what is in it, "" where none is known; `wanted` is taken at its word."""
    if wanted:
        return source_named(wanted).name
    look = look_at_file(path)
    return next((source.name for source in SOURCES if look and source.fits(look)), "")


def read_form(path: Path, kind: str, reading: Reading, paper_id: str) -> Document:
    """Read one form of a paper: a file, or a folder of OCR pages. Raises `SourceError`."""
    document = _gathered(lambda: _read_form(path, kind, reading, checked_paper_id(paper_id)))
    if not reading.url:
        return document
    return replace(document, metadata=replace(document.metadata, url=reading.url))


def _gathered(read: Callable[[], Document]) -> Document:
    """A document without the gaps between its parts: what a long paper's pages took before is then free as a whole."""
    document = read()
    if not is_pdf(document.source):
        return document
    pictures, parts = document.pictures, pickle.dumps(replace(document, pictures={}))
    del document
    give_back()
    gathered: Document = pickle.loads(parts)
    return replace(gathered, pictures=pictures)


def _read_form(path: Path, kind: str, reading: Reading, name: str) -> Document:
    if kind == OCR:
        return read_document(path, paper_id=name, figures=reading.figures)
    source = source_named(f"{PDF}-{reading.engine}" if kind == PDF and reading.engine else kind)
    try:
        document = assemble(name, source.read(path, reading))
        pdf = pdf_beside(path) if not any(block.boxes for block in document.blocks) else None
        return placed(document, pdf, reading) if pdf else document
    except RecursionError as error:
        raise SourceError(f"{shown(path)} is nested too deeply", hint="Check what made this file.") from error
    except ImportError as error:
        if error.name and error.name.startswith("kag.sources"):
            hint = "Convert it with docling, MinerU, marker or GROBID, and give their output."
            raise SourceError(f"{shown(path)}: {source.what} cannot be read by this kag yet", hint=hint) from error
        raise
