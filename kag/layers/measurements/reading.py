"""Values of the words of a quantity: "two days", "near 1.4Rp", "six to eight", "4.5, 6 and 13 kg"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from kag.text.dates import MONTH, NUMBER_WORDS, SCALES, number_of
from kag.text.quantities import Quantity, find_quantities, read_quantity, read_unit
from kag.text.search_text import search_text

WORDS = (*NUMBER_WORDS, "half", *SCALES)
_ANY = "|".join(WORDS)
_NUMBER_WORDS = re.compile(rf"\b(?:(?:{_ANY})(?:(?:-|[ ]and[ ]|[ ])(?=(?:{_ANY})\b))?)+\b", re.I)
_SCALED = re.compile(rf"(\d(?:[\d,. ]*\d)?)[ -]({'|'.join(SCALES)})\b", re.I)
_HALF = re.compile(rf"\bhalf an? (?=(?:{'|'.join(SCALES)})\b)", re.I)
_LETTERS = re.compile(r"[a-z]+")


def digits(text: str) -> str:
    """A text with its numbers in digits."""
    text = _HALF.sub("0.5 ", text)
    text = _SCALED.sub(lambda match: _plain(_number(match[1]) * SCALES[match[2].casefold()]), text)
    return _NUMBER_WORDS.sub(lambda match: _plain(number_of(_LETTERS.findall(match[0].casefold()))), text)


def _number(text: str) -> float:
    try:
        return float(re.sub("[, ]", "", text))
    except ValueError:  # "1.2.3"
        return float("nan")


def _plain(number: float) -> str:
    return f"{number:.15g}"


_PARTS = re.compile(r"\s*(?:,?\s+(?:and|or|instead of|versus|vs\.?)\s+|,\s+|;\s+|\s+/\s+)", re.I)
_BOUNDS = {
    ">=": r"(?:up to )?at least|as (?:low|few|little) as|minimum of|or (?:more|greater|higher|above|over)|from|after",
    ">": r"above|over|more than|greater than|larger than|higher than|better than|exceeding|beyond",
    "<=": r"at most|up to|as (?:high|much|many|large) as|within|maximum of|or (?:less|lower|fewer|below)|down to",
    "<": r"below|under|less than|fewer than|lower than|smaller than|before",
    "~": r"near|nearly|almost|about|around|approximately|approx\.?|roughly|circa|ca\.?|close to|some|order of",
}
_WORDED = {sign: re.compile(rf"\b(?:{words})(?!\w)", re.I) for sign, words in _BOUNDS.items()}
_VAGUE = re.compile(
    r"\d[:/]\d|\((?:19|20)\d\d\)|\b(?:few|several|many|thirds?|quarters?|tens|hundreds|dozens|thousands|millions|billions)\b",
    re.I,
)
_RATIO = re.compile(
    r"(?:(?P<about>[~∼≈]|about |around |approximately )[ ]?)?[(]?(?P<one>\d{1,4}(?:\.\d+)?)[ ]?(?P<sign>:|(?<=\b1)/)"
    r"[ ]?(?P<two>\d{1,6}(?:\.\d+)?)(?:th)?[)]?(?:,? ?\(?(?:[vw]/[vw]|by (?:weight|volume|mass))\)?)?"
)
_CLOCK = re.compile(r"\b[012]\d:[0-5]\d\b|\b0?\d:[0-5]\d ?(?:[ap]m|UT|h)\b")
_DATE = re.compile(rf"\d(?:st|nd|rd|th)?[ ]{MONTH}|\b{MONTH}[ ]\d|\b(?:AD|BC|BCE|CE)\b", re.I)
_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_TWO = re.compile(rf"(?P<one>{_NUMBER})[ ]?(?:to|--?|and)[ ]?(?P<two>{_NUMBER})")
_WORD = re.compile(r"[a-z]{4,}[a-rt-z]")  # "random", "individual" are no units
_LEADING = re.compile(r"[-+~<>=]{0,2}\d[\d,]*(?:\.\d+)?")
_DIGIT = re.compile(r"\d")
_BETWEEN = re.compile(r"\b(?:from|between|ranges?|ranging|to)\b", re.I)
_SIGNS = re.compile(r"(?:<=|>=|[-+~<>.])$")


def read_span(text: str, start: int, end: int, unit: tuple[int, int], ruled: Sequence[Quantity]) -> list[Quantity]:
    """Return the values in `text[start:end]`, one for each list member; none without a number.

    `unit` are the characters of its unit (empty: none was seen), `ruled` what the rules read in the same text.

    >>> [(one.value, one.unit) for one in read_span("4, 6 and 13 kg", 0, 14, (12, 14), ())]
    [(4.0, 'kg'), (6.0, 'kg'), (13.0, 'kg')]
    """
    words = text[start:end]
    if ratio := _ratio(text, start, end):
        return [_bounded(_with_unit(ratio, text, unit), words)]
    if _VAGUE.search(words) or _DATE.search(words):
        return []
    inside = [quantity for quantity in ruled if quantity.start < end and start < quantity.end]
    members = _members(text, start, end)
    if len(inside) == 1 and (inside[0].value is None or (len(members) == 1 and not _more(words))):
        return [_bounded(_with_unit(inside[0], text, unit), words)]
    if len(inside) > 1 and len(inside) >= len(members):
        return _one_range(inside, words) or _shared(inside)
    quantities = [quantity for member in members for quantity in _member(text, *member, unit)]
    if len(quantities) == 1:
        return [_bounded(quantities[0], words)]
    return _shared(quantities) or inside


def _ratio(text: str, start: int, end: int) -> Quantity | None:
    """The value of a ratio or of one part of many: "1:10" and "1/10" are 0.1; a time of the day is none."""
    match = _RATIO.fullmatch(text, start, end)
    if match is None or not float(match["two"]) or (match["sign"] == ":" and _CLOCK.search(match[0])):
        return None
    value = float(match["one"]) / float(match["two"])
    bound = "~" if match["about"] else ""
    return Quantity(text[start:end], start, end, value=value, bound=bound) if isfinite(value) else None


def _more(words: str) -> bool:
    """Whether words say more than the rules read: numbers in words, a range that falls."""
    return digits(words) != words or bool(_TWO.search(search_text(words, fold_case=False).text))


def _members(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of a list's members; the whole if one has no number, or if it is a range."""
    words = text[start:end]
    cuts = [(match.start(), match.end()) for match in _PARTS.finditer(words)]
    edges = [0, *(edge for cut in cuts for edge in cut), len(words)]
    pieces = [(start + one, start + two) for one, two in zip(edges[::2], edges[1::2], strict=True)]
    numbered = all(_DIGIT.search(digits(text[one:two])) for one, two in pieces)
    return pieces if numbered and not re.search(r"\bbetween\b", words, re.I) else [(start, end)]


