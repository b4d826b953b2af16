"""Entries of a reference list as printed: their numbers, and where each starts in a block of several."""

from __future__ import annotations

import re
from itertools import pairwise

from kag.indexing.references.names import read_names

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
_REACH = 80  # characters before an entry that tell whether another one ends there
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
