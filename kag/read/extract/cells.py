"""Cells of tables for questions in free words: one value, and the largest, smallest, mean or sum of a column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kag.read.exact.facts import Found, stating
from kag.read.exact.floats import called
from kag.read.exact.grid import Sheet, cell_of, head_of, is_number, place_of, places_of, sheets
from kag.read.extract.asking import WEAK, weight_of
from kag.read.extract.kin import kin_of
from kag.read.paper import PaperGraph
from kag.text.plain import plain
from kag.text.search_text import stems, tokens
from kag.values.evidence import Evidence

ENOUGH = 0.65  # of a question's words, that row, column and caption must have between them
SURELY = 0.8  # the same, for the largest of a column
_APART = 0.05  # by which the best cell is ahead of the next
_MOST = re.compile(r"\b(?:highest|largest|greatest|longest|biggest|deepest|widest|heaviest|fastest|oldest|richest|best|strongest|maxim\w+|most)\b", re.I)
_LEAST = re.compile(r"\b(?:lowest|smallest|least|shortest|shallowest|narrowest|lightest|slowest|youngest|poorest|worst|weakest|minim\w+|fewest)\b", re.I)
_SUMMED = re.compile(r"\b(?P<mean>mean|average)\b|\b(?P<sum>sum|total)\b", re.I)
_MEANT = {"deepest": "depth", "shallowest": "depth", "longest": "length", "shortest": "length", "oldest": "age", "youngest": "age",
          "deep": "depth", "long": "length", "old": "age", "heavy": "weight", "wide": "width", "fast": "speed", "high": "height",
          "tall": "height", "large": "size area", "big": "size area", "warm": "temperature", "hot": "temperature",
          "heaviest": "weight", "lightest": "weight", "biggest": "size area", "largest": "size area", "smallest": "size area",
          "widest": "width", "narrowest": "width", "fastest": "speed time", "slowest": "speed time", "richest": "species richness"}  # fmt: skip
_NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_WHO = re.compile(r"\W*(?:in |at |for |of )?(?:which|who|where|what (?!is|was|are|were))", re.I)
_LARGEST = 200  # rows of a column that is summed


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The words of a question by stem, each with all stems that stand for it, and what they weigh."""

    words: dict[str, frozenset[str]]
    weights: dict[str, float]

    @classmethod
    def of(cls, question: str) -> _Wanted:
        found: dict[str, frozenset[str]] = {}
        weights: dict[str, float] = {}
        for token in tokens(question):
            weight = weight_of(token.text)
            if weight >= WEAK:
                stem = stems(token.text)[0]
                alike = {one for word in kin_of(token.text) for one in stems(word)}
                alike |= {one for word in _MEANT.get(token.text, "").split() for one in stems(word)}
                found[stem], weights[stem] = frozenset({stem, *alike}), weight
        return cls(found, weights)

    def among(self, words: frozenset[str]) -> frozenset[str]:
        """The words of the question that some words have."""
        return frozenset(one for one, alike in self.words.items() if alike & words)

    def share(self, some: frozenset[str]) -> float:
        return sum(self.weights[one] for one in some) / (sum(self.weights.values()) or 1.0)


def near_cell(question: str, paper: PaperGraph) -> tuple[Found, float] | None:
    """The cell whose row, column and caption say most of the question, and how much; None where two are as near."""
    wanted = _Wanted.of(question)
    scored = sorted(
        ((score, fit, place, sheet) for place, sheet in enumerate(_sheets(paper)) for score, fit in _cells(sheet, wanted)),
        key=lambda one: (-one[0], one[2], one[1]),
    )
    if not scored or (len(scored) > 1 and scored[0][0] - scored[1][0] < _APART):
        return None
    _, (row, column, share), _, sheet = scored[0]
    places = places_of(paper, sheet, row, column)
    if share < ENOUGH or not places:
        return None
    value = cell_of(sheet, row, column)
    said = f"{called(paper, sheet.node)}: {plain(' / '.join(sheet.rows[row]))} | {plain(head_of(sheet, column))} | {value}"
    return stating(said, value, places), share


def _cells(sheet: Sheet, wanted: _Wanted) -> Iterator[tuple[float, tuple[int, int, float]]]:
    """The cells whose row and column a question names: score, and (row, column, share of the question)."""
    around = wanted.among(_words(sheet.caption) | _stubs(sheet))
    columns = [_words(" ".join(path)) for path in sheet.columns]
    all_rows = [_words(" ".join(path)) for path in sheet.rows]
    for row, column in sheet.body():
        beside, above = wanted.among(all_rows[row]), wanted.among(columns[column])
        if not beside or not above - beside or len(beside) * 2 < len(all_rows[row]):
            continue
        share = wanted.share(beside | above | around)
        named = len(beside) / len(all_rows[row]) + len(above) / len(columns[column])
        yield round(share + 0.2 * named + 0.3 * wanted.share(beside | above), 6), (row, column, share)


