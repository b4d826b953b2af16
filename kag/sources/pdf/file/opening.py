"""`open_pdf`: what a stranger's PDF holds, page by page; what cannot be read costs itself alone, and is reported.

Nothing in the file is run, fetched or written: pdfium reads pages, without JavaScript and XFA. What a file may cost is
bounded here in bytes, pages, characters and entries, and by the process that reads it in time and memory.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice
from unicodedata import bidirectional

import pypdfium2 as pdfium
import pypdfium2.raw as c

from kag.core.errors import SourceError
from kag.core.files import shown
from kag.core.types import Metadata, Repair
from kag.sources.loading import digest
from kag.sources.pdf.file.characters import MAX_GLYPHS, read_words
from kag.sources.pdf.file.content import PageContent, view_of
from kag.sources.pdf.file.drawing import drawn_on
from kag.sources.pdf.file.letters import mended
from kag.sources.pdf.file.links import PdfLink, from_the_top, linkable, read_links
from kag.sources.pdf.file.pdf_metadata import clean, read_metadata
from kag.sources.pdf.file.render import PDFIUM, PdfPages
from kag.sources.pdf.file.visibility import concealed
from kag.sources.pdf.scans.scanned import read_scans
from kag.sources.pdf.scans.tesseract import INSTALL, WITHOUT
from kag.sources.pdf.text.typography import OutlineEntry


def read_page(page: pdfium.PdfPage, number: int) -> PageContent:
    """All that a page holds. A page whose text runs up or down is read as if it were turned upright."""
    view = view_of(page)
    text = page.get_textpage()
    try:
        glyphs = c.FPDFText_CountChars(text.raw)
        found = read_words(text.raw, view, partial(concealed, page, (view.width, view.height), 0))
        quarter = _quarter(found.angles)
        if quarter:
            view = view.turned(quarter)
            found = read_words(text.raw, view, partial(concealed, page, (view.width, view.height), quarter))
    finally:
        text.close()
    drawn = tuple(drawn_on(page.raw, view, view.width, view.height))
    return PageContent(
        number, view.width, view.height, found.upright, found.turned, drawn,
        found.unmapped, quarter, glyphs=glyphs, concealed=found.concealed,
    )  # fmt: skip


def _quarter(angles: Mapping[int, int]) -> int:
    """1 where most characters of a page run upwards, 3 where most run downwards, else 0."""
    if max(angles.get(90, 0), angles.get(270, 0)) <= 2 * angles.get(0, 0):
        return 0
    return 1 if angles.get(90, 0) >= angles.get(270, 0) else 3


MAX_OUTLINE = 5_000  # entries that are read; a book has some hundreds
MAX_DRAWN = 500_000  # things drawn on a page, letters set as one among them; the densest plots have some 100,000
SMALLEST, LARGEST = 3.0, 100_000.0  # points of a page's side: a millimetre, 35 metres
_SHEET = (612.0, 792.0)  # points: a page that cannot be read is taken for a sheet of this size
_END = 2048  # bytes of a file's end, where its last mark stands
_PLACE = re.compile(rb"startxref\s+(\d+)")
_TABLE = re.compile(rb"\s*(?:xref|\d+\s+\d+\s+obj)\b")
_HEIGHT = {1: 1, 3: 0, 5: 3, 7: 0}  # where a destination has its height: XYZ, FitH, FitR, FitBH

logging.getLogger("pypdfium2").addHandler(logging.NullHandler())  # what it finds odd is no line of ours


@dataclass(frozen=True, slots=True)
class Opened:
    """The content of a PDF: its pages as set, outline, metadata, faults, links.

    `sha256` is the file's; where pages were to be read from their pictures, that of the file and of who read them.
    """

    sha256: str
    pages: tuple[PageContent, ...]
    outline: tuple[OutlineEntry, ...]
    metadata: Metadata
    repairs: tuple[Repair, ...]
    links: tuple[PdfLink, ...]


def open_pdf(pdf: PdfPages, language: str = "") -> Opened:
    """Read what is in an open PDF; pages without text are read by tesseract, in `language` ("" is English).

    Raises `SourceError` where there is no text on any page, and none could be read.
    """
    repairs = [Repair(0, 0, *scan_repairs) for scan_repairs in besides(pdf)]
    links: list[PdfLink] = []
    page_contents = [_page(pdf, number, repairs, links) for number in range(1, pdf.count + 1)]
    pages, scan_repairs = read_scans(page_contents, pdf, language or "eng")
    pages, letters = mended(pages)
    repairs += (*scan_repairs, *letters)
    if not any(page.words or page.turned for page in pages):
        raise _nothing(pdf, repairs)
    if is_right_to_left(pages):
        problem = f"{shown(pdf.path)} is written from right to left, and words of a PDF are read from left to right"
        raise SourceError(problem, hint="Index its XML or Markdown, or pages read by an OCR engine (--ocr).")
    with PDFIUM:
        outline = tuple(_outline(pdf, pages, repairs))
    read = [f"{language} {repair.page} {repair.action}".encode() for repair in scan_repairs]
    sha256 = digest([pdf.sha256.encode(), *read]) if read else pdf.sha256
    return Opened(sha256, tuple(pages), outline, read_metadata(pdf), tuple(repairs), tuple(from_the_top(links, pages)))


def _page(pdf: PdfPages, number: int, repairs: list[Repair], links: list[PdfLink]) -> PageContent:
    """A page as set; an empty sheet in place of one that cannot be read. What it links is put to `links`."""
    try:
        with pdf.page(number) as page:
            width, height = page.get_size()
            drawn = c.FPDFPage_CountObjects(page)
            if drawn > MAX_DRAWN:
                problem = f"a page on which {drawn} things are drawn"
            elif min(width, height) < SMALLEST or max(width, height) > LARGEST:
                problem = f"a page of {width:.4g} x {height:.4g} points"
            else:
                page_content = read_page(page, number)
                if page_content.glyphs > MAX_GLYPHS:
                    problem = f"a page of {page_content.glyphs} characters"
                    repairs.append(Repair(number, 0, problem, f"those behind the first {MAX_GLYPHS} left out"))
                if page_content.concealed:
                    problem = f"{len(page_content.concealed)} words that no reader sees"
                    repairs.append(Repair(number, 0, problem, "left out as hidden text"))
                own = list(read_links(pdf, page, number))
                links += own
                return replace(
                    page_content, words=linkable(page_content.words, own), turned=linkable(page_content.turned, ())
                )
    except (SourceError, ArithmeticError):
        problem = "a page that cannot be read"
    repairs.append(Repair(number, 0, problem, "page left out"))
    return PageContent(number, *_SHEET, (), (), ())


def is_right_to_left(pages: Sequence[PageContent]) -> bool:
    """Whether most letters are those of scripts that run from right to left, such as Hebrew and Arabic."""
    words = [word.text for page in pages for word in page.words]
    right = sum(bidirectional(char) in ("R", "AL") for word in words if not word.isascii() for char in word)
    return right > 0.5 * sum(map(len, words))


def _nothing(pdf: PdfPages, repairs: Sequence[Repair]) -> SourceError:
    """Return the error for a file without words: the reasons for the pages with known ones."""
    reasons: dict[str, list[int]] = {}
    for repair in repairs:
        if repair.page:
            reasons.setdefault(repair.problem, []).append(repair.page)
    summary = "; ".join(f"{_numbers(pages)}: {reason}" for reason, pages in islice(reasons.items(), 3))
    hint = (
        f"Install tesseract ({INSTALL}), or have a model read it with --ocr."
        if WITHOUT in summary
        else (
            "Check the file in a viewer; where its pages are pictures, name their --language, or read them with --ocr."
        )
    )
    return SourceError(
        f"{shown(pdf.path)} has no text on any of its pages{f' ({summary})' if summary else ''}", hint=hint
    )


def _numbers(pages: Sequence[int]) -> str:
    """Pages in words.

    >>> _numbers([1]), _numbers([1, 2, 3, 5])
    ('page 1', 'pages 1-3, 5')
    """
    runs = [[page for _, page in run] for _, run in groupby(enumerate(pages), key=lambda at: at[1] - at[0])]
    shown_runs = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs[:10]]
    return f"page{'s' if len(pages) > 1 else ''} {', '.join(shown_runs)}{', ...' if len(runs) > 10 else ''}"


def besides(pdf: PdfPages) -> Iterator[tuple[str, str]]:
    """Return the file's content besides pages, which is not read: problem and action."""
    with PDFIUM:
        document = pdf.document
        scripts = c.FPDFDoc_GetJavaScriptActionCount(document)
        attached = c.FPDFDoc_GetAttachmentCount(document)
        form = c.FPDF_GetFormType(document)
    if b"%%EOF" not in pdf.data[-_END:]:
        yield "the file breaks off", "read as far as it goes"
    elif not _has_table(pdf.data):
        yield "the file's list of its objects is not where it must be", "read as far as objects were found"
    if scripts > 0:
        yield f"{scripts} scripts in the file", "none was run"
    if attached > 0:
        yield f"{attached} files attached to the file", "left out"
    if form in (c.FORMTYPE_XFA_FULL, c.FORMTYPE_XFA_FOREGROUND):
        yield "a form that a program in the file draws (XFA)", "not run; its pages are read as they stand"


