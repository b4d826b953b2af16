"""The one rule that a claim has to pass: each of its numbers is printed in the evidence, or computed from it as stated.

A definition, not a judgement of language. A number passes if the quotes, their headers, captions and labels (or the
question) print it with its unit, if it is a printed number rounded, or if the claim says that it is a sum, difference,
share, ratio or count and printed numbers give it. Otherwise the claim is undecided and the number is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice, permutations, zip_longest
from math import isclose

from kag.core.evidence import Context, Quote
from kag.text.printed_numbers import Number, folded, labelled_numbers, normal_form, printed_numbers
from kag.text.quantities.find import si_value
from kag.text.quantities.units import read_unit

CHECKER = "numbers"
_LARGEST = 24  # printed numbers that are combined
_ADDED = 12  # printed numbers in a row that are added
_NAMED = 10  # missing numbers that are named; a hostile claim may have thousands
_YEAR = 4  # digits of a year, which a citation prints, too
_LISTED = 12  # things that a list counts at most
_TOLERANCE = Fraction(1, 20)  # of a number that is only said to be about so
_SUM = re.compile(r"\b(?:total\w*|sum\w*|together|combined|altogether|overall|both|in all|jointly)\b", re.I)
_DIFFERENCE = re.compile(
    r"\b(?:differ\w*|more|less|fewer|higher|lower|greater|larger|smaller|longer|shorter|older|younger|later|earlier|faster"
    r"|slower|gap|gains?|gained|lost|los[st]\w*|fall\w*|fell|r[io]se\w*|grew|grow\w*|drop\w*|increas\w*|decreas\w*"
    r"|reduc\w*|improv\w*|declin\w*|remain\w*|left|rest|exclud\w*|apart|excess|short(?:fall)?|ahead|behind|exceed\w*|above|below)\b",
    re.I,
)
_SHARE = re.compile(
    r"%|\b(?:share|fraction|proportion|ratio|rate|percent\w*|times|fold|twice|half|thirds?|quarters?|out of)\b", re.I
)
_PERCENT_WORDS = re.compile(r"\b(?:percent\w*|share|fraction|proportion|rate|accuracy|precision|recall)\b|%", re.I)
_UNIT_START = re.compile(r"(?<![\w^])[A-Za-zµ°%‰Å]")
_ITEMS = re.compile(r"\s*(?:,\s*(?:and|or)\b|;\s*(?:and|or)?|,|\band\b|\bor\b)\s*")


def unprinted_numbers(claim: str, quotes: Sequence[Quote], context: Context) -> tuple[str, ...]:
    """Return the numbers of a claim, as written, that are neither in its quotes nor follow from them.

    >>> quote = Quote("The sample of 48 sites had 12.4 kg per site.")
    >>> unprinted_numbers("At forty-eight sites there were 12.4 g.", [quote], Context())
    ('12.4 g',)
    """
    numbers, labels = printed_numbers(claim), labelled_numbers(claim)
    if not numbers and not labels:
        return ()
    shown = _Shown.of(quotes, context)
    different = {(number.value, number.unit, number.step, number.is_about): number for number in numbers}
    wanting = (one.surface for one in different.values() if not shown.has(one, claim) and not shown.gives(one, claim))
    missing = islice(wanting, _NAMED)
    return tuple(dict.fromkeys((*missing, *(label for label in labels if label not in shown.labels))))


def shown_texts(quotes: Sequence[Quote], context: Context) -> Iterator[str]:
    """Everything that counts as printed for a claim: quotes, cells, headers, captions, labels, and the question."""
    yield from _quoted_texts(quotes)
    yield from _naming_texts(quotes, context)
    yield from (text for quote in quotes for text in (quote.label, *quote.section))
    yield from context.labels


def _quoted_texts(quotes: Sequence[Quote]) -> Iterator[str]:
    """Return the quoted texts; of a whole table its rows, of a single row its cells."""
    for quote in quotes:
        yield from (quote.text, *quote.cells)
        yield from (cell for row in _table_rows(quote) for cell in row)


def _naming_texts(quotes: Sequence[Quote], context: Context) -> Iterator[str]:
    """Return the texts that name the quoted things and their units: captions, headers, the question."""
    for quote in quotes:
        yield from (quote.caption, *quote.headers)
    yield context.question


def _table_rows(quote: Quote) -> Sequence[Sequence[str]]:
    """The rows of a table that are quoted; of a single row only the row itself is."""
    return quote.rows if quote.kind == "table" else ()


@dataclass(frozen=True, slots=True)
class _Shown:
    """The content of evidence: its numbers, its digits, the units it names, and the lengths of its lists.

    `quoted` are the numbers of the quotes and cells alone, which sums and shares are made of; `runs` the same in the
    rows, columns and sentences in which they stand; `digits` the values that are printed anywhere, in labels and
    titles, too, and `years` those of four digits; `units` those that captions, headers, cells and brackets name.
    """

    numbers: tuple[Number, ...]
    by_value: Mapping[Fraction, Sequence[Number]]
    quoted: tuple[Number, ...]
    runs: tuple[tuple[Number, ...], ...]
    digits: frozenset[Fraction]
    years: frozenset[Fraction]
    units: frozenset[str]
    lengths: frozenset[int]
    labels: frozenset[str]

    @classmethod
    def of(cls, quotes: Sequence[Quote], context: Context) -> _Shown:
        quoted = list(dict.fromkeys(filter(None, _quoted_texts(quotes))))
        naming = list(dict.fromkeys(filter(None, _naming_texts(quotes, context))))
        texts = list(dict.fromkeys(filter(None, shown_texts(quotes, context))))
        labels = [Fraction(label) for label in context.labels if re.fullmatch(r"\d{1,9}", label)]
        printed = _digit_runs(map(folded, texts))
        years = {Fraction(run) for run in printed if run.isdigit() and len(run) >= _YEAR}
        counted = [Fraction(context.count)] if context.count is not None else []
        numbers = tuple(dict.fromkeys(number for text in (*quoted, *naming) for number in printed_numbers(text)))
        unnamed = [number.value for text in texts for number in printed_numbers(text)]
        by_value: dict[Fraction, list[Number]] = {}
        for number in numbers:
            by_value.setdefault(number.value, []).append(number)
        return cls(
            numbers,
            by_value,
            tuple(dict.fromkeys(number for text in quoted for number in printed_numbers(text))),
            tuple(_number_runs(quotes)),
            frozenset((*years, *labels, *counted, *unnamed)),
            frozenset(years),
            frozenset(unit for text in (*naming, *_unit_texts(quotes)) for unit in _units(normal_form(text))),
            frozenset((len(quotes), *(len(quote.rows) for quote in quotes), *chain(*map(_listed, quoted)))),
            frozenset((*printed, *(part for run in printed for part in run.split(".")), *_digit_runs(context.labels))),
        )

    def has(self, number: Number, claim: str) -> bool:
        """Whether the evidence prints a number with its unit, in any form, or rounds to it."""
        if any(self._fits(number, printed, claim) for printed in self.by_value.get(number.value, ())):
            return True
        if any(_is_same(number, printed) and self._fits(number, printed, claim) for printed in self.numbers):
            return True
        if any(_is_converted(number, printed) for printed in self.numbers):
            return True
        if not number.unit:
            return number.value in self.digits
        return number.surface.isdigit() and number.value in self.years  # "In 2019, 31 %": a year shares no unit

    def _fits(self, number: Number, printed: Number, claim: str) -> bool:
        """Whether a claim's unit is the printed one, or the one that a header or caption gives."""
        if number.unit == printed.unit:
            return True
        if not number.unit:
            return printed.unit != "%" or number.step < 1 or bool(_PERCENT_WORDS.search(claim))
        if printed.unit:
            return False
        return printed in self.quoted and (number.unit in self.units or number.unit in ("fold", "cells", "copies"))

    def gives(self, number: Number, claim: str) -> bool:
        """Whether the claim states an operation, and printed numbers come to this one by it."""
        if not number.unit and number.value in {*self.lengths, *_listed(claim)} and 2 <= number.value <= _LISTED:
            return True
        return any(_rounds(value, number) for value in self._computed(number, claim))

    def _computed(self, number: Number, claim: str) -> Iterator[Fraction]:
        """Compute printed numbers by the operations that a claim names, for a number of this unit."""
        terms = tuple(dict.fromkeys((one.value, one.unit) for one in self.quoted))[:_LARGEST]
        alike = [value for value, unit in terms if unit == number.unit or not (unit and number.unit)]
        if _SUM.search(claim):
            yield from (one + other for one, other in combinations(alike, 2))
            yield from (total for run in self.runs for total in _partial_sums(run, number.unit))
        if _DIFFERENCE.search(claim):
            yield from (abs(one - other) for one, other in combinations(alike, 2))
        if _SHARE.search(claim) and (
            number.unit in ("%", "fold") or number.value.denominator > 1 or "." in number.surface
        ):
            yield from _shares(terms, number, is_change=bool(_DIFFERENCE.search(claim)))


