"""Marks in spaCy's own JSON, a text a line, as `Doc.to_json()` writes it: `Doc(vocab).from_json(row)` reads it.

spaCy keeps spans by token, so tokens are made here: words, signs and blanks, cut at both ends of every mark. `ents`,
which may not lie across one another, are the longest mentions; `spans` has all marks by group, with `kb_id` for what is
the same elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kag.export.marks.spans import GROUPS, Mark, Marked, MarkedText

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


def spacy_lines(papers: Iterable[Marked]) -> Iterator[str]:
    """A line a text: `text`, `tokens`, `ents`, `spans`, and `paper` and `node`, which spaCy passes over."""
    for paper in papers:
        for text in paper.texts:
            yield json.dumps(_row(paper.paper, text), ensure_ascii=False) + "\n"


def _row(paper: str, text: MarkedText) -> dict[str, Any]:
    marks = [trimmed for mark in text.marks if (trimmed := _trimmed(text.text, mark))]
    borders = {place for _, start, end in marks for place in (start, end)}
    tokens = [{"id": n, "start": start, "end": end} for n, (start, end) in enumerate(tokens_of(text.text, borders))]
    groups = {group: [_span(mark, start, end) for mark, start, end in marks if mark.group == group] for group in GROUPS}
    return {
        "text": text.text,
        "ents": [{"start": start, "end": end, "label": mark.label} for mark, start, end in _apart(marks)],
        "spans": {group: spans for group, spans in groups.items() if spans},
        "tokens": tokens,
        "paper": paper,
        "node": text.node,
    }


def _span(mark: Mark, start: int, end: int) -> dict[str, Any]:
    label = dict(mark.about)["role"] if mark.group == "claim" else mark.label
    return {"start": start, "end": end, "label": label, "kb_id": mark.same[0] if mark.same else ""}


def _trimmed(text: str, mark: Mark) -> tuple[Mark, int, int] | None:
    """A mark without blanks at its ends: spaCy's blanks belong to the token before."""
    words = text[mark.start : mark.end]
    start = mark.start + len(words) - len(words.lstrip())
    return (mark, start, start + len(words.strip())) if words.strip() else None


def _apart(marks: Sequence[tuple[Mark, int, int]]) -> list[tuple[Mark, int, int]]:
    """The longest mentions of entities that do not lie across one another, in the order of the text."""
    taken: list[tuple[Mark, int, int]] = []
    mentions = [one for one in marks if one[0].group == "entity"]
    for one in sorted(mentions, key=lambda one: (one[1] - one[2], one[1], one[0].label)):
        if all(one[2] <= start or end <= one[1] for _, start, end in taken):
            taken.append(one)
    return sorted(taken, key=lambda one: one[1])


def tokens_of(text: str, borders: Iterable[int] = ()) -> list[tuple[int, int]]:
    """The tokens of a text from start to end, cut at `borders`; one blank behind a word belongs to it, as in spaCy.

    >>> text = "pH 7.4  is"
    >>> [text[start:end] for start, end in tokens_of(text, {1})]
    ['p', 'H', '7', '.', '4', ' ', 'is']
    """
    cuts = sorted(borders)
    found: list[tuple[int, int]] = []
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        if token[0].isspace():
            start += found != [] and text[start] == " "
            if start < end:
                found.append((start, end))
            continue
        for cut in [*(cut for cut in cuts if start < cut < end), end]:
            found.append((start, cut))
            start = cut
    return found
