"""The words, numbers and marks of a printed reference, and what can be seen of them without reading it.

The form of a token, the pieces between two marks, and what stands within quotation marks.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

MOST_TOKENS = 500  # what stands behind them in an entry is no field
_TOKEN = re.compile(r"[^\W\d_]+?(?:(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])|(?![^\W\d_]))|\d+|\S")


class Token(NamedTuple):
    """One word, number or mark; `start` and `end` are its characters, `apart` means a gap before it."""

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


_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
LISTS = {name: frozenset(_WORDS[name].split()) for name in ("month", "serial", "house")}
UNITS = {word: unit for unit, words in _WORDS["unit"].items() for word in words.split()}
_CUTS = frozenset(".,;:?!()[]{}\"“”„«»‘’'`「」『』/，。、；：（）《》")
SMALL = {"x": 1, "han10": 4}  # how many small words a token of a form stands for
LETTERS = {"han5": 3, "han10": 6}  # and how many words
_QUOTES = {"“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "‘": "’", '"': '"', "'": "'"}
_QUOTING = frozenset((*_QUOTES, *_QUOTES.values()))
EDGES = ("", "inside", "first", "last")
QUOTED = ("unquoted", "quote start", "quoted", "quote end", "behind quote")


def form_of(text: str) -> str:
    """Return a token's shape: X (one capital), Xx, XX, x, a number by its length, year, punctuation."""
    if text[0].isdigit():
        return "year" if _YEAR.fullmatch(text) else f"{min(len(text), 6)}d"
    if not text.isalpha():
        return text
    if text.isascii() or text.casefold() != text.upper():
        if text.islower():
            return "x" if len(text) > 3 else f"x{len(text)}"
        if text.isupper():
            return "X" if len(text) == 1 else "XX" if len(text) < 5 else "XXX"
        return "Xx" if len(text) > 4 else "Xs"
    return "han" if len(text) < 5 else "han5" if len(text) < 10 else "han10"  # a name, a journal, a title


_Piece = tuple[tuple[str, ...], Sequence[int], int]  # attributes, ids of the tokens' edges in it, number of tokens


def pieces(row: Sequence[Token], forms: Sequence[str], words: Sequence[str]) -> Iterable[_Piece]:
    """The pieces between marks, and the marks, in order."""
    bounds = [n for n in range(len(row)) if row[n].text in _CUTS and _cuts(row, n)]
    spans = [(left + 1, right) for left, right in pairwise([-1, *bounds, len(row)]) if right > left + 1]
    kinds = [_kind(forms[start:end], words[start:end]) for start, end in spans]
    names = ["^", *(kind for kind, _ in kinds), "$"]
    starts = [start for start, _ in spans]
    at = 0
    while at < len(row):
        number = bisect_left(starts, at)
        if number == len(starts) or starts[number] != at:
            left, right = names[number : number + 2]
            yield (f"mark={row[at].text}{left}|{right}", f"mark={left}", f"mark behind={right}",
                   f"mark at={min(number, 7)}"), (0,), 1  # fmt: skip
            at += 1
            continue
        start, end = spans[number]
        marks = f"{row[start - 1].text if start else '^'}{row[end].text if end < len(row) else '$'}"
        before, kind, behind = names[number : number + 3]
        facts = (f"piece={kind}", f"piece={kind}{marks}", f"between={marks}", f"before={before}", f"after={behind}",
                 f"round={before}|{kind}|{behind}", f"nth={min(number, 6)}", f"to go={min(len(spans) - number, 5)}",
                 *kinds[number][1])  # fmt: skip
        yield facts, (2, *[1] * (end - start - 2), *[3][: end - start - 1]), end - start
        at = end


def _cuts(row: Sequence[Token], n: int) -> bool:
    """True for a mark between pieces: no hyphen, no apostrophe within a word, no point behind an abbreviation."""
    text = row[n].text
    if text in "’'`" and 0 < n < len(row) - 1 and not row[n].apart and not row[n + 1].apart:
        return not (row[n - 1].text.isalpha() and row[n + 1].text.isalpha())
    if text == "." and n:
        before = row[n - 1].text
        return not (before[:1].isupper() and len(before) < 6) or n == len(row) - 1
    return True


def _kind(forms: Sequence[str], words: Sequence[str]) -> tuple[str, list[str]]:
    """A short name of a piece by what is in it, and some facts of it."""
    small = sum(SMALL.get(form, 0) for form in forms)
    numbers = sum(form[-1] == "d" for form in forms)
    years = forms.count("year")
    letters = sum(LETTERS.get(form, 1) for form in forms) - numbers - years
    lead = "y" if forms[0] == "year" else "n" if forms[0][-1] == "d" else "a"
    serial = "J" if not LISTS["serial"].isdisjoint(words) else ""
    house = "H" if not LISTS["house"].isdisjoint(words) else ""
    kind = f"{lead}{min(letters, 3)}{min(small, 3)}{min(numbers, 3)}{min(years, 1)}{serial}{house}"
    points = words.count(".")
    return kind, [f"words={min(letters, 12)}", f"small={min(small, 5)}", f"points={min(points, 4)}"]


def quoted(row: Sequence[Token]) -> list[int]:
    """Return for each token whether it is within quotation marks, or before or behind some."""
    if not any(token.text in _QUOTING for token in row):
        return [0] * len(row)
    found, closer, seen = [], "", False
    for n, token in enumerate(row):
        text = token.text
        if closer and (text == closer or (closer in "”\"’'" and text in "”\"’'")) and not _within_word(row, n):
            closer, seen = "", True
            found.append("quote end")
        elif not closer and text in _QUOTES and (token.apart or text not in "'’") and _closes(row, n, _QUOTES[text]):
            closer = _QUOTES[text]
            found.append("quote start")
        else:
            found.append("quoted" if closer else "behind quote" if seen else "unquoted")
    return [QUOTED.index(name) for name in found]


def _within_word(row: Sequence[Token], n: int) -> bool:
    inside = row[n].text in "’'" and n + 1 < len(row) and not row[n].apart and not row[n + 1].apart
    return inside and row[n + 1].text.isalpha()


def _closes(row: Sequence[Token], n: int, closer: str) -> bool:
    same = "”\"’'" if closer in "”\"’'" else closer
    return any(row[m].text in same and not _within_word(row, m) for m in range(n + 2, min(n + 90, len(row))))
