"""Numbers as they stand in a claim or its evidence: what each belongs to, and what the words beside it make of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kag.read.checking.rules.figures import PLACES, ends, is_each, is_first, is_labelled, is_whole
from kag.read.checking.rules.parts import Part, Sides
from kag.read.checking.rules.words import Word, words
from kag.read.checking.rules.zones import NAMELESS, is_interval, lead, zones

ROUNDED = 0.1
"""How far off a number may be that is only "about" so."""
TEN = 10
"""From which on a number in a name may be a count, and one that is worked out is no chance."""
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
_OVER = frozenset(
    (
        "over",
        "above",
        "exceed",
        "exceeds",
        "exceeded",
        "exceeding",
        "beyond",
        "more",
        "greater",
        "higher",
        "longer",
        "least",
    )
)
_UNDER = frozenset(("under", "below", "nearly", "almost", "less", "fewer", "lower", "shorter", "smaller", "most", "to"))
_TIMES = frozenset(("second", "minute", "hour", "day", "week", "month", "year"))
_FIRST = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_DIFFERING = frozenset(
    ["more", "less", "fewer", "longer", "shorter", "higher", "lower", "older", "younger", "later", "earlier"]
)
_BEHIND = 5  # words behind a number where such a one stands
DEFINITE = frozenset(("the", "these", "those", "all", "both", "our", "their"))
_PARTING = frozenset((",", ";", ":", ".", "where", "which", "because", "since", "who", "although", "when", "so"))
_UNIT = 3  # letters of what may be a unit


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
    places: bool = False  # whether it names a place of the paper: "Table 4"
    compares: bool = False  # whether it says by how much two differ: "two more than"
    ends: tuple[float, ...] = ()  # the values of the range that it is an end of
    whole: bool = False  # whether it is that of which another one is a part: "9 of the 36", "Among 36"
    bound: int = 0  # 1 where it is said to be over a number, -1 where under one
    beside: frozenset[str] = frozenset()  # stems of words of meaning in its clause, whether the claim has them or not
    near: frozenset[str] = frozenset()  # those words of its zone that no number of another kind is nearer to


def numbers(sides: Sides, text: Sequence[Word], part: Part | None = None, place: int = -1) -> Iterator[Number]:
    """The numbers of a text; those of one kind part its words among them."""
    at = [index for index, word in enumerate(text) if word.is_number]
    part = part or Part(())
    if part.is_cell:
        yield from _in_cell(sides, text, part, place)
        return
    beside = {index: sides.told(text[one] for one in zone) for index, zone in zip(at, zones(text, at), strict=True)}
    for kind in dict.fromkeys(kind_of(text[index]) for index in at):
        same = [index for index in at if kind_of(text[index]) == kind]
        for index, zone in zip(same, zones(text, same), strict=True):
            told = sides.told(text[one] for one in zone)
            about = any(word.text.lower() in _ABOUT for word in text[max(0, index - 2) : index])
            about |= text[index].unit == "%" and any(map(str.isalpha, text[index].text))  # "a quarter of", "two thirds"
            labels = not text[index].unit and index > 0 and is_labelled(text[index - 1], text[index])
            labels |= index > 0 and text[index - 1].text.lower() == "per"
            labels |= is_interval(text, at, index)
            behind = text[index + 1] if index + 1 < len(text) else None
            counts = behind is not None and behind.carries and len(behind.text) > _UNIT
            named = text[index].text.isalpha() and index > 0 and text[index - 1].text.lower() in DEFINITE
            named |= text[index].text.isalpha() and is_each(text, index)
            compares = any(word.text.lower() in _DIFFERING for word in text[index + 1 : index + _BEHIND])
            compares |= index > 0 and text[index - 1].text.lower() == "by"
            bound = bound_of(text, index)
            yield Number(
                text[index],
                told,
                about or bound != 0,
                part.units,
                part.quoted,
                part.is_cell,
                place,
                named,
                counts,
                labels,
                labels and text[index - 1].text.lower().rstrip("s") in PLACES,
                compares,
                ends(text, index),
                is_whole(text, index) or is_first(text, index) or index < lead(text, len(text)),
                bound,
                _beside(text, index, zone),
                beside[index],
            )


def _beside(text: Sequence[Word], at: int, zone: Sequence[int]) -> frozenset[str]:
    """The stems of a number's words that no mark or beginning clause parts from it."""
    own = {*zone, at}
    first = next((index + 1 for index in range(at - 1, -1, -1) if index not in own or _parts(text[index], ")")), 0)
    last = next(
        (index for index in range(at + 1, len(text)) if index not in own or _parts(text[index], "(")), len(text)
    )
    near = (text[index] for index in zone if first <= index < last)
    return frozenset(word.stem for word in near if word.carries and word.text.lower() not in NAMELESS)


