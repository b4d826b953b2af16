"""Paragraphs that a column, a float or a page end cut in two."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise

from kag.values.types import Block

_ENDS = re.compile(r"[.!?:;][\"'”’)\]]*\s*(?:\\\(\s*\^?\{[^}]{0,40}\}\s*\\\)|[⁰¹²³⁴-⁹,–-]|\[[\d,–\s-]{1,30}\])*\s*$")
_HYPHEN = re.compile(r"[^\W\d_]-$")
_LOWER_WORD = re.compile(r"^[a-z]{2,}\s")
_GOES_ON = re.compile(r"^[\"'“‘(\[]*[^\W\d_A-Z]|^[,;)\]]")


def continuations(paragraphs: Sequence[Block], behind: Set[str] = frozenset()) -> dict[str, str]:
    """Later part -> earlier part, for text blocks of one section in reading order (floats left out).

    A block goes on where the one before stops without an end of sentence and it begins like the
    inside of one. Beginning with a whole word in lower case is enough by itself: OCR adds full stops.
    Blocks right below each other are two paragraphs, but for those `behind` a formula ("where a is ...").
    """
    return {
        later.id: earlier.id
        for earlier, later in pairwise(paragraphs)
        if (later.id in behind or not _below(earlier, later)) and _cut(earlier, later)
    }


def _cut(earlier: Block, later: Block) -> bool:
    before, after = earlier.text.rstrip(), later.text.lstrip()
    if not before or not after:
        return False
    if _LOWER_WORD.match(after):
        return True
    return not _ENDS.search(before[-120:]) and bool(_GOES_ON.match(after) or _HYPHEN.search(before))


def _below(earlier: Block, later: Block) -> bool:
    """Whether the later block is printed right below the earlier: two paragraphs, not one."""
    if earlier.page != later.page or not earlier.boxes or not later.boxes:
        return False
    end, start = earlier.boxes[-1], later.boxes[0]
    overlap = min(end.x1, start.x1) - max(end.x0, start.x0)
    return overlap > 0 and 0 <= start.y0 - end.y1 < 40
