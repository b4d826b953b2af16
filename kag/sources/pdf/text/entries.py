"""Starts of the entries of a reference list: by numbers, labels, indents, gaps or names, whichever the list uses.

One rule is chosen for the whole list. A rule is never applied to a single line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kag.sources.pdf.text.lines import Line, shift_of

LABELS: dict[str, re.Pattern[str]] = {
    "bracket": re.compile(r"^\[\s?[A-Z]{0,2}(\d{1,3})\s?\](?!\d)"),
    "paren": re.compile(r"^\((\d{1,3})\)(?!\d)"),
    "point": re.compile(r"^(\d{1,3})\s?[.:)]+(?!\d)"),
    "bare": re.compile(r"^(\d{1,3})(?=\s|$)"),
}
"""Forms of printed numbers; a `key` such as [Knu97] and a raised number have no pattern here."""
_KEY = re.compile(r"^\[(?=[^\W\d_])[^\]]{1,40}\d\d[a-z]?\]|^\[(?=[^\W\d_])[^\]]{3,60}$")
_NAME = re.compile(
    r"^(?:[a-z]{1,4}[\s'’]){0,3}(?:[^\W\d_]['’])?[^\W\d_a-z][\w'’-]*"
    r"(?:(?:\s[\w'’-]+){0,3},\s(?:[^\W\d_a-z]|and\s|et\s|\d{4})|\s(?:[^\W\d_a-z]{1,3}\b|and\s[^\W\d_a-z]|et\sal)|\.(?:-?[^\W\d_a-z]\.)*\s?[^\W\d_a-z])"
)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_CLOSED = re.compile(r"(?:[.)\]>/]|\d[a-z]?|https?://\S+)$")
_LOST = 2  # numbers in a row that may be missing
_LEAST = 3  # entries
_SHARE = 0.12  # of the lines that begin entries, or are set in where entries hang, at least
_INDENT = 0.5  # type sizes
_SAME_EDGE = 1.5  # points


@dataclass(frozen=True, slots=True)
class Column:
    """Lines below each other on a page."""

    page: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one column of a page; `begins`: an entry begins with them, else they go on the one before."""

    page: int
    lines: tuple[Line, ...]
    begins: bool


@dataclass(frozen=True, slots=True)
class Starts:
    """The lines that begin entries, and how they were recognised: a form of label, "indent", "gap" or "name"."""

    rule: str
    lines: tuple[Line, ...]


def cut_at(columns: Sequence[Column], starts: Starts) -> list[Piece]:
    """The lines of the columns, cut before each start."""
    first = set(starts.lines)
    pieces: list[Piece] = []
    for column in columns:
        current: list[Line] = []
        for line in column.lines:
            if line in first and current:
                pieces.append(Piece(column.page, tuple(current), current[0] in first))
                current = []
            current.append(line)
        if current:
            pieces.append(Piece(column.page, tuple(current), current[0] in first))
    return pieces


def find_starts(columns: Sequence[Column]) -> Starts | None:
    """The lines that begin entries, by the first rule that fits the list as a whole."""
    labelled = labels_of([line for column in columns for line in column.lines])
    if labelled:
        return labelled
    for rule, find in _RULES:
        lines = find(columns)
        if lines:
            return Starts(rule, tuple(lines))
    return None


def begins_with_names(text: str) -> bool:
    """Whether a text begins like a list of names."""
    return bool(_NAME.match(text))


def label_of(line: Line, form: str) -> int | None:
    """The number of a line's label in a form; 0 for a key, None without one."""
    if form == "key":
        return 0 if _KEY.match(line.text) else None
    if form == "raised":
        word = line.words[0]
        return int(word.text) if word.text.isdecimal() and len(word.text) < 4 and shift_of(word, line) > 0 else None
    match = LABELS[form].match(line.text)
    return int(match[1]) if match else None


def labels_of(lines: Sequence[Line]) -> Starts | None:
    """The lines that begin with labels of one form: numbers that count, or keys in brackets."""
    best = Starts("", ())
    for form in (*LABELS, "raised"):
        chain = _chain([(number, line) for line in lines if (number := label_of(line, form)) is not None])
        if len(chain) > len(best.lines):
            best = Starts(form, tuple(chain))
    keyed = [line for line in lines if label_of(line, "key") is not None]
    if len(keyed) > len(best.lines):
        best = Starts("key", tuple(keyed))
    return best if len(best.lines) >= max(_LEAST, _SHARE * len(lines)) else None


