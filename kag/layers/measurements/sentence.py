"""A sentence of a passage as the labellers see it: words, numbers and marks of its search form, and the way back."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from kag.text.search_text import SearchText, search_text

MOST_TOKENS = 300  # of a sentence; what stands behind them is not labelled
_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|\S")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`words[n]` is `form.text[starts[n]:ends[n]]`; `shift` is where the sentence begins in its passage."""

    form: SearchText
    shift: int
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The characters of the passage that the tokens from `first` to `last` (inclusive) are printed with."""
        start, end = self.form.span(self.starts[first], self.ends[last])
        return start + self.shift, end + self.shift

    def within(self, start: int, end: int) -> tuple[int, int]:
        """The first token of a span of the passage and the one behind its last; equal where it has none.

        A token counts when its middle is inside.
        """
        first, last = (bisect_left(range(len(self.words)), 2 * at, key=self._twice_middle) for at in (start, end))
        return (first, last) if last > first else (0, 0)

    def _twice_middle(self, n: int) -> int:
        """Two times the middle of a token in the passage."""
        start, end = self.span(n, n)
        return start + end - 1


def sentence(text: str, start: int, end: int) -> Sentence:
    """The sentence `text[start:end]`.

    >>> sentence("Ice. Near 1.4Rp.", 5, 16).words
    ('Near', '1.4', 'Rp', '.')
    """
    form = search_text(text[start:end], fold_case=False)
    words, starts, ends = [], [], []
    for match in _TOKEN.finditer(form.text):
        words.append(match[0])
        starts.append(match.start())
        ends.append(match.end())
        if len(words) == MOST_TOKENS:
            break
    return Sentence(form, start, tuple(words), tuple(starts), tuple(ends))
