"""The stretch of a passage that best shows what was looked for, cut at words and quotable as it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from kag.qa.passages import Part, Passage

SNIPPET = 240  # characters

Span = tuple[str, int, int]  # node, first character of its text, behind the last


class Match(NamedTuple):
    """A word found in a passage's text, and what it weighs."""

    start: int
    end: int
    word: str
    weight: float


def snippet(passage: Passage, matches: Sequence[Match]) -> Span:
    """A verbatim span of one node, at most 240 characters, around the different matches that weigh most together.

    `matches` are in order; without any it is the beginning of the passage.
    """
    whole = (Part(passage.id, 0, len(passage.text), 0),)
    best, part, first, last = 0.0, (passage.parts or whole)[0], 0, 0
    for one in passage.parts or whole:
        weight, start, end = _densest([match for match in matches if one.start <= match.start < one.end])
        if weight > best + 1e-9:
            best, part, first, last = weight, one, start, min(end, one.end, start + SNIPPET)
    left = max(part.start, first - (SNIPPET - (last - first)) // 2)
    right = min(part.end, left + SNIPPET)
    left = max(part.start, right - SNIPPET)
    if left > part.start:
        blank = passage.text.find(" ", left, first)
        left = blank + 1 if blank >= 0 else left
    if right < part.end:
        blank = passage.text.rfind(" ", max(last, left + 1), right)
        right = blank if blank >= 0 else right
    shift = part.offset - part.start
    return part.node, left + shift, right + shift


def _densest(matches: Sequence[Match]) -> tuple[float, int, int]:
    """The stretch of at most a snippet's length with the weightiest set of different words: (weight, start, end)."""
    best = (0.0, 0, 0)
    within: Counter[str] = Counter()
    weight, behind = 0.0, 0
    for match in matches:
        while behind < len(matches) and (matches[behind].end - match.start <= SNIPPET or not within.total()):
            weight += matches[behind].weight * (not within[matches[behind].word])
            within[matches[behind].word] += 1
            behind += 1
        if weight > best[0] + 1e-9:
            best = weight, match.start, matches[behind - 1].end
        within[match.word] -= 1
        weight -= match.weight * (not within[match.word])
    return best
