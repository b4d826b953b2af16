"""`read_liteparse`: a PDF by LiteParse (Apache-2.0, another layout over another copy of pdfium), where it is installed.

A second opinion on the same bytes. Its blocks are taken as they are; what it prints in none of them is kept as lines.
Its OCR fetches data from the network and is never asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError, needed_extra
from kag.core.files import shown
from kag.core.types import Box, Cell, Repair, Table
from kag.sources.boxes import Sheets
from kag.sources.draft import Draft, Parsed
from kag.sources.outline import ITEM, finished
from kag.sources.pdf.file.opening import besides
from kag.sources.pdf.file.pdf_metadata import read_metadata
from kag.sources.pdf.file.render import MAX_PAGES, PdfPages, open_pages
from kag.sources.reading import AS_IT_IS, Reading
from kag.sources.tables import table_lines

KIND = "pdf-liteparse"
_MARGIN = 0.08  # of the page's height, above and below, where running heads stand
_ONE_LINE = 3.0  # points


def read_liteparse(path: Path, reading: Reading = AS_IT_IS) -> Parsed:
    """Read a PDF into drafts, in the order that LiteParse gives; raises `SourceError`, `MissingExtra` without it."""
    with open_pages(path, reading.password) as pdf:
        repairs = [Repair(0, 0, *repair) for repair in besides(pdf)]
        metadata, pages = read_metadata(pdf), pdf.count
    result = _parsed(pdf, reading.password)
    repairs += (
        Repair(error.page_num, 0, "a page that LiteParse cannot read", "page left out") for error in result.page_errors
    )
    sheets = Sheets()
    for page in result.pages:
        sheets.size(page.page_num, page.width, page.height)
    running = _running(result.pages)
    drafts = [draft for page in result.pages for draft in _page(sheets, page, running)]
    bare = [page.page_num for page in result.pages if not any(map(_letters, (item.text for item in page.text_items)))]
    if len(bare) == len(result.pages):
        hint = "Leave --engine away: the usual one reads pictures of pages with tesseract."
        raise SourceError(f"{shown(path)}: LiteParse finds no text on any page", hint=hint)
    repairs += (Repair(number, 0, "a page without text", "left as a picture") for number in bare)
    return Parsed(
        finished(drafts),
        pages,
        pdf.sha256,
        KIND,
        repairs=(*repairs, *sheets.repairs),
        page_sizes=sheets.points(),
        metadata=metadata,
    )


def _parsed(pdf: PdfPages, password: str) -> Any:
    """Run LiteParse on a file; no option lets it use the network, a cache or other files."""
    with needed_extra("liteparse"):
        from liteparse import LiteParse
    parser = LiteParse(
        ocr_enabled=False,
        extract_blocks=True,
        keep_headers_footers=True,
        continue_on_page_error=True,
        image_mode="off",
        max_pages=MAX_PAGES,
        num_workers=1,
        password=password or None,
        quiet=True,
    )
    try:
        return parser.parse(pdf.data)
    except Exception as error:  # its errors are of many kinds, and none says more
        problem = " ".join(str(error).split())[:200]
        hint = "Leave --engine away, or print the file to a new PDF."
        raise SourceError(f"{shown(pdf.path)}: LiteParse cannot read it: {problem}", hint=hint) from None


def _page(sheets: Sheets, page: Any, running: Set[str]) -> Iterator[Draft]:
    """The blocks of a page, and what it prints in none of them."""
    blocks = [(block, _rect(block.bbox)) for block in page.blocks or ()]
    printed = 0
    for block, rect in blocks:
        draft = _draft(page, block, sheets.boxes(page.page_num, rect) if rect else (), running)
        printed += _letters(draft.text)
        yield draft
    if printed < sum(_letters(item.text) for item in page.text_items):
        rects = [rect for block, rect in blocks if rect and _says(block)]
        left = [item for item in page.text_items if item.text.strip() and not any(_holds(r, item) for r in rects)]
        shown = [rect for block, rect in blocks if rect and block.kind == "figure"]
        for inside, items in groupby(left, key=lambda item: any(_holds(r, item) for r in shown)):
            for line in _lines(items):
                boxes = sheets.boxes(page.page_num, _around(line))
                yield Draft(
                    page.page_num, "figure_text" if inside else "text", " ".join(i.text.strip() for i in line), boxes
                )


def _draft(page: Any, block: Any, boxes: tuple[Box, ...], running: Set[str]) -> Draft:
    kind, words = block.kind, (block.text or "").strip()
    if kind == "heading":
        return Draft(page.page_num, "sub_title", words, boxes, level=block.level or 1, ground="size")
    if kind == "list_item":
        return Draft(page.page_num, ITEM, f"{block.marker or ''} {words}".strip(), boxes)
    if kind == "table":
        table = _table([*([block.header] if block.header else []), *(block.rows or [])], len(block.header or ()) > 0)
        return Draft(page.page_num, "table", "\n".join(table_lines(table)), boxes, table=table)
    if kind in ("figure", "rule"):
        return Draft(page.page_num, "image" if kind == "figure" else "rule", "", boxes)
    if kind == "paragraph":
        furniture = "page_header" if _marginal(page, block) in running else ""
        return Draft(page.page_num, furniture or "text", words, boxes)
    return Draft(page.page_num, "code" if kind == "code" else "text", words or "\n".join(block.lines or ()), boxes)


def _running(pages: Sequence[Any]) -> set[str]:
    """Return the texts in the margins of several pages, without numbers; "" are bare page numbers."""
    found = Counter(words for page in pages for words in {_marginal(page, block) for block in page.blocks or ()})
    return {words for words, count in found.items() if words is not None and (count > 1 or not words)}


def _marginal(page: Any, block: Any) -> str | None:
    """The letters of a paragraph above or below the text; None for any other."""
    rect, margin = _rect(block.bbox), _MARGIN * page.height
    if block.kind != "paragraph" or rect is None or (margin < rect[1] and rect[3] < page.height - margin):
        return None
    return "".join(filter(str.isalpha, block.text or ""))


def _table(rows: Sequence[Sequence[Any]], headed: bool) -> Table:
    cells = tuple(
        Cell(" ".join(cell.text.split()), r, c, header=headed and r == 0)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    )
    return Table(cells, len(rows), max(map(len, rows), default=0))


def _says(block: Any) -> bool:
    return bool(block.text or block.lines or block.rows or block.header)


def _rect(bbox: Any) -> tuple[float, float, float, float] | None:
    return None if bbox is None else (bbox.x, bbox.y, bbox.x + bbox.width, bbox.y + bbox.height)


def _holds(rect: tuple[float, float, float, float], item: Any) -> bool:
    x, y = item.x + item.width / 2, item.y + item.height / 2
    return bool(rect[0] <= x <= rect[2] and rect[1] <= y <= rect[3])


def _lines(items: Iterable[Any]) -> list[list[Any]]:
    """Items of one height, in their order."""
    found: list[list[Any]] = []
    for item in items:
        if found and abs(found[-1][-1].y - item.y) < _ONE_LINE:
            found[-1].append(item)
        else:
            found.append([item])
    return found


def _around(items: Sequence[Any]) -> list[float]:
    rects = [(item.x, item.y, item.x + item.width, item.y + item.height) for item in items]
    return [pick(sides) for pick, sides in zip((min, min, max, max), zip(*rects, strict=True), strict=True)]


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
