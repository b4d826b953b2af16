"""The write pipeline: a paper becomes a graph that conforms, with nothing lost on the way.

    read the blocks -> build the graph through the tools -> SHACL gate -> enrichment -> run folder

The builder is an argument, rules or an agent. What a stopped builder leaves open, the baseline completes.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rdflib import URIRef

from kag import __version__
from kag.core.errors import KagError, NotConforming, Rescued
from kag.core.secrets import safe_json
from kag.core.tool import guard, toolset
from kag.core.trajectory import Trajectory
from kag.core.types import Document
from kag.core.workers import give_back
from kag.indexing.audit import find_warnings, ledger_row
from kag.indexing.baseline import build_baseline, build_flat, complete, conform
from kag.indexing.changes import BaselineTools
from kag.indexing.enrich.front_record import from_metadata
from kag.indexing.memory import ProcedureStore, RecallTools, learn
from kag.indexing.tools.build_tools import BuildTools
from kag.indexing.tools.judge import JudgeTools
from kag.rdf.namespaces import PREFIXES, RDF
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.shacl import Validator
from kag.rdf.turtle import turtle_pieces
from kag.rdf.workspace import Workspace
from kag.sources.reading import Reading
from kag.sources.survey import read_paper

Tools = Mapping[str, Callable[..., Any]]
Describer = Callable[[Workspace], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Builder:
    """A builder of the graph: `build` writes it through the tools, `why` says why this builder was chosen.

    `build` may return facts for the summary; the fact `stopped` (in words) says that it was not able to finish.
    `model` is the model it asks, `trajectory` where it notes its steps, if it has one of its own.
    """

    name: str
    build: Callable[[Document, Tools], Mapping[str, Any] | None]
    why: str = ""
    model: str = ""
    trajectory: Trajectory | None = None


BASELINE = Builder("baseline", build_baseline, "no model configured")


@dataclass(frozen=True, slots=True)
class Indexed:
    """An indexed paper: `files` are those of its run folder by name, `facts` what its builder reports.

    `rescued` is what kag failed on and kept as printed, `undescribed` why the figures have no descriptions.
    """

    paper_id: str
    pages: int
    triples: int
    files: Mapping[str, str | bytes]
    facts: Mapping[str, Any] = field(default_factory=dict)
    rescued: tuple[Rescued, ...] = ()
    undescribed: str = ""


@cache
def document_validator() -> Validator:
    """The compiled shapes of the document layer; compiled once a process."""
    return Validator(load_shapes(DOC))


def index_paper(
    source: Path, builder: Builder = BASELINE, *, paper_id: str | None = None, figures: Path | None = None
) -> Indexed:
    """Read, build, validate and enrich one paper; writes nothing.

    Raises `SourceError` when the paper cannot be read and `NotConforming` when the builder leaves a
    graph that breaks its shapes.
    """
    return index_document(read_paper(source, Reading(paper_id, figures)), builder)


def index_document(
    document: Document,
    builder: Builder = BASELINE,
    *,
    procedures: ProcedureStore | None = None,
    describe: Describer | None = None,
) -> Indexed:
    """`index_paper` for a document that was read already.

    `procedures` is the memory kept between runs; `describe` adds descriptions of the figures to the finished
    graph and returns what the summary says of that.
    """
    give_back()
    workspace = Workspace(document)
    trajectory = Trajectory() if builder.trajectory is None else builder.trajectory
    judge = JudgeTools(workspace, document_validator())
    baseline = BaselineTools(workspace)
    owners = BuildTools(workspace), judge, RecallTools(workspace, trajectory, procedures), baseline
    offered = {tool.name: guard(tool, trajectory).call for tool in toolset(*owners)}
    if builder.model:
        offered["changes"] = baseline.changes
    facts, lost = _build(builder, document, workspace, offered)
    if "stopped" in facts:
        facts["completed_by"] = {"name": "baseline", **complete(document, workspace, offered)}
    outcome = offered["finalize_graph"](f"built by {builder.name}")
    if builder.build is build_baseline:
        outcome, more = conform(document, workspace, offered, outcome)
        lost += more
    if not outcome["ok"]:
        first = outcome["violations"][0]
        raise NotConforming(
            f"{document.paper_id}: the {builder.name} builder left {outcome['error']}",
            hint=f"{first['message']} ({', '.join(first['nodes'][:3])})",
        )
    if builder.model:
        facts["changes"] = [change.row() for change in baseline.changes()]
    vision = describe(workspace) if describe else {}
    if vision and not offered["finalize_graph"](f"described by {vision['asked']}")["ok"]:
        raise AssertionError("descriptions broke the graph")
    if procedures:
        procedures.record(learn(trajectory))
    summary = _summary(workspace, trajectory, builder, judge.enrichment, facts)
    if vision:
        summary["vision"] = vision
    lost += judge.rescued
    if lost:
        summary["rescued"] = [asdict(one) for one in lost]
    give_back()
    return Indexed(
        document.paper_id,
        document.pages,
        summary["graph"]["triples"],
        _files(workspace, trajectory, summary),
        facts,
        tuple(lost),
        vision.get("stopped", ""),
    )


def _build(
    builder: Builder, document: Document, workspace: Workspace, offered: Tools
) -> tuple[dict[str, Any], list[Rescued]]:
    """The builder's facts, and what it failed on; where the rules fail altogether, the paper is built without them."""
    try:
        facts = dict(builder.build(document, offered) or {})
    except KagError:
        raise
    except Exception as error:
        if builder.build is not build_baseline:
            raise
        return {}, build_flat(document, workspace, offered, error)
    return facts, facts.pop("rescued", [])


