"""What the rules say of each bundled claim, with all reasons, compared with `tests/golden`.

A rule that changes turns verdicts here: look at each in the difference before it is written anew, by
`KAG_UPDATE_GOLDEN=1 .venv/bin/pytest tests/integration/test_claim_verdicts.py`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from kag.evaluate.claims.sets import Case, read_claims
from kag.read.checking.bearing import bears
from kag.read.checking.rules.checker import RuleChecker
from kag.read.exact.facts import stating
from kag.read.exact.floats import called
from kag.read.exact.grid import cell_of, places_of, sheets
from kag.read.library import open_library
from kag.text.plain import plain
from tests.integration.altered_claims import altered

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
CLAIMS = Path(__file__).resolve().parent.parent.parent / "test_data" / "claims.jsonl"


def told(name: str, case: Case) -> dict[str, object]:
    found = RuleChecker().check(case.claim, case.quotes, case.context)
    known = found.features["known"]
    return {"id": name, "status": found.status, "reasons": list(found.reasons), "known": round(known, 3)}


def told_short(name: str, case: Case) -> dict[str, object]:
    """Without words: how often each rule spoke."""
    found = RuleChecker().check(case.claim, case.quotes, case.context)
    return {
        "id": name,
        "status": found.status,
        **{rule: value for rule, value in found.features.items() if value and rule != "known"},
    }


def compare(rows: list[dict[str, object]], golden: Path) -> None:
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        golden.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    assert rows == [json.loads(line) for line in golden.read_text(encoding="utf-8").splitlines()]


def test_each_verdict_is_as_it_was(bundled_runs: Path) -> None:
    cases = list(read_claims(CLAIMS, open_library(bundled_runs)))
    compare([told(case.name, case) for case in cases], GOLDEN / "claim_verdicts.jsonl")


def test_each_verdict_on_an_altered_claim_is_as_it_was(bundled_runs: Path) -> None:
    cases = list(read_claims(CLAIMS, open_library(bundled_runs)))
    compare([told_short(name, case) for name, case in altered(cases)], GOLDEN / "altered_claim_verdicts.jsonl")


def test_what_a_table_prints_is_supported_cell_by_cell_and_nothing_else(bundled_runs: Path) -> None:
    """Every cell of the bundled tables, told as "row | column | value", and told with another cell's value."""
    asked = 0
    for paper in open_library(bundled_runs).values():
        for sheet in sheets(paper, paper.of_kind("Table")):
            body = list(sheet.body())
            values = {cell_of(sheet, row, column) for row, column in body}
            for row, column in body:
                names = [plain(" / ".join(dict.fromkeys(path))) for path in (sheet.rows[row], sheet.columns[column])]
                for value in values:
                    said = f"{called(paper, sheet.node)}: {names[0]} | {names[1]} | {value}"
                    claim = stating(said, value, places_of(paper, sheet, row, column)).claims[0]
                    is_so = value == cell_of(sheet, row, column)
                    verdict = bears(claim, {paper.id: paper})
                    assert (verdict.status == "supported") == is_so, (said, verdict.reasons)
                    asked += 1
    assert asked > 100
