"""The reference list: which blocks it fills, and where in them its entries begin and end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kag.core.types import Block
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

    A block labelled as a reference is one entry, with its continuations. Other blocks are split where they hold
    several; one that begins inside an entry (without number or author) is joined to the entry before it.
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
    """Return the starts of a block's entries that list marks separate: a bullet, the same before each of two at least.

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


# Entries of a reference list as printed: their numbers, and where each starts in a block of several ---

_NUMBER = re.compile(
    r"\s*(?:[-*•]\s+(?=[\[(\d]))?(?:\[(?P<bracket>\d{1,4})\]|\((?P<paren>\d{1,4})\)|(?P<dot>\d{1,3})\.(?=\s+\S|[^\s\d])|(?P<bare>\d{1,3})(?=\s+(?:[^\s\d:;,.)–-]|\.?$))"
    r"|(?:\\\(|\$)?\s?\^\{?(?P<super>\d{1,3})\}?\s?(?:\\\)|\$)?|(?P<raised>[⁰¹²³⁴-⁹]{1,3}))[.:]?\s*"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MARKS = re.compile(
    r"(?<!\S)(?:[-*•]\s+)?(?:\[(?P<bracket>\d{1,4})\]|\((?P<paren>\d{1,4})\)|(?P<dot>\d{1,3})\.|(?P<bare>\d{1,3}))(?=\s)"
)
_CLOSED = re.compile(r"(?:[.\])>/]|\d|doi:\S*|https?://\S+)\s*$")
_YEAR_FIRST = re.compile(r"[^()\n]{2,300}\((?:1[5-9]\d\d|20\d\d|n\.d\.|in press|forthcoming)[a-z]?\)?(?!\w)")
_REACH = 80  # characters before an entry that show whether another one ends there
_STARTS_NAME = re.compile(r"(?:[a-z]{1,5}[\s'’-]?){0,3}[^\W\d_a-z]|\d+\w*\s[^\W\d_a-z]")


def number_span(text: str) -> tuple[int, int] | None:
    """The printed number an entry starts with, and the place where its words begin."""
    found = _NUMBER.match(text)
    if not found or found.lastgroup is None:
        return None
    number = int(found[found.lastgroup].translate(_RAISED))
    return (number, found.end()) if number else None


def entry_number(text: str) -> int | None:
    """The printed number an entry starts with: "[12] ", "12. ", "12 ", "(12) ".

    >>> entry_number("[12] Smith J. Title."), entry_number("Smith J. Title.")
    (12, None)
    """
    span = number_span(text)
    return span[0] if span else None


def split_entries(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) of the entries printed in one block, in order; they cover the whole text.

    Numbered entries start where a number follows the one before it in the same form of print;
    unnumbered ones on a line of their own. A text that starts in the middle of an entry keeps its
    first part as a span.
    """
    starts = _numbered_starts(text) or _line_starts(text)
    if not text.strip():
        return []
    bounds = [0, *(start for start in starts if text[:start].strip())]
    return list(pairwise([*bounds, len(text)]))


def _numbered_starts(text: str) -> list[int]:
    starts: list[int] = []
    expected, form = 0, ""
    for mark in _MARKS.finditer(text):
        kind = mark.lastgroup or ""
        number = int(mark[kind])
        if not starts:
            if not _opens(text, mark, kind):
                continue
        elif (number, kind) != (expected, form) or not _follows(text, mark, kind):
            continue
        starts.append(mark.start())
        expected, form = number + 1, kind
    return starts


def _opens(text: str, mark: re.Match[str], kind: str) -> bool:
    """True for a number that can be the first of a block: at its start, or on a line behind the tail of another."""
    before = text[max(0, mark.start() - _REACH) : mark.start()].rstrip(" \t")
    if not before.strip():
        return mark.start() <= _REACH
    return before.endswith("\n") and bool(_CLOSED.search(before)) and _named(text, mark, kind)


def _follows(text: str, mark: re.Match[str], kind: str) -> bool:
    """True for a number that can start the next entry: on a new line, or behind a finished one."""
    before = text[max(0, mark.start() - _REACH) : mark.start()]
    if before.rstrip(" \t").endswith("\n"):
        return True
    return bool(_CLOSED.search(before)) and (kind == "bracket" or _named(text, mark, kind))


def _named(text: str, mark: re.Match[str], kind: str) -> bool:
    rest = text[mark.end() : mark.end() + 300].lstrip()
    return kind == "bracket" or bool(read_names(rest).people)


def _line_starts(text: str) -> list[int]:
    """Starts of lines that begin an unnumbered entry."""
    starts = [0]
    dated = bool(_YEAR_FIRST.match(text))
    for line in re.finditer(r"\n[ \t]*(?=\S)", text):
        rest = text[line.end() : line.end() + 400]
        begins = _YEAR_FIRST.match(rest) if dated else read_names(rest).people
        if begins and _STARTS_NAME.match(rest) and _CLOSED.search(text[max(0, line.start() - _REACH) : line.start()]):
            starts.append(line.end())
    return starts
