"""How neighbouring names of methods, tasks and metrics stand to each other, by the words between them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from kag.layers.entities.terms import Named, named
from kag.layers.entities.tokens import Tokens


class Link(NamedTuple):
    """A relation from one name to another, in the words of SciERC."""

    head: Named
    tail: Named
    kind: str


_ARTICLE = r"\s+(?:the |a |an |our )?"
_LINKS: tuple[tuple[re.Pattern[str], str, bool], ...] = tuple(
    (re.compile(rf"\s*,?\s*(?:{said}){_ARTICLE}", re.IGNORECASE), kind, turned)
    for said, kind, turned in (
        (",|and|or|and/or|as well as", "CONJUNCTION", False),
        (
            "for|to|applied to|(?:is |are )?used (?:for|in|to)|to solve|that performs?",
            "USED-FOR",
            False,
        ),
        (
            "(?:is |are )?based on|(?:by )?using|with|via|by(?: means of)?|trained on|(?:that )?uses|employs",
            "USED-FOR",
            True,
        ),
        ("of|in|on", "FEATURE-OF", False),
        ("such as|like|including|e\\.g\\.,?", "HYPONYM-OF", True),
        ("(?:is|are)(?: a| an| one)?(?: kind of| type of)?", "HYPONYM-OF", False),
        ("than|over|outperforms|compared (?:to|with)", "COMPARE", False),
    )
)
_LOOSE: tuple[tuple[re.Pattern[str], bool], ...] = (
    (re.compile(r"\b(?:using|based on|via|by|from|uses|employing)\b(?:\W+\w+){0,2}\W*$"), True),
    (re.compile(r"\b(?:for|to|that)\b(?:\W+\w+){0,2}\W*$"), False),
)
_FAR = 50  # characters


def links(row: Tokens) -> Iterator[Link]:
    """The relations between neighbours of one sentence; what holds of one of several in a row holds of the others."""
    borders = [row.ends[last - 1] for _, last in row.sentences]
    beside: dict[Named, list[Named]] = defaultdict(list)
    for one, other in pairwise(sorted(named(row))):
        if any(one.end <= border <= other.start for border in borders):
            continue
        if not (told := between(row.text[one.end : other.start], one, other)):
            continue
        kind, turned = told
        if kind == "CONJUNCTION":
            beside[other] = [*beside[one], one]
        head, tail = (other, one) if turned else (one, other)
        yield Link(head, tail, kind)
        for more in beside[one] if kind != "CONJUNCTION" else ():
            yield Link(other, more, kind) if turned else Link(more, other, kind)


def between(text: str, one: Named, other: Named) -> tuple[str, bool] | None:
    """The relation that the words between two neighbours tell, and whether it leads from the later to the earlier."""
    for pattern, kind, turned in _LINKS:
        if not pattern.fullmatch(text):
            continue
        if one.kind == "metric" and kind in ("USED-FOR", "FEATURE-OF"):
            return "EVALUATE-FOR", False
        if other.kind == "metric" and kind == "USED-FOR":
            return "EVALUATE-FOR", True
        return kind, turned
    if len(text) <= _FAR:
        for pattern, turned in _LOOSE:
            if pattern.search(text):
                metric = (one if turned else other).kind == "metric" or (other if turned else one).kind == "metric"
                return "EVALUATE-FOR" if metric else "USED-FOR", turned
    return None
