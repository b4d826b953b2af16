"""Units of measurement as papers print them: a small grammar of factors with exponents.

`MBq/mg`, `MBq mg-1` and `MBq per mg` are one unit, written `MBq.mg-1`; `MBq/g` is another. The canonical form is
UCUM's notation for the most part; a unit that QUDT defines has its IRI. Texts are given in the form of
`search_text(..., fold_case=False)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from kag.text.quantities.qudt import QUDT, UNITS

_PREFIXES = ("f", "p", "n", "u", "m", "c", "d", "h", "k", "M", "G", "T", "")
_PREFIXED = "g m s L l mol Bq Ci Sv Gy eV V A W Hz J Pa N F H S T Da M cal U IU B Omega Wh bar bp K rad"
_PLAIN = """
    min h d wk mo a % ‰ ppm ppb ppt rpm Å atm Torr mmHg psi dB °C °F ° cells copies CFU fold wt% vol% mol% eq equiv
"""
_NAMES = """
    days=d day=d hours=h hour=h hr=h hrs=h minutes=min minute=min mins=min seconds=s second=s sec=s weeks=wk week=wk
    months=mo month=mo years=a year=a yr=a yrs=a °c=°C K=K °F=°F percent=% grams=g gram=g kilograms=kg milligrams=mg
    micrograms=ug nanograms=ng litres=L liters=L litre=L liter=L millilitres=mL milliliters=mL microlitres=uL
    microliters=uL metres=m meters=m metre=m meter=m kilometres=km kilometers=km centimetres=cm centimeters=cm
    millimetres=mm millimeters=mm micrometres=um micrometers=um nanometres=nm nanometers=nm microns=um degrees=°
    moles=mol milliseconds=ms cfu=CFU cell=cells copy=copies x_g=[g] w/v=w/v w/w=w/w v/v=v/v wt_%=wt% vol_%=vol%
    mol_%=mol% %w/v=w/v equivalents=equiv Angstrom=Å Kd=kDa hectares=ha hectare=ha ha=ha
    k-Omega=kOmega M-Omega=MOmega m-Omega=mOmega cc=mL kbp=kbp kb=kbp Mb=Mbp
"""
_NO_UNITS = "cd Td Gg Tg dm hm hs cs ds a hL TM GM cM dM hM hd"  # spelled like a unit, but something else
# "3 H", "2 A", "15 N": as often a label or an isotope; these count only with a decimal number or in a compound
_DOUBTFUL = frozenset("AFHSCNTBMlat")


def _spellings() -> dict[str, str]:
    table = {prefix + base: prefix + base for base in _PREFIXED.split() for prefix in _PREFIXES}
    table |= {unit: unit for unit in _PLAIN.split()}
    pairs = (pair.split("=") for pair in _NAMES.split())
    table |= {name.replace("_", " "): unit for name, unit in pairs}
    for spelling in _NO_UNITS.split():
        table.pop(spelling, None)
    return table


_SPELLINGS = _spellings()
_ATOM = re.compile(
    r"(?P<unit>x[ ]g|(?:wt|vol|mol)[ ]?%|%(?:[ ]?w/v)?|[wv]/[wv]|[kMm]-Omega|°[CFc]?|‰|[A-Za-zÅ]+)(?![A-Za-z_])"
    r"(?P<power>\^?(?:-[1-4]|[1-4])(?!\.?\d))?"
)
_TIMES = re.compile(r"[ ]?[·.*][ ]?|[ ]")
_OVER = re.compile(r"[ ]?/[ ]?|[ ]per[ ]")
_AREA = re.compile(r"1\.73[ ]?(?=m2)")  # of a body: mL/min/1.73 m2


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in canonical form, such as `mg.kg-1`; `iri` is QUDT's, empty where QUDT has none."""

    canonical: str
    iri: str = ""


def is_unit(word: str) -> bool:
    """Whether a word can begin a unit."""
    return word in _SPELLINGS or word in ("wt", "vol", "x")


def read_unit(text: str, at: int = 0, *, exact: bool = False) -> tuple[Unit, int] | None:
    """The unit that begins at a place and where it ends; None when there is none.

    `exact` says that the unit belongs to a measured number beyond doubt (one with decimals, a header in brackets), so
    that single letters count.

    >>> read_unit("mol L-1 was")
    (Unit(canonical='mol.L-1', iri='http://qudt.org/vocab/unit/MOL-PER-L'), 7)
    """
    match = _atom(text, at)
    if match is None:
        return None
    factors = [_factor(match, 1)]
    end = match.end()
    while following := _next(text, end, factors):
        factor, end = following
        factors.append(factor)
    if not exact and len(factors) == 1 and factors[0][1] == 1 and match["unit"] in _DOUBTFUL:
        return None
    return _unit(tuple(factors)), end


def _atom(text: str, at: int) -> re.Match[str] | None:
    match = _ATOM.match(text, at)
    if match is None or match["unit"] not in _SPELLINGS:
        return None
    raised = (match["power"] or "1").lstrip("^")
    return match if raised == "1" or raised[0] == "-" or match["unit"][-1] in "msÅ" else None  # "3T3" is no power


def _next(text: str, at: int, factors: list[tuple[str, int]]) -> tuple[tuple[str, int], int] | None:
    """The next factor: behind "/" or "per"; behind a point or blank when it has an exponent or QUDT knows the two."""
    if len(factors) > 4:
        return None
    over = _OVER.match(text, at)
    if over:
        area = _AREA.match(text, over.end())
        match = _atom(text, area.end() if area else over.end())
        return (_factor(match, -1), match.end()) if match else None
    times = _TIMES.match(text, at)
    match = _atom(text, times.end()) if times else None
    if match is None:
        return None
    factor = _factor(match, 1)
    joined = match["power"] or f"{factors[0][0]}.{factor[0]}" in UNITS
    return (factor, match.end()) if joined else None


def _factor(match: re.Match[str], sign: int) -> tuple[str, int]:
    return _SPELLINGS[match["unit"]], sign * int((match["power"] or "1").lstrip("^"))


@lru_cache(maxsize=4096)
def _unit(factors: tuple[tuple[str, int], ...]) -> Unit:
    powers: dict[str, int] = {}
    for name, power in factors:
        name = name[:-1] + "L" if name.endswith("l") and name[:-1] in _PREFIXES else name
        parts = [(name[:-1] + "mol", power), ("L", -power)] if name[-1:] == "M" else [(name, power)]  # molar
        for part, exponent in parts:
            powers[part] = powers.get(part, 0) + exponent
    ordered = sorted((item for item in powers.items() if item[1]), key=lambda item: (item[1] < 0, item[0]))
    canonical = ".".join(name + (str(power) if power != 1 else "") for name, power in ordered)
    local = UNITS.get(canonical, "")
    return Unit(canonical, QUDT + local if local else "")