def _member(text: str, start: int, end: int, unit: tuple[int, int]) -> list[Quantity]:
    """The value of one member: without its unit and its bound it is a number or a range."""
    here = start <= unit[0] < unit[1] <= end
    words = text[start : unit[0]] + " " + text[unit[1] : end] if here else text[start:end]
    plain = digits(search_text(words, fold_case=False).text)
    for pattern in _WORDED.values():
        plain = pattern.sub(" ", plain)
    first = _DIGIT.search(plain)
    if first is None:
        return []
    sign = _SIGNS.search(plain, 0, first.start())
    number = plain[sign.start() if sign else first.start() :].rstrip(" .,;()[]-")
    read = read_quantity(number) or _falling(number) or next(iter(find_quantities(number)), None) or _leading(number)
    if read is None:
        return []
    return [_with_unit(replace(read, surface=text[start:end], start=start, end=end), text, unit if here else (0, 0))]


def _falling(text: str) -> Quantity | None:
    """A range whose greater end is printed first."""
    match = _TWO.fullmatch(text)
    if match is None:
        return None
    low, high = sorted((float(match["one"]), float(match["two"])))
    return Quantity(text, 0, len(text), low=low, high=high) if isfinite(low) and isfinite(high) else None


def _leading(text: str) -> Quantity | None:
    """The number that a text begins with, words behind it left out."""
    match = _LEADING.match(text)
    return read_quantity(match[0].rstrip(",")) if match else None


def _with_unit(quantity: Quantity, text: str, unit: tuple[int, int]) -> Quantity:
    """A value with the unit that the labeller saw, where that says more than its own."""
    printed = text[slice(*unit)]
    if len(printed) <= len(quantity.unit):
        return quantity
    form = search_text(printed, fold_case=False).text
    for words in (form, form.replace(".", ""), form.replace(" ", "").strip("\\)(")):  # "wt.%", "° C"
        known = read_unit(words, exact=True)
        if known and known[1] == len(words):
            return replace(quantity, unit=printed, unit_canonical=known[0].canonical, unit_iri=known[0].iri)
    return quantity if _WORD.fullmatch(printed) else replace(quantity, unit=printed, unit_canonical="", unit_iri="")


def _bounded(quantity: Quantity, words: str) -> Quantity:
    """A value with the bound that words around it say, where its own reading has none."""
    if quantity.bound or (quantity.value is None and not _WORDED["~"].search(words)):
        return quantity
    bound = next((sign for sign, pattern in _WORDED.items() if pattern.search(words)), "")
    return replace(quantity, bound=bound if quantity.value is not None else "~")


def _one_range(quantities: Sequence[Quantity], words: str) -> list[Quantity]:
    """Two values with "to" or "and" behind "from", "between" or "range": one range."""
    if len(quantities) != 2 or not _BETWEEN.search(words):
        return []
    quantity, two = quantities
    if quantity.value is None or two.value is None or (quantity.unit and quantity.unit_canonical != two.unit_canonical):
        return []
    low, high = sorted((quantity.value, two.value))
    bound = "~" if "~" in (quantity.bound, two.bound) else ""
    return [replace(two, surface=words, start=quantity.start, end=two.end, value=None, low=low, high=high, bound=bound)]


def _shared(quantities: Sequence[Quantity]) -> list[Quantity]:
    """The members of a list, those without a unit with that of the last."""
    if not quantities or not quantities[-1].unit:
        return list(quantities)
    last = quantities[-1]
    return [
        quantity
        if quantity.unit
        else replace(quantity, unit=last.unit, unit_canonical=last.unit_canonical, unit_iri=last.unit_iri)
        for quantity in quantities
    ]
