"""`read_pdf`: a PDF becomes what a `Document` is made of, page by page and box by box."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pypdfium2 as pdfium

from kag.sources.draft import Draft, Parsed
from kag.sources.pdf.columns import Gutter, page_gutters
from kag.sources.pdf.compose import compose, words_within
from kag.sources.pdf.content import PageContent, Rect, read_page
from kag.sources.pdf.entries import Piece, cut_entries
from kag.sources.pdf.flow import Flow, flow_of
from kag.sources.pdf.front import find_title, front_end
from kag.sources.pdf.furniture import find_furniture
from kag.sources.pdf.headings import Level, OutlineEntry, Paragraph, Type, body_type, find_headings
from kag.sources.pdf.lines import Line, lines_of
from kag.sources.pdf.regions import Region, find_regions
from kag.sources.pdf.titles import is_abstract, is_references
from kag.sources.reading import AS_IT_IS, Reading
from kag.sources.tables import table_lines
from kag.values.types import Box


def read_pdf(path: Path, reading: Reading = AS_IT_IS) -> Parsed:
    """Read a PDF into drafts, in reading order."""
    data = path.read_bytes()
    document = pdfium.PdfDocument(data)
    pages = [read_page(document[n], n + 1) for n in range(len(document))]
    found = [lines_of(page.words) for page in pages]
    furniture = find_furniture(pages, found)
    lines = [[line for line in page if line not in furniture] for page in found]
    body = body_type([line for page in lines for line in page])
    usual = _usual([page_gutters(own, page.width) for page, own in zip(pages, lines, strict=True)])
    regions = [find_regions(page, own, body, usual) for page, own in zip(pages, lines, strict=True)]
    taken = {line for page in regions for region in page for line in (*region.inside, *region.caption, *region.notes)}
    text = [[line for line in page if line not in taken] for page in lines]
    flow = flow_of(pages, text, regions, usual, body)
    writer = _Writer(pages, words_within([line for page in lines for line in page]))
    return Parsed(
        [*writer.furniture(found, furniture), *writer.parts(flow, body, _outline(document, pages), _title(document))],
        len(pages),
        hashlib.sha256(data).hexdigest(),
        "pdf",
        page_sizes=tuple((page.width, page.height) for page in pages),
    )


class _Writer:
    """Writes drafts; knows the sizes of pages, and the words by which cut ones are healed."""

    def __init__(self, pages: Sequence[PageContent], known: Set[str]) -> None:
        self.sizes = {page.number: (page.width, page.height) for page in pages}
        self.known = known

    def furniture(self, lines: Sequence[Sequence[Line]], labels: Mapping[Line, str]) -> Iterator[Draft]:
        """Running heads and page numbers."""
        for page, found in enumerate(lines, start=1):
            for line in found:
                if line in labels:
                    yield self._draft(page, labels[line], [line])

    def parts(self, flow: Flow, body: Type, outline: Sequence[OutlineEntry], told: str) -> Iterator[Draft]:
        """Paragraphs, headings and floats in reading order."""
        places = [n for n, part in enumerate(flow.parts) if isinstance(part, Paragraph) and n not in flow.labels]
        sets = [part for n, part in enumerate(flow.parts) if isinstance(part, Paragraph) and n not in flow.labels]
        title = find_title(sets, told)
        ranked = find_headings(sets, body, outline, front_end(sets, title, body))
        levels = {places[n]: level for n, level in ranked.items()}
        titled = [places[n] for n in title]
        for n in flow.labels:
            under = any(m < n and is_abstract(flow.parts[m].text) for m in levels)  # type: ignore[union-attr]
            levels[n] = Level(2 if under else 1, "size")
        later = {before: n for n, before in flow.goes_on.items()}
        joined: set[int] = set()
        listed = self._entries(flow, levels)
        joined |= {n for span in listed.values() for n in span[0]}
        for n, part in enumerate(flow.parts):
            if n in listed:
                yield from listed[n][1]
            if n in joined or n in titled[1:]:
                continue
            if not isinstance(part, Paragraph):
                yield from self._float(n, *part)
            elif n in titled:
                whole = [line for place in titled for line in flow.parts[place].lines]  # type: ignore[union-attr]
                yield replace(self._draft(part.page, "title", whole), level=1, ground="size")
            elif n in levels:
                yield replace(
                    self._draft(part.page, "sub_title", part.lines), level=levels[n].level, ground=levels[n].ground
                )
            else:
                groups = [part.lines]
                end = n
                while end in later and flow.parts[later[end]].page == part.page and later[end] not in levels:  # type: ignore[union-attr]
                    end = later[end]
                    groups.append(flow.parts[end].lines)  # type: ignore[union-attr]
                    joined.add(end)
                draft = self._draft(part.page, "text", *groups)
                before = flow.goes_on.get(n)
                yield replace(draft, key=f"p{end}", continues="" if before is None else f"p{before}")

    def _entries(self, flow: Flow, levels: Mapping[int, Level]) -> dict[int, tuple[list[int], list[Draft]]]:
        """The reference lists that can be cut, by their first part: the parts that they fill, and their entries."""
        found = {}
        for start in levels:
            part = flow.parts[start]
            if not (isinstance(part, Paragraph) and is_references(part.text)):
                continue
            end = min((n for n in levels if n > start), default=len(flow.parts))
            inside = [n for n in range(start + 1, end) if isinstance(flow.parts[n], Paragraph)]
            columns = [
                (flow.parts[places[0]].page, [flow.parts[n].lines for n in places])  # type: ignore[union-attr]
                for _, group in groupby(inside, key=lambda n: flow.columns[n])
                if (places := list(group))
            ]
            pieces = cut_entries(columns) if columns else None
            if pieces:
                found[inside[0]] = (inside, list(self._entry_drafts(start, pieces)))
        return found

    def _entry_drafts(self, start: int, pieces: Sequence[Piece]) -> Iterator[Draft]:
        """A draft for each entry; the part of one that stands on the next page is a draft that continues it."""
        waiting: list[Piece] = []
        count = 0
        for piece in (*pieces, None):
            if waiting and (piece is None or piece.begins or piece.page != waiting[-1].page):
                draft = self._draft(waiting[0].page, "reference", *(one.lines for one in waiting))
                before = "" if waiting[0].begins or not count else f"r{start}.{count}"
                count += 1
                yield replace(draft, key=f"r{start}.{count}", continues=before)
                waiting = []
            if piece is not None:
                waiting.append(piece)

    def _float(self, n: int, page: int, region: Region) -> Iterator[Draft]:
        key = f"f{n}"
        if region.shown:
            box = box_of([region.rect], self.sizes[page])
            if region.kind == "table" and region.table is not None:
                text = "\n".join(table_lines(region.table))
                yield Draft(page, "table", text, (box,), table=region.table, key=key)
            else:
                text = compose(region.inside, self.known).text if region.inside else ""
                yield Draft(page, "image" if region.kind == "figure" else "table", text, (box,), key=key)
        if region.caption:
            label = "figure_title" if region.kind == "figure" else "table_title"
            yield replace(self._draft(page, label, region.caption), caption_of=key)
        for line in region.notes:
            yield self._draft(page, "table_footnote", [line])

    def _draft(self, page: int, label: str, *groups: Sequence[Line]) -> Draft:
        """A draft with a box for each group of lines."""
        made = compose([line for group in groups for line in group], self.known)
        boxes = tuple(box_of([line.rect for line in group], self.sizes[page]) for group in groups)
        return Draft(page, label, made.text, boxes, marks=made.marks)


def _outline(document: pdfium.PdfDocument, pages: Sequence[PageContent]) -> list[OutlineEntry]:
    """The file's own outline, with the height on the page to which each entry leads."""
    found = []
    for item in document.get_toc():
        dest = item.get_dest()
        index = dest.get_index() if dest else None
        y = None
        if dest and index is not None and index < len(pages):
            mode, at = dest.get_view()
            place = {1: 1, 3: 0, 5: 3, 7: 0}.get(mode)  # XYZ, FitH, FitR, FitBH
            y = pages[index].height - at[place] if place is not None and len(at) > place and at[place] else None
        found.append(OutlineEntry(item.level + 1, item.get_title(), index + 1 if index is not None else 0, y))
    return found


def _title(document: pdfium.PdfDocument) -> str:
    return str(document.get_metadata_dict().get("Title", ""))


def box_of(rects: Sequence[Rect], size: tuple[float, float]) -> Box:
    """The box around rectangles, in thousandths of the page."""
    wide, high = size
    return Box(
        *(
            min(max(round(1000 * value / side), 0), 1000)
            for value, side in (
                (min(r.x0 for r in rects), wide),
                (min(r.y0 for r in rects), high),
                (max(r.x1 for r in rects), wide),
                (max(r.y1 for r in rects), high),
            )
        )
    )


def _usual(found: Sequence[Sequence[Gutter]]) -> list[Gutter]:
    """Gutters that the paper's pages share."""
    strong = [gutters[0] for gutters in found if gutters and gutters[0].votes >= 15]
    return [
        g for g in strong if sum(1 for other in strong if abs(other.middle - g.middle) < 6) >= max(2, 0.3 * len(found))
    ]
