"""How well a checker tells claims that their quotes bear from those that they do not, beside mere overlap of words.

`balanced`: the mean of true claims kept and false ones refused; who knows nothing gets .5. `let in`: of the false
claims those said to be supported; `refused`: of the true ones those that are not; both with 95 % intervals over papers
or documents. `contradicted` are the shares of true and of false claims of which that is said; others that are not let
in are undecided, and a judge is asked about them where there is one. Overlap is the share of a claim's words that the
evidence has, by the threshold that is best on the other half. Sets are never pooled: each means something else by
"supported".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kag.evaluate.claims.sets import Case
from kag.evaluate.spread import in_order, some
from kag.evaluate.statistics import Score, score
from kag.evaluate.text_tables import shown
from kag.evaluate.written import made_with
from kag.read.checking.meaning import content_words
from kag.safety.files import write_output
from kag.safety.workers import Executor
from kag.values.verdict import Checker, Verdict

OVERLAP = "overlap"
STEPS = 20  # thresholds of the overlap that are tried
WORST = 8  # kinds of claims that a report tells


@dataclass(frozen=True, slots=True)
class Judged:
    """A case, whether a checker lets it in or calls it contradicted, and the names of the rules that spoke."""

    case: Case
    let_in: bool
    rules: tuple[str, ...] = ()
    contradicted: bool = False


@dataclass(frozen=True, slots=True)
class Marks:
    """What a checker makes of one half of a set."""

    set: str
    half: str
    checker: str
    judged: tuple[Judged, ...]

    def row(self) -> dict[str, Any]:
        """The figures, ready to be shown."""
        true, false = self._share(supported=True), self._share(supported=False)
        kept = None if true is None else 1 - true.value
        row: dict[str, Any] = {"set": self.set, "half": self.half, "checker": self.checker, "claims": len(self.judged)}
        row["balanced"] = (kept + 1 - false.value) / 2 if kept is not None and false else None
        for name, part in (("let_in", false), ("refused", true)):
            row |= {name: part and part.value, f"{name}_low": part and part.low, f"{name}_high": part and part.high}
        row |= {f"contradicted_{name}": self._contradicted(supported=name == "true") for name in ("true", "false")}
        return row

    def _contradicted(self, *, supported: bool) -> float | None:
        """Of the true or the false claims those that are contradicted; None where there are none or nobody says so."""
        own = [one for one in self.judged if one.case.supported == supported]
        return sum(one.contradicted for one in own) / len(own) if own and self.checker != OVERLAP else None

    def _share(self, *, supported: bool) -> Score | None:
        """Of the true claims those refused, of the false ones those let in; None where there are none."""
        counts: dict[str, list[int]] = {}
        for one in self.judged:
            if one.case.supported == supported:
                counts.setdefault(one.case.group, [0, 0])[one.let_in == supported] += 1
        return (
            score({group: (wrong, 0, right) for group, (wrong, right) in counts.items()}, share=True)
            if counts
            else None
        )

    def kinds(self) -> list[dict[str, Any]]:
        """Of each kind of claim how many were judged wrongly, most first."""
        wrong = Counter(one.case.kind for one in self.judged if one.let_in != one.case.supported)
        every = Counter(one.case.kind for one in self.judged)
        ordered = sorted(every, key=lambda kind: (-wrong[kind], kind))
        return [{"set": self.set, "kind": kind, "claims": every[kind], "wrong": wrong[kind]} for kind in ordered]


def marks(name: str, cases: Sequence[Case], checker: Checker, executor: Executor | None = None) -> list[Marks]:
    """The marks of a checker and of mere overlap, for each half of a set."""
    found = []
    halves = {half: [case for case in cases if case.half == half] for half in ("a", "b")}
    for half, own in halves.items():
        other = halves["b" if half == "a" else "a"]
        if own:
            by_rules = tuple(in_order(partial(_checked, checker), own, executor, some))
            least = _threshold(other or own)
            by_words = tuple(Judged(case, overlap(case) >= least) for case in own)
            found += [Marks(name, half, checker.name, by_rules), Marks(name, half, OVERLAP, by_words)]
    return found


def _checked(checker: Checker, cases: Iterable[Case]) -> Iterator[Judged]:
    return (_judged(case, checker.check(case.claim, case.quotes, case.context)) for case in cases)


def _judged(case: Case, verdict: Verdict) -> Judged:
    spoke = tuple(name for name, number in verdict.features.items() if number and name not in ("known", "unknown"))
    return Judged(case, verdict.status == "supported", spoke, verdict.status == "contradicted")


def overlap(case: Case) -> float:
    """The share of a claim's words that its evidence has, 0 to 1."""
    wanted = content_words(case.claim)
    texts = [
        text
        for quote in case.quotes
        for text in (
            quote.text,
            quote.caption,
            *quote.headers,
            *quote.cells,
            *(cell for row in quote.rows for cell in row),
        )
    ]
    return len(wanted & content_words(" ".join(texts))) / len(wanted) if wanted else 1.0


def _threshold(cases: Sequence[Case]) -> float:
    """The overlap from which on a claim is best taken for supported."""
    shares = [(overlap(case), case.supported) for case in cases]
    return max((step / STEPS for step in range(STEPS + 1)), key=lambda least: _balanced(shares, lambda s: s >= least))


def _balanced(shares: Sequence[tuple[float, bool]], let_in: Callable[[float], bool]) -> float:
    right = [
        [let_in(share) == supported for share, supported in shares if supported is wanted] for wanted in (True, False)
    ]
    return sum(sum(side) / len(side) for side in right if side)


def rules_spoken(found: Marks) -> list[dict[str, Any]]:
    """How often each rule spoke against true claims and against false ones."""
    spoken = {
        wanted: Counter(rule for one in found.judged if one.case.supported is wanted for rule in one.rules)
        for wanted in (True, False)
    }
    names = sorted(spoken[True] | spoken[False])
    return [
        {"set": found.set, "rule": name, "true": spoken[True][name], "false": spoken[False][name]} for name in names
    ]


def write_report(path: Path, found: Sequence[Marks], *, command: str, notes: str = "") -> None:
    """Write the figures of all sets as Markdown, with kinds of claims and rules of the half that is reported."""
    unseen = [one for one in found if one.half == "b" and one.checker != OVERLAP]
    parts = [
        "# Claims checked",
        f"Written by `{command}`; {made_with()}.",
        notes.strip(),
        (__doc__ or "").strip(),
        shown([one.row() for one in found]),
        "## Kinds of claims judged wrongly, half b",
        shown([row for one in unseen for row in one.kinds()[:WORST]] or [{"set": "none"}]),
        "## How often each rule spoke, half b",
        shown([row for one in unseen for row in rules_spoken(one)] or [{"set": "none"}]),
    ]
    write_output(path, "\n\n".join(part for part in parts if part) + "\n")


def as_json(found: Sequence[Marks]) -> list[Mapping[str, Any]]:
    """The figures as JSON values."""
    return [{**one.row(), "kinds": one.kinds(), "rules": rules_spoken(one)} for one in found]
