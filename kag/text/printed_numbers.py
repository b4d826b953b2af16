"""Find the numbers that a text states, with their units, in one form for digits, words, e-notation and fractions.

Numbers that are part of a name or that point elsewhere are left out: "COVID-19", "Table 2", "[12]", "(1)", exponents,
subscripts, superscript citations and ordinals. Signs are ignored: "-3.5" and "fell by 3.5" are one number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from kag.text.dates import NUMBER_WORDS, SCALES, number_of
from kag.text.plain import plain
from kag.text.quantities.units import read_unit
from kag.text.search_text import search_text

_SUPERSCRIPTS, _SUBSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "₀₁₂₃₄₅₆₇₈₉₊₋"
_RAISED = rf"[{_SUPERSCRIPTS}](?:[,/–-]?[{_SUPERSCRIPTS}])*"
_SUPERSCRIPT = re.compile(
    rf"(?P<base>10|[A-Za-zµμÅΩ°]{{0,12}})(?:{_RAISED}|\^(?:\{{[^{{}}]{{0,40}}\}}|\([^()]{{0,40}}\)|[-+−]?\d+))"
)
_SUBSCRIPT = re.compile(rf"([{_SUBSCRIPTS}]+)(?=\d)")
_LABELS = re.compile(
    r"\b(?:fig(?:ure)?s?|tables?|schemes?|sections?|references?|refs?|equations?|eqs?|appendix|algorithms?|chapters?)"
    r"\b\.?\s*[\[(]?[A-Z]?\d+(?:\.\d+)*[a-z]?[\])]?(?:\s*(?:,|;|and|&|-|to)\s*[\[(]?[A-Z]?\d+(?:\.\d+)*[a-z]?[\])]?)*",
    re.I,
)
_NAME = r"[A-Z][\w'-]{1,40}"
_CITATIONS = re.compile(
    r"\[\d+(?:\s*[,;-]\s*\d+)*\]"
    rf"|\(?(?<!\w){_NAME}(?: et al\.?| (?:and|&) {_NAME}),? \(?(?:19|20)\d\d[a-z]?\)?"
)
_LIST_NUMERALS = re.compile(r"\(\d{1,2}\)(?=\s+[A-Za-z])")
_DIGITS = re.compile(
    r"(?P<digits>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<!\d)\.\d+)"
    r"(?:[eE](?P<e>[-+]?\d{1,3})(?![\w])|\s?(?:x|\*|·)\s?10\s?\^?\s?[({]?(?P<power>[-+]?\d{1,3})[)}]?)?"
    r"(?:\s?[/⁄]\s?(?P<over>\d+)(?![\d/]|\.\d))?"
)
_TEN_TO = re.compile(r"10\^\s?[({]?(?P<power>[-+]?\d{1,3})[)}]?")
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "tenth": 10}
_ANY_WORD, _ANY_SCALE = "|".join(NUMBER_WORDS), "|".join(SCALES)
_WORD_NUMBER = re.compile(
    rf"\b(?:an?[ ](?:{_ANY_SCALE})|{_ANY_WORD})\b(?:[ -](?:and )?(?:{_ANY_WORD}|{_ANY_SCALE})\b)*", re.I
)
_PART = re.compile(
    rf"\b(?:(?P<many>an?|{_ANY_WORD}|\d+)[ -])?(?P<part>{'|'.join(_PARTS)})"
    r"(?:(?P<plural>s)\b|\b(?=[ -](?:of|the|as|that|an?|were|was|to)\b|[.,;]|$))",
    re.I,
)
_TIMES = re.compile(
    rf"\b(?:(?P<two>twice|doubl\w+|twofold)|(?P<three>tripl\w+|threefold|thrice)|(?P<fold>{_ANY_WORD})fold|"
    r"(?P<halved>halved|halving))\b",
    re.I,
)
_SCALE = re.compile(r"\s?(hundred|thousand|million|billion)\b", re.I)
_COUNTED = "item point layer step stage class site arm member digit bit dimensional channel node core fold way"
_COUNTERS = frozenset(_COUNTED.split())
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|circa|ca\.?|some|over|under|more than|"
    r"less than|at least|at most|close to|up to)\s*|[~≈]\s?)[$€£]?$",
    re.I,
)
_PREFIXES = {
    "pico": "p", "nano": "n", "micro": "u", "milli": "m", "centi": "c", "deci": "d", "kilo": "k", "mega": "M",
    "giga": "G", "tera": "T",
}  # fmt: skip
_BASES = {
    "gram": "g", "gramme": "g", "metre": "m", "meter": "m", "litre": "L", "liter": "L", "mole": "mol", "second": "s",
    "volt": "V", "watt": "W", "hertz": "Hz", "joule": "J", "pascal": "Pa", "newton": "N", "calorie": "cal",
    "molar": "M", "dalton": "Da", "electronvolt": "eV", "tesla": "T", "becquerel": "Bq", "sievert": "Sv",
    "kelvin": "K", "curie": "Ci", "ohm": "Omega",
}  # fmt: skip
_UNIT_WORD = re.compile(
    rf"\b(?P<power>square |cubic )?(?P<prefix>{'|'.join(_PREFIXES)})?(?P<base>{'|'.join(_BASES)})s?\b", re.I
)
_SPELLED = (
    (re.compile(r"\b(?:per cent|percentage points?|percent|pp\b)", re.I), "%"),
    (re.compile(r"\bdegrees? (?:Celsius|centigrade)\b|\bdeg(?:rees?)? ?C\b", re.I), "°C"),
    (re.compile(r"\bdegrees? Fahrenheit\b", re.I), "°F"),
    (re.compile(r"\byear-olds?\b", re.I), "years"),
    (re.compile(r"\b(?:times|fold)\b", re.I), "fold"),
)
_MONEY = re.compile(r"\s?(dollars?|usd|euros?|eur|pounds? sterling|yen)\b", re.I)
_MONEY_SIGNS = {"d": "$", "u": "$", "e": "€", "p": "£", "y": "¥"}
_LONGEST = 60  # digits that are read of a number
_SHARED = re.compile(r"\s*(?:, and|,|;|/|-|\+/-|and|or|to|vs\.?|versus|through)\s*(?:[$€£¥]\s?)?")


@dataclass(frozen=True, slots=True)
class Number:
    """A stated number. `unit` is canonical ("" for none, "%" for shares), `step` the value of the last printed digit.

    `is_about` says that the text only claims it roughly, `is_word` that it is written in words.
    """

    value: Fraction
    unit: str
    step: Fraction
    start: int
    end: int
    surface: str
    is_about: bool = False
    is_word: bool = False


def printed_numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers that a text states, in order.

    >>> [(str(one.value), one.unit) for one in printed_numbers("COVID-19: two-thirds lost 12.3 ± 0.4 kg [3].")]
    [('2/3', ''), ('123/10', 'kg'), ('2/5', 'kg')]
    """
    form = normal_form(text)
    numbers: list[Number] = []
    for number in sorted((*_fractions(form), *_words(form), *_digits(form)), key=lambda one: (one.start, -one.end)):
        if not numbers or number.start >= numbers[-1].end:
            numbers.append(number)
    return tuple(_with_shared_units(numbers, form))


