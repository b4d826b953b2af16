"""Measures the judge on claims with a gold label: how many false ones it accepts and how many true ones it refuses.

    python -m scripts.benchmarks.measure_judge CLAIMS --lm MODEL [--batch 8] [--json FILE]

CLAIMS has an object a line: {"claim", "label": "supported" or "not supported", "quotes": [...]}, where a quote has the
fields of `kag.core.verdict.Quote` ("text", and as far as known "kind", "before", "after", "caption", "headers",
"cells"). "id", "question" and "change" (the kind of fault) are optional. MODEL is named as for `kag qa --lm`. A claim
counts as accepted if the judge says "supported"; a claim that it says nothing of counts as refused, and is listed.
The number check, which stands before the judge in `kag qa`, is reported apart.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.agents.model.budget import Budget, Ledger
from kag.agents.model.models import open_brief
from kag.agents.read.answerer import REPLY_TOKENS
from kag.agents.read.judges import MOST_CLAIMS, Jury
from kag.core.trajectory import Trajectory
from kag.core.verdict import Case, Context, Quote, Verdict
from kag.qa.checking.number_check import unprinted_numbers

LABELS = ("supported", "not supported")


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim with its quotes and its gold label; `change` says what is wrong with a false one."""

    id: str
    claim: str
    label: str
    quotes: tuple[Quote, ...]
    question: str = ""
    change: str = ""

    @property
    def is_true(self) -> bool:
        return self.label == "supported"

    @property
    def case(self) -> Case:
        return self.claim, self.quotes, Context(self.question)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claims", type=Path)
    parser.add_argument("--lm", required=True, help="the model that judges, as for kag qa")
    parser.add_argument("--batch", type=int, default=8, help=f"claims in one call, at most {MOST_CLAIMS}")
    parser.add_argument("--json", type=Path, help="write verdicts, reasons and the judge's steps to this file")
    options = parser.parse_args()
    claims = read_claims(options.claims)
    ledger, trajectory = Ledger(), Trajectory()
    lm = open_brief(options.lm, REPLY_TOKENS, budget=Budget(), ledger=ledger)
    try:
        verdicts = judge_claims(Jury(lm, trajectory), claims, min(options.batch, MOST_CLAIMS))
    finally:
        lm.engine.close()
    print_figures(claims, verdicts)
    print(f"usage: {dict(ledger.usage())}")
    if options.json:
        steps = [{"ok": step.ok, **step.data} for step in trajectory]
        rows = [_row(*pair) for pair in zip(claims, verdicts, strict=True)]
        options.json.write_text(json.dumps({"claims": rows, "steps": steps}, ensure_ascii=False, indent=1))


def read_claims(path: Path) -> list[LabelledClaim]:
    """Read labelled claims from JSON lines; raises `ValueError` for another label."""
    claims = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        if row["label"] not in LABELS:
            raise ValueError(f"{path}:{number}: the label is {row['label']!r}; use one of {LABELS}")
        quotes = tuple(Quote(**{name: _frozen(value) for name, value in quote.items()}) for quote in row["quotes"])
        optional = {name: row.get(name, "") for name in ("question", "change")}
        claims.append(LabelledClaim(row.get("id", str(number)), row["claim"], row["label"], quotes, **optional))
    return claims


def judge_claims(judge: Jury, claims: Sequence[LabelledClaim], batch: int) -> list[Verdict | None]:
    """Ask the judge about the claims, some in each call; None where it says nothing of one."""
    cases = [claim.case for claim in claims]
    return [verdict for at in range(0, len(cases), batch) for verdict in judge.hear(cases[at : at + batch])]


def print_figures(claims: Sequence[LabelledClaim], verdicts: Sequence[Verdict | None]) -> None:
    """Print both errors, the claims that were judged wrongly, and what the number check does alone."""
    pairs = list(zip(claims, verdicts, strict=True))
    false = [(claim, verdict) for claim, verdict in pairs if not claim.is_true]
    true = [(claim, verdict) for claim, verdict in pairs if claim.is_true]
    accepted = [(claim, verdict) for claim, verdict in false if _is_accepted(verdict)]
    refused = [(claim, verdict) for claim, verdict in true if not _is_accepted(verdict)]
    contradicted = sum(verdict is not None and verdict.status == "contradicted" for _, verdict in true)
    print(f"false claims accepted: {_share(len(accepted), len(false))}")
    print(f"true claims refused: {_share(len(refused), len(true))}, of these {contradicted} as contradicted")
    print(f"claims without a verdict: {sum(verdict is None for verdict in verdicts)}")
    changes = Counter(claim.change for claim, _ in false)
    wrong = Counter(claim.change for claim, _ in accepted)
    print(
        "accepted by kind of fault: " + ", ".join(f"{name} {wrong[name]}/{changes[name]}" for name in sorted(changes))
    )
    for claim, verdict in (*accepted, *refused):
        reasons = "; ".join(verdict.reasons) if verdict else "no verdict"
        print(f"  {claim.id}, gold {claim.label}: {claim.claim} -> {reasons or 'supported'}")
    stopped = [claim for claim in claims if unprinted_numbers(*claim.case)]
    held = sum(claim.is_true for claim in stopped)
    print(f"number check alone: stops {_share(len(stopped) - held, len(false))} false, {_share(held, len(true))} true")


def _is_accepted(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.status == "supported"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / max(whole, 1):.3f})"


def _row(claim: LabelledClaim, verdict: Verdict | None) -> dict[str, Any]:
    judged = {"status": verdict.status, "reasons": list(verdict.reasons)} if verdict else {"status": None}
    return {"id": claim.id, "label": claim.label, "claim": claim.claim, "change": claim.change, **judged}


def _frozen(value: Any) -> Any:
    """Lists of JSON as the tuples of a `Quote`."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


if __name__ == "__main__":
    main()
