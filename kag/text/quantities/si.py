"""Measured values in SI units: a derived value, beside the printed one.

A unit in canonical form is a product of factors, so the table below has the single units only: what each is in SI,
named units of SI (J, Pa, Bq) kept. The numbers are QUDT's multipliers (qudt.org, CC BY 4.0); the tests hold all units
that `kag.text.quantities.qudt` names against them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from kag.text.quantities.parsing import Quantity
from kag.text.quantities.qudt import QUDT, UNITS

_PREFIXES = {"f": -15, "p": -12, "n": -9, "u": -6, "m": -3, "c": -2, "d": -1, "h": 2, "k": 3, "M": 6, "G": 9, "T": 12}
_PREFIXED = {
    "g": (1e-3, "kg"), "m": (1.0, "m"), "s": (1.0, "s"), "L": (1e-3, "m3"), "mol": (1.0, "mol"), "Bq": (1.0, "Bq"),
    "Ci": (3.7e10, "Bq"), "Sv": (1.0, "Sv"), "Gy": (1.0, "Gy"), "eV": (1.602176634e-19, "J"), "V": (1.0, "V"),
    "A": (1.0, "A"), "W": (1.0, "W"), "Hz": (1.0, "Hz"), "J": (1.0, "J"), "Pa": (1.0, "Pa"), "N": (1.0, "N"),
    "F": (1.0, "F"), "H": (1.0, "H"), "S": (1.0, "S"), "T": (1.0, "T"), "Da": (1.66053878283e-27, "kg"),
    "cal": (4.184, "J"), "Omega": (1.0, "Omega"), "Wh": (3600.0, "J"), "bar": (1e5, "Pa"), "K": (1.0, "K"),
    "rad": (1.0, "rad"), "U": (1e-6 / 60, "mol.s-1"),
}  # fmt: skip
_PLAIN = {
    "min": (60.0, "s"), "h": (3600.0, "s"), "d": (86400.0, "s"), "wk": (604800.0, "s"), "mo": (2551442.976, "s"),
    "a": (31557600.0, "s"), "%": (1e-2, ""), "‰": (1e-3, ""), "wt%": (1e-2, ""), "vol%": (1e-2, ""),
    "mol%": (1e-2, ""), "ppm": (1e-6, ""), "ppb": (1e-9, ""), "fold": (1.0, ""), "rpm": (0.10471975511966, "rad.s-1"),
    "Å": (1e-10, "m"), "atm": (101325.0, "Pa"), "Torr": (133.322, "Pa"), "mmHg": (133.322387415, "Pa"),
    "psi": (6894.757789, "Pa"), "°": (0.0174532925199433, "rad"), "[g]": (9.80665, "m.s-2"), "ha": (1e4, "m2"),
    "°C": (1.0, "K"), "°F": (5 / 9, "K"), "kg": (1.0, "kg"),
}  # fmt: skip
_OFFSETS = {"°C": 273.15, "°F": 459.67 * 5 / 9}  # for a temperature itself, not within "°C.min-1"
_FACTOR = re.compile(r"(?P<name>[^\d-]+?)(?P<power>-?\d+)?")


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
        match = _FACTOR.fullmatch(piece)
        known = _single(match["name"]) if match else None
        if match is None or known is None:
            return None
        power = int(match["power"] or 1)
        factor *= known[0] ** power
        for part in filter(None, known[1].split(".")):
            own = _FACTOR.fullmatch(part)
            if own:
                powers[own["name"]] = powers.get(own["name"], 0) + int(own["power"] or 1) * power
    ordered = sorted((item for item in powers.items() if item[1]), key=lambda item: (item[1] < 0, item[0]))
    unit = ".".join(name + (str(power) if power != 1 else "") for name, power in ordered)
    return (factor, _OFFSETS.get(canonical, 0.0), unit or "1") if canonical else None


def _single(name: str) -> tuple[float, str] | None:
    """What one unit is in SI, a prefix read off."""
    if name in _PLAIN or name in _PREFIXED:
        return _PLAIN.get(name) or _PREFIXED[name]
    base = _PREFIXED.get(name[1:])
    return (base[0] * 10.0 ** _PREFIXES[name[0]], base[1]) if base and name[0] in _PREFIXES else None