def labelled_numbers(text: str) -> tuple[str, ...]:
    """Return the numbers by which a text names figures, tables, sections and references.

    >>> labelled_numbers("Figs. 3a and 4 and Table S2 show 12 sites.")
    ('3', '4', '2')
    """
    return tuple(run for match in _LABELS.finditer(folded(text)) for run in re.findall(r"\d+(?:\.\d+)*", match[0]))


def folded(text: str) -> str:
    """The text plain and folded, unit words as symbols, without exponents and superscript citations."""
    text = _SUPERSCRIPT.sub(_without_power, plain(text))
    text = search_text(_SUBSCRIPT.sub(r"\1 ", text), fold_case=False).text
    for pattern, symbol in _SPELLED:
        text = pattern.sub(symbol, text)
    return _UNIT_WORD.sub(_symbol, text)


def normal_form(text: str) -> str:
    """The text as numbers are read in it: folded, labels, citations and list numerals blanked."""
    text = folded(text)
    for pattern in (_LABELS, _CITATIONS, *((_LIST_NUMERALS,) if "(1)" in text else ())):
        text = pattern.sub(" ", text)
    return text


def _without_power(match: re.Match[str]) -> str:
    """A power of ten or of a unit as it is; a base without its exponent, or a word without its citation, otherwise."""
    is_power = match["base"] == "10" or (match["base"] and read_unit(match["base"], exact=True))
    return match[0] if is_power else match["base"]


def _symbol(match: re.Match[str]) -> str:
    prefix, base = (match["prefix"] or "").lower(), match["base"].lower()
    if base == "second" and not prefix and not match[0].lower().endswith("s"):
        return match[0]  # the ordinal
    power = {"square ": "2", "cubic ": "3"}.get((match["power"] or "").lower(), "")
    return _PREFIXES.get(prefix, "") + _BASES[base] + power


