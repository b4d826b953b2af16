"""Numbers: each of the claim is in the evidence with unit and spread, and belongs there to the same as in the claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isclose

from kag.read.checking.rules.figures import ends, is_each, is_labelled
from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.parts import Part, Sides
from kag.read.checking.rules.words import Word, words
from kag.read.checking.rules.zones import zones

_ABOUT = frozenset(
    [
        "about",
        "around",
        "approximately",
        "roughly",
        "nearly",
        "almost",
        "circa",
        "ca",
        "some",
        "over",
        "under",
        "more",
        "less",
        "least",
        "most",
    ]
)
_ROUNDED = 0.1  # how far off a number may be that is only "about" so
_TEN = 10  # from which on a number in a name may be a count
_DIGITS = 2  # that a rounded number has left
_YEAR = 1e4  # what a year is worth in the value of a date
_COUNTED = 12  # up to which things are counted by who reads
_DIFFERING = frozenset(
    ["more", "less", "fewer", "longer", "shorter", "higher", "lower", "older", "younger", "later", "earlier"]
)
_BEHIND = 5  # words behind a number where such a one stands
_DEFINITE = frozenset(("the", "these", "those", "all", "both", "our", "their"))
_UNIT = 3  # letters of what may be a unit
_MORE = 2  # words that outweigh a number
_NAMED = 3  # words shown of what a number belongs to


@dataclass(frozen=True, slots=True)
class Number:
    """A number where it stands: `about` is whether it is only nearly so, `zone` are the claim's words it belongs to."""

    word: Word
    zone: frozenset[str]
    about: bool = False
    units: frozenset[str] = frozenset()
    quoted: bool = True
    is_cell: bool = False
    place: int = -1  # the part it stands in
    named: bool = False  # whether it says how many known things there are: "the two groups"
    counts: bool = False  # whether a word of meaning stands right behind it
    labels: bool = False  # whether it only names something: "cohort 2"
    compares: bool = False  # whether it says by how much two differ: "two more than"
    ends: tuple[float, ...] = ()  # the values of the range that it is an end of
    near: frozenset[str] = frozenset()  # those words of its zone that no number of another kind is nearer to


def number_findings(sides: Sides) -> Iterator[Finding]:
    """The numbers of the claim that the evidence has not, or has of something else."""
    printed, denied = tuple(printed_numbers(sides)), any(word.is_denial for word in sides.claim)
    for number in numbers(sides, _with_units(sides.claim, printed)):
        if _is_label(number.word, sides):
            continue
        equal = [other for other in printed if other.quoted and _is_equal(number, other)]
        if not equal and (number.named or _is_derived(number, printed) or (denied and _is_rest(number, printed))):
            continue
        if not equal:
            yield _other_unit(number, printed) or _missing(number, printed)
            continue
        fit = [other for other in equal if _units_fit(number, other)]
        if not fit:
            unit = equal[0].word.unit or "no unit"
            yield Finding("unit", f"{number.word.text!r} is printed with {unit}", contradicts=True)
        elif all(_spread_differs(number, other) for other in fit):
            yield Finding("spread", f"the ± of {number.word.text!r} is another one in the quotes", contradicts=True)
        elif not number.labels and (rival := _owner(number, fit, printed)):
            named = ", ".join(sorted(number.zone & rival.zone)[:_NAMED])
            reason = (
                f"{number.word.text!r} belongs to something else in the quotes; of {named} they say {rival.word.text!r}"
            )
            yield Finding("bound", reason, contradicts=True)


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


def numbers(sides: Sides, text: Sequence[Word], part: Part | None = None, place: int = -1) -> Iterator[Number]:
    """The numbers of a text; those of one kind part its words among them."""
    at = [index for index, word in enumerate(text) if word.is_number]
    part = part or Part(())
    if part.is_cell:
        yield from _in_cell(sides, text, part, place)
        return
    beside = {index: sides.told(text[one] for one in zone) for index, zone in zip(at, zones(text, at), strict=True)}
    for kind in dict.fromkeys(_kind(text[index]) for index in at):
        same = [index for index in at if _kind(text[index]) == kind]
        for index, zone in zip(same, zones(text, same), strict=True):
            told = sides.told(text[one] for one in zone)
            about = any(word.text.lower() in _ABOUT for word in text[max(0, index - 2) : index])
            about |= text[index].text[0].isalpha() and text[index].unit == "%"  # "a quarter of", "two thirds"
            labels = not text[index].unit and index > 0 and is_labelled(text[index - 1], text[index])
            behind = text[index + 1] if index + 1 < len(text) else None
            counts = behind is not None and behind.carries and len(behind.text) > _UNIT
            named = text[index].text.isalpha() and index > 0 and text[index - 1].text.lower() in _DEFINITE
            named |= text[index].text.isalpha() and is_each(text, index)
            compares = any(word.text.lower() in _DIFFERING for word in text[index + 1 : index + _BEHIND])
            compares |= index > 0 and text[index - 1].text.lower() == "by"
            yield Number(
                text[index],
                told,
                about,
                part.units,
                part.quoted,
                part.is_cell,
                place,
                named,
                counts,
                labels,
                compares,
                ends(text, index),
                beside[index],
            )


