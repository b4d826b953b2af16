"""The words, numbers and marks of a printed reference (`tokens`), and what they look like to the labeller.

Everything the labeller knows of a string is said here, as short texts: the word and its form, its neighbours, the piece
between two marks that it stands in, where it stands in the whole, and what the rules for names, quotation marks
and styles of print found (`kag.indexing.references.guesses`). Nothing is looked up outside of the string but the
lists in `words.toml`.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise, repeat
from pathlib import Path
from typing import Any, NamedTuple

from kag.indexing.references.guesses import guesses, leading_names
from kag.indexing.references.names import Names

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


_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_LISTS = {name: frozenset(_WORDS[name].split()) for name in ("month", "serial", "house")}
_UNITS = {word: unit for unit, words in _WORDS["unit"].items() for word in words.split()}
_CUTS = frozenset(".,;:?!()[]{}\"“”„«»‘’'`「」『』/，。、；：（）《》")
_SMALL = {"x": 1, "han10": 4}  # how many small words a token of a form stands for
_LETTERS = {"han5": 3, "han10": 6}  # and how many words
_BESIDE = (-2, -1, 1, 2)  # the tokens beside one that are told of
_QUOTES = {"“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "‘": "’", '"': '"', "'": "'"}


def features(text: str, row: Sequence[Token]) -> list[list[str]]:
    """For each token of a text its attributes, as the labeller is trained on."""
    keys = zip(*columns(text, row), strict=True)
    return [[name for key, make in zip(told, COLUMNS, strict=True) for name in make(key) if name] for told in keys]


def vocabulary(names: Iterable[str]) -> frozenset[str]:
    """The words that attributes of neighbours have, of all attributes of a model."""
    parts = [name.partition("=") for name in names]
    beside = {word for head, _, word in parts if head[-1:] == "w"}
    before = {pair.rpartition(" ")[0] for head, _, pair in parts if head == "pair"}
    behind = {pair.partition(" ")[2] for head, _, pair in parts if head == "next"}
    return frozenset(beside | before | behind)


def columns(text: str, row: Sequence[Token], known: Container[str] | None = None) -> list[list[Any]]:
    """For each of `COLUMNS` a key for each token of a text; of neighbours that are not `known` only the form."""
    if not row:
        return [[] for _ in COLUMNS]
    texts = [token.text for token in row]
    looks = [_look(token) for token in texts]
    forms, words = [look.form for look in looks], [look.word for look in looks]
    pieces = _pieces(row, forms, words)
    facts = [piece.facts for piece in pieces]
    names = leading_names(text)
    named = _named(names, row)
    guessed = _guessed(text, names, row)
    apart, count = [token.apart for token in row], len(row)
    shown = words if known is None else [word if word in known else "" for word in words]
    ringed = [None, None, *zip(shown, forms, strict=True), None, None]
    return [
        texts,
        *(ringed[2 + by : 2 + by + count] for by in _BESIDE),
        [(apart[n], min(n, 3), 8 * n // count, min(count - n, 4)) for n in range(count)],
        facts,
        [piece.edge for piece in pieces],
        [*zip(_quoted(row), named, _seen(forms), strict=True)],
        guessed,
        [(fact[0], fact[1], guess[0], form) for fact, guess, form in zip(facts, guessed, forms, strict=True)],
        [*zip(repeat(_whole(forms, named)), forms, named, strict=False)],
        _units(words),
        [None, *zip(shown[:-1], forms[1:], strict=True)],
        [*zip(forms[:-1], shown[1:], strict=True), None],
        [*zip(forms[:-1], apart[1:], forms[1:], strict=True), None],
    ]


class _Look(NamedTuple):
    """A token's form and word."""

    form: str
    word: str


class _Piece(NamedTuple):
    """Attributes of the piece between two marks that a token stands in, and where in it the token stands."""

    facts: tuple[str, ...]
    edge: str


@lru_cache(1 << 13)
def _look(text: str) -> _Look:
    """How a token looks; those of a list are much alike, so it is made once."""
    form = _form(text)
    return _Look(form, form if text[0].isdigit() else text.casefold())


def _form(text: str) -> str:
    """What a token is by its letters: X (one capital), Xx, XX, x, a number by its length, year, a mark itself."""
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