def _parts(word: Word, bracket: str) -> bool:
    return word.text.lower() in _PARTING or word.text == bracket


def bound_of(text: Sequence[Word], at: int) -> int:
    """1 where the words before a number say "over" or the like, -1 where "under", 0 for neither; "no" turns them."""
    before = [word.text.lower() for word in text[max(0, at - 3) : at]]
    if before[-1:] in (["a"], ["an"], ["the"]):
        before.pop()
    turned = -1 if "no" in before or "not" in before or "never" in before else 1
    if before[-1:] == ["than"] and len(before) > 1:
        return turned * ((before[-2] in _OVER) - (before[-2] in _UNDER))
    last = before[-1] if before else ""
    if last in ("least", "most"):
        return (last == "least") - (last == "most") if before[-2:-1] == ["at"] else 0
    if last == "to":
        return -1 if before[-2:-1] == ["up"] else 0
    if last in ("over", "above", "beyond", "exceed", "exceeds", "exceeded", "exceeding"):
        return turned
    return -turned if last in ("under", "below", "nearly", "almost") else 0


def _in_cell(sides: Sides, text: Sequence[Word], part: Part, place: int) -> Iterator[Number]:
    """The numbers of a cell, to which row and headers belong, and those in the names of these, which own nothing."""
    border = max(index for index, word in enumerate(text) if word.text == "|")
    for index, word in enumerate(text):
        if word.is_number:
            zone = sides.told((*text[:index], *text[index + 1 :])) if index > border else frozenset()
            where = place if index > border else -1
            yield Number(word, zone, units=part.units, quoted=part.quoted, is_cell=True, place=where)


def kind_of(word: Word) -> str:
    """What competes: numbers of one unit as it is printed."""
    return "year" if word.is_year else word.unit


def printed_numbers(sides: Sides) -> Iterator[Number]:
    """The numbers of the evidence, and those of captions, which belong to nothing."""
    for place, part in enumerate(sides.parts):
        for number in numbers(sides, part.words, part, place):
            yield replace(number, zone=frozenset(), place=-1) if part.is_entry else number
    yield from (Number(word, frozenset()) for word in sides.captions if word.is_number)
    for part in sides.quoted:
        yield from (Number(word, frozenset()) for word in _single(part.words))
    names = (word for part in sides.quoted for word in part.words if word.is_name)
    yield from (
        Number(word, frozenset())
        for name in names
        for word in words(re.sub(r"\D+", " ", name.text))
        if word.printed >= TEN
    )


def _single(text: Sequence[Word]) -> Iterator[Word]:
    """Numbers told in another way: "in under a minute", "her fifth prize", "17 766" of three figures each."""
    for at, word in enumerate(text[1:], 1):
        if word.text.lower() in _FIRST and word.text.lower() != "first":
            yield words(str(_FIRST.index(word.text.lower()) + 1))[0]
        if re.fullmatch(r"\d{3}", word.text) and re.fullmatch(r"\d{1,3}", text[at - 1].text):  # "17 766"
            yield words(text[at - 1].text + word.text)[0]
        if word.text.lower() in _TIMES and text[at - 1].text.lower() in ("a", "an", "one"):
            yield words(f"1 {word.text}")[0]