def _in_cell(sides: Sides, text: Sequence[Word], part: Part, place: int) -> Iterator[Number]:
    """The numbers of a cell, to which row and headers belong, and those in the names of these, which own nothing."""
    border = max(index for index, word in enumerate(text) if word.text == "|")
    for index, word in enumerate(text):
        if word.is_number:
            zone = sides.told((*text[:index], *text[index + 1 :])) if index > border else frozenset()
            where = place if index > border else -1
            yield Number(word, zone, units=part.units, quoted=part.quoted, is_cell=True, place=where)


def _kind(word: Word) -> str:
    """What competes: numbers of one unit as it is printed."""
    return "year" if word.is_year else word.printed_unit


def printed_numbers(sides: Sides) -> Iterator[Number]:
    """The numbers of the evidence, and those of captions, which belong to nothing."""
    for place, part in enumerate(sides.parts):
        for number in numbers(sides, part.words, part, place):
            yield replace(number, zone=frozenset(), place=-1) if part.is_entry else number
    yield from (Number(word, frozenset()) for word in sides.captions if word.is_number)
    names = (word for part in sides.quoted for word in part.words if word.is_name)
    yield from (
        Number(word, frozenset())
        for name in names
        for word in words(re.sub(r"\D+", " ", name.text))
        if word.printed >= _TEN
    )


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
        if claimed.about and isclose(said, value, rel_tol=_ROUNDED):
            return True
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


def _owner(number: Number, equal: Sequence[Number], printed: Sequence[Number]) -> Number | None:
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
        better = [other for other in rivals if _takes(number, one, other)]
        if not better or one.place < 0:  # one that stands in a caption or a name belongs to nothing
            return None
        owner = owner or max(better, key=lambda other: len(number.zone & (other.zone - one.zone)))
    return owner


def _takes(number: Number, one: Number, other: Number) -> bool:
    """Whether words of the claim speak for the other number and none for the one; more, if in another sentence."""
    shared, own = number.zone & (other.zone - one.zone), number.zone & (one.zone - other.zone)
    if one.is_cell and own:
        return False  # rows may have numbers for names
    named, own_named = ({word for word in zone if not word[0].isdigit()} for zone in (shared, own))
    if one.is_cell and not shared & number.near:
        return False
    if not shared or own_named or (own and len(named) < _MORE):
        return False
    return one.place == other.place or (one.is_cell and other.is_cell) or 2 * len(shared) >= max(4, len(number.zone))


def _competes(number: Number, other: Number) -> bool:
    if (other.is_cell and number.word.text.isalpha()) or other.word.text.isalpha():
        return False  # "four" counts, and no cell prints it; "half" is about so many
    if _kind(other.word) == _kind(number.word):
        return True
    return other.is_cell and not other.word.unit and not number.word.is_year


def _is_rest(number: Number, printed: Sequence[Number]) -> bool:
    """Whether a share is what another one leaves of a whole, of which a claim tells that it is not so."""
    return number.word.unit == "%" and any(
        one.word.unit == "%" and isclose(number.word.printed, 100 - one.word.printed) for one in printed
    )


def _is_derived(number: Number, printed: Sequence[Number]) -> bool:
    """Whether a number is the sum, difference or ratio of two in one sentence, or their share in percent."""
    said = number.word.printed
    if said < _TEN and not number.word.unit and not number.compares:
        return False  # small numbers are too often sums
    digits = len(number.word.text.partition(".")[2].rstrip(" %")) if "." in number.word.text else 0
    for one in printed:
        for other in printed:
            if (
                one is other
                or one.place < 0
                or one.place != other.place
                or one.is_cell
                or not one.quoted
                or not other.word.printed
            ):
                continue
            first, second = one.word.printed, other.word.printed
            found = [first + second, first - second] if number.word.unit == one.word.unit == other.word.unit else []
            found += [first / second] if number.word.unit in ("", "x") else []
            found += [100 * first / second] if number.word.unit == "%" and first <= second else []
            found += [100 * abs(first - second) / second] if number.word.unit == "%" and number.compares else []
            if any(
                isclose(said, round(value, digits)) or (number.about and isclose(said, value, rel_tol=_ROUNDED))
                for value in found
            ):
                return True
    return False


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
