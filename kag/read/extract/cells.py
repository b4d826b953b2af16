"""Cells of tables for questions in free words: one value, and the largest, smallest, mean or sum of a row or column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kag.read.checking.arithmetic import MEAN, SUM, reckoned
from kag.read.exact.facts import Found, stating
from kag.read.exact.floats import called
from kag.read.exact.grid import Sheet, cell_of, headed_sheets, is_number, place_of, places_of
from kag.read.extract.asking import WEAK, asked, weight_of
from kag.read.extract.kin import kin_of
from kag.read.paper import PaperGraph
from kag.text.plain import plain
from kag.text.search_text import stems, tokens
from kag.values.evidence import Evidence

ENOUGH = 0.75  # of a question's words, that row, column and caption must have between them
SURELY = 0.95  # the same, for the largest of a row or column
_APART = 0.1  # by which the best is ahead of the next
_LINE = 200  # cells of a row or column that are compared
_MOST = """tallest highest largest greatest longest biggest deepest widest heaviest fastest oldest richest best
    strongest
    farthest furthest maximum maximal most"""
_LEAST = """lowest smallest least shortest shallowest narrowest lightest slowest youngest poorest worst weakest minimum
    nearest closest minimal fewest"""
_SUMMED = re.compile(r"\b(?P<mean>mean|average)\b|\b(?P<sum>sum|total)\b", re.I)
_MEANT = {
    **dict.fromkeys(("deep", "deepest", "shallowest"), "depth"), "old": "age", "oldest": "age", "youngest": "age",
    **dict.fromkeys(("long", "longest", "shortest"), "length"), **dict.fromkeys(("heavy", "heaviest"), "weight mass"),
    **dict.fromkeys(("large", "big", "biggest", "largest", "smallest"), "size area"),
    **dict.fromkeys(("wide", "widest", "narrowest"), "width"), "lightest": "weight mass",
    **dict.fromkeys(("fast", "fastest", "slowest"), "speed time"),
    **dict.fromkeys(("high", "tall", "tallest"), "height"), **dict.fromkeys(("warm", "hot"), "temperature"),
    **dict.fromkeys(("common", "frequent"), "total number count frequency prevalence"), "richest": "species richness",
}  # fmt: skip
_SHORT = {"se": "standard error", "sd": "standard deviation", "ci": "confidence interval", "rr": "risk ratio",
          "n": "number", "hr": "hazard ratio", "auc": "area under curve", "no": "number"}  # fmt: skip
_SHARE = ("share", "proportion", "percentage", "percent", "fraction")  # what "%" in a header may be called
_CHANGED = re.compile(r"\b(?:changes?|variance|vs\.?|versus|increase|decrease|growth)\b|\bYoY\b", re.I)
_OF_WORTH = re.compile(r"\b(?:best|worst|poorest)\b", re.I)
_COSTED = """error errors rmse mae loss deviation residual residuals bias uncertainty latency cost failures mortality
    misclassified perplexity"""  # of which less is better
_COSTS = frozenset(stem for word in _COSTED.split() for stem in stems(word))
_NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_WHO = re.compile(
    r"\W*(?:(?:in|at|for|of|on) )?(?:which|what)(?: of the)? (?P<noun>(?:[\w-]+ ){1,3}?)(?:had|has|have|is"
    r"|was|were|are|got|gets|took|takes"
    r"|shows?|showed|did|does|paid|pays|reached|gave|gives|received?|needs?|used?|gained|lost)\b"
    r"|.*\bwhich (?P<last>[\w-]+)\W*$", re.I)  # fmt: skip
_ASIDE = """table column row tables number two three four five six seven eight nine ten all up out took
    over often overall across
    respectively among each got gave gives reached showed needed needs took takes had"""
_GLUE = frozenset(_ASIDE.split())
_NOTHING = re.compile(r"(?:n\.?\s?[adrst]\.?|not \w+|none|nil)?[\s–—.*†‡-]*", re.I)  # a cell without a value
_TOTALS = frozenset({"n", "total", "all", "sum", "overall", "mean", "average"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """The words of a question by stem, each with all stems that stand for it, and what they weigh."""

    words: Mapping[str, frozenset[str]]
    weights: Mapping[str, float]
    joined: re.Pattern[str] | None = None

    @classmethod
    def of(cls, question: str) -> Wanted:
        found: dict[str, frozenset[str]] = {}
        weights: dict[str, float] = {}
        words = asked(question).words  # of "how high was the rate", the rate is asked for
        for token in tokens(question, wholes=False):
            word, weight = token.text, words.get(token.text, weight_of(token.text))
            if weight >= WEAK and word not in _GLUE and (len(word) > 1 or word.isdigit()):
                stem = stems(word)[0]
                alike = (*kin_of(word), *_MEANT.get(word, "").split())
                found[stem], weights[stem] = (
                    frozenset(
                        {stem, *(one for other in alike for one in stems(other)), *("%" if word in _SHARE else "")}
                    ),
                    weight,
                )
        long = "|".join(
            sorted({re.escape(token.text) for token in tokens(question, wholes=False) if len(token.text) > 2})
        )
        return cls(found, weights, re.compile(rf"({long}|the)({long})\b", re.I) if long else None)

    def apart(self, text: str) -> str:
        """A header with two words of the question apart that are printed as one: "HPLCrecovery"."""
        return self.joined.sub(r"\1 \2", text) if self.joined else text

    def among(self, words: frozenset[str]) -> frozenset[str]:
        """The words of the question that some words have."""
        return frozenset(one for one, alike in self.words.items() if alike & words)

    def share(self, some: frozenset[str]) -> float:
        return sum(self.weights[one] for one in some) / (sum(self.weights.values()) or 1.0)


@dataclass(frozen=True, slots=True)
class _Line:
    """A column of a table, or a row: the path of its name, its cells with the path of what each is of."""

    sheet: Sheet
    name: tuple[str, ...]
    cells: tuple[tuple[int, int], ...]
    of: tuple[tuple[str, ...], ...]
    stubs: frozenset[str]


def near_cell(question: str, paper: PaperGraph) -> tuple[Found, float] | None:
    """The cell whose row, column and caption say most of the question, and how much; None where two are as near."""
    wanted = Wanted.of(question)
    scored = [(score, -number, row, column, share, sheet) for number, sheet in enumerate(headed_sheets(paper))
              for score, row, column, share in _cells(sheet, wanted)]  # fmt: skip
    scored.sort(key=lambda one: (-one[0], -one[1], one[2], one[3]))
    if not scored:
        return None
    best, _, row, column, share, sheet = scored[0]
    value = cell_of(sheet, row, column)
    rival = next(
        (one[0] for one in scored if one[5] is not sheet or one[2] != row or cell_of(sheet, one[2], one[3]) != value),
        0.0,
    )
    places = places_of(paper, sheet, row, column)
    if share < ENOUGH or best - rival < _APART or not places:
        return None
    said = f"{called(paper, sheet.node)}: {_told(_named(sheet, row))} | {_told(sheet.columns[column])} | {value}"
    return stating(said, value, places), share


def _cells(sheet: Sheet, wanted: Wanted) -> Iterator[tuple[float, int, int, float]]:
    """The cells whose row and column a question names: (score, row, column, share of the question)."""
    around = wanted.among(words_of(sheet.caption) | _stubs(sheet))
    extremes = wanted.among(_EXTREMES)  # "worst" asks for one of several cells, unless a header says it
    reckoned, caption = frozenset(wanted.words) & _RECKONED, words_of(sheet.caption)
    columns = [words_of(wanted.apart(" ".join(path))) for path in sheet.columns]
    all_rows = [words_of(wanted.apart(" ".join(_named(sheet, row)))) for row in range(len(sheet.rows))]
    alone = len(sheet.columns) - sheet.stub == 1  # the one column of values needs no name
    for row, column in sheet.body():
        beside, above = wanted.among(all_rows[row]), wanted.among(columns[column])
        if not beside or not (above - beside or alone) or (len(beside) < 2 and 2 * len(beside) < len(all_rows[row])):
            continue
        if not extremes <= beside | above | around or not _prints(reckoned, all_rows[row] | columns[column] | caption):
            continue
        share = wanted.share(beside | above | around)
        named = len(beside) / (len(all_rows[row]) or 1) + len(above) / (len(columns[column]) or 1)
        yield round(share + 0.2 * named + 0.3 * wanted.share(beside | above), 6), row, column, share


def _prints(reckoned: frozenset[str], words: frozenset[str]) -> bool:
    """Whether a cell is itself called a difference or share, where that is asked for; "%" is a share."""
    return reckoned <= words or (reckoned <= _SHARES and "%" in words)


def line_value(question: str, paper: PaperGraph) -> tuple[Found, float] | None:
    """The largest, smallest, mean or sum of a column or row that a question names, and how much that explains of it."""
    noun = _WHO.match(question)
    things = words_of(noun["noun"] or noun["last"] or "") if noun else frozenset()
    wanted = Wanted.of(question)
    lines = [line for sheet in headed_sheets(paper) for line in _lines(sheet)]
    scored = [(*rated, -number, line) for number, line in enumerate(lines) if (rated := _rated(line, wanted, things))]
    scored.sort(key=lambda one: (-one[0], -one[2]))
    if not scored or scored[0][1] < SURELY or (len(scored) > 1 and scored[0][0] - scored[1][0] < _APART):
        return None
    _, share, _, line = scored[0]
    numbers = _numbers(line)
    sign = _sign(question, words_of(" ".join(line.name)) if _SUMMED.search(question) else frozenset())
    if sign and _OF_WORTH.search(question) and _is_cost(line):
        sign = "lowest" if sign == "highest" else "highest"
    by_name = bool(noun) or bool(wanted.among(line.stubs))
    found = _extreme(line, numbers, paper, sign, by_name=by_name) if sign else _computed(line, numbers, paper, question)
    return (found, share) if found else None


def _lines(sheet: Sheet) -> Iterator[_Line]:
    """The columns and rows of a table; a column over groups of rows is one for each group."""
    stubs, rows = _stubs(sheet), range(sheet.head, min(len(sheet.grid), sheet.head + _LINE))
    groups = dict.fromkeys(sheet.rows[row][:-1] for row in rows if len(sheet.rows[row]) > 1) or {(): None}
    same = [path for path, times in Counter(sheet.rows[row] for row in rows).items() if path and 1 < times < len(rows)]
    for group in dict.fromkeys((*groups, *same)):
        for column in range(max(sheet.stub, 1), len(sheet.columns)):
            cells = tuple((row, column) for row in rows if group in (sheet.rows[row][:-1], sheet.rows[row], ()))
            kept = tuple(cell for cell in cells if _filled(sheet, *cell) and not _is_total(sheet.rows[cell[0]]))
            yield _Line(
                sheet, (*group, *sheet.columns[column]), kept, tuple(_named(sheet, row) for row, _ in kept), stubs
            )
    over = dict.fromkeys(path[:-1] for path in sheet.columns[max(sheet.stub, 1) :] if len(path) > 1)
    for row in (row for row in rows if not _is_total(sheet.rows[row])):
        for above in ((), *over):
            kept = tuple((row, column) for column in range(max(sheet.stub, 1), len(sheet.columns))
                         if _filled(sheet, row, column) and not _is_total(sheet.columns[column])
                         and not is_change(sheet.columns[column])
                         and above in (sheet.columns[column][:-1], ()))  # fmt: skip
            yield _Line(
                sheet, (*above, *sheet.rows[row]), kept, tuple(sheet.columns[column] for _, column in kept), frozenset()
            )


def _named(sheet: Sheet, row: int) -> tuple[str, ...]:
    """What a row is of: its path, with the first words behind it where it is only numbered."""
    path = sheet.rows[row]
    if row < sheet.head or not path or any(char.isalpha() for part in path for char in part) or row >= len(sheet.grid):
        return path
    said = (cell for cell in sheet.grid[row] if sum(char.isalpha() for char in cell) > 2)
    return (*path, *(cell for cell in [next(said, "")] if cell))


def is_change(path: Sequence[str]) -> bool:
    """Whether a column tells how its neighbours differ, and is none of them."""
    return any(_CHANGED.search(name) for name in path)


def _rated(line: _Line, wanted: Wanted, things: frozenset[str]) -> tuple[float, float] | None:
    """How well a line fits a question, and the share of the question that is explained; None where it is not named."""
    head = words_of(wanted.apart(" ".join(line.name)))
    above, signs = wanted.among(head), wanted.among(_SIGNS)
    if len(line.cells) < 2 or not (above - signs or (above & signs)):
        return None
    around = wanted.among(words_of(line.sheet.caption) | line.stubs | things)
    share = wanted.share(above | around | signs)
    printed = wanted.share(frozenset(one for one in above if one in head))  # as asked, by no other word for the same
    told = wanted.share(wanted.among(words_of(line.sheet.caption) | line.stubs))
    if len(line.name) > 1 and not wanted.among(words_of(" ".join(line.name[:-1]))):
        share -= _APART  # of one group, which nobody asked for
    return round(
        share + 0.4 * len(above) / len(head) + 0.3 * wanted.share(above) + 0.2 * printed + 0.15 * told, 6
    ), share


def _is_cost(line: _Line) -> bool:
    """Whether less of what a line holds is better: the best error is the least."""
    return not _COSTS.isdisjoint(words_of(f"{' '.join(line.name)} {line.sheet.caption}"))


def _sign(question: str, named: frozenset[str]) -> str:
    """Whether the highest or lowest is asked for, by no word that only names the line; "" for neither."""
    words = [word for word in re.findall(r"[a-z]+", question.lower()) if named.isdisjoint(stems(word))]
    return next(
        (
            "highest" if word in _MOST.split() else "lowest"
            for word in words
            if word in (*_MOST.split(), *_LEAST.split())
        ),
        "",
    )


def _numbers(line: _Line) -> list[Fraction]:
    """The number that each cell of a line begins with; none where one of them has none."""
    found = []
    for row, column in line.cells:
        cell = line.sheet.values.get((row, column), {})
        match = _NUMBER.match(cell_of(line.sheet, row, column).strip())
        text = (
            str(cell["value"])
            if is_number(cell.get("value"))
            else match[0].replace(",", "").replace("−", "-")
            if match
            else ""
        )
        if not text:
            return []
        found.append(Fraction(text))
    return found


def _extreme(line: _Line, numbers: Sequence[Fraction], paper: PaperGraph, sign: str, *, by_name: bool) -> Found | None:
    """The one cell that is the highest or lowest of its line."""
    best = (max if sign == "highest" else min)(numbers, default=None)
    at = [place for place, number in enumerate(numbers) if number == best]
    if len(at) != 1:
        return None
    row, column = line.cells[at[0]]
    name, value = _told(line.of[at[0]]), cell_of(line.sheet, row, column)
    places = places_of(paper, line.sheet, row, column)
    if not name or not places:
        return None
    said = f"{called(paper, line.sheet.node)}: {name} | {_told(line.name)} | {value}"
    return stating(said, name if by_name else value, places)


def _computed(line: _Line, numbers: Sequence[Fraction], paper: PaperGraph, question: str) -> Found | None:
    """The mean or sum of a line, with all its cells."""
    summed, sheet = _SUMMED.search(question), line.sheet
    places = [place_of(paper, sheet.node, sheet.grid[row][column], row) for row, column in line.cells]
    kept: list[Evidence] = [place for place in (place_of(paper, sheet.node, line.name[-1]), *places) if place]
    shares = {"%" in cell_of(sheet, row, column) for row, column in line.cells}
    if not summed or not numbers or len(kept) < len(numbers) or len(shares) > 1:
        return None
    cells = ", ".join(cell_of(sheet, row, column) for row, column in line.cells)
    name = MEAN if summed["mean"] else SUM
    value = reckoned(name, numbers)
    return stating(f"{called(paper, sheet.node)}: the {name} of {_told(line.name)} ({cells}) is {value}.", value, kept)


def _filled(sheet: Sheet, row: int, column: int) -> bool:
    return column < len(sheet.grid[row]) and not _NOTHING.fullmatch(plain(sheet.grid[row][column]))


def _is_total(path: tuple[str, ...]) -> bool:
    words = re.findall(r"[a-z]+", " ".join(path).lower())
    return bool(words) and words[0] in _TOTALS


def _stubs(sheet: Sheet) -> frozenset[str]:
    """The words that say what the rows are."""
    return words_of(" ".join(" ".join(path) for path in sheet.columns[: max(sheet.stub, 1)]))


def _told(path: Sequence[str]) -> str:
    return plain(" / ".join(dict.fromkeys(path)))


def words_of(text: str) -> frozenset[str]:
    """The stems of words of two letters or more and of numbers, short forms written out; no units in brackets."""
    found = [token.text for token in tokens(re.sub(r"\([^()]{1,12}\)", " ", text), wholes=False)]
    found += [word for one in found for word in _SHORT.get(one, "").split()]
    kept = (word for word in found if weight_of(word) >= WEAK and (len(word) > 1 or word.isdigit()))
    return frozenset(stem for word in kept for stem in stems(word)) | ({"%"} if "%" in text else frozenset())


_TO_RECKON = "percentage percent ratio proportion difference change increase decrease growth sum"
_RECKONED = frozenset(stem for word in _TO_RECKON.split() for stem in stems(word))
_SHARES = frozenset(stem for word in _SHARE for stem in stems(word))
_EXTREMES = frozenset(stem for sign in f"{_MOST} {_LEAST}".split() for stem in stems(sign))
_SIGNS = frozenset(stem for sign in f"{_MOST} {_LEAST} mean average sum total".split() for stem in stems(sign))
