"""`read_pdf`: a PDF becomes what a `Document` is made of, page by page and box by box; `printed_in`: its lines alone.

characters -> line numbers aside -> lines -> running heads aside -> figures and tables -> columns and paragraphs
-> headings, entries -> drafts -> the file's own links
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kag.core.types import Box, Repair
from kag.sources.draft import Draft, Parsed
from kag.sources.pdf.file.content import PageContent, Word
from kag.sources.pdf.file.links import linked
from kag.sources.pdf.file.opening import Opened, open_pdf
from kag.sources.pdf.file.render import open_pages
from kag.sources.pdf.floats.crops import crops_of
from kag.sources.pdf.floats.regions import Region, find_regions
from kag.sources.pdf.text.columns import Gutter, page_gutters, split_at_gutters
from kag.sources.pdf.text.compose import words_within
from kag.sources.pdf.text.flow import Column, Flow, Part, columns_of, flow_of
from kag.sources.pdf.text.front import FrontMatter, front_lines, label_front
from kag.sources.pdf.text.furniture import Contents, find_contents, find_furniture, without_ornaments
from kag.sources.pdf.text.line_numbers import without_line_numbers
from kag.sources.pdf.text.lines import Line, lines_of, with_drop_caps
from kag.sources.pdf.text.titles import letters_of
from kag.sources.pdf.text.typography import Paragraph, Type, body_type
from kag.sources.pdf.writer import Writer, box_of
from kag.sources.reading import AS_IT_IS, Reading

_STRONG = 15  # pairs of lines on both sides of a gutter that is a column's for certain
_MOST = 60  # gutters of a paper that are asked about on each page


def read_pdf(path: Path, reading: Reading = AS_IT_IS) -> Parsed:
    """Read a PDF into drafts, in reading order."""
    with open_pages(path, reading.password) as pdf:
        opened = open_pdf(pdf, reading.language)
        laid = lay_out(opened)
        drafts = _written(opened, laid)
        figures, pictures = crops_of(pdf, opened.pages, laid.regions)
    repairs = [*opened.repairs, *_not_found(laid.contents, drafts)]
    return Parsed(
        drafts,
        len(opened.pages),
        opened.sha256,
        "pdf",
        figures,
        tuple(repairs),
        tuple(page.sheet for page in opened.pages),
        opened.metadata,
        pictures,
    )


@dataclass(frozen=True, slots=True)
class LaidOut:
    """The pages of a PDF: all lines, lines in margins, the others, figures and tables, the flow.

    `numbers` are those of lines, by page: they are no words of the pages.
    """

    pages: Sequence[PageContent]
    numbers: Mapping[int, Sequence[Sequence[Word]]]
    found: Sequence[Sequence[Line]]
    furniture: Mapping[Line, str]
    contents: Contents
    lines: Sequence[Sequence[Line]]
    regions: list[list[Region]]
    columns: Sequence[Column]
    front: FrontMatter
    flow: Flow
    body: Type


def lay_out(opened: Opened, label: Callable[..., FrontMatter] = label_front) -> LaidOut:
    """Separate the content of the pages, and put it into reading order."""
    pages, numbers = without_line_numbers(with_drop_caps(without_ornaments(opened.pages)))
    page_lines = [lines_of(page.words) for page in pages]
    furniture = find_furniture(pages, page_lines)
    lines = [[line for line in page if line not in furniture] for page in page_lines]
    contents = find_contents(lines)
    lines = [[line for line in page if line not in contents.lines] for page in lines]
    body = body_type([line for page in lines for line in page])
    gutters = [page_gutters(own, page.width) for page, own in zip(pages, lines, strict=True)]
    usual = _usual(gutters)
    lines = [
        split_at_gutters(page, [*usual, *(gutter for gutter in own[:1] if gutter.votes >= _STRONG)])
        for page, own in zip(lines, gutters, strict=True)
    ]
    regions = [find_regions(page, own, body, usual) for page, own in zip(pages, lines, strict=True)]
    taken = {line for page in regions for region in page for line in (*region.inside, *region.caption, *region.notes)}
    text = [[line for line in page if line not in taken] for page in lines]
    columns = columns_of(pages, text, regions, usual, body)
    sheet = (pages[0].width, pages[0].height) if pages else (1.0, 1.0)
    front = label(front_lines(columns, pages), sheet, body, opened.metadata)
    flow = flow_of(columns, body, front.roles)
    return LaidOut(pages, numbers, page_lines, furniture, contents, lines, regions, columns, front, flow, body)


def _written(opened: Opened, laid: LaidOut) -> list[Draft]:
    """The drafts of all pages in reading order."""
    writer = Writer(laid.pages, words_within([line for page in laid.lines for line in page]))
    made = [
        *writer.line_numbers(laid.numbers),
        *writer.furniture(laid.found, laid.furniture),
        *writer.turned(laid.pages),
        *writer.concealed(laid.pages),
        *writer.contents(laid.found, laid.contents.lines),
        *writer.parts(laid.flow, laid.front, laid.body, opened.outline or laid.contents.entries, opened.metadata.title),
    ]
    return linked(made, opened.links)


def _not_found(contents: Contents, drafts: Sequence[Draft]) -> Iterator[Repair]:
    """The repair that reports entries of a printed table of contents without a heading in the paper."""
    titles = {letters_of(draft.text) for draft in drafts if draft.label in ("sub_title", "title")}
    missing = [entry.title for entry in contents.entries if letters_of(entry.title) not in titles]
    if missing:
        shown = "; ".join(missing[:3]) + ("; ..." if len(missing) > 3 else "")
        yield Repair(0, 0, f"{len(missing)} entries of the table of contents are no headings: {shown}", "left out")


def _usual(page_gutters: Sequence[Sequence[Gutter]]) -> list[Gutter]:
    """Gutters that the paper's pages share; of very many those that most pages have."""
    strong = Counter(gutters[0] for gutters in page_gutters if gutters and gutters[0].votes >= _STRONG)
    middles = sorted(gutter.middle for gutter in strong.elements())
    near = {g: bisect_left(middles, g.middle + 6) - bisect_right(middles, g.middle - 6) for g in strong}
    shared = [gutter for gutter in strong if near[gutter] >= max(2, 0.3 * len(page_gutters))]
    return sorted(shared, key=lambda gutter: -near[gutter])[:_MOST]


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