def _unit_texts(quotes: Sequence[Quote]) -> Iterator[str]:
    """Quoted texts whose units may belong to numbers elsewhere in them: the cells of a row, and units in brackets."""
    for quote in quotes:
        yield from quote.cells
        yield from re.findall(r"\([^()]{1,20}\)", quote.text)


def _number_runs(quotes: Sequence[Quote]) -> Iterator[tuple[Number, ...]]:
    """Return numbers in sequence: of a sentence, of a table's row, of its column."""
    for quote in quotes:
        rows = [[printed_numbers(cell) for cell in row] for row in (_table_rows(quote) or (quote.cells,))]
        yield printed_numbers(quote.text)
        yield from (tuple(chain(*row)) for row in rows)
        yield from (tuple(chain(*column)) for column in zip_longest(*rows, fillvalue=()))


def _partial_sums(run: Sequence[Number], unit: str) -> Iterator[Fraction]:
    """Return the sums of three or more numbers in sequence, of one unit."""
    values = [number.value for number in run if number.unit == unit or not (number.unit and unit)]
    for start in range(len(values)):
        total = Fraction(0)
        for many, value in enumerate(values[start : start + _ADDED], 1):
            total += value
            if many > 2:
                yield total
    yield sum(values, Fraction(0))


def _shares(terms: Sequence[tuple[Fraction, str]], number: Number, *, is_change: bool) -> Iterator[Fraction]:
    """The ratios of printed numbers of one unit, in the form of a claim's number."""
    pairs = [(a, b) for (a, first), (b, second) in permutations(terms, 2) if b and first == second]
    yield from (100 * a / b if number.unit == "%" else a / b for a, b in pairs)
    yield from (100 * abs(a - b) / b for a, b in pairs if number.unit == "%" and is_change)
    yield from (value / 100 for value, unit in terms if unit == "%" and not number.unit)
    yield from (100 - value for value, unit in terms if unit == number.unit == "%")
    yield from (value * 100 for value, unit in terms if number.unit == "%" and not unit and value <= 1)


