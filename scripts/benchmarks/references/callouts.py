"""How well call-outs are found in plain text, measured on texts in which people marked them.

A call-out counts as found when a found one of its kind touches it, and as exact when the two cover the same
characters. Whether "[1], [2]" is one call-out or two is a matter of taste, so for the exact comparison neighbours with
nothing but separators between them are one on both sides, and brackets and blanks at the ends do not count, nor does
the word before the number of a figure or table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (exclusive) of a text that are a call-out of a kind, such as citation or figure."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CallOutScore:
    """Counts for one kind: call-outs in the gold (`asked`) and found (`given`), and those of each that touch the other.

    `groups_asked`, `groups_given` and `exact` count groups of neighbouring call-outs, and those that are equal.
    """

    kind: str
    asked: int
    asked_touched: int
    given: int
    given_touched: int
    groups_asked: int
    groups_given: int
    exact: int

    @property
    def recall(self) -> float:
        return self.asked_touched / self.asked if self.asked else 1.0

    @property
    def precision(self) -> float:
        return self.given_touched / self.given if self.given else 1.0

    @property
    def exact_recall(self) -> float:
        return self.exact / self.groups_asked if self.groups_asked else 1.0

    @property
    def exact_precision(self) -> float:
        return self.exact / self.groups_given if self.groups_given else 1.0


_BETWEEN = re.compile(r"[\s,;()\[\]&–—-]*(?:and)?[\s(\[]*")
_WORDS = re.compile(r"(?:[^\W\d_]{3,}\.?\s*|§)+(?=\S)")
_ENDS = " \n\t()[],;."
Row = tuple[str, Sequence[Span], Sequence[Span]]


def score_callouts(rows: Iterable[Row], kinds: Sequence[str] = ("citation", "figure", "table")) -> list[CallOutScore]:
    """Score the found call-outs of texts; a row is a text, its gold spans and the found ones."""
    counts: Counter[tuple[str, str]] = Counter()
    for text, gold, found in rows:
        for kind in kinds:
            wanted = [(span.start, span.end) for span in gold if span.kind == kind]
            given = [(span.start, span.end) for span in found if span.kind == kind]
            counts.update(_counted(kind, text, wanted, given))
    names = ("asked", "asked_touched", "given", "given_touched", "groups_asked", "groups_given", "exact")
    return [CallOutScore(kind, *(counts[kind, name] for name in names)) for kind in kinds]


def _counted(
    kind: str, text: str, wanted: list[tuple[int, int]], given: list[tuple[int, int]]
) -> dict[tuple[str, str], int]:
    groups_wanted, groups_given = (_groups(text, spans, named=kind == "citation") for spans in (wanted, given))
    return {
        (kind, "asked"): len(wanted),
        (kind, "asked_touched"): _touched(wanted, given),
        (kind, "given"): len(given),
        (kind, "given_touched"): _touched(given, wanted),
        (kind, "groups_asked"): len(groups_wanted),
        (kind, "groups_given"): len(groups_given),
        (kind, "exact"): len(groups_wanted & groups_given),
    }


def _touched(these: list[tuple[int, int]], those: list[tuple[int, int]]) -> int:
    return sum(any(start < other_end and other < end for other, other_end in those) for start, end in these)


def _groups(text: str, spans: list[tuple[int, int]], *, named: bool) -> set[tuple[int, int]]:
    """Spans with neighbours joined, without brackets and blanks at their ends."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and _BETWEEN.fullmatch(text[joined[-1][1] : start]):
            start = joined.pop()[0]
        joined.append((start, end))
    return {_trimmed(text, *span, named=named) for span in joined}


def _trimmed(text: str, start: int, end: int, *, named: bool) -> tuple[int, int]:
    word = None if named else _WORDS.match(text, start, end)
    start = word.end() if word else start
    while start < end and text[start] in _ENDS:
        start += 1
    while start < end and text[end - 1] in _ENDS:
        end -= 1
    return start, end
