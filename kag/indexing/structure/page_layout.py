"""Reading order: the order in which a person reads the blocks of a page.

OCR engines write blocks in reading order nearly always, so their order is kept unless the boxes
contradict it too often. The geometric order cuts a page into bands at blocks that span the columns
and reads each band column by column (recursive X-Y cuts, Nagy and Seth 1984, in two levels).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import groupby

from kag.core.types import Block, Box, Document

# A block wider than this share of the page spans its columns.
SPANNING_WIDTH = 600
# Share of block pairs that may be out of geometric order before the OCR's order is not believed: pages in order
# stay below 0.2 (columns of unequal height, wide headers), blocks at random give 0.5.
MAX_INVERSIONS = 0.3


def reading_order(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks of all pages in reading order."""
    ordered: list[Block] = []
    for _, page in groupby(blocks, key=lambda block: block.page):
        ordered.extend(_page_order(list(page)))
    return tuple(ordered)


def blocks_in_order(document: Document) -> tuple[Block, ...]:
    """A paper's blocks as a person reads them; OCR alone does not know the order that it writes them in."""
    return reading_order(document.blocks) if document.source == "ocr" else document.blocks


def reading_positions(document: Document) -> dict[str, int]:
    """Each block's place in the reading order, from 1."""
    return {block.id: place for place, block in enumerate(blocks_in_order(document), start=1)}


def _page_order(page: list[Block]) -> list[Block]:
    if len(page) < 3 or any(not block.boxes for block in page):
        return page
    geometric = _geometric_order(page)
    place = {block.id: n for n, block in enumerate(geometric)}
    pairs = len(page) * (len(page) - 1) / 2
    return geometric if _inversions([place[block.id] for block in page]) > MAX_INVERSIONS * pairs else page


def _inversions(places: Sequence[int]) -> int:
    """How many pairs stand in the wrong order; `places` are 0, 1, ... in any order.

    >>> _inversions([2, 0, 1])
    2
    """
    smaller = [0] * (len(places) + 1)  # counts of the places seen, added up as in a binary indexed tree
    wrong = 0
    for seen, place in enumerate(places):
        wrong += seen
        at = place + 1
        while at:
            wrong -= smaller[at]
            at &= at - 1
        at = place + 1
        while at <= len(places):
            smaller[at] += 1
            at += at & -at
    return wrong


def _geometric_order(page: list[Block]) -> list[Block]:
    """Bands from top to bottom, columns from left to right, blocks from top to bottom."""
    spanning = [block for block in page if _spans(block.boxes[0])]
    narrow = [block for block in page if not _spans(block.boxes[0])]
    edges = sorted({block.boxes[0].y0 for block in spanning})

    def key(block: Block) -> tuple[int, bool, bool, int, int]:
        box = block.boxes[0]
        band = bisect(edges, (box.y0 + box.y1) // 2)
        in_column = not _spans(box)
        return band, in_column, in_column and (box.x0 + box.x1) / 2 > 500, box.y0, box.x0

    return sorted([*spanning, *narrow], key=key)


def _spans(box: Box) -> bool:
    return box.width > SPANNING_WIDTH or (box.x0 < 400 and box.x1 > 600 and abs(box.x0 + box.x1 - 1000) < 200)
