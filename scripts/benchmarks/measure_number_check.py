"""Measures the number check on true and false claims about numbers, in other words than their quotes.

    python -m scripts.benchmarks.measure_number_check RUNS [--each 200] [--seed 1] [--show]

Claims are made from sentences with a number and a unit, and from sentences with two counts, by devices that the check
does not know of: unit words, number words, ranges, other units, separators, e-notation, rounding, sums, differences,
shares. False ones have a changed digit, another unit, or a wrong result. Two numbers exchanged are counted apart: they
are printed, so that only a judge can tell.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

from kag.core.evidence import Claim
from kag.qa.checking.claim_check import machine_verdict
from kag.qa.library import Library, open_library
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence
from kag.text.plain import plain
from kag.text.sentences import sentences

NAMES = {
    "kg": "kilograms", "g": "grams", "mg": "milligrams", "cm": "centimetres", "mm": "millimetres", "m": "metres",
    "km": "kilometres", "mL": "millilitres", "ml": "millilitres", "h": "hours", "min": "minutes", "s": "seconds",
    "%": "per cent", "°C": "degrees Celsius", "days": "days", "weeks": "weeks", "months": "months", "years": "years",
    "Hz": "hertz", "V": "volts", "nm": "nanometres", "ms": "milliseconds",
}  # fmt: skip
SMALLER = {
    "kg": ("g", 1000), "g": ("mg", 1000), "cm": ("mm", 10), "km": ("m", 1000), "h": ("min", 60), "m": ("cm", 100),
}  # fmt: skip
OTHER = {
    "kg": "km", "g": "mL", "mg": "kg", "cm": "nm", "mm": "km", "km": "kg", "m": "kg", "mL": "kg", "ml": "kg",
    "h": "days", "min": "h", "s": "min", "%": "°C", "°C": "%", "days": "h", "weeks": "days", "months": "days",
    "years": "days", "Hz": "V", "V": "Hz", "nm": "mm", "ms": "h",
}  # fmt: skip
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
WORDS = dict(enumerate(_WORDS))
_UNITS = "|".join(sorted(map(re.escape, NAMES), key=len, reverse=True))
_MEASURED = re.compile(rf"(?<![\w.,–-])(\d+(?:\.\d+)?)\s?({_UNITS})(?![\w/^⁻-]| \w{{1,3}}⁻)")
_COUNT = re.compile(r"(?<![\w.,/–-])(\d{2,5})(?= (?:[a-z]{4,}))(?! (?:per|months|years|days|weeks|hours|minutes))")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path)
    parser.add_argument("--each", type=int, default=200, help="true claims, and false ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what is judged wrongly")
    given = parser.parse_args()
    random, library = Random(given.seed), open_library(given.runs)
    made = [one for name in library for one in _claims(library[name], random)]
    random.shuffle(made)
    for kind in ("true", "false", "exchanged"):
        chosen = [one for one in made if one[0] == kind][: given.each]
        _tell(kind, chosen, library, show=given.show and kind != "exchanged")


def _tell(kind: str, chosen: list[tuple[str, str, Claim]], library: Library, *, show: bool) -> None:
    counts, wrong = Counter[str](), Counter[str]()
    for _, device, claim in chosen:
        verdict = machine_verdict(claim, library)
        undecided = verdict is not None and verdict.status == "undecided"
        counts[device] += 1
        if undecided == (kind == "true"):
            wrong[device] += 1
            if show:
                print(f"  {kind}, {device}: {claim.text} <- {claim.evidence[0].quote[:200]!r}")
    name = "undecided" if kind == "true" else "passed"
    total = len(chosen)
    print(f"{kind}: {total} claims, {name} {wrong.total()} ({wrong.total() / max(total, 1):.3f})")
    print("  " + ", ".join(f"{device} {wrong[device]}/{count}" for device, count in sorted(counts.items())))


def _claims(paper: PaperGraph, random: Random) -> Iterator[tuple[str, str, Claim]]:
    for node in paper.of_kind("Paragraph", "Caption"):
        for start, end in sentences(node.text):
            text = plain(node.text[start:end])
            measured = [(match[1], match[2]) for match in _MEASURED.finditer(text)]
            counts = list(dict.fromkeys(match[1] for match in _COUNT.finditer(text)))
            made = [*_of_measures(measured, random), *_of_counts(counts, random)]
            for kind, device, words in random.sample(made, min(len(made), 4)):
                yield kind, device, Claim(words, (evidence(paper, node.iri, start, end),))


def _of_measures(measured: list[tuple[str, str]], random: Random) -> Iterator[tuple[str, str, str]]:
    for number, unit in measured:
        yield "true", "unit word", f"The paper gives it as {number} {NAMES[unit]}."
        yield "false", "changed digit", f"The paper gives it as {_other_digit(number, random)} {NAMES[unit]}."
        yield "false", "changed unit", f"The paper gives it as {number} {NAMES[OTHER[unit]]}."
        if number.isdigit() and int(number) in WORDS:
            yield "true", "number word", f"It took {WORDS[int(number)]} {NAMES[unit]}."
            yield "false", "number word", f"It took {WORDS[(int(number) + 3) % 12]} {NAMES[unit]}."
        if unit in SMALLER:
            name, factor = SMALLER[unit]
            yield "true", "other unit", f"That is {float(number) * factor:g} {name}."
            yield "false", "other unit", f"That is {float(number) * factor * 10:g} {name}."
        if float(number) >= 10 and "." in number:
            yield "true", "rounded", f"It was about {round(float(number))} {unit}."
            yield "false", "rounded", f"It was about {round(float(number) * 1.4) + 3} {unit}."
        if float(number) > 0:
            yield "true", "e-notation", f"It was {float(number):.6e} {unit}."
    for (a, first), (b, second) in pairwise(measured):
        if first == second and a != b:
            yield "true", "range", f"It ranged from {a} to {b} {NAMES[first]}."
            yield "exchanged", "exchanged", f"It was {b} {first} first and {a} {first} later."
            yield "true", "difference", f"The difference is {abs(float(a) - float(b)):.6g} {NAMES[first]}."
            yield "false", "difference", f"The difference is {abs(float(a) - float(b)) * 1.7 + 1.3:.4g} {NAMES[first]}."


def _of_counts(counts: list[str], random: Random) -> Iterator[tuple[str, str, str]]:
    if len(counts) >= 2:
        a, b = sorted(map(int, counts[:2]))
        if 0 < a < b:
            yield "true", "sum", f"Together there were {a + b:,}."
            yield "false", "sum", f"Together there were {a + b + 7:,}."
            yield "true", "share", f"The share is {100 * a / b:.1f} per cent."
            yield "false", "share", f"The share is {100 * a / b + 4.3:.1f} per cent."
    for number in counts:
        if len(number) > 3:
            yield "true", "separator", f"In all {int(number):,} were counted."
        yield "false", "changed digit", f"In all {int(_other_digit(number, random)):,} were counted."


def _other_digit(number: str, random: Random) -> str:
    at = random.choice([place for place, char in enumerate(number) if char.isdigit()])
    digit = random.choice([one for one in "123456789" if one != number[at]])
    return number[:at] + digit + number[at + 1 :]


if __name__ == "__main__":
    main()
