"""Reading order: the order in which a person reads the blocks of a page.

The OCR's order is kept unless the boxes contradict it too often. The geometric order cuts a page into bands at blocks
that span the columns and reads each band column by column (recursive X-Y cuts, Nagy and Seth 1984, in two levels).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from kag.core.types import Block, Box, Document, Skipped
from kag.sources.labels import FURNITURE, LOGOS, NO_TEXT, PICTURES, TABLES

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
    """Count the inversions; `places` are 0, 1, ... in any order.

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


# Blocks that are no part of the paper: running heads, page numbers, logos, a repeated cover, nothing at all ---

TOP_MARGIN, BOTTOM_MARGIN = 75, 930  # thousandths of the page
NEVER_FURNITURE = PICTURES | TABLES | {"title"}
MAX_FURNITURE = 200  # characters
LOGO_SIDE = 60  # thousandths: a picture smaller than this both ways, without a caption, is no figure
COVER_PAGES = 3
MAX_COVER = 300  # blocks of the pages before that are taken for a cover
SAME_WORDS = 0.75  # share of common words (Jaccard) from which two front blocks print the same

_PAGE_NUMBER = re.compile(r"^\W*(?:page\s*|p\.\s*|s)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d{1,5})?\W*$", re.I)

_DOWNLOAD = re.compile(
    r"^\W*(?:downloaded\s(?:from|by|via|on)\s|authorized licensed use limited to|this content downloaded from|"
    r"view publication stats|see discussions, stats, and author profiles)",
    re.I,
)


def find_noise(blocks: Sequence[Block]) -> dict[str, Skipped]:
    """The blocks to leave out, each with the reason."""
    reasons = {**_furniture(blocks), **_notices(blocks), **_empty(blocks), **_logos(blocks), **_repeated_cover(blocks)}
    return {block_id: Skipped(block_id, reason) for block_id, reason in reasons.items()}


def _furniture(blocks: Sequence[Block]) -> dict[str, str]:
    """Running heads and page numbers."""
    margin = [block for block in blocks if _in_margin(block)]
    repeated = _repeated({(block.page, _pattern(block.plain)) for block in margin})
    found = {}
    for block in blocks:
        if block.label in FURNITURE:
            found[block.id] = "page number" if _PAGE_NUMBER.match(block.plain) else "running head"
        elif block.label in NO_TEXT:
            found[block.id] = NO_TEXT[block.label]
    for block in margin:
        if _PAGE_NUMBER.match(block.plain):
            found[block.id] = "page number"
        elif _pattern(block.plain) in repeated and block.plain:
            found[block.id] = "running head"
    return found


def _repeated(heads: set[tuple[int, str]]) -> set[str]:
    """The patterns printed on more than one page."""
    pages = Counter(pattern for _, pattern in heads)
    return {pattern for pattern, number in pages.items() if number > 1}


def _notices(blocks: Sequence[Block]) -> dict[str, str]:
    """Return texts that a site or a reviewer's print adds: download notices, and line numbers."""
    found = {}
    for block in blocks:
        if block.label in NEVER_FURNITURE or len(block.plain) > MAX_FURNITURE:
            continue
        if _DOWNLOAD.match(block.plain):
            found[block.id] = "download notice"
        elif _counts_lines(block.plain):
            found[block.id] = "line numbers"
    return found


def _counts_lines(text: str) -> bool:
    """Nothing but three or more numbers, each one or five above the one before."""
    words = text.split()
    if len(words) < 3 or not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
        return False
    steps = {int(later) - int(earlier) for earlier, later in pairwise(words)}
    return steps in ({1}, {5})


def _in_margin(block: Block) -> bool:
    """Whether all boxes of a short block lie above or below the text area."""
    if not block.boxes or len(block.plain) > MAX_FURNITURE or block.label in NEVER_FURNITURE:
        return False
    return all(box.y1 <= TOP_MARGIN for box in block.boxes) or all(box.y0 >= BOTTOM_MARGIN for box in block.boxes)


def _pattern(text: str) -> str:
    """Return the part of a text that stays the same from page to page: the words without their numbers."""
    return re.sub(r"[\d\W]+", " ", text).strip().lower()


def _empty(blocks: Sequence[Block]) -> dict[str, str]:
    """Blocks that print nothing; a picture prints what is in its box, and one that has a caption is there without."""
    named = {block.caption_of for block in blocks}
    blank = [block for block in blocks if not block.text.strip() and not block.table and block.id not in named]
    return {
        block.id: "picture without a readable box" if block.label in LOGOS else "empty"
        for block in blank
        if not (block.label in LOGOS and block.boxes)
    }


def _logos(blocks: Sequence[Block]) -> dict[str, str]:
    return {
        block.id: "logo"
        for block in blocks
        if block.label in LOGOS
        and block.boxes
        and not block.text
        and all(box.width < LOGO_SIDE and box.height < LOGO_SIDE for box in block.boxes)
    }


def _repeated_cover(blocks: Sequence[Block]) -> dict[str, str]:
    """A repository's cover page prints title, authors and abstract that the paper prints again."""
    titles = [block for block in blocks if block.label == "title" and block.page <= COVER_PAGES]
    if not titles:
        return {}
    first = _words(titles[0])
    again = {block.page for block in titles[1:] if block.page != titles[0].page and _is_one_of(_words(block), [first])}
    found: dict[str, str] = {}
    for page_number, page in groupby(blocks, key=lambda block: block.page):
        if page_number not in again:
            continue
        earlier = [_words(block) for block in blocks if block.page < page_number][:MAX_COVER]
        for block in page:
            if block.text and _is_one_of(_words(block), earlier):
                found[block.id] = "printed before on the cover"
    return found


def _is_one_of(words: set[str], others: Sequence[set[str]]) -> bool:
    return bool(words) and any(len(words & other) >= SAME_WORDS * len(words | other) for other in others)


def _words(block: Block) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", block.plain.lower()))
