"""Numbers written as words, and what a whole span says: "two days", "near 1.4Rp", "six to eight", "4.5, 6 and 13 kg"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kag.text.quantities import Quantity, find_quantities, read_quantity, read_unit
from kag.text.search_text import search_text

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: E501
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
_SMALL = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)} | {"half": 0.5}
_WORDED = re.compile(
    rf"\b(?:(?:{'|'.join((*_SMALL, *_SCALES))})s?(?:(?:-|[ ]and[ ]|[ ])(?=(?:{'|'.join((*_SMALL, *_SCALES))})s?\b))?)+\b",
    re.I,
)
_SCALED = re.compile(r"(\d(?:[\d,. ]*\d)?)[ -](hundred|thousand|million|billion|dozen)\b", re.I)
_PARTS = re.compile(r"\s*(?:,?\s+(?:and|or)\s+|,\s+|;\s+|\s+/\s+)", re.I)
_BOUNDS = (
    (re.compile(r"\b(?:near|nearly|almost|about|around|approximately|approx\.?|roughly|circa|ca\.?|close to|some|order of)\b", re.I), "~"),
    (re.compile(r"\b(?:(?:up to )?at least|as (?:low|few|little) as|minimum of|or (?:more|greater|higher|above|over)|from|after|starting)\b", re.I), ">="),
    (re.compile(r"\b(?:above|over|more than|greater than|larger than|higher than|better than|exceeding|beyond)\b", re.I), ">"),
    (re.compile(r"\b(?:at most|up to|as (?:high|much|many|large) as|within|maximum of|or (?:less|lower|fewer|below)|down to)\b", re.I), "<="),
    (re.compile(r"\b(?:below|under|less than|fewer than|lower than|smaller than|before)\b", re.I), "<"),
)  # fmt: skip
_DIGIT = re.compile(r"\d")
_VAGUE = re.compile(
    r"\d:\d|\b(?:few|several|many|third|quarter|tens|hundreds|dozens|thousands|millions|billions)\b", re.I
)
_TWO = re.compile(r"(?P<one>[-+]?\d+(?:\.\d+)?)[ ]?(?:to|--?|and)[ ]?(?P<two>[-+]?\d+(?:\.\d+)?)")


def digits(text: str) -> str:
    """A text with its numbers in digits.

    >>> digits("twenty-five or two hundred mice"), digits("1.5 million years"), digits("the eleventh")
    ('25 or 200 mice', '1500000 years', 'the eleventh')
    """
    text = _SCALED.sub(lambda match: _plain(float(re.sub("[, ]", "", match[1])) * _SCALES[match[2].casefold()]), text)
    return _WORDED.sub(lambda match: _plain(worth(match[0])), text)


def worth(words: str) -> float:
    """What number words come to.

    >>> worth("three hundred and twenty-one"), worth("half")
    (321.0, 0.5)
    """
    total, part = 0.0, 0.0
    for word in re.findall(r"[a-z]+", words.casefold()):
        word = word if word in _SMALL or word in _SCALES else word.removesuffix("s")
        if word in _SMALL:
            part += _SMALL[word]
        elif word in _SCALES:
            part = max(part, 1) * _SCALES[word]
            if _SCALES[word] > 100:
                total, part = total + part, 0.0
    return total + part


def _plain(number: float) -> str:
    return f"{number:.12g}" if abs(number) < 1e12 else f"{number:e}"


def read_span(text: str, start: int, end: int, unit: tuple[int, int], ruled: Sequence[Quantity]) -> list[Quantity]:
    """The values that the words `text[start:end]` say, one of a list each; empty where they say no number.

    `unit` are the characters of its unit (empty: none was seen), `ruled` what the rules read in the same text.
    """
    inside = [one for one in ruled if one.start < end and start < one.end]
    said = text[start:end]
    if _VAGUE.search(said):
        return []
    parts = _PARTS.split(said)
    whole = len(parts) == 1 and digits(said) == said and not _TWO.search(search_text(said, fold_case=False).text)
    if len(inside) == 1 and (whole or inside[0].value is None):
        return [_bounded(inside[0], said)]
    if len(inside) > 1 and len(inside) >= len(parts):
        return _one_range(inside, said) or _shared(inside)
    found = [one for part in _pieces(text, start, end) for one in _piece(text, *part, unit)]
    return _shared([_bounded(one, said) if len(found) == 1 else one for one in found]) or inside


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the members of a list stand; the whole span where one of them has no number."""
    said = text[start:end]
    cuts = [(match.start(), match.end()) for match in _PARTS.finditer(said)]
    edges = [0, *(edge for cut in cuts for edge in cut), len(said)]
    pieces = [(start + a, start + b) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    between = re.search(r"\bbetween\b", said, re.I)
    told = all(_DIGIT.search(digits(text[a:b])) for a, b in pieces)
    return pieces if told and not between else [(start, end)]


def _piece(text: str, start: int, end: int, unit: tuple[int, int]) -> list[Quantity]:
    """The value of one member: without its unit and its bound it is a number, or a range."""
    printed = text[unit[0] : unit[1]]
    here = start <= unit[0] < unit[1] <= end
    said = text[start : unit[0]] + " " + text[unit[1] : end] if here else text[start:end]
    plain = digits(search_text(said, fold_case=False).text)
    for pattern, _ in _BOUNDS:
        plain = pattern.sub(" ", plain)
    first = _DIGIT.search(plain)
    if first is None:
        return []
    number = plain[_sign(plain, first.start()) :].rstrip(" .,;()[]-")
    read = read_quantity(number) or _falling(number) or next(iter(find_quantities(number)), None) or _leading(number)
    if read is None:
        return []
    known = read_unit(search_text(printed, fold_case=False).text, exact=True) if here else None
    whole = replace(read, surface=text[start:end], start=start, end=end)
    if here and not (read.unit and known is None):
        canonical, iri = (known[0].canonical, known[0].iri) if known else ("", "")
        whole = replace(whole, unit=printed, unit_canonical=canonical, unit_iri=iri)
    return [whole]


def _sign(text: str, at: int) -> int:
    before = text[:at]
    return (
        len(before) - 1
        if before.endswith(("-", "+", "~", "<", ">", "."))
        else len(before) - 2
        if before.endswith(("<=", ">="))
        else at
    )


def _falling(text: str) -> Quantity | None:
    """A range whose greater end is printed first."""
    match = _TWO.fullmatch(text)
    if match is None:
        return None
    low, high = sorted((float(match["one"]), float(match["two"])))
    return Quantity(text, 0, len(text), low=low, high=high)


def _leading(text: str) -> Quantity | None:
    """The number that a text begins with, words behind it left out."""
    match = re.match(r"[-+~<>=]{0,2}\d[\d,]*(?:\.\d+)?", text)
    return read_quantity(match[0].rstrip(",")) if match else None


def _bounded(one: Quantity, said: str) -> Quantity:
    """A value with the bound that words around it say, where its own reading has none."""
    if one.bound or one.value is None:
        return one
    bound = next((sign for pattern, sign in _BOUNDS if pattern.search(said)), "")
    return replace(one, bound=bound)


def _one_range(found: Sequence[Quantity], said: str) -> list[Quantity]:
    """Two values with "to" or "and" behind "from", "between" or "range": one range."""
    if len(found) != 2 or not re.search(r"\b(?:from|between|ranges?|to)\b", said, re.I):
        return []
    low, high = found
    if low.value is None or high.value is None or (low.unit and low.unit_canonical != high.unit_canonical):
        return []
    ends = sorted((low.value, high.value))
    return [replace(high, surface=said, start=low.start, end=high.end, value=None, low=ends[0], high=ends[1], bound="")]


def _shared(found: Sequence[Quantity]) -> list[Quantity]:
    """The members of a list, those without a unit with that of the last."""
    if not found or not found[-1].unit:
        return list(found)
    last = found[-1]
    unit = {"unit": last.unit, "unit_canonical": last.unit_canonical, "unit_iri": last.unit_iri}
    return [one if one.unit else replace(one, **unit) for one in found]  # type: ignore[arg-type]
