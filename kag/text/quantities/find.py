"""Measured values in text: where they are printed, what they say, and what they are in SI units.

A number counts when the print says that something was measured or computed: a unit, a bound, an uncertainty, a
range, a power of ten, decimals, a "=". Bare whole numbers, call-outs, figure numbers, identifiers, isotopes, dates
and years are left out: missing rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from kag.text.dates import MONTH
from kag.text.quantities.parsing import Quantity, Reading
from kag.text.quantities.units import QUDT, UNITS, is_unit
from kag.text.search_text import SearchText, search_text

# Patterns that are searched for begin with what must be there and look back from it: so the search can skip to that.
_FIRST = re.compile(r"[\d.](?:(?<=\d)(?<![\w.^].)|(?<=\.)(?<![\w.^)\]].)(?=\d))")
_NUMBERED = re.compile(
    r"(?:\b(?:fig(?:ure)?s?|tables?|sections?|sect?s?|eqs?|equations?|schemes?|refs?|references?|chapters?|appendix|box"
    r"|charts?|pages?|pp|p|no|nos|vol|version|v|ver|step|steps|supplementary|note|file|movie|video|panels?|grant|cat"
    r"|isbn|doi|e[cq]|rrid|nct|pmid|chr|exons?|lanes?|lines?|columns?|rows?|items?|art|clause|rule|part|software)\b\.?"
    r"|§|\#|https?\S*|www\S*|\bv)[ (]?(?:[\dA-Z][\d.A-Z]{0,6}(?:,[ ](?:and[ ])?|[ ]and[ ]|[ ]?-[ ]?|[ ]or[ ]))*$",
    re.I,
)
_RAISED = re.compile(r"(?:\^[ ]?\{?[ ]?[\[(]?|<sup>)[\d, –−-]*$")
_SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_GLUED_BEFORE = re.compile(r"(?:[^\W_]-|\d[/:]|[A-Za-z)\]]/)$")
_RAISED_OR_RATIO = re.compile(r":\d|/\w|\.\d|-\w")
_VOLUME = re.compile(r"[\d)][,:;][ ]?e?$")
_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"[-−]?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_SENTENCE = re.compile(r" (?<=[a-z)\]][.;] )(?=[A-Z])")  # where no value goes on
_WORTH = re.compile(  # what no measured value is without: a glance spares most sentences the reading
    r"[%‰°±<>≤≥≈∼~×=℃&\\\d](?:(?<![\\\d])|(?<=\\)[a-zA-Z,%]|(?<=\d)(?:\.\d| ?[-–−—] ?\d|[ -]?[A-Za-zµμÅ]"
    r"|[\u00a0\u2009\u202f]|(?: to|,? and) \d|(?<=10)[\^⁰¹²³⁴-⁹⁻]|\(|(?<=(?:of|to|ly) .)|(?<=(?:ca\.|ing) .)"
    r"|(?<=(?:most|than|over) .)|(?<=(?:least|above|below|under|about|circa) .)|(?<=around .)|(?<=approx\. .)))"
)
_BARE = re.compile(
    r"\d++(?![(^%°‰+/]|\.\d|[eE][-+\d]|\)?[ ]?x[ ]|[ ]?(?:\+/-|[%°‰~]|-[-+ .\d]|(?:to|through) (?:about )?[-+.\d]))"
    r"(?![ ]?[,;]?[ ]?[(\[]?(?:\d\d|C[I.]|[Cc]onf|S\.?[DE]))[ ]?-?(?P<word>[A-Za-zÅ]*)"
)
_BEFORE = re.compile(
    r"(?:[<>=~]|\b(?:least|than|of|most|to|over|exceeding|above|below|under|approximately|approx\.|about"
    r"|around|ca\.|circa|nearly|roughly|c\.|between)[ ])[ (+-]{0,3}$",
    re.I,
)
_WORD = re.compile(r"\d[\w.]*(?:[-/:]\d[\w.]*)*")
_MONTH = re.compile(rf"[ ]{MONTH}")


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """The measured values of a text in order; they do not overlap.

    >>> [(q.surface, q.value, q.unit_canonical) for q in find_quantities("of 1.2 ± 0.1 MBq mg^{-1} in 12 mice")]
    [('1.2 ± 0.1 MBq mg^{-1}', 1.2, 'MBq.mg-1')]
    """
    quantities: list[Quantity] = []
    start = 0
    for border in (*(match.start() for match in _SENTENCE.finditer(text)), len(text)):
        if _DIGIT.search(text, start, border) and _WORTH.search(text, start, border):
            quantities += _in_sentence(text[start:border], start)
        start = border
    return tuple(quantities)


def _in_sentence(text: str, shift: int) -> Iterator[Quantity]:
    form = search_text(text, fold_case=False)
    at = 0
    while first := _FIRST.search(form.text, at):
        reading = None if _bare(form.text, first.start()) else _read(form, first.start(), at)
        at = reading[1] if reading else _behind(form.text, first.start())
        if reading and reading[0]:
            yield reading[0].quantity(shift)


def read_quantity(text: str) -> Quantity | None:
    """The one value that is all of a text, as in a table cell; bare whole numbers count. None for anything else.

    >>> read_quantity("< 12").value, read_quantity("1,200").value, read_quantity("12 mice")
    (12.0, 1200.0, None)
    """
    if _PLAIN.fullmatch(text):
        return Quantity(text, 0, len(text), float(text.replace("−", "-")))
    form = search_text(text, fold_case=False) if _DIGIT.search(text) else None
    if form is None:
        return None
    first = _FIRST.search(form.text)
    reading = Reading(form, first.start(), 0, alone=True) if first and first.start() <= 24 else None
    if reading is None or not reading.parsed or form.text[: reading.begin].strip(" ([") not in ("", "="):
        return None
    return reading.quantity() if not form.text[reading.end :].strip(" )]") else None


def _bare(text: str, at: int) -> bool:
    """Whether a whole number stands alone, so that no closer look is needed: most numbers of a paper do."""
    match = _BARE.match(text, at)
    if match is None or is_unit(match["word"]):
        return False
    return not _BEFORE.search(text, max(0, at - 16), at)


def _read(form: SearchText, at: int, floor: int) -> tuple[Reading | None, int] | None:
    """The quantity whose first number is at a place, and where to go on; no quantity when it is none after all."""
    reading = Reading(form, at, floor)
    if not reading.parsed or not reading.measured() or _misleading(form, reading):
        return None
    if reading.share_of_interval():
        return None, reading.end
    return reading, reading.end


def _behind(text: str, at: int) -> int:
    match = _WORD.match(text, at)
    return match.end() if match else at + 1


def _misleading(form: SearchText, reading: Reading) -> bool:
    """Whether the text around a number shows that it measures nothing."""
    text, begin, end = form.text, reading.number_at, reading.end
    before, after = text[max(0, begin - 48) : begin], text[end : end + 2]
    if _GLUED_BEFORE.search(before) or (_RAISED_OR_RATIO.match(after) and not reading.unit):
        return True
    if after[:1].isalnum() or after[:1] == "_":
        return True
    digit = begin if text[begin].isdigit() else begin + 1
    source = form.span(digit, digit + 1)[0]
    if form.source[source] in _SUPERSCRIPTS or _RAISED.search(form.source, max(0, source - 24), source):
        return True
    if _NUMBERED.search(before) and (not reading.unit or len(reading.unit.canonical) == 1):
        return True
    return not reading.unit and _only_a_label(text, reading)


def _only_a_label(text: str, reading: Reading) -> bool:
    """Years, section numbers at the start, page ranges and call-outs in brackets: numbers with no other evidence."""
    if reading.evidence():
        return False
    begin, end = reading.begin, reading.end
    if reading.ranged:
        if _VOLUME.search(text, max(0, begin - 6), begin) or _MONTH.match(text, end):
            return True
        years = all(1500 < value < 2100 and value == int(value) for value in reading.values)
        bracketed = text[begin - 1 : begin] in ("(", "[", ",", ";") and text[end : end + 1] in (")", "]", ",", ";")
        return years or (bracketed and all(value == int(value) for value in reading.values))
    return begin == 0 and bool(re.match(r"\.?[ ][A-Z]", text[end : end + 3]))


# in SI units ----------------------------------------------------------------------------------
# A unit in canonical form is a product of factors, so the tables have the single units only: what each is in SI, named
# units (J, Pa, Bq) kept. The numbers are QUDT's multipliers (qudt.org, CC BY 4.0); the tests compare all units that
# `kag.text.quantities.units` names.

_POWERS = {"f": -15, "p": -12, "n": -9, "u": -6, "m": -3, "c": -2, "d": -1, "h": 2, "k": 3, "M": 6, "G": 9, "T": 12}
_IN_SI = {
    "g": (1e-3, "kg"), "m": (1.0, "m"), "s": (1.0, "s"), "L": (1e-3, "m3"), "mol": (1.0, "mol"), "Bq": (1.0, "Bq"),
    "Ci": (3.7e10, "Bq"), "Sv": (1.0, "Sv"), "Gy": (1.0, "Gy"), "eV": (1.602176634e-19, "J"), "V": (1.0, "V"),
    "A": (1.0, "A"), "W": (1.0, "W"), "Hz": (1.0, "Hz"), "J": (1.0, "J"), "Pa": (1.0, "Pa"), "N": (1.0, "N"),
    "F": (1.0, "F"), "H": (1.0, "H"), "S": (1.0, "S"), "T": (1.0, "T"), "Da": (1.66053878283e-27, "kg"),
    "cal": (4.184, "J"), "Omega": (1.0, "Omega"), "Wh": (3600.0, "J"), "bar": (1e5, "Pa"), "K": (1.0, "K"),
    "rad": (1.0, "rad"), "U": (1e-6 / 60, "mol.s-1"),
}  # fmt: skip
_IN_SI_PLAIN = {
    "min": (60.0, "s"), "h": (3600.0, "s"), "d": (86400.0, "s"), "wk": (604800.0, "s"), "mo": (2551442.976, "s"),
    "a": (31557600.0, "s"), "%": (1e-2, ""), "‰": (1e-3, ""), "wt%": (1e-2, ""), "vol%": (1e-2, ""),
    "mol%": (1e-2, ""), "ppm": (1e-6, ""), "ppb": (1e-9, ""), "fold": (1.0, ""), "rpm": (0.10471975511966, "rad.s-1"),
    "Å": (1e-10, "m"), "atm": (101325.0, "Pa"), "Torr": (133.322, "Pa"), "mmHg": (133.322387415, "Pa"),
    "psi": (6894.757789, "Pa"), "°": (0.0174532925199433, "rad"), "[g]": (9.80665, "m.s-2"), "ha": (1e4, "m2"),
    "°C": (1.0, "K"), "°F": (5 / 9, "K"), "kg": (1.0, "kg"),
}  # fmt: skip
_OFFSETS = {"°C": 273.15, "°F": 459.67 * 5 / 9}  # for a temperature itself, not within "°C.min-1"
_PIECE = re.compile(r"(?P<name>[^\d-]+?)(?P<power>-?\d+)?")


@dataclass(frozen=True, slots=True)
class InSi:
    """A quantity in SI: what it has of value, ends and spread, its unit ("1" for a share) and QUDT's IRI for that."""

    value: float | None
    low: float | None
    high: float | None
    uncertainty: float | None
    unit: str
    iri: str


