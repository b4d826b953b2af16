"""Claims altered in fixed ways, right and wrong, so that every rule has something to say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from kag.evaluate.claims.sets import Case
from kag.values.verdict import Quote

TURNED = {
    "higher": "lower", "more": "less", "most": "least", "increased": "decreased", "rose": "fell", "longest": "shortest",
    "largest": "smallest", "before": "after", "all": "some", "better": "worse", "always": "sometimes", "only": "also",
    "first": "last", "above": "below", "faster": "slower", "strongest": "weakest", "with": "without", "both": "neither",
}  # fmt: skip
UNITS = {"days": "hours", "%": " g", "h": "min", "km": "m", "°C": "K", "MBq": "kBq", "m": "mm", "J": "kJ", "mg": "µg"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_VERB = re.compile(r"\b(was|were|is|are|had|did|can|could|may|has|have)\b")


def _denied(text: str) -> str:
    return _VERB.sub(r"\1 not", text, count=1)


def _raised(text: str) -> str:
    return _NUMBER.sub(lambda match: str(float(match[0]) * 2 + 1).removesuffix(".0"), text, count=1)


def _exchanged(text: str) -> str:
    found = _NUMBER.findall(text)
    if len(set(found)) < 2:
        return text
    one, other = found[0], next(number for number in found if number != found[0])
    return re.sub(rf"\b(?:{one}|{other})\b", lambda match: other if match[0] == one else one, text)


def _turned(text: str) -> str:
    both = {**TURNED, **{value: key for key, value in TURNED.items()}}
    return re.sub(r"[a-z]+", lambda match: both.get(match[0], match[0]), text)


def _hedged(text: str) -> str:
    return re.sub(r"\b(?:was|were|is|are)\b", "may be", text, count=1)


def _other_unit(text: str) -> str:
    return re.sub(
        r"(?<=\d)( ?)(days|%|km|h|m|°C|MBq|J|mg)(?!\w)", lambda match: match[1] + UNITS[match[2]], text, count=1
    )


def _in_halves(text: str) -> str:
    """The second half of a sentence before its first."""
    words = text.rstrip(".").split()
    at = len(words) // 2
    return " ".join([*words[at:], "and", *words[:at]]) + "."


def _of_all(text: str) -> str:
    return f"In all cases {text[:1].lower()}{text[1:]}"


WAYS: dict[str, Callable[[str], str]] = {
    "denied": _denied, "raised": _raised, "exchanged": _exchanged, "turned": _turned, "hedged": _hedged,
    "other unit": _other_unit, "in halves": _in_halves, "of all": _of_all,
}  # fmt: skip


def altered(cases: list[Case]) -> Iterator[tuple[str, Case]]:
    """Each case with its claim altered in two of the ways, its quote denied, and the one in the place of the other."""
    ways = list(WAYS.items())
    for number, case in enumerate(cases):
        for name, way in (ways[number % len(ways)], ways[(number // len(ways) + 3) % len(ways)]):
            claim = way(case.claim)
            if claim != case.claim:
                yield f"{case.name} {name}", replace(case, claim=claim)
        if case.quotes and not case.quotes[0].cells:
            quote = case.quotes[0]
            yield f"{case.name} quote denied", replace(case, quotes=(replace(quote, text=_denied(quote.text)),))
            yield f"{case.name} other way", replace(case, claim=quote.text, quotes=(Quote(case.claim),))
