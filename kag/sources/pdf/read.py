"""`read_pdf`: a PDF becomes what a `Document` is made of, page by page and box by box."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pypdfium2 as pdfium

from kag.sources.draft import Draft, Parsed
from kag.sources.pdf.columns import Gutter, page_gutters, reading_order
from kag.sources.pdf.compose import compose, words_within
from kag.sources.pdf.content import PageContent, Rect, read_page
from kag.sources.pdf.front import find_title, front_end
from kag.sources.pdf.furniture import find_furniture
from kag.sources.pdf.headings import Level, OutlineEntry, Set, body_type, find_headings
from kag.sources.pdf.lines import lines_of
from kag.sources.pdf.paragraphs import paragraphs, pitches
from kag.values.types import Box


def read_pdf(path: Path) -> Parsed:
    data = path.read_bytes()
    document = pdfium.PdfDocument(data)
    pages = [read_page(document[n], n + 1) for n in range(len(document))]
    outline = _outline(document, pages)
    lines = [lines_of(page.words) for page in pages]
    furniture = find_furniture(pages, lines)
    flow = [[line for line in found if line not in furniture] for found in lines]
    usual = _usual([page_gutters(found, page.width) for page, found in zip(pages, flow, strict=True)])
    columns = [reading_order(found, page.width, usual) for page, found in zip(pages, flow, strict=True)]
    pitch = pitches([column for page in columns for column in page])
    sets = [
        Set(page.number, tuple(group))
        for page, found in zip(pages, columns, strict=True)
        for column in found
        for group in paragraphs(column, pitch)
    ]
    body = body_type([line for found in flow for line in found])
    title = find_title(sets, _title(document))
    levels = find_headings(sets, body, outline, front_end(sets, title, body))
    known = words_within([line for found in lines for line in found])
    sizes = {page.number: (page.width, page.height) for page in pages}
    drafts = []
    for line, label in furniture.items():
        page = next(p for p, found in zip(pages, lines, strict=True) if line in found)
        drafts.append(
            Draft(page.number, label, compose([line], known).text, (box_of([line.rect], sizes[page.number]),))
        )
    sets, levels = _with_title(sets, levels, title)
    for n, one in enumerate(sets):
        level = levels.get(n)
        made = compose(one.lines, known)
        box = box_of([line.rect for line in one.lines], sizes[one.page])
        drafts.append(
            Draft(
                one.page,
                "title" if title and n == title.start else "sub_title" if level else "text",
                made.text,
                (box,),
                level=level.level if level else 0,
                ground=level.ground if level else "",
                marks=made.marks,
            )
        )
    return Parsed(drafts, len(pages), hashlib.sha256(data).hexdigest(), "pdf", page_sizes=tuple(sizes.values()))


def _outline(document: pdfium.PdfDocument, pages: Sequence[PageContent]) -> list[OutlineEntry]:
    """The file's own outline, with the height on the page to which each entry leads."""
    found = []
    for item in document.get_toc():
        dest = item.get_dest()
        index = dest.get_index() if dest else None
        y = None
        if dest and index is not None and index < len(pages):
            mode, at = dest.get_view()
            place = {1: 1, 3: 0, 7: 0}.get(mode)  # XYZ, FitH, FitBH
            y = pages[index].height - at[place] if place is not None and len(at) > place and at[place] else None
        found.append(OutlineEntry(item.level + 1, item.get_title(), index + 1 if index is not None else 0, y))
    return found


def _title(document: pdfium.PdfDocument) -> str:
    return str(document.get_metadata_dict().get("Title", ""))


def _with_title(sets: list[Set], levels: dict[int, Level], title: range) -> tuple[list[Set], dict[int, Level]]:
    """The paragraphs of the title put together as one, the places of the headings behind it moved."""
    if len(title) < 1:
        return sets, levels
    whole = Set(sets[title.start].page, tuple(line for n in title for line in sets[n].lines))
    gone = len(title) - 1
    moved = {n if n < title.start else n - gone: level for n, level in levels.items() if n not in title}
    return [*sets[: title.start], whole, *sets[title.stop :]], moved


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