def in_si(quantity: Quantity) -> InSi | None:
    """A quantity in SI; None where its unit has no place there (cells, dB, IU) or the number has none in a float.

    >>> in_si(Quantity("5 kcal/mol", 0, 10, 5.0, unit_canonical="kcal.mol-1"))
    InSi(value=20920.0, low=None, high=None, uncertainty=None, unit='J.mol-1', iri='http://qudt.org/vocab/unit/J-PER-MOL')
    """
    known = _si(quantity.unit_canonical)
    if known is None:
        return None
    factor, offset, unit = known
    value, low, high = (_scaled(one, factor, offset) for one in (quantity.value, quantity.low, quantity.high))
    spread = _scaled(quantity.uncertainty, factor, 0.0)
    if not all(one is None or isfinite(one) for one in (value, low, high, spread)):
        return None
    local = UNITS.get(unit, "UNITLESS" if unit == "1" else "")
    return InSi(value, low, high, spread, unit, QUDT + local if local else "")


def si_value(value: float, unit: str) -> tuple[float, str] | None:
    """A value in a canonical unit as SI has it, with the SI unit; None for a unit that has no place there.

    >>> si_value(500, "mg") == si_value(0.5, "g")
    True
    """
    known = _si(unit)
    return (value * known[0] + known[1], known[2]) if known else None