def _digits(form: str) -> Iterator[Number]:
    for match in _DIGITS.finditer(form):
        if _is_in_name(form, match):
            continue
        ten = _TEN_TO.match(form, match.start())
        if ten:
            value = step = Fraction(10) ** int(ten["power"])
            yield _number(form, ten, value, step)
            continue
        digits = match["digits"].replace(",", "")[:_LONGEST]
        scale = Fraction(10) ** int(match["e"] or match["power"] or 0)
        step = scale / 10 ** len(digits.partition(".")[2])
        value = Fraction(digits) * scale
        over = int((match["over"] or "0")[:_LONGEST])
        if over:
            if "." in digits or value >= over:  # "120/80" are two numbers
                yield _number(form, match, value, step, end=match.end("digits"))
                yield _number(form, match, Fraction(over), Fraction(1), start=match.start("over"))
                continue
            value, step = value / over, Fraction(1, 100)
        large = _SCALE.match(form, match.end())
        if large:
            factor = SCALES[large[1].lower()]
            yield _number(form, match, value * factor, step * factor, end=large.end())
        else:
            yield _number(form, match, value, step)


def _is_in_name(form: str, match: re.Match[str]) -> bool:
    """Whether digits belong to a word ("HX4", "IL-6", "9-epi", "3T3", "5th") or a longer number ("1.2.3")."""
    before, behind = form[max(0, match.start() - 2) : match.start()], form[match.end() : match.end() + 24]
    if before[-1:].isalpha() or before[-1:] in ("_", "^") or (before[-1:] == "-" and before[:1].isalpha()):
        return True
    if re.match(r"\.\d", behind) or (before[-1:] == "." and before[:1].isdigit()):
        return True
    attached = re.match(r"-?([A-Za-zµ°%][\w°%]*)", behind)
    if not attached or read_unit(form, match.end() + behind.startswith("-"), exact=True) or behind.startswith("%"):
        return False
    return not (behind.startswith("-") and attached[1].lower().rstrip("s") in _COUNTERS) and attached[1] != "x"


def _words(form: str) -> Iterator[Number]:
    for match in _WORD_NUMBER.finditer(form):
        parts = re.split(r"[ -]", match[0].lower())
        if parts[0] == "one" and len(parts) == 1 and read_unit(form, match.end() + 1, exact=True) is None:
            continue  # "one of these", "no one"
        yield _number(form, match, Fraction(int(number_of(parts))), Fraction(1), is_word=True)
    for match in _TIMES.finditer(form):
        many = 2 if match["two"] or match["halved"] else 3 if match["three"] else NUMBER_WORDS[match["fold"].lower()]
        yield replace(_number(form, match, Fraction(many), Fraction(1), is_word=True), unit="fold")


def _fractions(form: str) -> Iterator[Number]:
    for match in _PART.finditer(form):
        many, part = (match["many"] or "a").lower(), match["part"].lower()
        if not match["many"] and (part != "half" or match["plural"]):
            continue  # an ordinal: "the third"
        above = 1 if many in ("a", "an") else int(many) if many.isdigit() else NUMBER_WORDS[many]
        yield _number(form, match, Fraction(above, _PARTS[part]), Fraction(1, 50), is_word=True)


def _number(
    form: str,
    match: re.Match[str],
    value: Fraction,
    step: Fraction,
    *,
    start: int | None = None,
    end: int | None = None,
    is_word: bool = False,
) -> Number:
    start = match.start() if start is None else start
    unit, last = _unit_behind(form, match.end() if end is None else end, exact=step < 1 and not is_word)
    sign = form[:start].rstrip()[-1:]
    if sign and sign in "$€£¥":
        unit = sign
    about = bool(_ABOUT.search(form[max(0, start - 24) : start]))
    return Number(value, unit, step, start, last, form[start:last].strip(), about, is_word)


def _unit_behind(form: str, at: int, *, exact: bool) -> tuple[str, int]:
    """The unit that follows a number, and where it ends."""
    money = _MONEY.match(form, at)
    if money:
        return _MONEY_SIGNS[money[1][0].lower()], money.end()
    skip = re.compile(r"\s?-?\s?").match(form, at)
    behind = skip.end() if skip else at
    if form[behind : behind + 1] == "%":
        return "%", behind + 1
    found = read_unit(form, behind, exact=exact or behind == at)
    return (found[0].canonical, found[1]) if found else ("", at)


def _with_shared_units(numbers: list[Number], form: str) -> Iterator[Number]:
    """The numbers with the unit that a list, a range or ± states once: "12, 15 and 18 mg"."""
    unit, after = "", len(form)
    shared: list[Number] = []
    for number in reversed(numbers):
        joined = _SHARED.fullmatch(form, number.end, after) if after > number.end else None
        unit = number.unit or (unit if joined else "")
        after = number.start - (form[number.start - 1 : number.start] in ("$", "€", "£", "¥"))
        shared.append(replace(number, unit=unit))
    return reversed(shared)
