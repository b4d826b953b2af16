"""Spans of a node's text widened to what can be read alone: whole sentences, or whole rows of a table."""

from __future__ import annotations

from functools import lru_cache

from kag.qa.paper import Node
from kag.text.sentences import sentences

LONGEST = 480  # characters of an excerpt, unless asked for more


def excerpt(node: Node, start: int, end: int, longest: int = LONGEST) -> tuple[int, int]:
    """The sentences or table rows that a span touches; cut between words where they are longer than `longest`.

    The characters asked for are always inside, as far as they fit.
    """
    first, last = _rows(node.text, start, end) if node.kind == "Table" else _sentences(node.text, start, end)
    if last - first <= longest:
        return first, last
    room = max(0, longest - (end - start))
    return between_words(node.text, max(first, start - room // 2), min(last, max(start, first) + longest - room // 2))


def between_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without the pieces of words at its ends."""
    if start > 0 and not text[start - 1].isspace():
        blank = text.find(" ", start, end)
        start = blank + 1 if blank >= 0 else start
    if end < len(text) and not text[end].isspace():
        blank = text.rfind(" ", start, end)
        end = blank if blank > start else end
    return start, end


def _rows(text: str, start: int, end: int) -> tuple[int, int]:
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", max(start, end - 1))
    return first, len(text) if last < 0 else last


def _sentences(text: str, start: int, end: int) -> tuple[int, int]:
    touched = [(first, last) for first, last in _spans(text) if first < max(end, start + 1) and last > start]
    return (min(touched[0][0], start), max(touched[-1][1], end)) if touched else (start, end)


@lru_cache(maxsize=1024)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    return sentences(text)