def _files(workspace: Workspace, trajectory: Trajectory, summary: dict[str, Any]) -> dict[str, str | bytes]:
    """The files of the run; the workspace is used up."""
    skipped = [
        {"block": s.block, "reason": s.reason, "text": workspace.blocks[s.block].text}
        for _, s in sorted(workspace.skipped.items())
    ]
    turtle = turtle_pieces(workspace.drained(), {**PREFIXES, "ex": workspace.base})
    return {
        "knowledge_graph.ttl": _bytes(turtle),
        "content_store.jsonl": workspace.content.to_jsonl(),
        "skipped.jsonl": _lines(skipped),
        "source_blocks.jsonl": _lines([ledger_row(block) for block in workspace.document.blocks]),
        "trajectory.jsonl": trajectory.to_jsonl(),
        "summary.json": safe_json(summary, indent=2, ensure_ascii=False) + "\n",
    }


def _bytes(pieces: Iterable[str]) -> bytes:
    """Pieces of a text as UTF-8, of which no second copy is held; as one text they might be twice as large."""
    stream = io.BytesIO()
    for piece in pieces:
        stream.write(piece.encode())
    return stream.getvalue()


def _lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _summary(
    workspace: Workspace, trajectory: Trajectory, builder: Builder, enrichment: dict[str, int], facts: Mapping[str, Any]
) -> dict[str, Any]:
    document = workspace.document
    classes = {workspace.curie(URIRef(cls)): many for cls, many in workspace.counts(RDF.type).items()}
    operations = Counter(step.name for step in trajectory if step.kind == "tool")
    return {
        "paper": document.paper_id,
        "kag_version": __version__,
        "builder": {
            "name": builder.name,
            **({"model": builder.model} if builder.model else {}),
            "why": builder.why,
            **facts,
        },
        "source": {
            "kind": document.source,
            "sha256": document.sha256,
            "pages": document.pages,
            "blocks": len(document.blocks),
            "figures": len(document.figures),
            **({"url": document.metadata.url} if document.metadata.url else {}),
        },
        "validation": {"conforms": True, "engine": "shacl"},
        "graph": {"triples": len(workspace.graph), "classes": dict(sorted(classes.items()))},
        "skipped": len(workspace.skipped),
        "repairs": [
            {"page": r.page, "line": r.line, "problem": r.problem, "action": r.action} for r in document.repairs
        ],
        "warnings": find_warnings(workspace),
        "enrichment": enrichment,
        **({"from_metadata": stated} if (stated := from_metadata(workspace)) else {}),
        "operations": dict(sorted(operations.items())),
    }
