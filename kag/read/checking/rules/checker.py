"""`RuleChecker`: all rules over one claim, and one verdict from what they noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kag.read.checking.rules.comparisons import comparison_findings
from kag.read.checking.rules.directions import direction_findings
from kag.read.checking.rules.echoes import echo_findings
from kag.read.checking.rules.extremes import extreme_findings
from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.monotone import monotone_findings
from kag.read.checking.rules.names import (
    asked_findings,
    beside_findings,
    name_findings,
    proper_findings,
    share_known,
    unknown,
)
from kag.read.checking.rules.negation import negation_findings
from kag.read.checking.rules.numbers import number_findings
from kag.read.checking.rules.parts import Sides, sides
from kag.read.checking.rules.rates import rate_findings
from kag.read.checking.rules.ratios import ratio_findings
from kag.read.checking.rules.records import is_recorded, record_findings
from kag.read.checking.rules.repeated import lists_titles, repeats
from kag.read.checking.rules.roles import role_findings
from kag.read.checking.rules.stated import stated_cell
from kag.read.checking.rules.strength import hedge_findings, quantity_findings
from kag.read.checking.rules.subjects import subject_findings
from kag.read.checking.rules.tabled import is_reckoned, table_findings
from kag.values.verdict import Context, Quote, Status, Verdict

NAME = "rules"
Rule = Callable[[Sides], Iterator[Finding]]
SAID: tuple[Rule, ...] = (
    negation_findings,
    hedge_findings,
    quantity_findings,
    name_findings,
    beside_findings,
    proper_findings,
    asked_findings,
)
RELATED: tuple[Rule, ...] = (
    direction_findings,
    comparison_findings,
    role_findings,
    rate_findings,
    ratio_findings,
    subject_findings,
)
_RECKONED = frozenset(("number", "negation", "bound"))  # what has nothing to say where a table bears the claim's count
SUPPORTED = 0.25  # share of a claim's words that its quotes must have


class RuleChecker:
    """Supported where nothing speaks against the claim and its words are in the quotes."""

    name = NAME

    def check(self, claim: str, quotes: Sequence[Quote], context: Context) -> Verdict:
        """The verdict of the rules; never raises, whatever the words are."""
        both = sides(claim, quotes, context)
        stated = stated_cell(claim, quotes)
        reckoned = is_reckoned(both, quotes) or is_recorded(both, quotes) is True
        noticed = (one for one in _noticed(both, quotes) if not (reckoned and one.rule in _RECKONED))
        found = tuple(dict.fromkeys(_of_cell(*stated) if stated else noticed))
        if not (stated or reckoned):
            found = found or (*echo_findings(both), *monotone_findings(both))
        share = 1.0 if stated or reckoned else share_known(both)
        reasons = [finding.reason for finding in found]
        if share < SUPPORTED:
            reasons.append(f"only {share:.0%} of its words are in the evidence")
        status: Status = (
            "contradicted" if any(f.contradicts for f in found) else "undecided" if reasons else "supported"
        )
        return Verdict(status, 1.0 if status == "supported" else 0.0, NAME, tuple(reasons), features(both, found))


def _of_cell(is_so: bool, printed: str) -> Iterator[Finding]:
    """What there is to notice where a claim states one cell as it is printed: nothing else counts then."""
    if not is_so:
        yield Finding("cell", f"in that row and column stands {printed!r}", contradicts=True)


def _noticed(both: Sides, quotes: Sequence[Quote]) -> Iterator[Finding]:
    """What the rules notice; those on relations have nothing to say where the claim repeats its quotes."""
    for rule in SAID:
        yield from rule(both)
    if not repeats(both) and not lists_titles(both, quotes):
        yield from table_findings(both, quotes)
        yield from record_findings(both, quotes)
        yield from number_findings(both, quotes)
        for rule in RELATED:
            yield from rule(both)
        yield from extreme_findings(both, quotes)


def features(both: Sides, found: Sequence[Finding]) -> dict[str, float]:
    """What was noticed, in numbers: how often each rule spoke, and how many of the claim's words are known."""
    counted: dict[str, float] = dict.fromkeys(
        (
            "cell",
            "count",
            "number",
            "unit",
            "spread",
            "bound",
            "negation",
            "direction",
            "comparison",
            "extreme",
            "roles",
            "rate",
            "hedge",
            "quantity",
            "name",
            "asked",
            "scope",
        ),
        0.0,
    )
    for one in found:
        counted[one.rule] += 1.0
    return {**counted, "known": share_known(both), "unknown": float(len(unknown(both)))}
