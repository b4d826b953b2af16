"""Titles that stand at the beginning of their text: the parts of a structured abstract ("Methods: We asked ..."), and
numbered ones ("2.1. Soil samples. We took ...").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kag.sources.pdf.file.content import Word
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.titles import is_abstract_label
from kag.sources.pdf.text.typography import Paragraph

_LONGEST = 16  # pieces of words that such a title is set in: kerning cuts them
_NUMBER = re.compile(r"^\d{1,2}(?:\.\d{1,2})+\.?\s+[^\W\d_]")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_TITLE = 40  # pieces of words of a numbered title
_SENTENCE_ENDS = (".", "?", "!", ")", "]", ";")


def split_labels(paragraph: Paragraph) -> list[tuple[Paragraph, bool]]:
    """The pieces of a paragraph of an abstract that has a title; True for those that are titles."""
    words = [(n, word) for n, line in enumerate(paragraph.lines) for word in line.words]
    cuts: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        end = _label_end(words, at)
        if end:
            cuts.append((at, end))
        at = end or at + 1
    if not cuts:
        return [(paragraph, False)]
    edges = [0, *(edge for cut in cuts for edge in cut), len(words)]
    titles = {start for start, _ in cuts}
    pairs = pairwise(edges)
    return [
        (Paragraph(paragraph.page, tuple(_lines(words[start:end]))), start in titles)
        for start, end in pairs
        if start < end
    ]


def split_number(paragraph: Paragraph) -> list[tuple[Paragraph, bool]]:
    """The pieces of a paragraph that begins with a numbered title in a type of its own; True for the title."""
    words = [(n, word) for n, line in enumerate(paragraph.lines) for word in line.words]
    if not _NUMBER.match(paragraph.text) or len(paragraph.lines) < 2:
        return [(paragraph, False)]
    own = next((word.font for _, word in words[1:] if _is_worded(word)), words[0][1].font)
    own = words[0][1].font if words[0][1].font.bold else own
    end = next((n for n in range(1, len(words)) if _is_worded(words[n][1]) and words[n][1].font[1:] != own[1:]), 0)
    title = words[:end]
    if not title or not (own.bold or own.italic) or not title[-1][1].text.endswith((".", ":")) or end > _TITLE:
        return [(paragraph, False)]
    pieces = [Paragraph(paragraph.page, tuple(_lines(part))) for part in (title, words[end:])]
    return [(pieces[0], True), (pieces[1], False)]


def _is_worded(word: Word) -> bool:
    """Whether letters follow each other in a word: signs of mathematics are set in faces of their own."""
    return bool(_LETTERS.search(word.text))


def _label_end(words: Sequence[tuple[int, Word]], at: int) -> int:
    """Behind the title that begins with a word, 0 where none does.

    It stands where a sentence may begin, and a colon or another type parts it from the text.
    """
    before = words[at - 1][1].text if at else "."
    if not before.endswith(_SENTENCE_ENDS) or not words[at][1].text[:1].isupper():
        return 0
    for end in range(min(at + _LONGEST, len(words) - 1), at, -1):
        title = [word for _, word in words[at:end]]
        text = "".join((" " if word.spaced and n else "") + word.text for n, word in enumerate(title))
        if not is_abstract_label(text):
            continue
        after = words[end][1]
        if not after.spaced and after.text[:1].isalpha():
            continue  # inside of a word
        if after.text in (":", ".", "—", "–"):  # set in the text's own type
            return end + 1 if end + 1 < len(words) else 0
        set_apart = title[-1].font.bold != after.font.bold or title[-1].font.italic != after.font.italic
        if set_apart or text.endswith((":", "—")):
            return end
    return 0


def _lines(words: Sequence[tuple[int, Word]]) -> Iterator[Line]:
    """The words as lines, or parts of lines."""
    start = 0
    for end in range(1, len(words) + 1):
        if end == len(words) or words[end][0] != words[start][0]:
            yield Line(tuple(word for _, word in words[start:end]))
            start = end
