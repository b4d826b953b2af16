"""What a table says of named years, and what is reckoned from it: changes, means, shares, the years of the most.

`by_years` answers where the whole question is spoken for: each of its words names the row, the column or what is to be
reckoned. The terms stand in the claim, so that a reader, and the checker, can reckon again.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from kag.read.checking.arithmetic import (
    CHANGE,
    DIFFERENCE,
    MEAN,
    PERCENT_CHANGE,
    PERCENTAGE,
    RATIO,
    SUM,
    reckoned,
)  # fmt: skip
from kag.read.exact.facts import Found, stating
from kag.read.exact.floats import called
from kag.read.exact.grid import places_of
from kag.read.extract.cells import Wanted, words_of
from kag.read.extract.reckoning.series import Point, Series, all_series
from kag.read.extract.reckoning.sums import ABOVE, BELOW, HIGHEST, LOWEST, VALUE, Sum, asked_sum
from kag.read.paper import PaperGraph
from kag.values.evidence import Claim

SURE = 0.9  # of a cell that the whole question names, as of other cells
NAMED = 0.75  # of a thing's words, that a row and its column must have
_OWN = 0.5  # of a row's words that are asked for, unless all that is asked is in it
_UNASKED = 0.25  # of the confidence that goes where no word of the row is asked for
_TO_RECKON = words_of("percentage percent ratio proportion difference change increase decrease growth sum average mean")
_APART = 0.05  # by which the best row is ahead of the next
_YEARS = 30  # that are listed at most
_FAR = 1000  # times what a row holds: a limit in another unit

Term = tuple[Series, int]  # a series and one of its years


@dataclass(frozen=True, slots=True)
class _Named:
    """A series that a thing's words name, and how sure that is, of 1: by the share of them that it has, and the share
    of its own words that are asked for."""

    series: Series
    sure: float


def by_years(question: str, paper: PaperGraph) -> Found | None:
    """The value asked for, from the years of one or two rows of a table; None where that is not asked or not named."""
    wanted = asked_sum(question)
    if wanted is None:
        return None
    every = all_series(paper)
    named = [_named(name, wanted, every) for name in wanted.names]
    kept = [one for one in named if one is not None]
    if not kept or len(kept) < len(named):
        return None
    sure = round(SURE * min(one.sure for one in kept), 2)
    way = _WAYS[wanted.what] if len(kept) == 1 else _of_things
    return way(wanted, [one.series for one in kept], sure, paper)


def _named(name: str, wanted: Sum, every: Sequence[Series]) -> _Named | None:
    """The one series that a thing's words name and that has all the years; None where two are as near."""
    words = Wanted.of(name)
    fitting = [one for one in every if set(wanted.years) <= one.points.keys()]
    scored = [(*rated, -number, one) for number, one in enumerate(fitting) if (rated := _rated(name, words, one))]
    scored.sort(key=lambda one: (-one[0], -one[2]))
    if not scored or scored[0][1] < NAMED:
        return None
    score, sure, _, best = scored[0]
    rivals = (one for near, _, _, one in scored[1:] if score - near < _APART)
    if any(_amounts(one, wanted.years) != _amounts(best, wanted.years) for one in rivals):
        return None
    return _Named(best, sure)


def _rated(name: str, words: Wanted, one: Series) -> tuple[float, float] | None:
    """How well words name a series, and how sure that is; None where they name no row of it, or ask for more."""
    if _plain(name) == _plain(" ".join(one.row[-1:])):  # "Other" has no word that tells anything
        return 2.0 + 0.1 * (len(one.row) < 2), 1.0
    row, column = words_of(words.apart(" ".join(one.row[-1:]))), words_of(one.words)
    last, whole = words.among(row or column), words.among(column | words_of(one.sheet.caption))
    if not last or words.among(_TO_RECKON) - whole:
        return None
    own = len(last) / (len(row or column) or 1)
    share = words.share(whole)
    if own < _OWN and share < 1:
        return None
    sure = share * (1 - _UNASKED * max(1 - own, 0.0))
    return round(share + 0.4 * min(own, 1.0) + 0.1 * words.share(words.among(column)), 6), sure


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z]{2,}", text.lower()))


def _amounts(one: Series, years: Sequence[int]) -> list[Fraction]:
    return [one.points[year].amount for year in (years or sorted(one.points))]


