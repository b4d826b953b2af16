"""What words tell of the tokens around them, as attributes: whatever else a sentence has.

A way of looking at words (`Look`) says for each place of `around` what a word tells of a token when it stands there,
counted from the token (-1: just before it).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

EDGE = ""  # the word before and behind a sentence
Words = Sequence[str]


class Look(NamedTuple):
    """`of_word(word)[n]` is what a word tells of the token from which it stands at `around[n]`."""

    around: tuple[int, ...]
    of_word: Callable[[str], Sequence[Sequence[str]]]

    def attributes(self, words: Words) -> list[list[str]]:
        """What is told of each token of a sentence."""
        count = len(words)
        return [
            [
                told
                for slot, by in enumerate(self.around)
                for told in self.of_word(words[n + by] if 0 <= n + by < count else EDGE)[slot]
            ]
            for n in range(count)
        ]
