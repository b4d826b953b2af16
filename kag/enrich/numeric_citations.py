"""Numeric call-outs in every spelling OCR gives them: "[1, 3–5]", "(7)", ` \\( ^{1,2} \\) `, "^{[16-20]}", "¹²".

A raised number is not always a citation: exponents, isotopes, charges and footnote marks look the
same. What stands on both sides decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """A place that may cite: `style` is bracket, paren or superscript."""

    style: str
    numbers: tuple[int, ...]
    start: int
    end: int


_DASH = r"(?:--?|[–—‐‑−]|\\text\{[-–]\}|\{-\})"
_NUMBERS = rf"\d{{1,4}}(?:\s{{0,2}}(?:[,;]|{_DASH})\s{{0,2}}\d{{1,4}}){{0,60}}"
_LEAD = r"(?P<lead>(?:e\.g\.,?|see|see also|cf\.?|refs?\.?|references?|reviewed in)\s)?"
_BRACKET = re.compile(
    rf"\[(?<!\^\[)(?<!\^\{{\[){_LEAD}(?P<list>{_NUMBERS})"
    r"(?:,?\s(?:and references therein|for (?:a )?reviews?|pp?\.\s?\d+[^\]]{0,10}))?\\?\]",
    re.IGNORECASE,
)
_PAREN = re.compile(
    rf"\({_LEAD}(?P<list>{_NUMBERS})(?:,?\s(?:and references therein|for (?:a )?reviews?))?\)", re.IGNORECASE
)
_SUPERSCRIPT = re.compile(
    rf"(?:\\\(|\$)\s?(?:\{{\}})?\^\s?\{{?\s?(?P<in>[\[(])?(?P<list>{_NUMBERS})(?(in)[\])])\s?,?\s?\}}?\s?(?:\\\)|\$)"
    rf"|(?:\{{\}})?\^\{{\s?(?P<in2>[\[(])?(?P<list2>{_NUMBERS})(?(in2)[\])])\s?\}}"
    rf"|<sup>\s?(?P<in3>[\[(])?(?P<list3>{_NUMBERS})(?(in3)[\])])\s?</sup>"
    r"|(?<![⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻])(?P<raised>[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,2}(?:\s?[,˒‚⁻–-]\s?[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,2}){0,30})(?![⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹])"
)
_RAISED = re.compile(r"\^\s?\{?\s?[\[(]?\d|<sup>|[¹²³⁴⁵⁶⁷⁸⁹]")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒‚", "0123456789-,,")
_PART = re.compile(rf"(?P<joint>[,;]|{_DASH})?\s*(?P<number>\d{{1,4}})\s*")

_SYMBOLS = (
    "HHeLiBeBCNOFNeNaMgAlSiPSClArKCaScTiVCrMnFeCoNiCuZnGaGeAsSeBrKrRbSrYZrNbMoTcRuRhPdAgCdInSnSbTeIXeCsBaLaCePrNdPmSmEu"
    "GdTbDyHoErTmYbLuHfTaWReOsIrPtAuHgTlPbBiPoAtRnFrRaAcThPaUNpPuAmCmBkCf"
)
_CHARGE = {symbol: number for number, symbol in enumerate(re.findall("[A-Z][a-z]?", _SYMBOLS), 1)}
_ELEMENT = re.compile(r"\s?(?:\{|\\mathrm\{|\\text\{)?(?P<symbol>[A-Z][a-z]?)(?![a-z])")
_UNIT = re.compile(
    r"(?:^|[\s\d/·.({])(?:[kcmdnpfµμ]?[mgsLlNAJWVKCFPT]|[kcmdnµμ]?mol|[kM]?Pa|Å|ft|yr|Hz|kHz|MHz|eV|h|min|sec|cal|km|mi|px|pixels?"
    r"|cells?/[a-z]+)\s?$|\d\s?in(?:ch)?\s?$"
)
_SYMBOL = re.compile(r"(?:^|[\s=(,/*+−–-])(?:[A-Za-zΑ-ω]|log|chi|eta|sigma|adj\.?)\s?$|[=+−–*/]\s?[A-Za-z]{1,3}\s?$")
_BASE = re.compile(r"(?<![\w.-])(?!(?:1[89]|20)\d\d\s?$)\d(?:[\d.,]*\d)?\s?$")  # a number, but not a year
_BRACKETED = re.compile(r"(?:\]|\((?:[^()A-Za-z]|(?<![A-Za-z])[A-Za-z]{1,2}(?![A-Za-z])){1,20}\))\s?$")
_POWER = re.compile(r"(?:^|[^\d.])10\s?$|[×·*]\s?\d+\s?$")
_COUNTED = re.compile(
    r"(?:\b(?:eqs?|equations?|eqn|fig(?:ure)?s?|tables?|steps?|schemes?|sections?|sects?|panels?|lines?|formulas?"
    r"|inequalit(?:y|ies)|items?|compounds?|relations?)\b\.?|(?<![\w-])\d[\d.,]*|\\\)|[=<>±×%])\s?$",
    re.IGNORECASE,
)
_ENUMERATED_AFTER = re.compile(r"(?:^|[:;,.\n]|\b(?:and|or|either|both))\s*$")
_WORD_FOLLOWS = re.compile(r"\s+[^\W\d_]")


def numeric_marks(text: str, limit: int) -> list[Mark]:
    """All places of a text whose numbers lie in 1..limit and that nothing beside them speaks against."""
    marks = [_mark("bracket", text, found, limit) for found in _BRACKET.finditer(text)] if "[" in text else []
    if "(" in text:
        marks += [_mark("paren", text, found, limit) for found in _PAREN.finditer(text)]
    if _RAISED.search(text):
        marks += [_mark("superscript", text, found, limit) for found in _SUPERSCRIPT.finditer(text)]
    return _joined(text, sorted((mark for mark in marks if mark), key=lambda mark: mark.start))


def expand(listed: str, limit: int) -> tuple[int, ...]:
    """Numbers of a printed list, ranges filled in; empty when any is not in 1..limit or a range runs down.

    >>> expand("1, 3–5", 10)
    (1, 3, 4, 5)
    """
    numbers: list[int] = []
    for part in _PART.finditer(listed):
        number = int(part["number"])
        if not 1 <= number <= limit:
            return ()
        if part["joint"] and part["joint"] not in ",;":
            if not numbers or number <= numbers[-1]:
                return ()
            numbers.extend(range(numbers[-1] + 1, number))
        numbers.append(number)
    return tuple(dict.fromkeys(numbers))


def _mark(style: str, text: str, found: re.Match[str], limit: int) -> Mark | None:
    groups = found.groupdict()
    raised = groups.get("raised")
    listed = groups.get("list") or groups.get("list2") or groups.get("list3") or (raised or "").translate(_LOWERED)
    numbers = expand(listed, limit)
    if not numbers:
        return None
    if style == "superscript" and _is_other_superscript(text, found, numbers):
        return None
    before = text[max(0, found.start() - 40) : found.start()]
    if style == "paren" and not groups.get("lead") and _is_other_paren(text, found, numbers, before):
        return None
    return Mark(style, numbers, *found.span())


def _is_other_paren(text: str, found: re.Match[str], numbers: tuple[int, ...], before: str) -> bool:
    """True for the number of an equation, a count in brackets, and "(1) first, (2) second"."""
    if _COUNTED.search(before):
        return True
    return len(numbers) == 1 and bool(_ENUMERATED_AFTER.search(before) and _WORD_FOLLOWS.match(text, found.end()))


def _is_other_superscript(text: str, found: re.Match[str], numbers: tuple[int, ...]) -> bool:
    """True for exponents, isotopes and marks that open a note."""
    before = text[max(0, found.start() - 24) : found.start()]
    if not before.strip() or before.rstrip(" \t").endswith("\n") or _inside_formula(text, found):
        return True
    if len(numbers) > 1 or found.groupdict().get("in") or found.groupdict().get("in2"):
        return False
    if _POWER.search(before) or (
        numbers[0] <= 4 and any(pattern.search(before) for pattern in (_UNIT, _SYMBOL, _BRACKETED, _BASE))
    ):
        return True
    return _is_isotope(text, found, numbers[0], before)


def _inside_formula(text: str, found: re.Match[str]) -> bool:
    """True for a bare "^{2}" between the delimiters of a formula."""
    start = found.start()
    return bool(found["list2"]) and text.rfind("\\(", 0, start) > text.rfind("\\)", 0, start)


def _is_isotope(text: str, found: re.Match[str], mass: int, before: str) -> bool:
    """True when an element follows whose nuclei can have that mass, and not a word that opens a sentence."""
    element = _ELEMENT.match(text, found.end())
    charge = _CHARGE.get(element["symbol"]) if element else None
    if not element or charge is None or not 1.6 * charge - 1 <= mass <= 2.8 * charge + 2:
        return False
    return not (before.rstrip()[-1:] in ".?!" and re.match(r"\s[a-z]", text[element.end() : element.end() + 2]))


def _joined(text: str, marks: list[Mark]) -> list[Mark]:
    """Marks with "[1]–[3]" read as one range."""
    joined: list[Mark] = []
    for mark in marks:
        last = joined[-1] if joined else None
        if last and last.style == mark.style and len(last.numbers) == 1 and len(mark.numbers) == 1:
            between = text[last.end : mark.start].strip()
            if re.fullmatch(_DASH, between) and last.numbers[0] < mark.numbers[0]:
                numbers = tuple(range(last.numbers[0], mark.numbers[0] + 1))
                joined[-1] = Mark(mark.style, numbers, last.start, mark.end)
                continue
        joined.append(mark)
    return joined
