"""Numbers: each of the claim is in the evidence with unit and spread, and belongs there to the same as in the claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isclose, log10

from kag.read.checking.rules.derived import is_derived, left_over
from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.number import DEFINITE, ROUNDED, Number, kind_of, numbers, printed_numbers
from kag.read.checking.rules.parts import Sides
from kag.read.checking.rules.ratios import is_inverse
from kag.read.checking.rules.reach import denials_of
from kag.read.checking.rules.tallies import is_listed, is_tallied, is_whole_table
from kag.read.checking.rules.words import Word
from kag.read.checking.rules.zones import lead
from kag.values.verdict import Quote

_DIGITS = 2  # that a rounded number has left
_YEAR = 1e4  # what a year is worth in the value of a date
_COUNTED = 12  # up to which things are counted by who reads
_MORE = 2  # words that outweigh a number
_NAMED = 3  # words shown of what a number belongs to


@dataclass(frozen=True, slots=True)
class Given:
    """The numbers of both sides: `said` in the claim, `printed`, and `rest`, what those printed leave of a whole."""

    sides: Sides
    quotes: Sequence[Quote]
    said: tuple[Number, ...]
    printed: tuple[Number, ...]
    rest: tuple[Number, ...]


def number_findings(sides: Sides, quotes: Sequence[Quote] = ()) -> Iterator[Finding]:
    """The numbers of the claim that the evidence has not, or has of something else."""
    printed = tuple(printed_numbers(sides))
    said = tuple(numbers(sides, _with_units(sides.claim, printed)))
    given = Given(sides, quotes, said, printed, left_over(sides, printed))
    for number in said:
        if _is_label(number.word, sides):
            continue
        equal = [other for other in printed if other.quoted and _is_equal(number, other)]
        equal = equal or [other for other in given.rest if _is_equal(number, other)]
        if equal:
            yield from _otherwise(number, equal, given)
        elif not _is_known(number, given):
            yield _unprinted(number, given)


def _is_known(number: Number, given: Given) -> bool:
    """Whether a number that is not printed follows from the evidence, or is none of a thing."""
    if number.named:
        return not _is_named_otherwise(number, given.sides)
    if is_inverse(number, given.sides) or is_derived(number, given.printed, given.said):
        return True
    if number.word.printed_unit == "a" and number.word.text.isalpha() and _is_years(number, given.sides):
        return True
    whole = is_whole_table(given.sides, given.quotes)
    if whole and number.places and not any(quote.label or quote.section for quote in given.quotes):
        return True  # "Table 4": nobody knows what the place is called
    if number_of_things(number) and is_listed(number.word.printed, given.sides):
        return True
    return whole and number_of_things(number) and is_tallied(number.word.printed, given.sides, given.quotes)


def _is_years(number: Number, sides: Sides) -> bool:
    """Whether a sentence names so many years: "two years" of "in 2018 and 2019"."""
    named = ({word.printed for word in part.words if word.is_year} for part in sides.quoted)
    return any(len(years) == number.word.printed for years in named)


def _is_named_otherwise(number: Number, sides: Sides) -> bool:
    """Whether the quotes have another number of the known things that it counts: "the three", "the two groups"."""
    nouns = {then.stem for word, then in pairwise(sides.claim) if word == number.word and then.carries}
    texts = [part.words for part in sides.quoted if not part.is_cell]
    return any(
        before.text.lower() in DEFINITE and word.text.isalpha() and sides.same.get(then.stem, frozenset()) & nouns
        for text in texts
        for before, word, then in zip(text, text[1:], text[2:], strict=False)
        if word.is_number
    )


def _unprinted(number: Number, given: Given) -> Finding:
    """What to say of a number that is not printed; of whole tables readers work out more than is seen here."""
    found = _other_unit(number, given.printed) or _missing(number, given.printed)
    return replace(found, contradicts=found.contradicts and not is_whole_table(given.sides, given.quotes))


def _otherwise(number: Number, equal: Sequence[Number], given: Given) -> Iterator[Finding]:
    """What is wrong with a number that is printed: its unit, its spread, its bound, or whose it is."""
    fit = [other for other in equal if _units_fit(number, other)]
    rivals = (*given.printed, *(given.rest if equal[0] in given.rest else ()))
    labels = number.labels or number.whole
    if not fit:
        unit = equal[0].word.unit or "no unit"
        whole = is_whole_table(given.sides, given.quotes)
        yield Finding("unit", f"{number.word.text!r} is printed with {unit}", contradicts=not whole)
    elif all(_spread_differs(number, other) for other in fit):
        yield Finding("spread", f"the ± of {number.word.text!r} is another one in the quotes", contradicts=True)
    elif all(number.bound * other.bound < 0 for other in fit) and not _is_denied(number, given.sides):
        more, less = ("more", "less")[:: number.bound]
        reason = f"the claim says {more} than {number.word.text!r}, and the quotes say {less}"
        yield Finding("bound", reason, contradicts=True)
    elif not labels and (rival := _owner(number, fit, rivals, given)):
        named = ", ".join(sorted(number.zone & rival.zone)[:_NAMED])
        belongs = f"{number.word.text!r} belongs to something else in the quotes"
        yield Finding("bound", f"{belongs}; of {named} they say {rival.word.text!r}", contradicts=True)
    elif other := _counted(number, given.sides):
        yield Finding("bound", f"of what {number.word.text!r} counts the quotes say {other!r}", contradicts=True)


def _counted(number: Number, sides: Sides) -> str:
    """The number that the quotes have of what a number counts, where this one stands in them before something else."""
    whole = number.word.spread is None and "." not in number.word.text
    if not (whole and number_of_things(number)) or number.word.is_year or number.labels or number.about:
        return ""
    nouns = {then.stem for word, then in pairwise(sides.claim) if word == number.word}
    texts = [part.words for part in sides.quoted if not part.is_cell]
    pairs = [pair for text in texts for pair in pairwise(text)]
    led = [word for text in texts for word in text[: lead(text, len(text))]]  # "Of the 144 women", a whole
    counts = [word for word, then in pairs if sides.same.get(then.stem, frozenset()) & nouns and _is_count(word)]
    counts = [word for word in counts if word not in led]
    own = [(word, then) for word, then in pairs if word.printed == number.word.printed and word.is_number]
    if any(word in counts or not (word.unit or then.carries) for word, then in own) or not own:
        return ""
    return counts[0].text if counts else ""


def _is_count(word: Word) -> bool:
    return word.is_number or word.text.lower() == "one"


def _is_denied(number: Number, sides: Sides) -> bool:
    """Whether a denial reaches a number on either side, which turns its bound."""
    return any(
        denial.start <= at < denial.end
        for text in (sides.claim, *(part.words for part in sides.quoted))
        for denial in denials_of(text)
        for at in range(len(text))
        if text[at].value == number.word.value
    )


def _with_units(claim: Sequence[Word], printed: Sequence[Number]) -> tuple[Word, ...]:
    """The claim with units that it says once: "211 days and 144", where 144 is printed in days only."""
    said = {word.printed_unit: word.unit for word in claim if word.is_number and word.unit}
    found = []
    for word in claim:
        if word.is_number and not word.unit and not word.is_year:
            units = {
                other.word.printed_unit for other in printed if other.word.printed == word.printed and other.quoted
            }
            one = next(iter(units)) if len(units) == 1 else ""
            if one in said:
                value = next(
                    other.word.value
                    for other in printed
                    if other.word.printed_unit == one and other.word.printed == word.printed
                )
                word = replace(word, unit=said[one], printed_unit=one, value=value)
        found.append(word)
    return tuple(found)


def _is_label(word: Word, sides: Sides) -> bool:
    return word.text.strip("()[]").lower() in sides.context.labels or (
        sides.context.count is not None and word.value == sides.context.count
    )


def _is_equal(claimed: Number, printed: Number) -> bool:
    """Whether two numbers are one; a share may be printed as a part of one, what is about so be rounded."""
    said, shown = claimed.word.value or 0.0, printed.word.value or 0.0
    if {claimed.word.unit, printed.word.unit} == {"x", "%"}:  # "halved", "half of"
        said, shown = (
            value * 100 if word.unit == "x" else value for word, value in ((claimed.word, said), (printed.word, shown))
        )
    if claimed.word.unit == printed.word.unit == "date" and min(said, shown) < _YEAR:  # one of them says no year
        return said % _YEAR == shown % _YEAR
    if bool(claimed.word.unit) != bool(printed.word.unit):  # the unit stands elsewhere, in a header perhaps
        said, shown = claimed.word.printed, printed.word.printed
    for value in (
        shown,
        shown * 100 if claimed.word.unit == "%" and not printed.word.unit and abs(shown) <= 1 else shown,
    ):
        if isclose(said, value, rel_tol=1e-9, abs_tol=1e-12) or (
            isclose(abs(said), abs(value), rel_tol=1e-9) and not claimed.word.text.startswith("-")
        ):
            return True
        if claimed.about and isclose(said, value, rel_tol=ROUNDED) and claimed.bound * (value - said) >= 0:
            return True
        if claimed.word.unit == printed.word.unit == "x" and said == round(value) > 1 and abs(said - value) < 0.5:
            return True  # "three times" for 3.07; 2.5 is neither two nor three
        if _is_rounded(claimed.word, said, value):
            return True
    return False


def _percent(word: Word) -> float:
    return (word.value or 0.0) * (100 if word.unit == "x" else 1)


def _is_rounded(word: Word, said: float, shown: float) -> bool:
    """Whether a number of two digits or more is the printed one with fewer of them: 79 for 78.6."""
    digits = word.text.lstrip("-+").partition(" ")[0]
    whole, _, parts = digits.partition(".")
    if (
        not digits.replace(".", "").isdigit()
        or len((whole + parts).lstrip("0").rstrip("0" if not parts else "")) < _DIGITS
    ):
        return False
    if float(digits) and (scaled := round(log10(abs(said / float(digits))))) > 0:  # "1.4 million"
        return isclose(said, round(shown, len(parts) - scaled))
    return shown != round(shown, len(parts)) and isclose(said, round(shown, len(parts)))


def _units_fit(claimed: Number, printed: Number) -> bool:
    """Whether a number has in the claim a unit that it has in print, by itself or by its header."""
    said, shown = claimed.word.unit, printed.word.unit
    if said == shown or not said:
        return not (number_of_things(claimed) and shown == "%")
    if {said, shown} == {"x", "%"}:
        return claimed.word.printed == 0.5 or printed.word.printed == 0.5
    if said == "x" or shown:
        return said == "x" and not shown and claimed.word.text.isalpha() is False
    if printed.counts and not printed.is_cell:
        return False
    return not printed.units or claimed.word.printed_unit in printed.units


def number_of_things(number: Number) -> bool:
    """Whether a number without a unit counts what is named right behind it."""
    return not number.word.unit and number.counts


def _spread_differs(claimed: Number, printed: Number) -> bool:
    said, shown = claimed.word.spread, printed.word.spread
    return said is not None and shown is not None and not isclose(said, shown)


def _owner(number: Number, equal: Sequence[Number], printed: Sequence[Number], given: Given) -> Number | None:
    """Another number of the same kind that has, in print, the words that this one has in the claim.

    Only where this one has, each time that it is printed, none of the claim's words that the other one has not.
    """
    rivals = [
        other
        for other in printed
        if other not in equal and other.word.value not in number.ends and _competes(number, other)
    ]
    owner = None
    for one in equal:
        better = [other for other in rivals if _takes(number, one, other, given.sides)]
        if (
            not better or one.place < 0 or (one.whole and not _is_said_of_part(number, one, better))
        ):  # one that stands in a caption or a name belongs to nothing
            return None
        owner = owner or max(better, key=lambda other: len(number.zone & (other.zone - one.zone)))
    return owner


def _is_said_of_part(number: Number, whole: Number, parts: Sequence[Number]) -> bool:
    """Whether the claim says of a whole what is printed of its part: "Of 144 women 119 came", "144 came"."""
    return any(other.place == whole.place and number.zone & (other.zone - whole.zone) for other in parts)


def _takes(number: Number, one: Number, other: Number, sides: Sides) -> bool:
    """Whether words of the claim speak for the other number and none for the one; more, if in another sentence."""
    if _is_substituted(number, one, other, sides):
        return True
    shared, own = number.zone & (other.zone - one.zone), number.zone & (one.zone - other.zone)
    if one.is_cell and own:
        return False  # rows may have numbers for names
    named, own_named = ({word for word in zone if not word[0].isdigit()} for zone in (shared, own))
    if one.is_cell and not shared & number.near:
        return False
    if not shared or own_named or (own and len(named) < _MORE):
        return False
    return one.place == other.place or (one.is_cell and other.is_cell) or 2 * len(shared) >= max(4, len(number.zone))


def _is_substituted(number: Number, one: Number, other: Number, sides: Sides) -> bool:
    """Whether the claim has all words beside the other number, and has lost one beside the one that is said instead.

    "Bees made up 38 % in parks but only 15 % on verges": of "38 % on verges" all is known but "parks" is lost.
    """
    if one.place != other.place or one.is_cell or one.whole or other.whole:
        return False
    theirs, own = other.beside - one.beside, one.beside - other.beside
    lost = any(not sides.same.get(stem) for stem in own)
    names = {word.stem for part in sides.quoted for word in part.words if word.is_name}
    if any(stem in names and sides.same.get(stem) for stem in own):
        return False
    return bool(theirs) and lost and all(sides.same.get(stem, frozenset()) & number.zone for stem in theirs)


def _competes(number: Number, other: Number) -> bool:
    if other.labels and not other.word.is_year:
        return False
    if (other.is_cell and number.word.text.isalpha()) or other.word.text.isalpha():
        return False  # "four" counts, and no cell prints it; "half" is about so many
    if kind_of(other.word) == kind_of(number.word):
        return True
    return other.is_cell and not other.word.unit and not number.word.is_year


def _other_unit(number: Number, printed: Sequence[Number]) -> Finding | None:
    """The same digits with another unit."""
    for other in printed:
        if other.word.printed == number.word.printed and number.word.unit and other.word.unit:
            said, shown = (f"{word.printed:.15g} {word.printed_unit}" for word in (number.word, other.word))
            reason = f"{said!r} is not in the quotes, {shown!r} is"
            return Finding("unit", reason, contradicts=True)
    return None


def _missing(number: Number, printed: Sequence[Number]) -> Finding:
    """A number that is not printed: wrong where another one of its kind is; else perhaps counted."""
    said = number.word.value or 0.0
    counted = number.word.text.isalpha() and said <= _COUNTED and not any(_competes(number, other) for other in printed)
    shown = f"date {number.word.text}" if number.word.unit == "date" else f"number {number.word.printed:.15g}"
    return Finding("number", f"the {shown} is not in the evidence", contradicts=not counted)
