"""The verdict of a named checker on a claim: supported, contradicted or undecided.

"Quoted" is a matter of characters (`kag.qa.checking.verify`). "Supported" is the verdict of a model with a name.
Machines give two verdicts by definition: "undecided" for a number that is not printed, "supported" for a claim that
repeats its quote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

Status = Literal["supported", "contradicted", "undecided"]
STATUSES: tuple[Status, ...] = ("supported", "contradicted", "undecided")


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote as a checker sees it: the words of one piece of evidence, and their surroundings.

    `text` is the quote in plain words; `kind` is "sentence", "row", "table", "caption", "heading" or "reference".
    A row has `cells` (that with the row's name first) and `headers`, one for each cell, "" where there is none; a
    whole table has its `rows` and `headers`. `caption` is that of the table or figure, `section` the titles from the
    top, `before` and `after` the sentences beside the quote. `label` is what the page calls the place ("Table 2").
    `paper` is the paper's id where evidence may be of several.
    """

    text: str
    kind: str = "sentence"
    section: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    label: str = ""
    caption: str = ""
    headers: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    paper: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """Further context of a checker: the question, and the paper's abbreviations with their long forms.

    `labels` are the numbers and names of things that the evidence is called by or points to ("Table 2" has "2").
    `count` is set where the claim says how many things there are, which other rules prove.
    """

    question: str = ""
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A checker's verdict on one claim.

    `score` is the probability, 0 to 1, that the claim is supported, as calibrated for the checker that is named.
    `reasons` say in words what speaks against it, all at once; none where it is supported.
    `features` are the numbers that the verdict was made from, by name, for whoever joins several checkers.
    """

    status: Status
    score: float
    checker: str
    reasons: tuple[str, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict, compare=False)


Case = tuple[str, Sequence[Quote], Context]
"""What a checker is given: the claim, its quotes, what else is known."""
ClaimJudge = Callable[[Sequence[Case]], Sequence[Verdict | None]]
"""Judges several claims at once; None where it has nothing to say of one."""


class Checker(Protocol):
    """Says whether quotes bear a claim. Whatever the words are: it never raises for them."""

    name: str

    def check(self, claim: str, quotes: Sequence[Quote], context: Context) -> Verdict:
        """The verdict on one claim."""
        ...
