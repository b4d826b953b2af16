"""`printed_in`: the lines of a PDF in reading order with their boxes, for those who have its text already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kag.core.types import Box
from kag.sources.pdf.file.content import PageContent
from kag.sources.pdf.file.opening import open_pdf
from kag.sources.pdf.file.render import open_pages
from kag.sources.pdf.read import lay_out
from kag.sources.pdf.text.flow import Part
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.typography import Paragraph
from kag.sources.pdf.writer import box_of
from kag.sources.reading import AS_IT_IS, Reading


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line: its page, the part of the flow that it belongs to (a paragraph, a caption, ...), its words, its box.

    `region` is the box of the figure or table whose caption, note or inside the line is, where the page shows one.
    """

    page: int
    part: int
    text: str
    box: Box
    region: Box | None = None
    caption: bool = False


@dataclass(frozen=True, slots=True)
class Printed:
    """All lines but running heads, in reading order; the file's digest, and its pages' widths and heights in points."""

    sha256: str
    lines: tuple[PrintedLine, ...]
    page_sizes: tuple[tuple[float, float], ...]


def printed_in(path: Path, reading: Reading = AS_IT_IS) -> Printed:
    """Read a PDF's lines; raises `SourceError` where there are none."""
    with open_pages(path, reading.password) as pdf:
        opened = open_pdf(pdf, reading.language)
    pages = {page.number: page for page in opened.pages}
    parts = enumerate(lay_out(opened).flow.parts)
    lines = tuple(line for n, part in parts for line in _lines_of(n, part, pages))
    return Printed(opened.sha256, lines, tuple(page.sheet for page in opened.pages))


def _lines_of(n: int, part: Part, pages: dict[int, PageContent]) -> Iterator[PrintedLine]:
    if isinstance(part, Paragraph):
        yield from _boxed(n, part.page, part.lines, pages)
        return
    number, region = part
    whole = box_of([region.rect], pages[number]) if region.shown else None
    yield from _boxed(n, number, region.caption, pages, whole, caption=True)
    yield from _boxed(n, number, (*region.inside, *region.notes), pages, whole)


def _boxed(
    n: int,
    number: int,
    lines: Sequence[Line],
    pages: dict[int, PageContent],
    region: Box | None = None,
    *,
    caption: bool = False,
) -> Iterator[PrintedLine]:
    for line in lines:
        yield PrintedLine(number, n, line.text, box_of([line.rect], pages[number]), region, caption)
