"""The entries of a reference list, by the numbers before them or by their hanging indents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from kag.sources.pdf.text.lines import Line

_NUMBER = re.compile(r"^\W{0,2}(\d{1,3})(?:\s?[\].):]+(?!\d)|\s|$)")
_KEY = re.compile(r"^\[[^\W\d][^\]:]{0,30}\d{2,4}[a-z]?\]")  # [Knu97]
_HANGING = 0.12  # share of lines that are set in where entries hang
_INDENT = 0.5  # type sizes


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one column of a page; `begins`: an entry begins with them, else they go on the one before."""

    page: int
    lines: tuple[Line, ...]
    begins: bool


def cut_entries(columns: Sequence[tuple[int, Sequence[Sequence[Line]]]]) -> list[Piece] | None:
    """The entries of a list; None where nothing tells where they begin.

    `columns` are the page and the paragraphs of each column, in reading order.
    """
    lines = [(at, line) for at, (_, groups) in enumerate(columns) for group in groups for line in group]
    starts = _by_number([line for _, line in lines])
    if starts is None:
        starts = _by_indent(columns)
    if starts is None:
        return None
    found: list[Piece] = []
    for at, group in groupby(lines, key=lambda pair: pair[0]):
        page = columns[at][0]
        current: list[Line] = []
        begins = False
        for _, line in group:
            if line in starts and current:
                found.append(Piece(page, tuple(current), begins))
                current = []
            if not current:
                begins = line in starts
            current.append(line)
        found.append(Piece(page, tuple(current), begins))
    return found


def _by_number(lines: Sequence[Line]) -> set[Line] | None:
    """The lines that begin with the numbers 1, 2, 3, ... in their order; or with keys in brackets."""
    numbered = [(int(match[1]), line) for line in lines if (match := _NUMBER.match(line.text))]
    best: list[Line] = []
    for first in [n for n, (number, _) in enumerate(numbered) if number <= 2][:4]:
        chain, wanted = [], numbered[first][0]
        for number, line in numbered[first:]:
            if wanted <= number <= wanted + 2:  # a number may be lost
                chain.append(line)
                wanted = number + 1
        if len(chain) > len(best):
            best = chain
    keyed = [line for line in lines if _KEY.match(line.text)]
    best = max(best, keyed, key=len)
    return set(best) if len(best) >= 3 and len(best) >= 0.12 * len(lines) else None


def _by_indent(columns: Sequence[tuple[int, Sequence[Sequence[Line]]]]) -> set[Line] | None:
    """The lines that stand at the left of their column, where the others are set in."""
    starts: set[Line] = set()
    inner = total = 0
    for _, groups in columns:
        lines = [line for group in groups for line in group]
        left = _left(lines)
        for line in lines:
            total += 1
            if line.rect.x0 > left + _INDENT * line.size:
                inner += 1
            else:
                starts.add(line)
    return starts if inner >= max(3, _HANGING * total) and starts else None


def _left(lines: Sequence[Line]) -> float:
    """Where most lines begin that have none further left within a letter's width of them."""
    return sorted(line.rect.x0 for line in lines)[len(lines) // 20]
