"""Answers as values for the page: each claim with its verification, each quote with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kag.core.evidence import Answer, Claim, Evidence, Passage, Verdict, read_answer
from kag.core.report import Issue, Report
from kag.indexing.audit import audit
from kag.indexing.run import Run, read_skipped
from kag.layers.values import Claim as LayerClaim
from kag.layers.values import Entity, Measurement
from kag.qa.checking.verify import UNCHECKED, Checked, checked
from kag.qa.compare import layer_findings
from kag.qa.page.page_nodes import Index, quote_places, units
from kag.qa.paper import PaperGraph
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.shacl import Validator
from kag.text.plain import plain


def read_answers(paths: Iterable[Path], paper: PaperGraph, index: Index) -> dict[str, Any]:
    """The answers that are about this paper, each checked against it, how many others there were, what is not checked.

    Raises `EvidenceError` for a file that is no answer.
    """
    rows = []
    others = 0
    for path in paths:
        answer, shown = read_answer(path)
        if _concerns(answer, paper):
            rows.append(_answer(answer, checked(answer, {paper.id: paper}, shown), index))
        else:
            others += 1
    return {"answers": rows, "others": others, "unchecked": list(UNCHECKED)}


def _concerns(answer: Answer, paper: PaperGraph) -> bool:
    quoted = {evidence.paper for claim in answer.claims for evidence in claim.evidence}
    quoted |= {passage.paper for passage in answer.passages}
    return paper.id in quoted or paper.id in answer.papers or not (quoted or answer.papers)


def _answer(answer: Answer, found: Checked, index: Index) -> dict[str, Any]:
    by_place: dict[str, list[Issue]] = {}
    for issue in found.report.issues:
        inside = issue.focus.startswith(("claims[", "passages["))
        place = issue.focus.partition("]")[0] + "]" if inside else ""
        by_place.setdefault(place, []).append(issue)
    return {
        "id": answer.id,
        "question": answer.question,
        "mode": answer.mode,
        "label": answer.label,
        "text": answer.text,
        "claims": [
            _claim(claim, verdict, by_place.get(f"claims[{n}]", []), index)
            for n, (claim, verdict) in enumerate(zip(answer.claims, found.verdicts, strict=True))
        ],
        "passages": [
            _passage(passage, by_place.get(f"passages[{n}]", []), index) for n, passage in enumerate(answer.passages)
        ],
        "issues": [issue.message for issue in by_place.get("", [])],
        "dropped": [[one.text, one.why] for one in answer.dropped],
        "searches": list(answer.searches),
        "stopped": answer.stopped,
    }


def _claim(claim: Claim, verdict: Verdict | None, issues: list[Issue], index: Index) -> dict[str, Any]:
    """Return a claim with both statements: whether its quotes hold, and the verdict with its judge; "" if nobody
    judged."""
    return {
        "text": claim.text,
        "quoted": not any(_is_broken(issue) for issue in issues),
        "status": verdict.status if verdict else "",
        "checker": verdict.checker if verdict else "",
        "issues": [issue.message for issue in issues],
        "evidence": [_evidence(evidence, index) for evidence in claim.evidence],
    }


def _is_broken(issue: Issue) -> bool:
    """Whether an issue concerns the quotes of a claim, and not its statement."""
    return ".evidence[" in issue.focus or issue.component in ("no_evidence", "twice", "count", "scrap")


def _passage(passage: Passage, issues: list[Issue], index: Index) -> dict[str, Any]:
    """A passage with the sentence or row of it that matches best, and where that is printed."""
    return {
        "text": passage.text,
        "mark": [units(passage.text, passage.start), units(passage.text, passage.end)],
        "kind": passage.kind,
        "section": passage.section,
        "page": passage.page,
        "issues": [issue.message for issue in issues],
        "evidence": [_evidence(evidence, index) for evidence in passage.evidence],
    }


def _evidence(evidence: Evidence, index: Index) -> Mapping[str, Any]:
    """Return one quote. `span` is its place in its node's text, in UTF-16 units; absent if it is not there.

    `lines` are the places of the lines that print it, where those are known.

    Places are those that the evidence states: where they are the node's, by the page of each box.
    """
    node = index.nodes.get(evidence.node) if evidence.paper == index.paper else None
    stated = {"page": evidence.page, "quote": evidence.quote, "paper": evidence.paper, "name": evidence.node}
    if node is None:
        return {**stated, "places": []}
    right = (evidence.page, evidence.boxes) == (node.page, node.boxes)
    places = index.places[node.iri] if right else [[evidence.page, *box] for box in evidence.boxes]
    row = {**stated, "name": node.name, "node": index.numbers[node.iri], "places": places}
    start, end = evidence.start, evidence.end
    if 0 <= start < end and node.text[start:end] == evidence.quote:
        row["span"] = [units(node.text, start), units(node.text, end)]
        row["lines"] = quote_places(plain(evidence.quote), index.places[node.iri], index.lines)
    return row


MOST_ISSUES = 1000  # of one check; their number is always given


def shape_rows(run: Run, index: Index) -> dict[str, Any]:
    """Return the results of the document layer's shapes as rows."""
    return _report(Validator(load_shapes(DOC)).full(run.graph), index)


def conservation_rows(run: Run, index: Index) -> dict[str, Any]:
    """Return the number of blocks, the skipped ones with reasons, and the audit's findings as rows."""
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


def layer_rows(paper: PaperGraph, index: Index) -> dict[str, Any]:
    """Return the rows; none if the run has no layers. Nodes that the page does not show are left out."""
    findings = layer_findings(paper)
    return {
        "entities": [row for entity in findings.entities if (row := _named(entity, index))["nodes"]],
        "values": [
            _measured(measurement, index)
            for measurement in findings.measurements
            if measurement.mention.node in index.numbers
        ],
        "claims": [_stated(claim, index) for claim in findings.claims if claim.sentence.node in index.numbers],
    }


def _named(entity: Entity, index: Index) -> dict[str, Any]:
    nodes = dict.fromkeys(index.numbers[mention.node] for mention in entity.mentions if mention.node in index.numbers)
    same = [
        identifier.iri
        for identifier in entity.identifiers
        if identifier.match == "exact" and identifier.iri.startswith(("http://", "https://"))
    ]
    return {"name": entity.name, "kind": entity.kind, "same": same, "nodes": list(nodes)}


def _measured(measurement: Measurement, index: Index) -> dict[str, Any]:
    return {
        "text": plain(measurement.mention.text),
        "property": plain(measurement.measured.text) if measurement.measured else "",
        "of": plain(measurement.entity.text) if measurement.entity else "",
        "node": index.numbers[measurement.mention.node],
    }


def _stated(claim: LayerClaim, index: Index) -> dict[str, Any]:
    marks = [claim.polarity == "negative" and "negative", claim.certainty == "hedged" and "hedged", claim.direction]
    return {
        "text": plain(claim.sentence.text),
        "role": claim.role,
        "notes": [word for word in marks if word],
        "node": index.numbers[claim.sentence.node],
    }
