"""Texts as rows of tokens, for dictionaries and models alike.

A token is a run of letters and digits, or one mark. `parts` are its pieces in the form that names are looked up in:
small letters, digits apart from letters, Greek letters by name, so that "IL-2Rα", "IL2R alpha" and "il 2 r-alpha" meet.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

from kag.text.sentences import sentences

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_PART = re.compile(r"[^\W\d_]+|\d+")
_GREEK = re.compile("([α-ω])")
_JOINING = frozenset("-‐‑–—/'’·.")  # marks that names are printed with or without
_CACHED = 65_536


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: words, where they start and end, and the sentences as pairs of token numbers."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sentences: tuple[tuple[int, int], ...]
    pieces: tuple[tuple[list[str], list[int]], ...] = field(init=False)
    """For each sentence the parts of its tokens, and the tokens they are parts of, and the one behind."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(_pieces(self.words, *span) for span in self.sentences))

    def spaced(self, n: int) -> bool:
        """Whether a blank stands before a token."""
        return n == 0 or self.starts[n] > self.ends[n - 1]


def tokens(text: str) -> Tokens:
    """The tokens of a text.

    >>> tokens("HNF-6 binds. It does.").words
    ('HNF', '-', '6', 'binds', '.', 'It', 'does', '.')
    >>> tokens("HNF-6 binds. It does.").sentences
    ((0, 5), (5, 8))
    """
    found = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text)]
    words, starts, ends = zip(*found, strict=True) if found else ((), (), ())
    return Tokens(text, words, starts, ends, _borders(text, starts))


def _pieces(words: tuple[str, ...], first: int, last: int) -> tuple[list[str], list[int]]:
    found, owners = [], []
    for n in range(first, last):
        for piece in parts(words[n]):
            found.append(piece)
            owners.append(n)
    return found, [*owners, last]


def _borders(text: str, starts: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    spans, at = [], 0
    for _, end in sentences(text):
        first = at
        while at < len(starts) and starts[at] < end:
            at += 1
        if at > first:
            spans.append((first, at))
    return tuple(spans)


@lru_cache(maxsize=_CACHED)
def parts(word: str) -> tuple[str, ...]:
    """The pieces of a token in the form of names; none of a mark that names are printed with or without.

    >>> parts("IL2Rα"), parts("-"), parts("(")
    (('il', '2', 'r', 'alpha'), (), ('(',))
    """
    if word in _JOINING:
        return ()
    plain = unicodedata.normalize("NFKC", word).lower()
    named = _GREEK.sub(lambda match: f" {unicodedata.name(match[1]).split()[-1].lower()} ", plain)
    return tuple(_PART.findall(named)) or (word,)


def key(text: str) -> str:
    """The form in which a name is looked up.

    >>> key("Type-II diabetes"), key("IL-2Rα"), key("N-acetyl-L-arginine")
    ('type ii diabetes', 'il 2 r alpha', 'n acetyl l arginine')
    """
    return " ".join(part for word in _TOKEN.findall(text) for part in parts(word))
