"""What is asked of each set of domains, by our readers, rules and slices."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kag.kgrag.claims import check_sentence
from kag.kgrag.domain import given_domain
from kag.kgrag.files import check_workflow, parse_workflow
from kag.kgrag.science import ScienceGraph
from kag.kgrag.story.facade import StoryGraph
from kag.kgrag.story.questions import answer
from kag.kgrag.workflow.draft import WorkflowFile
from kag.retrieval.property_graph.as_json import from_records
from kag.retrieval.property_graph.elements import BY_DEGREE, NEAR
from kag.retrieval.property_graph.engine import GraphEngine
from kag.retrieval.property_graph.schema import Issue
from scripts.benchmarks.domains.counts import Tally, counted, put, rows_of
from scripts.benchmarks.domains.questions import ask_science

Place = tuple[Any, ...]
MOST_NODES = 60
EDGES = ("depends_on", "produces", "consumes", "triggers", "enables")


def workflow(folder: Path) -> Tally:
    """Readers a format, faults planted in files, faults planted in graphs."""
    tally: Tally = {}
    natural = {}
    for row in rows_of(folder, "workflows"):
        read = parse_workflow(_text(row["native"]), row["id"])
        for part, counts in _parts(read, row["gold"]).items():
            put(tally, f"{row['format']}: {part}", row["id"], counts)
        natural[row["id"]] = {_file_place(issue) for issue in check_workflow(read).issues}
    for row in rows_of(folder, "native_faults"):
        _file_faults(tally, row, natural.get(row["base"], set()))
    domain = given_domain("workflow")
    for row in rows_of(folder, "snapshot_faults"):
        found = {_place(issue) for issue in domain.validate(from_records(row["snapshot"])).errors}
        planted = {_planted(fault) for fault in row["faults"]}
        for kind in {place[0] for place in found | planted}:
            only = [{place for place in places if place[0] == kind} for places in (found, planted)]
            put(tally, f"fault in graph: {kind}", row["id"], counted(*only))
        clean = (1, 0, 0) if not found else (0, 1, 0)
        if not planted:
            put(tally, "clean graphs without an error", row["id"], clean)
    return dict(sorted(tally.items()))


def _text(native: Any) -> str:
    return native if isinstance(native, str) else json.dumps(native)


def _bare(name: str) -> str:
    return name.partition(":")[2]


def _parts(read: WorkflowFile, gold: Mapping[str, Any]) -> dict[str, tuple[int, int, int]]:
    """Tasks, dependencies, data flow, and when tasks run, as read and as they are."""
    nodes = {label: {_bare(n.id) for n in read.snapshot.nodes if n.label == label} for label in ("Task", "DataAsset")}
    edges = {
        label: {(_bare(e.source), _bare(e.target)) for e in read.snapshot.edges if e.label == label} for label in EDGES
    }
    there = {label: {tuple(pair) for pair in gold[label]} for label in EDGES}
    flow = [{(label, *pair) for label in ("produces", "consumes") for pair in given[label]} for given in (edges, there)]
    when = [{(label, *pair) for label in ("triggers", "enables") for pair in given[label]} for given in (edges, there)]
    return {
        "tasks": counted(nodes["Task"], {one["id"] for one in gold["tasks"]}),
        "dependencies": counted(edges["depends_on"], there["depends_on"]),
        "data flow": counted(*flow),
        "schedules and conditions": counted(*when),
    }


def _file_faults(tally: Tally, row: Mapping[str, Any], natural: set[Place]) -> None:
    """Faults planted in a file. A warning counts where it says what was planted, and is no fault where it does not."""
    planted = {_file_planted(fault) for fault in row["faults"]}
    checked = check_workflow(parse_workflow(_text(row["native"]), row["id"], row["format"]))
    found = {_file_place(i) for i in checked.issues if i.severity == "error" or _file_place(i) in planted} - natural
    for kind in {place[0] for place in found | planted}:
        only = [{place for place in places if place[0] == kind} for places in (found, planted)]
        put(tally, f"fault in {row['format']}: {kind}", row["id"], counted(*only))


def _file_planted(fault: Mapping[str, Any]) -> Place:
    kind = fault["kind"]
    if kind == "cycle":
        return kind, frozenset(fault["tasks"])
    if "producer" in fault:
        return kind, fault["producer"], fault["tasks"][0]
    data = fault.get("data")
    for keys in (("task", "missing"), ("parent", "child"), ("id",), ("schedule",)):
        if all(key in fault for key in keys):
            return kind, *(fault[key] for key in keys)
    return kind, data if isinstance(data, str) else (data or [""])[0]


def _file_place(issue: Issue) -> Place:
    names = [_bare(node) for node in issue.nodes]
    if issue.rule == "cycle":
        return issue.rule, frozenset(names)
    if issue.rule == "dangling_dependency":
        return issue.rule, *names[:2]
    if issue.rule == "one_sided_link" or (issue.rule == "missing_producer" and issue.nodes[0].startswith("task:")):
        return issue.rule, names[1], names[0]
    return issue.rule, names[0].removeprefix("input:") if issue.rule == "duplicate_id" else names[0]


def _planted(fault: Mapping[str, Any]) -> Place:
    kind = fault["kind"]
    if kind in ("cycle", "self_dependency"):
        return kind, frozenset(fault["tasks"])
    return kind, next(fault[key] for key in ("edge", "node", "data") if key in fault)


def _place(issue: Issue) -> Place:
    kind = "missing_name" if issue.rule == "missing_property" and issue.prop == "name" else issue.rule
    if kind in ("cycle", "self_dependency"):
        return kind, frozenset(issue.nodes)
    by_edge = kind in ("dangling_edge", "wrong_direction", "wrong_ends", "unknown_label") and issue.edges
    return kind, issue.edges[0] if by_edge else issue.nodes[0]


def story(folder: Path) -> Tally:
    """Events read, contradictions with the sentences that they are between, and questions."""
    tally: Tally = {}
    for row in rows_of(folder, "babi"):
        one = StoryGraph()
        told = one.tell(row["sentences"])
        read = {(n, t.kind, *t.actors, t.thing, t.place, t.receiver) for n, t in enumerate(told)}
        put(tally, "events", row["id"], counted(read, {_event(n, event) for n, event in enumerate(row["events"])}))
        issues = one.validate_possession().errors + one.validate_timeline().errors
        found = {(_numbers(one, issue), issue.rule) for issue in issues}
        gold = {((c["sentence"], *sorted(c["conflicts_with"])), c["kind"]) for c in row["contradictions"]}
        put(
            tally,
            "contradictions, all sentences named",
            row["id"],
            counted({f[0] for f in found}, {g[0] for g in gold}),
        )
        put(tally, "contradictions of the kind that was planned", row["id"], counted(found, gold))
        for question in row["questions"]:
            said = answer(one.graph, question["question"], question["after"])
            right = said is not None and _names(said.text) == _names(question["answer"])
            put(tally, f"questions: {row['kind']}", row["id"], (1, 0, 0) if right else (0, int(said is not None), 1))
    return tally


def _names(text: str) -> set[str]:
    return set(text.split(","))


def _event(number: int, event: Mapping[str, Any]) -> Place:
    kind = {"go": "move", "get": "take"}.get(event["verb"], event["verb"])
    return number, kind, event["actor"], *(event.get(key) or "" for key in ("object", "place", "to"))


def _numbers(one: StoryGraph, issue: Issue) -> tuple[int, ...]:
    """The sentences of an issue, that which cannot be first."""
    first, *others = (int(one.graph.node(node).props["told"]) for node in issue.nodes)
    return first, *sorted(others)


def science(folder: Path) -> Tally:
    """Claims, circles of citations, and how many answers are in slices of several kinds."""
    tally: Tally = {}
    records = {"nodes": rows_of(folder, "nodes"), "edges": rows_of(folder, "edges")}
    one = ScienceGraph(GraphEngine(from_records(records)))
    for number, row in enumerate(rows_of(folder, "claims")):
        wanted = "supported" if row["true"] else "contradicted" if row["contradicted_by"] else "not known"
        found = check_sentence(one.domain, one.graph, one.asking.names, row["text"]).answer
        for kind in {wanted, found}:
            put(tally, f"claims: {kind}", f"claim {number}", counted({kind} & {found}, {kind} & {wanted}))
    put(tally, "circles of citations", "citations", _citations(rows_of(folder, "citations_pubmed_diabetes")))
    questions = rows_of(folder, "questions")
    ask_science(tally, one, questions)
    for row in questions:
        for what, nodes in _slices(one.graph, row):
            answers = set(row["answers"])
            put(tally, f"answers in the slice: {what}", row["id"], (len(answers & nodes), 0, len(answers - nodes)))
    return tally


def _citations(rows: Iterable[Mapping[str, str]]) -> tuple[int, int, int]:
    """Papers that cite each other, or themselves."""
    one = ScienceGraph()
    pairs = [(row["from"], row["to"]) for row in rows]
    for paper in dict.fromkeys(name for pair in pairs for name in pair):
        one.add_paper(paper, id=paper)
    for pair in pairs:
        one.link_citation(*pair)
    found = {frozenset(issue.nodes) for issue in one.validate_no_circular_citations().issues}
    both = set(pairs)
    return counted(found, {frozenset(pair) for pair in both if pair[::-1] in both})


def _slices(graph: GraphEngine, row: Mapping[str, Any]) -> Iterable[tuple[str, set[str]]]:
    """Slices around the seeds of a question, whose labels are given: what text alone gives is measured elsewhere."""
    path = row["path"]
    labels = [step for part in path["all of"] for step in part] if isinstance(path, dict) else list(path)
    known = frozenset(label.removeprefix("^") for label in labels)
    for what, depth, edges, cut in (
        ("1 hop, cut by degree", 1, None, BY_DEGREE),
        ("1 hop, near first", 1, None, NEAR),
        ("2 hops, cut by degree", 2, None, BY_DEGREE),
        ("2 hops, near first", 2, None, NEAR),
        ("the question's edges, cut by degree", row["hops"], known, BY_DEGREE),
        ("the question's edges, near first", row["hops"], known, NEAR),
    ):
        found = graph.subgraph(row["seeds"], depth=depth, edge_labels=edges, max_nodes=MOST_NODES, cut=cut)
        yield what, set(found.node_ids)
    ends = [set(graph.along([seed], step)) for seed, step in _walks(row)]
    common = set.intersection(*ends)
    share = MOST_NODES // len(ends)
    parts = [graph.ways([seed], step, only=common, max_nodes=share) for seed, step in _walks(row)]
    yield "whole ways along the path", {node for part in parts for node in part.node_ids}
    yield "a walk along the path, not cut", common


def _walks(row: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Each seed with its path."""
    path = row["path"]
    paths = path["all of"] if isinstance(path, dict) else [path] * len(row["seeds"])
    return list(zip(row["seeds"], paths, strict=False))