def _own(text: str) -> tuple[str, ...]:
    """Attributes of a token by itself."""
    form, word = _look(text)
    names = [f"w={word if form not in _LETTERS else form}", f"f={form}"]
    if len(word) > 3 and form[:3] != "han" and word[0].isalpha():
        names += [f"pre={word[:3]}", f"suf={word[-3:]}"]
    names += [name for name, listed in _LISTS.items() if word in listed]
    if word in _UNITS:
        names.append(f"unit={_UNITS[word]}")
    return tuple(names)


def _beside(by: int, neighbour: tuple[str, str] | None) -> tuple[str, ...]:
    """Attributes of the word and form that stand `by` tokens away, None for the end of the text."""
    if neighbour is None:
        return (f"{by}none",)
    word, form = neighbour
    return f"{by}w={word}", f"{by}f={form}"


def _units(words: Sequence[str]) -> list[tuple[str | None, str | None]]:
    """For each token the labels of numbers before it, over a point as well, and behind it."""
    units = [*map(_UNITS.get, words)]
    before = [unit if word != "." else last for word, unit, last in zip(words, units, [None, *units], strict=False)]
    return [*zip([None, *before[:-1]], [*units[1:], None], strict=True)]


def _pieces(row: Sequence[Token], forms: Sequence[str], words: Sequence[str]) -> list[_Piece]:
    """For each token the piece between two marks that it stands in, or for a mark the pieces beside it."""
    bounds = [n for n in range(len(row)) if _cuts(row, n)]
    spans = [(left + 1, right) for left, right in pairwise([-1, *bounds, len(row)]) if right > left + 1]
    kinds = [_kind(forms[start:end], words[start:end]) for start, end in spans]
    names = ["^", *(kind for kind, _ in kinds), "$"]
    found = [_Piece((), "")] * len(row)
    for number, (start, end) in enumerate(spans):
        marks = f"{row[start - 1].text if start else '^'}{row[end].text if end < len(row) else '$'}"
        before, kind, behind = names[number : number + 3]
        facts = (f"piece={kind}", f"piece={kind}{marks}", f"between={marks}", f"before={before}", f"after={behind}",
                 f"round={before}|{kind}|{behind}", f"nth={min(number, 6)}", f"to go={min(len(spans) - number, 5)}",
                 *kinds[number][1])  # fmt: skip
        found[start:end] = [_Piece(facts, "inside")] * (end - start)
        found[end - 1] = _Piece(facts, "last")
        found[start] = _Piece(facts, "first")
    starts = [start for start, _ in spans]
    for n in bounds:
        at = bisect_right(starts, n)
        left, right = names[at : at + 2]
        beside = f"mark={row[n].text}{left}|{right}", f"mark={left}", f"mark behind={right}", f"mark at={min(at, 7)}"
        found[n] = _Piece(beside, "")
    return found


def _cuts(row: Sequence[Token], n: int) -> bool:
    """True for a mark between pieces: no hyphen, no apostrophe within a word, no point behind an abbreviation."""
    text = row[n].text
    if text not in _CUTS:
        return False
    if text in "’'`" and 0 < n < len(row) - 1 and not row[n].apart and not row[n + 1].apart:
        return not (row[n - 1].text.isalpha() and row[n + 1].text.isalpha())
    if text == "." and n:
        before = row[n - 1].text
        return not (before[:1].isupper() and len(before) < 6) or n == len(row) - 1
    return True


def _kind(forms: Sequence[str], words: Sequence[str]) -> tuple[str, list[str]]:
    """A short name of a piece by what is in it, and some facts of it."""
    small = sum(_SMALL.get(form, 0) for form in forms)
    numbers = sum(form[-1] == "d" for form in forms)
    years = forms.count("year")
    letters = sum(_LETTERS.get(form, 1) for form in forms) - numbers - years
    lead = "y" if forms[0] == "year" else "n" if forms[0][-1] == "d" else "a"
    serial = "J" if not _LISTS["serial"].isdisjoint(words) else ""
    house = "H" if not _LISTS["house"].isdisjoint(words) else ""
    kind = f"{lead}{min(letters, 3)}{min(small, 3)}{min(numbers, 3)}{min(years, 1)}{serial}{house}"
    points = words.count(".")
    return kind, [f"words={min(letters, 12)}", f"small={min(small, 5)}", f"points={min(points, 4)}"]


