"""Measured values in text: where they are printed, and what they say.

A number counts when the print says that something was measured or computed: a unit, a bound, an uncertainty, a
range, a power of ten, decimals, a "=". Bare whole numbers, call-outs, figure numbers, identifiers, isotopes, dates
and years are left out: missing rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kag.text.dates import MONTH
from kag.text.quantities.parsing import Quantity, Reading
from kag.text.quantities.units import is_unit
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
    found: list[Quantity] = []
    start = 0
    for border in (*(match.start() for match in _SENTENCE.finditer(text)), len(text)):
        if _DIGIT.search(text, start, border) and _WORTH.search(text, start, border):
            found += _in_sentence(text[start:border], start)
        start = border
    return tuple(found)


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
    """Whether a whole number stands alone, so that a closer look is in vain: most numbers of a paper do."""
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
    """Whether what stands around a number says that it measures nothing."""
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
