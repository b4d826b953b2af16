"""The reference list: which blocks it fills, and where in them its entries begin and end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kag.core.types import Block
from kag.indexing.enrich.bibliography import entry_number, split_entries
from kag.indexing.references.names import read_names
from kag.sources.labels import REFERENCES

_BULLET = re.compile(r"\s*([•◦▪‣●○■□➢✓·*–-])\s+(?=[^\W_])")
_BULLET_INSIDE = re.compile(r"(?:\n[ \t]{0,8}|(?<=[.\])])\s{1,4})([•◦▪‣●○■□➢✓·*–-])\s{1,4}(?=[^\W\d_])")
_INSIDE = re.compile(r"^[\W_]*[a-z]|^\d{1,4}[–:-]\d|^(?:doi|https?)\b")


@dataclass(frozen=True, slots=True)
class Entry:
    """One printed reference: whole blocks (`start` None), or a part of a single block.

    `tail` marks the first part of a block that ends the entry before it.
    """

    blocks: tuple[Block, ...]
    start: int | None = None
    end: int | None = None
    tail: bool = False


def find_entries(blocks: Sequence[Block]) -> tuple[Entry, ...]:
    """The entries printed in the blocks of a reference section, in order.

    A block that the source calls a reference is one, with the blocks that it says to continue it. Other blocks that
    hold several entries are split; one that begins inside an entry (no number in a numbered list, or no author in an
    unnumbered one) is joined to the entry before it.
    """
    numbered = _is_numbered(blocks)
    entries: list[Entry] = []
    for block in blocks:
        if block.label in REFERENCES:
            if entries and block.continues and block.continues == entries[-1].blocks[-1].id:
                entries[-1] = Entry((*entries[-1].blocks, block))
            else:
                entries.append(Entry((block,)))
            continue
        spans = _marked(block.text) or split_entries(block.text)
        goes_on = bool(entries) and _goes_on(block, entries[-1], numbered)
        if len(spans) > 1:
            # Parts lie edge to edge, so that together they are the whole text of the block.
            edges = [0, *(start for start, _ in spans[1:]), len(block.text)]
            parts = [Entry((block,), start, end) for start, end in pairwise(edges)]
            entries.extend([replace(parts[0], tail=goes_on), *parts[1:]])
        elif goes_on and entries[-1].start is None:
            entries[-1] = Entry((*entries[-1].blocks, block))
        else:
            entries.append(Entry((block,), tail=goes_on))
    return tuple(entries)


def _marked(text: str) -> list[tuple[int, int]]:
    """Where the entries of a block are that marks of a list part: a bullet, the same before each of two at least.

    >>> _marked("• Lima A. Ice. 2001. • Berg J. Fog. 2002.")
    [(0, 21), (21, 41)]
    """
    first = _BULLET.match(text)
    if not first:
        return []
    mark = first[1]
    inside = [found.start(1) for found in _BULLET_INSIDE.finditer(text) if found[1] == mark]
    starts = [first.start(1), *inside]
    return list(pairwise([*starts, len(text)])) if inside else []


def _is_numbered(blocks: Sequence[Block]) -> bool:
    numbers = [entry_number(block.plain) for block in blocks]
    return sum(number is not None for number in numbers) > len(numbers) / 2


def _goes_on(block: Block, entry: Entry, numbered: bool) -> bool:
    """Whether a block begins in the middle of an entry: without number in a numbered list, else in lower case.

    Names may begin in lower case too ("van Dam N."), so what reads as a name begins an entry.
    """
    if _BULLET.match(block.text):
        return False
    if numbered:
        return entry_number(block.plain) is None
    if entry.blocks[-1].text.rstrip().endswith(".") or read_names(block.plain).people:
        return False
    return bool(_INSIDE.match(block.text))
