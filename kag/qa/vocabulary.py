"""The words of one passage, kept small: looked through for phrases and for where words are printed."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kag.text.search_text import tokens


@dataclass(frozen=True, slots=True)
class Wording:
    """`words` are a text's words, one a line (a word may have blanks: "2 x 10^3"), printed from `starts` to `ends`.

    `run` is the same without compounds, and begins and ends with a line break: in it a phrase is a run of neighbours.
    """

    words: str
    starts: array[int]
    ends: array[int]
    run: str

    @classmethod
    def of(cls, text: str) -> Wording:
        """The words of a text."""
        found = tokens(text)
        words = [token[0] for token in found]
        starts, ends = [token[1] for token in found], [token[2] for token in found]
        run = "\n".join([words[at] for at in _singles(starts, ends)])
        return cls("\n".join(words), array("L", starts), array("L", ends), f"\n{run}\n")

    def __iter__(self) -> Iterator[tuple[int, int, str]]:
        """Each word with the span that prints it: (start, end, word)."""
        return zip(self.starts, self.ends, self.listed(), strict=True)

    def listed(self) -> list[str]:
        """The words as a list."""
        return self.words.split("\n") if self.words else []

    def has(self, phrase: Sequence[str]) -> bool:
        """Whether the words of a phrase stand next to each other."""
        return "\n{}\n".format("\n".join(phrase)) in self.run

    def runs(self, phrase: Sequence[str]) -> list[tuple[int, int]]:
        """The spans that print a phrase."""
        if not self.has(phrase):
            return []
        places, words = _singles(self.starts, self.ends), self.run[1:-1].split("\n")
        size, wanted = len(phrase), list(phrase)
        return [
            (self.starts[places[at]], self.ends[places[at + size - 1]])
            for at, word in enumerate(words)
            if word == wanted[0] and words[at : at + size] == wanted
        ]


def _singles(starts: Sequence[int], ends: Sequence[int]) -> list[int]:
    """The words that are no compound of others: a compound covers the words behind it, or those before it.

    Two words of one span were made from one sign, as from "½": both are kept.
    """
    found: list[int] = []
    first = last = -1
    for at, start in enumerate(starts):
        end = ends[at]
        if start >= last or (start == first and end == last):
            found.append(at)
        elif start >= first and end <= last:
            found[-1] = at
        else:
            continue
        first, last = start, end
    return found
