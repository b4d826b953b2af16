"""The words, numbers and marks of a printed reference."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_TOKENS = 500  # what stands behind them in an entry is no field
_TOKEN = re.compile(r"[^\W\d_]+?(?:(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])|(?![^\W\d_]))|\d+|\S")


class Token(NamedTuple):
    """One word, number or mark; `start` and `end` are its characters, `apart` says that it does not touch the last."""

    text: str
    start: int
    end: int
    apart: bool


def tokens(text: str) -> list[Token]:
    """The tokens of a text, at most `MOST_TOKENS`; a word is cut where a capital follows a small letter.

    >>> [token.text for token in tokens("PhysRev D61, 5(2000)")]
    ['Phys', 'Rev', 'D', '61', ',', '5', '(', '2000', ')']
    """
    found, last = [], -1
    for match in _TOKEN.finditer(text):
        found.append(Token(match.group(), match.start(), match.end(), match.start() != last))
        last = match.end()
        if len(found) == MOST_TOKENS:
            break
    return found