def _chain(numbered: Sequence[tuple[int, Line]]) -> list[Line]:
    """The longest run of numbers that count up from one of the first ones; a number may be lost."""
    best: list[Line] = []
    for first in [n for n, (number, _) in enumerate(numbered) if number <= _LOST][:4]:
        chain, wanted = [], numbered[first][0]
        for number, line in numbered[first:]:
            if wanted <= number <= wanted + _LOST:
                chain.append(line)
                wanted = number + 1
        best = max(best, chain, key=len)
    return best


def _by_indent(columns: Sequence[Column]) -> list[Line]:
    """The lines at the left edge of their column where the others hang, or the ones set in where the others do not."""
    edges = _edges(columns)
    outer: list[Line] = []
    inner: list[Line] = []
    for column, left in zip(columns, edges, strict=True):
        for line, before in zip(column.lines, (None, *column.lines[:-1]), strict=True):
            if before is not None and abs(before.base - line.base) < 0.3 * line.size:
                continue  # a piece of the line before
            (inner if line.rect.x0 > left + _INDENT * line.size else outer).append(line)
    if len(inner) < max(_LEAST, _SHARE * (len(inner) + len(outer))) or not outer:
        return []
    return inner if _named(inner) > _named(outer) + 0.3 else outer


def _named(lines: Sequence[Line]) -> float:
    """The share of the lines that begin like a list of names."""
    return sum(1 for line in lines if _NAME.match(line.text)) / len(lines)


def _edges(columns: Sequence[Column]) -> list[float]:
    """The left edge of each column. A column that only holds the rest of an entry has the edge of another one."""
    lefts = [_left(column.lines) for column in columns]
    steps: Counter[int] = Counter()
    sure: list[float] = []
    for column, left in zip(columns, lefts, strict=True):
        inner = [round(line.rect.x0 - left) for line in column.lines if line.rect.x0 > left + _INDENT * line.size]
        steps.update(inner)
        if inner:
            sure.append(left)
    if not steps:
        return lefts
    step = max(steps, key=lambda width: (steps[width], -width))
    return [
        left - step
        if not any(abs(left - edge) < _SAME_EDGE for edge in sure)
        and any(abs(left - step - edge) < _SAME_EDGE for edge in sure)
        else left
        for left in lefts
    ]


def _left(lines: Sequence[Line]) -> float:
    """Return the x at which most lines begin that have none further left within a letter's width."""
    return sorted(line.rect.x0 for line in lines)[len(lines) // 20]


def _by_name(columns: Sequence[Column]) -> list[Line]:
    """The lines that begin with names behind one that ends an entry, where each entry so found has a year.

    None is set in: where entries hang, what goes on may look like names, too ("Geomorph. Lett. 12, 8.").
    """
    lines = [line for column in columns for line in column.lines]
    edges = [edge for column, edge in zip(columns, _edges(columns), strict=True) for _ in column.lines]
    found = [
        line
        for before, line, edge in zip((None, *lines[:-1]), lines, edges, strict=True)
        if _NAME.match(line.text) and (before is None or _CLOSED.search(before.text))
        if line.rect.x0 <= edge + _INDENT * line.size
    ]
    if len(found) < _LEAST or lines[0] not in found:
        return []
    texts = [" ".join(line.text for line in entry) for entry in _cut(lines, found)]
    return found if sum(1 for text in texts if _YEAR.search(text)) >= 0.9 * len(texts) else []


def _cut(lines: Sequence[Line], starts: Sequence[Line]) -> Iterator[list[Line]]:
    first, current = set(starts), list[Line]()
    for line in lines:
        if line in first and current:
            yield current
            current = []
        current.append(line)
    yield current


_RULES: tuple[tuple[str, Callable[[Sequence[Column]], list[Line]]], ...] = (
    ("indent", _by_indent),
    ("name", _by_name),
)