def _has_table(data: bytes) -> bool:
    """Whether the list of objects is at the offset in the file's end; bytes before the header are not counted."""
    places = _PLACE.findall(data[-_END:])
    start = max(data.find(b"%PDF-", 0, 1024), 0)
    return bool(places) and any(_TABLE.match(data, int(places[-1][:12]) + before) for before in {0, start})


def _outline(pdf: PdfPages, pages: Sequence[PageContent], repairs: list[Repair]) -> Iterator[OutlineEntry]:
    """The file's own outline, with the height on the page to which each entry leads; `PDFIUM` is held."""
    for count, item in enumerate(pdf.document.get_toc()):
        if count == MAX_OUTLINE:
            repairs.append(Repair(0, 0, f"an outline of more than {MAX_OUTLINE} entries", "the others left out"))
            return
        try:
            title = clean(item.get_title())
        except UnicodeDecodeError:
            continue
        dest = item.get_dest()
        index = dest.get_index() if dest else None
        y = None
        if dest and index is not None and index < len(pages):
            mode, at = dest.get_view()
            place = _HEIGHT.get(mode)
            y = pages[index].height - at[place] if place is not None and len(at) > place and at[place] else None
        yield OutlineEntry(item.level + 1, title, index + 1 if index is not None else 0, y)
