"""The two sides that are compared: the claim, and its evidence in parts, a sentence or a table's cell each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kag.read.checking.rules.lexicon import lexicon
from kag.read.checking.rules.words import Word, words
from kag.text.sentences import sentences
from kag.values.verdict import Context, Quote

_UNIT = re.compile(r"[(\[]([^()\[\]]{1,20})[)\]]|,\s*([^,]{1,10})$")
_ANSWERED = re.compile(r"^\s*(?:yes|no)\s*[,:.;]\s*", re.I)
_LONGER = 4  # letters by which one form of a word may be longer than another
_LONGEST_NAME = 4  # words
_LONGEST_TOLD = 8  # words of one that stands before the values
_NAMES = 3  # cells that say what a row is about
_MOST_CELLS = 2_000  # of one table that are looked at


@dataclass(frozen=True, slots=True)
class Part:
    """A statement of the evidence: `words` of a sentence, or of a cell with its row's name and its headers.

    `quoted` is False of what only stands beside the quote. `units` are those that a cell has from its headers.
    """

    words: tuple[Word, ...]
    quoted: bool = True
    units: frozenset[str] = frozenset()
    is_cell: bool = False
    lead: tuple[Word, ...] = ()  # of the same sentence, before the quote
    is_entry: bool = False  # of a reference list, whose numbers are years, volumes and pages

    @property
    def all(self) -> tuple[Word, ...]:
        """The words of the quote with those that it was cut from."""
        return (*self.lead, *self.words)


@dataclass(frozen=True)
class Sides:
    """A claim and its evidence. Words of the evidence are told by those of the claim that they are the same as."""

    claim: tuple[Word, ...]
    parts: tuple[Part, ...]
    places: tuple[Word, ...]  # titles of sections, captions, labels
    captions: tuple[Word, ...]
    verbatim: tuple[Word, ...]  # all that is quoted, a table's rows as they are printed
    around: tuple[Word, ...]  # the sentences beside the quotes
    context: Context

    @cached_property
    def quoted(self) -> tuple[Part, ...]:
        """The parts that are quoted."""
        return tuple(part for part in self.parts if part.quoted)

    @cached_property
    def same(self) -> Mapping[str, frozenset[str]]:
        """The stems of the evidence, and of what stands beside it, to the stems of the claim that say the same."""
        said = {word.stem for word in self.claim if word.stem}
        known = {word.stem for part in self.parts for word in part.all} | {w.stem for w in (*self.places, *self.around)}
        found: dict[str, set[str]] = {}
        short = _short_forms(self.context.abbreviations)
        for one in known - {""}:
            equal = {other for other in said if is_same(one, other)}
            for form, long in short:
                if one == form:
                    equal |= {other for other in said if any(is_same(other, part) for part in long)}
                elif one in long and form in said and all(any(is_same(part, k) for k in known) for part in long):
                    equal.add(form)
            if equal:
                found[one] = equal
        return {one: frozenset(equal) for one, equal in found.items()}

    def told(self, text: Iterable[Word]) -> frozenset[str]:
        """The words of the claim, by stem, that words of the evidence are the same as; those that carry meaning."""
        found: set[str] = set()
        for word in text:
            if word.carries or word.is_number:
                found |= self.same.get(word.stem, frozenset())
        return frozenset(found)

    @cached_property
    def said(self) -> frozenset[str]:
        """The stems of the claim's words that carry meaning."""
        return frozenset(word.stem for word in self.claim if word.carries)

    @cached_property
    def known(self) -> frozenset[str]:
        """Those that the quotes or their places have."""
        found = self.told(self.places)
        for part in self.quoted:
            found |= self.told(part.words)
        return found & self.said


def sides(claim: str, quotes: Sequence[Quote], context: Context) -> Sides:
    """The claim and its evidence, in words. A leading "Yes," or "No," is an answer's, and no part of the claim."""
    parts = tuple(part for quote in quotes for part in _parts(quote))
    places = tuple(
        word
        for quote in quotes
        for text in (*quote.section, quote.label, quote.caption, *quote.headers[:1])
        for word in words(text)
    )
    verbatim = tuple(word for quote in quotes for word in words(quote.text))
    captions = tuple(word for quote in quotes for word in words(quote.caption))
    around = tuple(word for quote in quotes for text in (quote.before, quote.after) for word in words(text))
    return Sides(words(_ANSWERED.sub("", claim)), parts, places, captions, verbatim, around, context)