def _scaled(one: float | None, factor: float, offset: float) -> float | None:
    return None if one is None else one * factor + offset


@lru_cache(maxsize=4096)
def _si(canonical: str) -> tuple[float, float, str] | None:
    """Factor, offset and SI unit of a unit in canonical form."""
    factor = 1.0
    powers: dict[str, int] = {}
    for piece in canonical.split(".") if canonical else ():
        match = _PIECE.fullmatch(piece)
        known = _single(match["name"]) if match else None
        if match is None or known is None:
            return None
        power = int(match["power"] or 1)
        factor *= known[0] ** power
        for part in filter(None, known[1].split(".")):
            own = _PIECE.fullmatch(part)
            if own:
                powers[own["name"]] = powers.get(own["name"], 0) + int(own["power"] or 1) * power
    ordered = sorted((item for item in powers.items() if item[1]), key=lambda item: (item[1] < 0, item[0]))
    unit = ".".join(name + (str(power) if power != 1 else "") for name, power in ordered)
    return (factor, _OFFSETS.get(canonical, 0.0), unit or "1") if canonical else None


def _single(name: str) -> tuple[float, str] | None:
    """Return one unit in SI, without its prefix."""
    if name in _IN_SI_PLAIN or name in _IN_SI:
        return _IN_SI_PLAIN.get(name) or _IN_SI[name]
    base = _IN_SI.get(name[1:])
    return (base[0] * 10.0 ** _POWERS[name[0]], base[1]) if base and name[0] in _POWERS else None
