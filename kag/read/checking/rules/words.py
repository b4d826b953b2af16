"""A text as the rules read it: words, numbers with units, and marks, in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kag.read.checking.meaning import is_plain
from kag.read.checking.rules.lexicon import Phrase, stem
from kag.text.dates import MONTH, month_number
from kag.text.plain import plain
from kag.text.quantities import read_unit
from kag.text.search_text import search_text


@dataclass(frozen=True, slots=True)
class Word:
    """A word, number or mark; `text` as printed (dashes, quotes and LaTeX made even).

    `stem` is what words are compared by ("" of a mark). A number has its `value` and `unit` ("" without one, "%" for
    percent) in the first unit of its kind, `printed` and `printed_unit` as they stand there, and `spread`, what stands
    behind ±.
    """

    text: str
    stem: str
    value: float | None = None
    unit: str = ""
    spread: float | None = None
    printed: float = 0.0
    printed_unit: str = ""

    @property
    def is_mark(self) -> bool:
        """Whether it parts words and says nothing."""
        return not self.stem

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return self.value is not None

    @property
    def is_denial(self) -> bool:
        """Whether it is a plain word of denial."""
        return self.text.lower() in _DENIALS

    @property
    def is_year(self) -> bool:
        """Whether a number is read as a year."""
        return self.value is not None and not self.unit and self.text.isdigit() and 1500 <= self.value < 2100

    @property
    def carries(self) -> bool:
        """Whether it is a word that not any sentence may have."""
        plain_word = is_plain(self.stem) or is_plain(self.text.lower())
        return bool(self.stem) and self.value is None and not self.is_denial and not plain_word

    @property
    def is_name(self) -> bool:
        """Whether it is written like a name: with digits, or capitals inside."""
        return self.value is None and bool(re.search(r"\d|(?<=.)[A-Z]", self.text)) and any(map(str.isalpha, self.text))


_DENIALS = frozenset(["no", "not", "none", "nor", "neither", "never", "without", "cannot"])
_TOKEN = re.compile(
    r"(?P<name>10\.\d{4,9}/\S*\w|https?://\S*\w|\d+[A-Za-z]+\d[\w-]*|[A-Za-z]+-?\d[\w-]*|(?:[A-Z][A-Za-z]*-)+[A-Z\d][\w]*)"
    r"|(?P<number>(?<![\w.])(?:(?<![\d)\]%] )(?<![\w)\]%])[-+])?(?:\d+(?:\.\d+)?|\.\d+)"
    r"(?:\([\d]+\)(?!\w))?(?: ?x 10\^?[-+]?\d+|e[-+]?\d+)?)"
    r"|(?P<word>[^\W\d_]+(?:'[a-z]+)?)"
    r"|(?P<mark>\+/-|[.?!,;:()\[\]|<>=/\n]| - |\S)"
)
_STOP = re.compile(r"\.(?=\s|$)")
_LONGEST = 4  # words of a phrase
_AND_HALF = re.compile(r" and a half\b")
_MONTH = rf"(?P<month>{MONTH})"
_DATE = re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH}(?:,? (?P<year>\d{{4}}))?")
_DATE_US = re.compile(rf"{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,? (?P<year>\d{{4}}))?")
_DOLLARS = re.compile(r"\bUS ?\$ ?(?=\d)|\bUS(?=\d)|\bUS dollars?\b ?")
_VERSUS = re.compile(r"\bvs\.(?= )")
_ORDER = re.compile(r"\bNo\.(?=\d)")
_GLUED = re.compile(r"[^\W\d_]\w*")  # "89Zr" is a name
_POWER = re.compile(r" ?x 10\^?([-+]?\d+)|e([-+]?\d+)")
_SPREAD = re.compile(r"[ ]?\(?\+/-[ ]?(\d+(?:\.\d+)?)\)?")
_PERCENT = re.compile(r"[ -]?(?:%|percent\b|per cent\b|percentage points?\b)", re.I)
_SCALE = re.compile(r"[ -]?(hundred|thousand|million|billion|trillion)s?\b", re.I)
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_COUNTS = {word: float(value) for value, word in enumerate(_SMALL.split())}
_COUNTS |= {word: value * 10.0 for value, word in enumerate(_TENS.split(), start=2)} | {"dozen": 12.0}
_COMPOUND = re.compile(rf"({_TENS.replace(' ', '|')})-({'|'.join(_SMALL.split()[1:10])})\b", re.I)  # "twenty-five"
_FOLD = re.compile(rf"({'|'.join(_COUNTS)})[ -]?fold")
_ORDINALS = {"third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4, "fifth": 5, "fifths": 5, "tenths": 10}
_THIRDS = re.compile(rf"({'|'.join(_COUNTS)})[ -]({'|'.join(_ORDINALS)})\b", re.I)
_PARTS = {"half": 50.0, "third": 100 / 3, "fifth": 20.0, "quarter": 25.0}
_OF_ALL = re.compile(rf"({'|'.join(_COUNTS)}) (?:in|out of)(?: every)? ({'|'.join(_COUNTS)})\b(?! ?%| per ?cent)", re.I)
_IN_DIGITS = re.compile(r"(\d{1,2}) (?:in|out of)(?: every)? (\d{1,3})(?= (?!mm|min|days?\b)[a-z]{4})")
_ONE = re.compile(r"[ -](?:of|in|out|second|minute|hour|day|week|month|year)\b")  # behind "one" that is no pronoun
_MULTIPLES = {"twice": 2.0, "doubled": 2.0, "doubling": 2.0, "thrice": 3.0, "tripled": 3.0, "tripling": 3.0}
_MULTIPLES |= {"halved": 0.5, "halving": 0.5}
_TIMES = {"d": "day", "wk": "week", "mo": "month", "a": "year"}
_PER_TIME = re.compile(r"\.(d|wk|mo|a)-1(?=\.|$)")
_KIN = {  # units to the first of their kind
    "km": ("m", 1e3), "cm": ("m", 1e-2), "mm": ("m", 1e-3), "um": ("m", 1e-6), "nm": ("m", 1e-9),
    "kg": ("g", 1e3), "mg": ("g", 1e-3), "ug": ("g", 1e-6), "ng": ("g", 1e-9),
    "mL": ("L", 1e-3), "uL": ("L", 1e-6),
    "h": ("s", 3600.0), "min": ("s", 60.0), "ms": ("s", 1e-3), "d": ("s", 86400.0), "wk": ("s", 604800.0),
    "mo": ("a", 1 / 12),
}  # fmt: skip


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[Word, ...]:
    """The words, numbers and marks of a text in plain words or Markdown.

    >>> [(word.stem, word.value, word.unit) for word in words("Twelve mice ran 3.1 m/s")]
    [('12', 12.0, ''), ('mice', None, ''), ('run', None, ''), ('3.1', 3.1, 'm.s-1')]
    """
    form = search_text(plain(_VERSUS.sub("vs", _ORDER.sub("No. ", _DOLLARS.sub("USD ", text)))), fold_case=False).text
    found: list[Word] = []
    at = 0
    while match := _TOKEN.search(form, at):
        word, at = _read(form, match)
        found.append(word)
    return tuple(_with_times(map(_in_first_unit, _with_shared_units(found))))


def _read(form: str, match: re.Match[str]) -> tuple[Word, int]:
    """The word that a match begins, and where it ends."""
    text, end = match[0], match.end()
    if dated := _DATE.match(form, match.start()) or _DATE_US.match(form, match.start()):
        return _date(dated), dated.end()
    if match["number"]:
        if (part := _IN_DIGITS.match(form, match.start())) and 0 < int(part[1]) < int(part[2]):
            value = 100.0 * int(part[1]) / int(part[2])
            return Word(part[0], f"{value:.1f}", value, "%"), part.end()
        return _number(form, match.start(), match.end(), _value(text))
    if match["word"]:
        return _in_words(form, match)
    if match["name"]:
        return Word(text, re.sub(r"[\W_]+", "", text).lower()), end
    return Word(text.strip() or text, ""), end


def _in_words(form: str, match: re.Match[str]) -> tuple[Word, int]:
    """A word, or the number that it or it with the next ones says."""
    text, end = match[0], match.end()
    low = text.lower()
    if fold := _FOLD.fullmatch(low):
        return Word(text, f"{_COUNTS[fold[1]]:.15g}", _COUNTS[fold[1]], "x"), end
    if thirds := _THIRDS.match(form, match.start()):
        value = 100.0 * _COUNTS[thirds[1].lower()] / _ORDINALS[thirds[2].lower()]
        return Word(thirds[0], f"{value:.1f}", value, "%"), thirds.end()
    if (part := _OF_ALL.match(form, match.start())) and _COUNTS[part[1].lower()] < _COUNTS[part[2].lower()]:
        value = 100.0 * _COUNTS[part[1].lower()] / _COUNTS[part[2].lower()]  # "one in five"
        return Word(part[0], f"{value:.1f}", value, "%"), part.end()
    if both := _COMPOUND.match(form, match.start()):
        return _number(form, match.start(), both.end(), _COUNTS[both[1].lower()] + _COUNTS[both[2].lower()])
    if low in _COUNTS and (half := _AND_HALF.match(form, end)):
        return _number(form, match.start(), half.end(), _COUNTS[low] + 0.5)
    if low in _COUNTS and not (low == "one" and not _ONE.match(form, end)):
        return _number(form, match.start(), end, _COUNTS[low])
    if low in _MULTIPLES:
        return Word(text, str(_MULTIPLES[low]), _MULTIPLES[low], "x"), end
    if low in _PARTS and re.match(r" (?:of|the|as)\b", form[end : end + 5]):
        return Word(text, str(round(_PARTS[low], 1)), _PARTS[low], "%"), end
    return Word(text, stem(text)), end


def _date(match: re.Match[str]) -> Word:
    """A day as a number that dates compete by: year, month and day in digits."""
    month = month_number(match["month"])
    value = float(f"{match['year'] or 0}{month:02}{int(match['day']):02}")
    return Word(
        match[0], f"{match['day']} {month} {match['year'] or ''}", value, "date", printed=value, printed_unit="date"
    )


def _value(text: str) -> float:
    power = _POWER.search(text)
    number = float(re.sub(r"\(\d+\)$", "", text[: power.start()] if power else text))
    exponent = int(power[1] or power[2]) if power else 0
    return number * 10.0**exponent if abs(exponent) < 300 else number


def _number(form: str, start: int, end: int, value: float) -> tuple[Word, int]:
    """A number, from `start` to `end`, with its scale, what stands behind ±, and its unit."""
    text = form[start:end]
    if scaled := _SCALE.match(form, end):
        value, end = value * _SCALES[scaled[1].lower()], scaled.end()
    spread = _SPREAD.match(form, end)
    end = spread.end() if spread else end
    unit = ""
    if percent := _PERCENT.match(form, end):
        unit, end = "%", percent.end()
    elif fold := re.compile(r"[ -]?(?:fold|times)\b").match(form, end):
        unit, end = "x", fold.end()
    else:
        blank = re.compile(r"[ -]?(?=[A-Za-zµ°Å])").match(form, end)
        read = read_unit(_STOP.sub(" ", form), blank.end(), exact=spread is not None or "." in text) if blank else None
        if read and not form[read[1] : read[1] + 1].isalpha():
            unit, end = read[0].canonical, read[1]
    if not unit and (glued := _GLUED.match(form, end)):
        return Word(form[start : glued.end()], form[start : glued.end()].lower()), glued.end()
    return Word(text, f"{value:.15g}", value, unit, float(spread[1]) if spread else None), end


def _in_first_unit(word: Word) -> Word:
    """A number in the first unit of its kind: 0.5 kg are 500 g."""
    base, factor = _KIN.get(word.unit, (_even(word.unit), 1.0))
    if word.value is None:
        return word
    spread = word.spread if word.spread is None else word.spread * factor
    value, unit = word.value, word.unit
    return replace(word, value=value * factor, unit=base, spread=spread, printed=value, printed_unit=unit)


def _with_times(found: Iterable[Word]) -> Iterator[Word]:
    """Numbers whose unit ends with a time of the calendar, with that as words: "2 kg/week" is "2 kg per week"."""
    for word in found:
        time = _PER_TIME.search(word.printed_unit) if word.is_number else None
        if not time or not time.start():
            yield word
            continue
        bare, name = word.printed_unit[: time.start()] + word.printed_unit[time.end() :], _TIMES[time[1]]
        yield _in_first_unit(replace(word, unit=bare, value=word.printed))
        yield from (Word("per", "per"), Word(name, stem(name)))


def _even(unit: str) -> str:
    """A unit with its parts run together: "ms⁻¹" is printed for metres a second."""
    return "m.s-1" if unit == "ms-1" else unit


def _with_shared_units(found: list[Word]) -> Iterator[Word]:
    """Numbers that stand before "and", "to" or a comma and another number have its unit: "45 and 31 %"."""
    for at, word in enumerate(found):
        if word.is_number and not word.unit and not word.is_year:
            then = _next_number(found, at)
            if then and then.unit and (then.unit != "x" or found[at + 1].text in ("to", "-", "or")):
                yield replace(word, unit=then.unit)
                continue
        yield word


def _next_number(found: list[Word], at: int) -> Word | None:
    """The last number of a list of numbers that goes on behind this one; commas alone make none."""
    last, joined = None, False
    while at + 2 < len(found) and found[at + 1].text in ("and", "to", "-", ",", "or", "vs", "versus", "instead"):
        pair = (found[at + 1].text, found[at + 2].text)
        step = 3 if pair in ((",", "and"), ("instead", "of")) and at + 3 < len(found) else 2
        if not found[at + step].is_number:
            break
        joined |= found[at + 1].text != "," or step > 2
        last, at = found[at + step], at + step
        if last.unit:
            break
    return last if joined else None


def phrases_at(text: Sequence[Word], at: int, table: Mapping[Phrase, object], *, stems: bool) -> Phrase:
    """The longest phrase of a table that begins here, by stems or by the very words; empty where none does."""
    said = tuple((word.stem if stems else word.text.lower()) for word in text[at : at + _LONGEST])
    return next((said[:length] for length in range(len(said), 0, -1) if said[:length] in table), ())


def has_near(text: Sequence[Word], phrases: frozenset[Phrase]) -> bool:
    """Whether any of these phrases stands in a text, by the very words."""
    table = dict.fromkeys(phrases)
    return any(phrases_at(text, at, table, stems=False) for at in range(len(text)))