def _quoted(row: Sequence[Token]) -> list[str]:
    """For each token whether it stands within quotation marks, or before or behind such."""
    told, closer, seen = [], "", False
    for n, token in enumerate(row):
        text = token.text
        if closer and (text == closer or (closer in "”\"’'" and text in "”\"’'")) and not _within_word(row, n):
            closer, seen = "", True
            told.append("quote end")
        elif not closer and text in _QUOTES and (token.apart or text not in "'’") and _closes(row, n, _QUOTES[text]):
            closer = _QUOTES[text]
            told.append("quote start")
        else:
            told.append("quoted" if closer else "behind quote" if seen else "unquoted")
    return told


def _within_word(row: Sequence[Token], n: int) -> bool:
    inside = row[n].text in "’'" and n + 1 < len(row) and not row[n].apart and not row[n + 1].apart
    return inside and row[n + 1].text.isalpha()


def _closes(row: Sequence[Token], n: int, closer: str) -> bool:
    same = "”\"’'" if closer in "”\"’'" else closer
    return any(row[m].text in same and not _within_word(row, m) for m in range(n + 2, min(n + 90, len(row))))


def _named(names: Names, row: Sequence[Token]) -> list[str]:
    """For each token whether it is within the names that the text starts with, or how far behind them."""
    inside = "body" if names.style == "group" else "named"
    told, behind = [], 0
    for token in row:
        if token.start < names.end:
            told.append(inside)
        else:
            told.append(f"past={min(behind, 3)}" if names.end else "nobody")
            behind += 1
    return told


def _guessed(text: str, names: Names, row: Sequence[Token]) -> list[tuple[str, ...]]:
    """For each token the field that rules put it in, how clear that is, and in which style the names are."""
    found = guesses(text, names)
    title = next((f"rules={guess.label} {guess.clear}" for guess in found), "rules=none")

    def about(rule: str, clear: str) -> Mapping[str, tuple[str, ...]]:
        facts = (rule, f"{rule}|{clear}", f"{rule}|{clear}|{names.style}")
        return {edge: (*facts, f"{rule}|{edge}", title) for edge in ("first", "last", "")}

    none = about("rule=none", title)[""]
    spans = [(guess.start, guess.end, about(f"rule={guess.label}", guess.clear)) for guess in found]
    told = []
    for token in row:
        at, facts = token.start, none
        for start, end, known in spans:
            if start <= at < end:
                facts = known["first" if at == start else "last" if token.end >= end else ""]
                break
        told.append(facts)
    return told


def _whole(forms: Sequence[str], named: Sequence[str]) -> str:
    """What is told of the whole string: is a year near its names, how many words look like those of a title."""
    free = [n for n, told in enumerate(named) if told not in ("named", "body")]
    start = free[0] if free else 0
    early = any(form == "year" for form in forms[start : start + 6])
    small = sum(_SMALL.get(forms[n], 0) for n in free)
    return f"whole={'early' if early else 'late'}{min(small, 4)}"


def _seen(forms: Sequence[str]) -> list[str]:
    """For each token whether a year and another number stand before it, and behind it."""
    year = number = False
    before = []
    for form in forms:
        before.append(("y" if year else "") + ("n" if number else ""))
        year, number = year or form == "year", number or form[-1] == "d"
    left = forms.count("year")
    rest = sum(form[-1] == "d" for form in forms)
    told = []
    for n, form in enumerate(forms):
        left -= form == "year"
        rest -= form[-1] == "d"
        told.append(f"seen={before[n]}/{'y' if left else ''}{min(rest, 2)}")
    return told


COLUMNS: tuple[Callable[[Any], Sequence[str]], ...] = (
    _own,
    *(partial(_beside, by) for by in _BESIDE),
    lambda key: ("apart" if key[0] else "glued", f"at={key[1]}", f"share={key[2]}", f"left={key[3]}"),
    tuple,  # the piece
    lambda edge: (edge,),
    tuple,  # quotation, names, numbers seen
    tuple,  # the field that rules put it in
    lambda key: (f"{key[0]}|{key[3]}", f"{key[1]}|{key[3]}", f"{key[2]}|{key[3]}"),
    lambda key: (f"{key[0]}|{key[1]}|{key[2]}",),
    lambda key: (key[0] and f"under={key[0]}", key[1] and f"over={key[1]}"),
    lambda key: (f"pair={key[0]} {key[1]}",) if key else (),
    lambda key: (f"next={key[0]} {key[1]}",) if key else (),
    lambda key: (f"glue={key[0]}{'_' if key[1] else ''}{key[2]}",) if key else (),
)
"""The attributes that a key of each column of `columns` stands for."""