def _parts(quote: Quote) -> Iterator[Part]:
    if not quote.cells and not quote.rows:
        entry = quote.kind == "reference"
        for number, (start, end) in enumerate(sentences(quote.text)):
            lead = () if number else _lead(quote.before)
            yield Part(words(quote.text[start:end]), is_entry=entry, lead=lead)
        return
    headers, rows = heads(quote)
    if quote.cells and quote.cells not in rows:
        rows = (quote.cells, *rows)
    told, first = 0, ""
    for row in rows:
        told += len(row)
        if told > _MOST_CELLS:
            return
        first = row[0] if row and row[0].strip() else first
        yield from _cells((first, *row[1:]), headers, quoted=not quote.cells or row == quote.cells)


def _lead(before: str) -> tuple[Word, ...]:
    """The words of a sentence that its quote was cut from; none where the quote begins one."""
    rest = before.rstrip()
    if not rest or rest[-1] in ".?!":
        return ()
    return words(rest[slice(*sentences(rest)[-1])])


def heads(quote: Quote) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The headers of a table with those of further rows without numbers at its top, and the rows below."""
    headers, rows = quote.headers, quote.rows
    while len(rows) > 1 and rows[0] != quote.cells and any(map(_is_value, headers[1:] or rows[0])) is False:
        if any(map(_is_value, rows[0][1:])) or not any(_is_value(cell) for row in rows[1:] for cell in row[1:]):
            break
        wide = max(len(headers), len(rows[0]))
        headers = tuple(
            " ".join(dict.fromkeys(part[at] for part in (headers, rows[0]) if at < len(part))) for at in range(wide)
        )
        rows = rows[1:]
    return headers, rows


def _is_name(cell: str, *, before: bool) -> bool:
    """Whether a cell may say what its row is about: a few words, no number; more `before` the first value."""
    if before:
        return bool(cell.strip()) and len(cell.split()) <= _LONGEST_TOLD
    return not any(char.isdigit() for char in cell) and 0 < len(cell.split()) <= _LONGEST_NAME


def _is_value(cell: str) -> bool:
    return bool(re.match(r"^[\s<>~+\-−±(]*\d", cell))


def _cells(row: Sequence[str], headers: Sequence[str], *, quoted: bool) -> Iterator[Part]:
    """A part for each cell of a row: what the row is called, the cell's headers, and the cell."""
    first = next((at for at, cell in enumerate(row) if at and _is_value(cell)), len(row))
    named = [cell for at, cell in enumerate(row) if at == 0 or _is_name(cell, before=at < first)][:_NAMES]
    name = words(" ; ".join(named))
    if name and name[-1].is_denial:  # a row that is called "none" denies nothing of its headers
        name = (*name, Word("|", ""))
    for at, cell in enumerate(row):
        if not cell.strip() or (at == 0 and len(row) > 1):
            continue
        header = headers[at] if at < len(headers) else ""
        yield Part((*name, *words(header), Word("|", ""), *words(cell)), quoted, _units(header), is_cell=True)


def _units(header: str) -> frozenset[str]:
    """The units that a header names: "Area (km²)"."""
    found = set()
    for match in _UNIT.finditer(header):
        inner = (match[1] or match[2]).strip()
        if inner[:1].isdigit():
            continue
        found |= {word.printed_unit for word in words(f"1.0 {inner}") if word.unit} | ({"%"} if "%" in inner else set())
    return frozenset(found)


def _short_forms(given: Mapping[str, str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    rows = []
    for short, long in given.items():
        parts = tuple(word.stem for word in words(long) if word.carries)
        form = next((word.stem for word in words(short) if word.stem), "")
        if form and parts:
            rows.append((form, parts))
    return tuple(rows)


def is_same(one: str, other: str) -> bool:
    """Whether two stems are forms of one word, or say the same.

    >>> is_same("vegf", "vegfa"), is_same("tumor", "cancer"), is_same("il6", "il60")
    (True, True, False)
    """
    if one == other:
        return True
    groups = lexicon().same
    if one in groups and other in groups and groups[one] & groups[other]:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) > 4 and short.endswith("e"):  # "store" and "storage"
        short = short[:-1]
    rest = long[len(short) :]
    return len(short) >= 4 and long.startswith(short) and len(rest) <= _LONGER and rest.isalpha() and short.isalnum()