def _over_years(wanted: Sum, things: Sequence[Series], sure: float, paper: PaperGraph) -> Found | None:
    """A change or mean of one series over years; those of the table where none is named."""
    series = things[0]
    years = wanted.years or tuple(sorted(series.points))
    few = len(years) != 2 if wanted.what in (CHANGE, PERCENT_CHANGE) else len(years) < 2
    return None if few else _reckoned(wanted.what, series.name, [(series, year) for year in years], sure, paper)


def _of_things(wanted: Sum, things: Sequence[Series], sure: float, paper: PaperGraph) -> Found | None:
    """One thing as a share of another, the difference of two, the sum or mean of several, in one year."""
    years = set(wanted.years) or set.intersection(*(set(one.points) for one in things))
    places = {id(point) for one in things for point in one.points.values()}
    if len(years) != 1 or len(places) < sum(len(one.points) for one in things):
        return None
    year = next(iter(years))
    return _reckoned(
        wanted.what, " and ".join(one.name for one in things), [(one, year) for one in things], sure, paper
    )


def _reckoned(what: str, name: str, terms: Sequence[Term], sure: float, paper: PaperGraph) -> Found | None:
    value = reckoned(what, [series.points[year].amount for series, year in terms])
    if not value:
        return None
    points = [series.points[year] for series, year in terms]
    printed = ", ".join(f"{point.text} in {point.when.replace(', ', ' ')}" for point in points)
    sign = "%" if what in (PERCENT_CHANGE, PERCENTAGE) else ""
    said = f"{called(paper, terms[0][0].sheet.node)}: the {what} of {name} ({printed}) is {value}{sign}."
    places = chain.from_iterable(places_of(paper, series.sheet, *_place(series.points[year])) for series, year in terms)
    return stating(said, value + sign, places, confidence=sure)


def _read_off(wanted: Sum, things: Sequence[Series], sure: float, paper: PaperGraph) -> Found | None:
    """The values of the years that are named, a claim for each."""
    series = things[0]
    claims = tuple(_cell(series, year, sure, paper) for year in wanted.years)
    return Found(claims, series.points[wanted.years[0]].text if len(claims) == 1 else None)


def _year_of(wanted: Sum, things: Sequence[Series], sure: float, paper: PaperGraph) -> Found | None:
    """The one year in which a series is highest or lowest."""
    series = things[0]
    years = wanted.years or tuple(series.points)
    amounts = {year: abs(series.points[year].amount) for year in years}  # costs are printed in brackets
    best = (max if wanted.what == HIGHEST else min)(amounts.values())
    found = [year for year in years if amounts[year] == best]
    if len(found) != 1 or len(years) < 2:
        return None
    return Found((_cell(series, found[0], sure, paper),), str(found[0]))


def _years_beyond(wanted: Sum, things: Sequence[Series], sure: float, paper: PaperGraph) -> Found | None:
    """The years in which a series is above or below a number, which is in the table's own unit."""
    series, limit = things[0], wanted.limit
    most = max((abs(point.amount) for point in series.points.values()), default=Fraction(0))
    if limit is None or not most or not most / _FAR <= abs(limit) <= most * _FAR:
        return None
    beyond = operator.gt if wanted.what == ABOVE else operator.lt
    years = [year for year, point in series.points.items() if beyond(abs(point.amount), limit)][:_YEARS]
    claims = tuple(_cell(series, year, sure, paper) for year in years)
    return Found(claims, str(years[0]) if len(years) == 1 else None) if years else None


def _cell(series: Series, year: int, sure: float, paper: PaperGraph) -> Claim:
    point = series.points[year]
    said = f"{called(paper, series.sheet.node)}: {series.name} | {point.when} | {point.text}"
    return Claim(said, tuple(dict.fromkeys(places_of(paper, series.sheet, *_place(point)))), sure)


def _place(point: Point) -> tuple[int, int]:
    return point.row, point.column


_Way = Callable[[Sum, Sequence[Series], float, PaperGraph], Found | None]
_WAYS: dict[str, _Way] = {
    **dict.fromkeys((CHANGE, PERCENT_CHANGE, MEAN, SUM), _over_years),
    **dict.fromkeys((PERCENTAGE, RATIO, DIFFERENCE), _of_things),
    **dict.fromkeys((HIGHEST, LOWEST), _year_of), **dict.fromkeys((ABOVE, BELOW), _years_beyond), VALUE: _read_off,
}  # fmt: skip
