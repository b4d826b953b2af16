"""Chemical formulas: runs of element symbols with counts, charges and phases, and what is no formula."""

from __future__ import annotations

import re
from functools import lru_cache

SYMBOLS = (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb"
    " Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au"
    " Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv"
    " Ts Og D"
)
"""The symbols of the elements, and D for deuterium."""

_SYMBOL = "|".join(sorted(SYMBOLS.split(), key=lambda one: (-len(one), one)))
_COUNT = r"(?:\d+(?:\.\d+)?(?:[-−–]?[xyzδ])?|[xyzδ](?![a-z])|[₀-₉]+)"
_ELEMENT = re.compile(rf"({_SYMBOL})({_COUNT})?")
_FORMULA = re.compile(
    rf"(?:\d(?:\.\d+)?)?(?:[(\[](?:(?:{_SYMBOL}){_COUNT}?,?)+[)\]]{_COUNT}?|(?:{_SYMBOL}){_COUNT}?)+"
    r"(?:[-−–±][xδ]|[-−–+]\d?δ|\d?[+-]|[⁰-⁹⁺⁻²³¹]+)?"
)


@lru_cache(maxsize=16_384)
def is_formula(text: str) -> bool:
    """Whether a text is the formula of a substance of at least two elements, or of one with a count.

    >>> [is_formula(one) for one in ("La0.6Sr0.4CoO3-δ", "H2O", "CO2", "NaCl", "Ca2+", "(NH4)2SO4")]
    [True, True, True, True, True, True]
    >>> [is_formula(one) for one in ("In", "No", "CV", "HIV", "On", "S1", "B2", "Fig2")]
    [False, False, False, False, False, False, False, False]
    """
    if not _FORMULA.fullmatch(text):
        return False
    found = _ELEMENT.findall(text)
    counted = any(count for _, count in found)
    long = any(len(symbol) == 2 for symbol, _ in found)
    if len(found) == 1:
        return text in _PLAIN or (text[-1] in "+-⁺⁻" and bool(found[0][1] or text[-2:-1].isdigit() or long))
    if counted:
        return any(symbol not in _LETTERS for symbol, _ in found)
    return text in _PLAIN or (long and len(found) == 2 and text not in _NO_FORMULA)


_LETTERS = frozenset("BCDFHIKPSUVWY")  # of which codes of samples are made, too
_PLAIN = frozenset(
    {
        *(
            "CO",
            "NO",
            "HF",
            "HCN",
            "NaOH",
            "KOH",
            "HBr",
            "KF",
            "KI",
            "KBr",
            "CuO",
            "ZnO",
            "NiO",
            "MgO",
            "CaO",
            "BaO",
            "FeO",
        ),
        *("H2", "N2", "O2", "O3", "F2", "Cl2", "Br2", "I2", "C60", "C70", "S8", "P4", "D2"),
    }
)
_NO_FORMULA = frozenset({"CoS", "InC", "CoP", "PoS", "AsH", "NoH", "HeY", "InN", "BeH", "AtO", "NoW", "HoW", "HeW"})
