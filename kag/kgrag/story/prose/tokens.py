"""Words of prose with their places, and which of them begin a sentence, a speech or a line of their own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_SHORT = r"(?:Mr|Mrs|Ms|Dr|St|Mme|Mlle|Capt|Col|Gen|Lieut|Rev|Prof|Hon|Messrs|Esq|Jr|Sr|M)\.(?!\.)"
_TOKEN = re.compile(
    rf"{_SHORT}|[A-Z]\.(?=\s*[A-Z])|['’]s\b|\d+(?:[.,]\d+)+|\w+(?:['’-](?!s\b)\w+)*|\.\.\.|--+|—|[^\w\s]",
)
_BREAK = re.compile(r"\n[ \t]*\n")
END = frozenset({".", "!", "?", "...", ":"})
DASHES = frozenset({"—", "--", "―", "–"})
OPEN = frozenset({"“", "‘", "``", "(", "[", "_", "*"}) | DASHES
QUOTES = frozenset({'"', "“", "”"})


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign with its characters; `begins`: a capital says nothing here; `sentence` counts from 0.

    `fresh`: it begins a paragraph behind another one.
    """

    text: str
    start: int
    end: int
    begins: bool
    sentence: int
    fresh: bool = False

    @property
    def capital(self) -> bool:
        """Whether it is a word with a capital that is not written in capitals throughout."""
        first = self.text[:1]
        return first.isupper() and (len(self.text) == 1 or not self.text.isupper() or self.text[1:2] == ".")


def tokens_of(text: str) -> tuple[Token, ...]:
    """The tokens of a text, in order."""
    found: list[Token] = []
    breaks = [match.start() for match in _BREAK.finditer(text)]
    begins, fresh, sentence, at = True, False, 0, 0
    for match in _TOKEN.finditer(text):
        while at < len(breaks) and breaks[at] < match.start():
            at += 1
            sentence, begins, fresh = sentence + bool(found) * (not begins), True, bool(found)
        word = match[0]
        found.append(Token(word, match.start(), match.end(), begins, sentence, fresh))
        fresh = False
        if word in END:
            sentence, begins = sentence + (word != ":" and not begins), True
        elif word in QUOTES or word in OPEN:
            begins = True  # a speech begins with a capital, and what comes after one may
        elif word[0].isalnum():
            begins = False
    return tuple(found)


@cache
def words() -> Mapping[str, Any]:
    """The word lists of prose."""
    return tomllib.loads((files("kag.kgrag") / "given" / "prose_words.toml").read_text(encoding="utf-8"))


@cache
def word_set(part: str, key: str) -> frozenset[str]:
    """One list of them as a set."""
    return frozenset(words()[part][key])


@cache
def titles() -> Mapping[str, str]:
    """Titles, and whose they are: man, woman or any."""
    return {title: whose for whose, list_ in words()["titles"].items() for title in list_}
