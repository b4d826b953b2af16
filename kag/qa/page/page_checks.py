"""The checks of a run as values for the page: its shapes, and that no block was lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kag.core.report import Report
from kag.indexing.audit import audit
from kag.indexing.run import Run, read_skipped
from kag.qa.page.page_nodes import Index
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.shacl import Validator

MOST_ISSUES = 1000  # of one check; their number is always told


def shape_rows(run: Run, index: Index) -> dict[str, Any]:
    """What the shapes of the document layer say of the graph."""
    return _report(Validator(load_shapes(DOC)).full(run.graph), index)


def conservation_rows(run: Run, index: Index) -> dict[str, Any]:
    """How many blocks there were, which were left out and why, and what the audit found."""
    ledger = {row["block"]: row for row in run.ledger}
    rows = _report(audit(run), index)
    skipped = [_skipped(row, ledger.get(row["block"], {})) for row in read_skipped(run.path)]
    return {**rows, "blocks": len(ledger), "placed": len(ledger) - len(run.skipped), "skipped": skipped}


def _report(report: Report, index: Index) -> dict[str, Any]:
    issues = [
        {
            "focus": issue.focus,
            "rule": issue.component,
            "message": issue.message,
            "node": index.numbers.get(issue.focus.removeprefix("<").removesuffix(">")),
        }
        for issue in report.issues[:MOST_ISSUES]
    ]
    return {"conforms": report.conforms, "found": len(report.issues), "issues": issues}


def _skipped(row: Mapping[str, Any], block: Mapping[str, Any]) -> dict[str, Any]:
    places = [[block["page"], *box] for box in block["boxes"]] if block else []
    return {"name": row["block"], "reason": row["reason"], "text": row.get("text", ""), "places": places}
