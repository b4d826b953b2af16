"""Claims that say a quote word for word but for what it denies: wherever the "not" stands, they say something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.parts import Sides
from kag.read.checking.rules.reach import denials_of
from kag.read.checking.rules.words import Word

_FEWEST = 4  # words beside the denials


def echo_findings(sides: Sides) -> Iterator[Finding]:
    """A claim whose words, denials left out, stand in its quotes one behind the other, with more or fewer denials.

    >>> from kag.read.checking.rules.parts import sides
    >>> from kag.values.verdict import Context, Quote
    >>> one = Quote("HX4 binds zinc three times faster.", "sentence")
    >>> [found.reason for found in echo_findings(sides("HX4 not binds zinc three times faster.", [one], Context()))]
    ['the claim has 1 denial in words that its quotes say with 0']
    """
    own = [_form(sides.claim[at]) for at in _others(sides.claim)]
    here = len(denials_of(sides.claim))
    counts = list(_denials_where(own, sides.verbatim)) if len(own) >= _FEWEST else []
    if counts and here not in counts:
        many = f"{here} denial{'s' if here != 1 else ''}"
        sure = (here - counts[0]) % 2 == 1
        yield Finding(
            "negation", f"the claim has {many} in words that its quotes say with {counts[0]}", contradicts=sure
        )


def _denials_where(own: Sequence[tuple[str, str, float | None]], quoted: tuple[Word, ...]) -> Iterator[int]:
    """For each place where words stand one behind the other: how many denials are among them or reach to them."""
    places = _others(quoted)
    given, denials = [_form(quoted[at]) for at in places], denials_of(quoted)
    for first in range(len(given) - len(own) + 1):
        if given[first : first + len(own)] == own:
            start, last = places[first], places[first + len(own) - 1]
            yield sum(denial.at < last and max(denial.at + 1, denial.end) > start for denial in denials)


def _others(text: tuple[Word, ...]) -> list[int]:
    """Where the words of a text are that deny nothing."""
    denying = {denial.at for denial in denials_of(text)}
    return [at for at, word in enumerate(text) if word.stem and at not in denying]


def _form(word: Word) -> tuple[str, str, float | None]:
    return word.stem, word.printed_unit, word.spread
