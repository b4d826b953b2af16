"""What a checker says of a claim: supported, contradicted, or undecided. The quotes themselves are another matter.

That a quote stands where it is said to stand is *quoted*, and a matter of characters (`kag.read.checking.verify`).
Whether it bears the claim is what a `Checker` says, by its name and with its reasons. All checkers have one shape, so
that they stand in a chain, from cheap to dear (`Chain`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

Status = Literal["supported", "contradicted", "undecided"]
STATUSES: tuple[Status, ...] = ("supported", "contradicted", "undecided")


@dataclass(frozen=True, slots=True)
class Quote:
    """What a claim rests on, as a checker sees it: the words of one piece of evidence, and what stands around them.

    `text` is the quote in plain words; `kind` is "sentence", "row", "table", "caption", "heading" or "reference".
    A row has `cells` (that with the row's name first) and `headers`, one for each cell, "" where there is none; a
    whole table has its `rows` and `headers`. `caption` is that of the table or figure, `section` the titles from the
    top, `before` and `after` the sentences beside the quote. `label` is what the page calls the place ("Table 2").
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


@dataclass(frozen=True, slots=True)
class Context:
    """What else a checker may know: the question, and the short forms that the paper introduces with the long ones.

    `labels` are the numbers and names of things that the evidence is called by or points to ("Table 2" has "2").
    `count` is set where the claim says how many things there are, which other rules prove.
    """

    question: str = ""
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a checker says of one claim.

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
Hear = Callable[[Sequence[Case]], Sequence[Verdict | None]]
"""Judges several claims at once; None where it has nothing to say of one, so that the word of the rules stands."""


class Checker(Protocol):
    """Says whether quotes bear a claim. Whatever the words are: it never raises for them."""

    name: str

    def check(self, claim: str, quotes: Sequence[Quote], context: Context) -> Verdict:
        """The verdict on one claim."""
        ...


@dataclass(frozen=True, slots=True)
class Chain:
    """Checkers from cheap to dear: the first that is sure speaks, and the last one if none is.

    One is sure where its score lies outside of `doubt`, both ends included in the doubt. A contradiction that an
    earlier one sees is final: dearer checkers are asked what it left undecided or supported without being sure.
    """

    checkers: tuple[Checker, ...]
    doubt: tuple[float, float] = (0.0, 1.0)

    @property
    def name(self) -> str:
        """The names of all, in order."""
        return "+".join(checker.name for checker in self.checkers)

    def check(self, claim: str, quotes: Sequence[Quote], context: Context) -> Verdict:
        """The verdict of the first checker that is sure."""
        verdict = Verdict("undecided", 0.5, "none", ("no checker was given",))
        low, high = self.doubt
        for checker in self.checkers:
            verdict = checker.check(claim, quotes, context)
            if verdict.status == "contradicted" or not low <= verdict.score <= high:
                return verdict
        return verdict
