"""One measured value, read from its first number on: sign, bound, ± or range, power of ten, unit, interval."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite

from kag.text.quantities.units import Unit, read_unit
from kag.text.search_text import SearchText


@dataclass(frozen=True, slots=True)
class Quantity:
    """A measured value; `text[start:end] == surface`.

    `value` is the number, `low` and `high` the ends of its range or confidence interval; a range has no value. All
    include the power of ten, which is also told as `factor`. `bound` is one of "<", "<=", ">", ">=", "~" or empty.
    `uncertainty` is what stands behind ±, or in brackets: its kind is "±", "sd", "se", "digits" ("1.23(4)"), or "ci"
    when low and high are a confidence interval. `unit` is printed, `unit_canonical` and `unit_iri` say which it is.
    """

    surface: str
    start: int
    end: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    bound: str = ""
    uncertainty: float | None = None
    uncertainty_kind: str = ""
    factor: float = 1.0
    unit: str = ""
    unit_canonical: str = ""
    unit_iri: str = ""


_DIGITS = r"(?:\d++(?:\.\d++)?+|\.\d++)"
_NUMBER = re.compile(
    rf"(?:(?P<sign>[-+])[ ]?(?=[\d.]))?(?P<number>{_DIGITS})(?P<digits>\(\d{{1,3}}\)(?![A-Za-z\d]))?"
    r"(?P<power>[eE][+-]?\d{1,3}(?!\d)|[ ]?x[ ]10(?:\^[+-]?|[+-])\d{1,3}(?!\d)|\^[+-]?\d{1,3}(?!\d))?"
)
_PLUS_MINUS = re.compile(r"[ ]?\+/-[ ]?")
_RANGE = re.compile(r"[ ]?(?:--?|~|\bto\b|\bto[ ]about\b|\bthrough\b)[ ]?(?=[-+]?\.?\d)")
_AND = re.compile(r"[ ]and[ ](?=[-+]?\.?\d)")
_POWER = re.compile(r"(?P<close>[ ]?\))?[ ]?x[ ]10\^?(?P<exponent>[+-]?(?<=[-+^])\d{1,3})(?!\d)")
_MAGNITUDE = re.compile(r"[ -](?P<word>thousand|million|billion|trillion)\b")
_MAGNITUDES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_ERROR_OF = re.compile(r"[ ]?[(]?\b(?:stat|syst|sys|exp|theor|theo|th|mod|lumi)\w*\b\.?[)]?")
_PARTS_OF_TIME = re.compile(
    r"(?P<h>\d{1,3})[ ]?h(?:rs?|ours?)?[ ]?(?P<min>\d{1,2})[ ]?m(?:ins?|inutes?)?(?![A-Za-z\d])"
)
_OPEN = re.compile(r"\([ ]?$")
_KIND = re.compile(r"[ ]?\(?(?:(?P<sd>S\.?D\b\.?|standard deviation)|(?P<se>S\.?E\.?(?:M\b\.?)?(?!\w)|standard error))")
_SPREAD = re.compile(rf"[ ]\((?:(?P<sd>SD|s\.d\.)|(?P<se>SEM?|s\.e\.m?\.?))[ :=]{{0,2}}(?P<number>{_DIGITS})[ ]?%?\)")
_INTERVAL = re.compile(
    r"[ ]?[,;]?[ ]?[(\[]?(?:\d\d(?:\.\d)?[ ]?%[ ]?)?(?:CI|[Cc]onfidence [Ii]nterval|C\.I\.)"
    r"(?:[ ]?[:=,]|[ ]of)?[ ]?[(\[]?[ ]?"
    rf"(?P<low>[-+]?{_DIGITS})[ ]?%?[ ]?(?:-|to|,|;)[ ]?(?P<high>[-+]?{_DIGITS})(?!\d)[ ]?%?"
)
_SIGN = re.compile(r"(?:<=|>=|<|>|~|=)[ ]?$")
_LAST_WORD = re.compile(r"([A-Za-z]+\.?)[ ]$")
_BOUND = re.compile(
    r"\b(?:(?P<ge>at least|no less than|minimum of)|(?P<le>at most|up to|no more than|maximum of)"
    r"|(?P<gt>more than|greater than|over|exceeding|above|higher than|larger than)"
    r"|(?P<lt>less than|fewer than|below|under|lower than|smaller than)"
    r"|(?P<about>approximately|approx\.|about|around|ca\.|circa|nearly|roughly|c\.))[ ]$",
    re.I,
)
_BOUND_ENDS = frozenset((
    "least", "than", "of", "most", "to", "over", "exceeding", "above", "below", "under", "approximately", "approx.",
    "about", "around", "ca.", "circa", "nearly", "roughly", "c.",
))  # fmt: skip
_WORDED = {"ge": ">=", "le": "<=", "gt": ">", "lt": "<", "about": "~"}
_BETWEEN = re.compile(r"\bbetween[ ]$", re.I)
_GLUED_SIGN = re.compile(r"[\w)\]%+/-]$")
_NAMES_INTERVAL = re.compile(r"[ ]?(?:CI\b|C\.I|[Cc]onfidence|[Cc]redib|HPD|HDI)")
_INITIALS = re.compile(r"\.[A-Z]")
_NEEDS_NUMBER = re.compile(r"(?:\b(?:at|above|below|to|of|from|than|about|around|near|under)|[=<>~(])[ ]?$")
_HYPHENED = re.compile(r"[ ]?(?:-(?=[A-Za-z]))?")


class Reading:
    """Reads one quantity from its first number on: sign, bound, ± or range, power of ten, unit, interval.

    `alone` says that the text is to hold nothing else, so that no sign at its beginning belongs to words before it.
    """

    def __init__(self, form: SearchText, at: int, floor: int, alone: bool = False) -> None:
        self.form, self.text = form, form.text
        sign = self._sign(at, floor, alone)
        self.number_at = at - sign
        first = _NUMBER.match(self.text, self.number_at)
        self.parsed = first is not None
        self.begin = self.end = self.number_at
        self.values: list[float] = []
        self.bound = self.kind = ""
        self.uncertainty: float | None = None
        self.interval: tuple[float, float] | None = None
        self.factor, self.scale = 1.0, 1.0
        self.unit: Unit | None = None
        self.unit_at = (0, 0)
        self.ranged = self.equals = False
        if first:
            self._prefix(floor)
            self._numbers(first)
            self.parsed = self.parsed and self._finite()

    def _sign(self, at: int, floor: int, alone: bool) -> int:
        """Return the distance of the number's sign before it, 0 without one; it is separate only where a number must
        follow."""
        for gap in (1, 2):
            place = at - gap
            if place >= floor and self.text[place] in "+-" and self.text[place + 1 : at] in ("", " "):
                if alone and not self.text[:place].strip(" (["):
                    return gap
                before = (self.text, max(0, place - 8), place)
                return gap * bool(_NEEDS_NUMBER.search(*before) if gap == 2 else not _GLUED_SIGN.search(*before))
        return 0

    # reading ----------------------------------------------------------------------------------

    def _prefix(self, floor: int) -> None:
        start = max(floor, self.number_at - 24)
        before = self.text[start : self.number_at].removesuffix("(")
        sign = _SIGN.search(before, max(0, len(before) - 3))
        self.equals = sign is not None and sign[0][0] == "="
        if sign and not self.equals:
            self.bound, self.begin = sign[0].strip(), start + sign.start()
        word = None if sign else _LAST_WORD.search(before)
        worded = _BOUND.search(before) if word and word[1].lower() in _BOUND_ENDS else None
        if worded:
            self.bound, self.begin = _WORDED[worded.lastgroup or ""], start + worded.start()

    def _numbers(self, first: re.Match[str]) -> None:
        if self._parts_of_time():
            return
        self._take(first)
        if first["digits"]:
            self.kind, self.uncertainty = "digits", self._last_digits(first)
        self._unit()
        plus_minus = _PLUS_MINUS.match(self.text, self.end)
        if plus_minus and (second := _NUMBER.match(self.text, plus_minus.end())):
            self._spread(second)
        else:
            self._range()
        self._power()
        self._magnitude()
        if self.unit is None:
            self._unit()
        self._behind()

    def _parts_of_time(self) -> bool:
        """Hours and minutes as one time, in minutes: "1h30min"."""
        parts = _PARTS_OF_TIME.match(self.text, self.number_at)
        found = read_unit("min", 0, exact=False) if parts else None
        if parts is None or found is None:
            return False
        self.values.append(60.0 * int(parts["h"]) + int(parts["min"]))
        self.decimal, self.end = False, parts.end()
        self.unit, self.unit_at = found[0], (parts.end("min"), parts.end())
        return True

    def _magnitude(self) -> None:
        """A magnitude in words behind a number or a range, which holds for both ends: "10 to 20 thousand years"."""
        match = _MAGNITUDE.match(self.text, self.end) if self.factor == 1 and self.unit is None else None
        if match:
            self.factor = self.scale = _MAGNITUDES[match["word"]]
            self.end = match.end()

    def _take(self, match: re.Match[str]) -> None:
        number, power = match["number"], (match["power"] or "").strip()
        self.end = match.end()
        if power.startswith("^"):
            if number != "10":
                self.end = match.end("number")  # a call-out or a power that nobody measured
            else:
                number, power = "1", "e" + power[1:]
        exponent = power.removeprefix("x 10").lstrip("^eE") if power[:1] != "^" else ""
        self.factor = float(f"1e{exponent}") if exponent else 1.0
        self.values.append(float(f"{match['sign'] or ''}{number}e{exponent or 0}"))
        self.decimal = "." in number

    def _last_digits(self, match: re.Match[str]) -> float:
        places = len(match["number"].partition(".")[2])
        return float(f"{match['digits'].strip('()')}e-{places}") * self.factor

    def _unit(self) -> None:
        gap = _HYPHENED.match(self.text, self.end)
        at = gap.end() if gap else self.end
        found = read_unit(self.text, at, exact=self.decimal or self.factor != 1)
        if not found:
            return
        unit, end = found
        letter = end - at == 1 and unit.canonical.isalpha() and not self.decimal
        short = letter and (not gap or gap[0] != " ")
        if (short and not 10 <= abs(self.values[-1]) < 1000) or (letter and _INITIALS.match(self.text, end)):
            return  # "2d", "3h", "1990s" and "U.S." are none
        self.unit, self.unit_at, self.end = unit, (at, end), end

    def _spread(self, second: re.Match[str]) -> None:
        """Read ± and the value behind it; a unit before it must be repeated, or be there only."""
        unit, at = self.unit, self.unit_at
        self._take(second)
        self.uncertainty, self.kind = abs(self.values.pop()), "±"
        self._other_errors()
        self.unit = None
        self._unit()
        if unit and not self.unit:
            self.unit, self.unit_at = unit, at
        named = _KIND.match(self.text, self.end)
        if named:
            self.kind = "sd" if named["sd"] else "se"

    def _other_errors(self) -> None:
        """Further errors behind the first, and what they are of: "± 0.021 (stat.) ± 0.013 (syst.)"."""
        while True:
            named = _ERROR_OF.match(self.text, self.end)
            end = named.end() if named else self.end
            sign = _PLUS_MINUS.match(self.text, end)
            error = _NUMBER.match(self.text, sign.end()) if sign else None
            if named or error:
                self.end = error.end() if error else end
            if not error:
                return

    def _range(self) -> None:
        between = _BETWEEN.search(self.text, max(0, self.number_at - 8), self.number_at)
        mark = (_AND if between else _RANGE).match(self.text, self.end)
        second = _NUMBER.match(self.text, mark.end()) if mark else None
        if second is None or (mark and mark[0] == "-" and second["sign"]):
            return
        kept = self.unit, self.unit_at, self.end, self.factor, self.decimal
        self.unit = None
        self._take(second)
        self._unit()
        same = not kept[0] or (self.unit and self.unit.canonical == kept[0].canonical)
        scaled = self.values[0] if kept[3] != 1 or self.factor == 1 else self.values[0] * self.factor
        if same and scaled < self.values[1]:
            self.values[0] = scaled
            self.ranged = True
            self.begin = between.start() if between else self.begin
            return
        self.values.pop()
        self.unit, self.unit_at, self.end, self.factor, self.decimal = kept
        self.parsed = self.unit is not None  # "10-5" and dates are no values

    def _power(self) -> None:
        """A power of ten behind what it holds for: "(3.4 ± 0.2) × 10⁵"."""
        match = _POWER.match(self.text, self.end)
        if match is None or self.factor != 1:
            return
        if match["close"]:
            opened = _OPEN.search(self.text, max(0, self.begin - 2), self.begin)
            if opened is None:
                return
            self.begin = opened.start()
        self.factor = self.scale = float("1e" + match["exponent"])
        self.end = match.end()

    def _finite(self) -> bool:
        """Whether a float can hold each number: some are printed with hundreds of digits."""
        numbers = (*self.values, self.uncertainty or 0.0)
        return all(isfinite(value * self.scale) for value in numbers) and all(map(isfinite, self.interval or ()))

    def _behind(self) -> None:
        spread = _SPREAD.match(self.text, self.end)
        interval = None if spread else _INTERVAL.match(self.text, self.end)
        if spread and self.uncertainty is None:
            self.uncertainty, self.kind = float(spread["number"]), "sd" if spread["sd"] else "se"
            self.end = spread.end()
        elif interval and not self.ranged and not _NAMES_INTERVAL.match(self.text, self.end):
            low, high = float(interval["low"]), float(interval["high"])
            if low <= self.values[0] <= high:
                closed = "(" in interval[0] and self.text[interval.end() : interval.end() + 1] in (")", "]")
                self.interval, self.kind, self.end = (low, high), self.kind or "ci", interval.end() + closed

    # judging ----------------------------------------------------------------------------------

    def evidence(self) -> bool:
        return bool(
            self.bound or self.equals or self.uncertainty is not None or self.interval or self.factor != 1 or self.unit
        )

    def measured(self) -> bool:
        return self.evidence() or self.ranged or self.decimal

    def share_of_interval(self) -> bool:
        """True for the "95 %" of a confidence interval."""
        return bool(self.unit and self.unit.canonical == "%" and _NAMES_INTERVAL.match(self.text, self.end))

    def quantity(self, shift: int = 0) -> Quantity:
        """Return the quantity; `shift` is the start of the text that was read."""
        start, end = self.form.span(self.begin, self.end)
        values = [value * self.scale for value in self.values]
        low, high = self.interval or ((values[0], values[1]) if self.ranged else (None, None))
        printed = self.form.span(*self.unit_at) if self.unit else (0, 0)
        return Quantity(
            self.form.source[start:end],
            start + shift,
            end + shift,
            None if self.ranged else values[0],
            low,
            high,
            self.bound,
            None if self.uncertainty is None else self.uncertainty * self.scale,
            self.kind,
            self.factor,
            self.form.source[slice(*printed)],
            self.unit.canonical if self.unit else "",
            self.unit.iri if self.unit else "",
        )
