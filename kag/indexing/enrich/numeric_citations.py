"""Numeric call-outs in every spelling OCR gives them: "[1, 3–5]", "(7)", ` \\( ^{1,2} \\) `, "^{[16-20]}", "¹²".

A raised number is not always a citation: exponents, isotopes, charges and footnote marks look the
same. What stands on both sides decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kag.indexing.enrich.bibliography import following


@dataclass(frozen=True, slots=True)
class Mark:
    """A place that may cite: `style` is bracket, paren, superscript, worded ("ref. 3") or flat (raised, but for OCR).

    What stands beside a `doubtful` one makes it more likely to be something else.
    """

    style: str
    numbers: tuple[int, ...]
    start: int
    end: int
    doubtful: bool = False


_DASH = r"(?:--?|[–—‐‑−]|\\text\{[-–]\}|\{-\}|\\text ?\{--\})"
_ONE = r"\d{1,4}(?:[a-h](?![a-z])(?:\s?[,–-]\s?[a-h](?![a-z\d]))*)?"  # "4a,b" are parts of reference 4
_JOINT = rf"(?:,\s?(?:and|&)\s|[,;]|\sand\s|\s?&\s|{_DASH})"
NUMBERS = rf"{_ONE}(?:\s{{0,2}}{_JOINT}\s{{0,2}}{_ONE}){{0,60}}"
_LEAD = r"(?i:(?P<lead>(?:e\.g\.,?|see|see also|see e\.g\.,?|cf\.?|refs?\.?|references?|reviewed in|and|also)\s){0,2})"
_WHERE = (
    r"(?i:,?\s(?:and references therein|for (?:a )?reviews?|and refs?\.? therein)"
    r"|,\s(?:pp?\.|ch(?:ap(?:ter)?)?\.?|sec(?:t(?:ion)?)?s?\.?|§|th(?:eore)?m\.?|lemma|prop(?:osition)?\.?|cor(?:ollary)?\.?"
    r"|def(?:inition)?\.?|eqs?\.?|equations?|figs?\.?|figures?|tables?|vol\.?|appendix|remark|example)\s?[^\[\]()]{1,24})?"
)
_BRACKET = re.compile(rf"\[(?<!\^\[)(?<!\^\{{\[)\s?{_LEAD}(?P<list>{NUMBERS}){_WHERE}\s?\\?\]")
_PAREN = re.compile(rf"\(\s?{_LEAD}(?P<list>{NUMBERS}){_WHERE}\s?\)(?![\w–-]\w)")
_SUPERSCRIPT = re.compile(
    rf"(?=[\\$^{{<¹²³⁴⁵⁶⁷⁸⁹])(?:"  # one look passes over all else
    rf"(?:\\\(|\$)\s?(?:\{{\}})?\^\s?\{{?\s?(?P<in>[\[(])?(?P<list>{NUMBERS})(?(in)[\])]|\)?)\s?[,.]?\s?\}}?\s?(?:\\\)|\$)"
    rf"|(?:\{{\}})?\^\{{\s?(?P<in2>[\[(])?(?P<list2>{NUMBERS})(?(in2)[\])]|\)?)\s?\}}"
    rf"|<sup>\s?(?P<in3>[\[(])?(?P<list3>{NUMBERS})(?(in3)[\])]|\)?)\s?</sup>"
    rf"|(?<=[a-z.,;)])\^(?P<list4>{NUMBERS})(?![\w^{{])"
    r"|(?<![⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻])(?P<raised>[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,2}(?:\s?[,˒‚⁻–-]\s?[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,2}){0,30})(?![⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]))"
)
_WORDED = re.compile(rf"[Rr](?<!\w.)ef(?:s?\.|s|erences?)\s?(?:nos?\.\s?)?(?P<list>{NUMBERS})(?![\w.]\d|[\w%])")
_RAISED = re.compile(r"[\^<¹²³⁴⁵⁶⁷⁸⁹](?:(?<![\^<])|(?<=\^)\s?\{?\s?[\[(]?\d|(?<=<)sup>)")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒‚", "0123456789-,,")
_PART = re.compile(rf"(?P<joint>{_JOINT})?\s*(?P<number>\d{{1,4}})(?:[a-h](?:\s?[,–-]\s?[a-h](?![a-z\d]))*)?\s*")

_RANGE = re.compile(_DASH)

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
_SYMBOL = re.compile(r"(?:^|[\s=<>(,/*+−–-])(?:[A-Za-zΑ-ω]|log|chi|eta|sigma|adj\.?)\s?$|[=+−–*/]\s?[A-Za-z]{1,3}\s?$")
_BASE = re.compile(r"(?<![\w.-])(?!(?:1[89]|20)\d\d\s?$)\d(?:[\d.,]*\d)?\s?$")  # a number, but not a year
_BRACKETED = re.compile(r"(?:\]|\((?:[^()A-Za-z]|(?<![A-Za-z])[A-Za-z]{1,2}(?![A-Za-z])){1,20}\))\s?$")
_POWER = re.compile(r"(?:^|[^\d.])10\s?$|[×·*]\s?\d+\s?$")
_COUNTED = re.compile(
    r"(?:\b(?:eqs?|equations?|eqns?|fig(?:ure)?s?|tables?|steps?|schemes?|sections?|sects?|panels?|lines?|formulas?"
    r"|inequalit(?:y|ies)|items?|compounds?|relations?|theorems?|lemmas?|appendix)\b\.?|\\\)|[=<>±×%])\s?$",
    re.IGNORECASE,
)
_EQUATION = re.compile(r"\b(?:eqs?|equations?|eqns?|formulas?)\b\.?\s?$", re.IGNORECASE)
_INTERVAL = re.compile(
    r"(?:\bCI|\b[Ii]ntervals?|\b[Rr]ange[ds]?(?: of)?|\bIQR|∈|\\in|[=<>±(]\s?\d[\d.,]*)\s?[:=,]?\s?$"
)
_LIKELY_COUNTED = re.compile(
    r"(?:(?<![\w-])(?!(?:1[89]|20)\d\d\s?$)\d[\d.,]*|(?:^|[\s(,;])(?:[A-Za-z]|χ2?|df)|[^\s([,;.]\Z|\b(?i:expressions?|types?|grades?|stages?|phases?"
    r"|days?|levels?|scores?|class|hypothes[ie]s|condition|constraint|algorithms?|reactions?|version|points?))\s?$"
)
_ENUMERATED_AFTER = re.compile(r"(?:^|[:;,]|(?<!\bal)\.|(?<!\bal\.)\n|\b(?:and|or|either|both))\s*$")
_WORD_FOLLOWS = re.compile(r"\s+[^\W\d_]")
_JOINED_WORD = re.compile(r"-?[^\W\d_]|\d|\s?[=<>]")


def numeric_marks(text: str, limit: int) -> list[Mark]:
    """Return all places of a text with numbers in 1..limit and no evidence against them."""
    marks = [_bracket(text, match, limit) for match in _BRACKET.finditer(text)] if "[" in text else []
    if "(" in text:
        marks += _parens(text, limit)
    if _RAISED.search(text):
        marks += [_superscript(text, match, limit) for match in _SUPERSCRIPT.finditer(text)]
    if "ef" in text:
        marks += [_plain("worded", match, limit) for match in _WORDED.finditer(text)]
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
        if part["joint"] and _RANGE.match(part["joint"]):
            if not numbers or number <= numbers[-1]:
                return ()
            numbers.extend(range(numbers[-1] + 1, number))
        numbers.append(number)
    return tuple(dict.fromkeys(numbers))


def _plain(style: str, match: re.Match[str], limit: int) -> Mark | None:
    numbers = expand(match["list"], limit)
    return Mark(style, numbers, *match.span()) if numbers else None


def _bracket(text: str, found: re.Match[str], limit: int) -> Mark | None:
    """Numbers in square brackets, but for intervals, equations and labelled compounds ("[18]F")."""
    before = text[max(0, found.start() - 24) : found.start()]
    if _EQUATION.search(before) or _JOINED_WORD.match(text, found.end()):
        return None
    mark = _plain("bracket", found, limit)
    if mark and len(mark.numbers) > 1 and _INTERVAL.search(before):
        return None
    if mark and len(mark.numbers) > 2 and _BASE.search(before):  # "45 [10–60]"
        return Mark("bracket", mark.numbers, mark.start, mark.end, doubtful=True)
    return mark


def _parens(text: str, limit: int) -> list[Mark | None]:
    """Numbers in round brackets, but for equations, counts, statistics and enumerations "(1) first, (2) second"."""
    marks: list[Mark | None] = []
    for found in _PAREN.finditer(text):
        mark = _plain("paren", found, limit)
        before = text[max(0, found.start() - 40) : found.start()]
        if mark and not found["lead"]:
            counts = _COUNTED.search(before) or _JOINED_WORD.match(text, found.end())
            one = len(mark.numbers) == 1 and _ENUMERATED_AFTER.search(before)
            if counts or (one and _WORD_FOLLOWS.match(text, mark.end)):
                mark = None
            elif _LIKELY_COUNTED.search(before):
                mark = Mark("paren", mark.numbers, mark.start, mark.end, doubtful=True)
        marks.append(mark)
    return marks


def _superscript(text: str, match: re.Match[str], limit: int) -> Mark | None:
    groups = match.groupdict()
    listed = next((groups[name] for name in ("list", "list2", "list3", "list4") if groups[name]), None)
    numbers = expand(listed or groups["raised"].translate(_LOWERED), limit)
    if not numbers or _is_other_superscript(text, match, numbers):
        return None
    return Mark("superscript", numbers, *match.span())


def _is_other_superscript(text: str, match: re.Match[str], numbers: tuple[int, ...]) -> bool:
    """True for exponents, isotopes and marks that open a note."""
    before = text[max(0, match.start() - 24) : match.start()]
    if not before.strip() or before.rstrip(" \t").endswith("\n") or _inside_formula(text, match):
        return True
    if len(numbers) > 1 or match.groupdict().get("in") or match.groupdict().get("in2"):
        return False
    if _POWER.search(before) or (
        numbers[0] <= 4 and any(pattern.search(before) for pattern in (_UNIT, _SYMBOL, _BRACKETED, _BASE))
    ):
        return True
    return _is_isotope(text, match, numbers[0], before)


def _inside_formula(text: str, match: re.Match[str]) -> bool:
    """True for a bare "^{2}" between the delimiters of a formula."""
    start = match.start()
    return bool(match["list2"]) and text.rfind("\\(", 0, start) > text.rfind("\\)", 0, start)


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


# Raised call-outs that lost their raising on the way from the page: "in mice 3, 4 .", "was seen.12 Later" ---

_FEWEST = 8  # references cited below which the count is no proof
_MOST = 20  # references in one place; more are a range of something else
_COVERED = 0.6  # of the list must be cited so
_COUNTING = 0.6  # of all such places must go on counting or cite again what was counted
_PLACE = re.compile(
    rf"(?<=[a-z]{{3}}|[a-z]{{2}}[)\]%”\"’])[ \n](?P<clause>{NUMBERS}\)?)(?=\s[.,;:)])"  # "in mice 3, 4 ."
    rf"|(?<=[^\W\d_]{{2}}[.,;])(?P<tight>{NUMBERS}\)?)(?=\s+[^\W\d_]{{2}}|\s*$)"  # "was seen.12 Later"
    rf"|(?<=[a-z)\]]\. )(?P<sentence>{NUMBERS})(?=\s+[A-Z][a-z]|\s*$)"  # "was seen. 12 Later"
    r"|(?<=[a-z]{4}, )(?P<listed>\d{1,3})(?=\s(?!and\b|or\b|mice\b|min)[a-z]{3})"  # "in mice, 12 rats and"
    rf"|(?<=[^\W\d_]{{4}})[ \n](?P<middle>\d{{1,3}}(?:\s?[,–-]\s?\d{{1,3}})+)(?=\s[^\W\d_])"  # "in mice 3–6 and"
    rf"|(?<=[^\W\d_]{{4}})[ \n](?P<single>\d{{1,3}})(?=\s(?:and|with|by|were|was|is|are|that|which|who|in|to)\s)"
)
_SLACK = 3  # numbers that a count may be ahead of a place that is believed for it
_POOR = re.compile(
    rf"(?<=[\w)\]])[ \n](?P<clause>{NUMBERS})(?=\s[.,;:)])"  # "of CDK2 22 ."
    rf"|(?<=[\w)][.,;])(?P<tight>{NUMBERS})(?=\s+[^\W\d_]|\s*$)"  # "(Figure 4).13 A"
    rf"|(?<=[a-z]{{5}})(?P<glued>{NUMBERS})(?=[\s.,;])"  # "cyanides14a and"
)
_LABELLED = re.compile(
    r"\b(?:figs?|figures?|tables?|eqs?|equations?|steps?|schemes?|compounds?|sections?|groups?|days?|weeks?|no|version|chapter"
    r"|chromosome|vol|of|in|for|at|to|from|between)\.?\s*$",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"\s[.,;:)]")
_COUNTED_BEFORE = re.compile(
    r"(?:\b(?:[Ff]igs?|[Ff]igures?|[Tt]ables?|[Ee]qs?|[Ee]quations?|[Ss]teps?|[Ss]cheme|[Cc]ompounds?|[Ss]ections?"
    r"|[Gg]roups?|[Dd]ays?|[Ww]eeks?|[Tt]ypes?|[Nn]o|[Vv]ersion|[Cc]hapter|[Rr]esidues?|[Cc]hromosome|[Pp]hase|[Ss]tage"
    r"|[Gg]rade|[Vv]ol|[Ff]rom|[Bb]etween|[Oo]f|[Ii]n|[Aa]t|[Tt]o|[Aa]ged?|[Ee]xon|[Ss]ample|[Cc]lusters?|[Cc]lass"
    r"|[Ss]chemes?|[Mm]edia|[Dd]erivatives?|[Aa]nalogu?es?|and|or|with|for|by|than|the|about|over|only|all|p[Hh])\.?)\s*$"
)


def flat_marks(texts: Sequence[str], limit: int) -> list[tuple[int, Mark]]:
    """Text number and mark of each call-out in 1..limit; none unless they count through the list in order.

    The numbers of any text that do not go on counting are left out.
    """
    found = [(host, mark) for host, text in enumerate(texts) for mark in _places(text, limit)]
    kept = [found[position] for position in following([mark.numbers for _, mark in found])]
    numbers = {number for _, mark in kept for number in mark.numbers}
    proven = (
        min(len(kept), len(numbers)) >= _FEWEST
        and len(numbers) >= _COVERED * max(numbers)
        and len(kept) >= _COUNTING * len(found)
    )
    if not proven:
        return []
    top = max(numbers)
    known = {(host, mark.start) for host, mark in kept}
    again = [(host, mark) for host, mark in found if (host, mark.start) not in known
             and max(mark.numbers) <= top and _closes(texts[host], mark)]  # fmt: skip
    kept = sorted([*kept, *again], key=_in_reading)
    return sorted([*kept, *_missed(texts, kept, limit)], key=_in_reading)


def _in_reading(placed: tuple[int, Mark]) -> tuple[int, int]:
    return placed[0], placed[1].start


def _missed(texts: Sequence[str], kept: Sequence[tuple[int, Mark]], limit: int) -> list[tuple[int, Mark]]:
    """Places too poor to be believed alone, whose number is one that the count passed over just there."""
    cited = {number for _, mark in kept for number in mark.numbers}
    missing = set(range(1, max(cited))) - cited
    added: list[tuple[int, Mark]] = []
    top, ahead = 0, iter([*kept, (len(texts), Mark("flat", (0,), 0, 0))])
    host_ahead, mark_ahead = next(ahead)
    for host, text in enumerate(texts):
        for place in _POOR.finditer(text):
            kind = place.lastgroup or ""
            while (host_ahead, mark_ahead.start) < (host, place.start(kind)):
                top = max(top, *mark_ahead.numbers)
                host_ahead, mark_ahead = next(ahead)
            numbers = expand(place[kind], limit)
            if (host_ahead, mark_ahead.start) == (host, place.start(kind)) or not missing.issuperset(numbers):
                continue
            near = numbers and top - _SLACK < min(numbers) and max(numbers) <= top + _SLACK
            if near and not _LABELLED.search(text[max(0, place.start(kind) - 16) : place.start(kind)]):
                added.append((host, Mark("flat", numbers, *place.span(kind))))
    return added


def _closes(text: str, mark: Mark) -> bool:
    """Whether a number ends a clause, where only a citation stands: it may be out of order."""
    return bool(_CLAUSE_END.match(text, mark.end)) or text[mark.start - 1] in ".,;"


def _places(text: str, limit: int) -> list[Mark]:
    marks = []
    for place in _PLACE.finditer(text):
        kind = place.lastgroup or ""
        numbers = expand(place[kind], limit)
        if 0 < len(numbers) <= _MOST and not _COUNTED_BEFORE.search(
            text[max(0, place.start(kind) - 16) : place.start(kind)]
        ):
            marks.append(Mark("flat", numbers, *place.span(kind)))
    return marks