def column_value(question: str, paper: PaperGraph) -> tuple[Found, float] | None:
    """The largest, smallest, mean or sum of a column that a question names, and how much of it is so explained."""
    wanted = _Wanted.of(question)
    found = sorted(
        ((score, place, column, share, sheet) for place, sheet in enumerate(_sheets(paper))
         for score, column, share in _columns(sheet, wanted)),
        key=lambda one: (-one[0], one[1], one[2]),
    )  # fmt: skip
    if not found or found[0][3] < SURELY or (len(found) > 1 and found[0][0] - found[1][0] < _APART):
        return None
    _, _, column, share, sheet = found[0]
    numbers = _numbers(sheet, column)
    if len(numbers) < 2 or len(numbers) < sum(1 for _, at in sheet.body() if at == column):
        return None
    summed = _SUMMED.search(question)
    told = _computed(summed, sheet, column, numbers, paper) if summed else _extreme(question, sheet, column, numbers, paper)
    return (told, share) if told else None


def _columns(sheet: Sheet, wanted: _Wanted) -> Iterator[tuple[float, int, float]]:
    """The columns that have words of a question: score, column, and the share of the question that is explained."""
    around = wanted.among(_words(sheet.caption) | _stubs(sheet))
    signs = wanted.among(frozenset(stem for sign in _SIGNS for stem in stems(sign)))
    for column in range(max(sheet.stub, 1), len(sheet.columns)):
        head = _words(" ".join(sheet.columns[column]))
        above = wanted.among(head)
        if above - signs or (above and above & signs and any(_MEANT.get(word) for word in _SIGNS)):
            share = wanted.share(above | around | signs)
            yield round(share + 0.4 * len(above) / len(head) + 0.3 * wanted.share(above), 6), column, share


_SIGNS = """highest largest greatest longest biggest deepest widest heaviest fastest oldest richest best strongest maximum
    maximal most lowest smallest least shortest shallowest narrowest lightest slowest youngest poorest worst weakest minimum minimal
    fewest mean average sum total""".split()


def _numbers(sheet: Sheet, column: int) -> dict[int, Fraction]:
    """The number that each cell of a column begins with, by row."""
    found: dict[int, Fraction] = {}
    for row in range(sheet.head, min(len(sheet.grid), sheet.head + _LARGEST)):
        cell = sheet.values.get((row, column), {})
        text = str(cell["value"]) if is_number(cell.get("value")) else ""
        if not text and column < len(sheet.grid[row]):
            match = _NUMBER.match(plain(sheet.grid[row][column]).strip())
            text = match[0].replace(",", "").replace("−", "-") if match else ""
        if text:
            found[row] = Fraction(text)
    return found


def _extreme(question: str, sheet: Sheet, column: int, numbers: dict[int, Fraction], paper: PaperGraph) -> Found | None:
    sign = _MOST.search(question) or _LEAST.search(question)
    if sign is None:
        return None
    best = (max if _MOST.search(question) else min)(numbers.values())
    rows = [row for row, number in numbers.items() if number == best]
    places = places_of(paper, sheet, rows[0], column)
    name = plain(" / ".join(sheet.rows[rows[0]]))
    if len(rows) != 1 or not places or not name:
        return None
    word = "highest" if _MOST.search(question) else "lowest"
    said = f"{called(paper, sheet.node)}: {name} has the {word} {plain(head_of(sheet, column))}, {cell_of(sheet, rows[0], column)}."
    by_name = _WHO.match(question) or _Wanted.of(question).among(_stubs(sheet))
    return stating(said, name if by_name else cell_of(sheet, rows[0], column), places)


def _computed(
    summed: re.Match[str], sheet: Sheet, column: int, numbers: dict[int, Fraction], paper: PaperGraph
) -> Found | None:
    """The mean or sum of a column, with all its cells; none where a row of it is a total itself."""
    if any(_SUMMED.search(" ".join(sheet.rows[row])) for row in numbers):
        return None
    places = [place_of(paper, sheet.node, sheet.grid[row][column], row) for row in numbers]
    head = place_of(paper, sheet.node, sheet.columns[column][-1])
    kept: list[Evidence] = [place for place in (head, *places) if place]
    if len(kept) < len(numbers):
        return None
    total = sum(numbers.values(), Fraction(0))
    value = shown(total / len(numbers) if summed["mean"] else total)
    name, cells = "mean" if summed["mean"] else "sum", ", ".join(cell_of(sheet, row, column) for row in numbers)
    return stating(f"{called(paper, sheet.node)}: the {name} of {plain(head_of(sheet, column))} ({cells}) is {value}.", value, kept)


def shown(value: Fraction) -> str:
    """A number with two places behind the point at most."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def _stubs(sheet: Sheet) -> frozenset[str]:
    """The words that say what the rows are."""
    return _words(" ".join(" ".join(path) for path in sheet.columns[: max(sheet.stub, 1)]))


def _sheets(paper: PaperGraph) -> Sequence[Sheet]:
    return sheets(paper, paper.of_kind("Table"))


def _words(text: str) -> frozenset[str]:
    return frozenset(stem for token in tokens(text) if weight_of(token.text) >= WEAK for stem in stems(token.text))