def _digit_runs(texts: Iterable[str]) -> set[str]:
    """All runs of digits, with their points."""
    return {run for text in texts for run in re.findall(r"\d{1,15}(?:\.\d{1,15})*", text)}


def _is_same(number: Number, printed: Number) -> bool:
    """Whether two numbers are one: equal, or the claim's is the printed one rounded."""
    if number.value == printed.value:
        return True
    coarser = number.step > printed.step and number.value >= 10 * number.step
    return (coarser or number.is_about or printed.is_about) and _rounds(printed.value, number)


def _rounds(value: Fraction, number: Number) -> bool:
    """Whether a value rounds to a claim's number at the precision that the claim gives it."""
    if abs(value - number.value) <= number.step / 2:
        return True
    return number.is_about and abs(value - number.value) <= _TOLERANCE * abs(value)


def _is_converted(number: Number, printed: Number) -> bool:
    """Whether two numbers are one quantity in two units: "0.5 g" and "500 mg", "a half" and "50 %"."""
    if not printed.unit or number.unit == printed.unit:
        return False
    if not number.unit:
        return printed.unit == "%" and number.value <= 1 and _rounds(printed.value / 100, number)
    first, second = si_value(float(number.value), number.unit), si_value(float(printed.value), printed.unit)
    return bool(first and second and first[1] == second[1] and isclose(first[0], second[0], rel_tol=1e-6))


def _units(form: str) -> Iterator[str]:
    """The units that a text names anywhere, with or without a number."""
    for match in _UNIT_START.finditer(form):
        found = read_unit(form, match.start(), exact=True)
        if found:
            yield found[0].canonical
    if "%" in form:
        yield "%"


def _listed(text: str) -> Iterator[int]:
    """Return the lengths of a text's lists, separated by commas and "and"; a long text ends where its lists do."""
    for sentence in re.split(r"[.:;?!]\s", text):
        yield len([item for item in _ITEMS.split(sentence) if item.strip()])
