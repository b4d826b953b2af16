from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.errors import BadValue
from kag.core.trajectory import Step, Trajectory
from kag.indexing.baseline import build_baseline
from kag.indexing.memory import Procedure, ProcedureStore, RecallTools, learn
from kag.indexing.pipeline import Builder, index_document
from kag.rdf.workspace import Workspace
from kag.sources.ocr.folder import read_document


def judged(*messages: str) -> Step:
    return Step("tool", "validate_graph", data={"violations": [{"message": message} for message in messages]})


def called(name: str, ok: bool = True) -> Step:
    return Step("tool", name, ok)


def test_a_repair_is_what_was_called_until_the_violation_was_gone() -> None:
    steps = [
        called("op_create_node"),
        judged("no page", "no title"),
        called("op_set_single_literal"),
        called("op_add_iri_link", ok=False),
        called("op_set_single_literal"),
        judged("no title"),
        called("op_add_iri_link"),
        judged(),
    ]
    assert learn(steps) == (
        Procedure("no page", ("op_set_single_literal",)),
        Procedure("no title", ("op_add_iri_link",)),
    )


def test_procedures_persist_and_the_frequent_come_first(tmp_path: Path) -> None:
    store = ProcedureStore(tmp_path / "p.jsonl")
    assert store.offer() == []
    store.record([Procedure("a", ("x",))])
    store.record([Procedure("b", ("y", "z")), Procedure("b", ("y", "z"))])
    assert ProcedureStore(tmp_path / "p.jsonl").offer() == [
        {"when": "b", "call": ["y", "z"], "worked": 2},
        {"when": "a", "call": ["x"], "worked": 1},
    ]


def test_a_damaged_memory_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(b'{"pattern": "a", "steps": ["x"]}\n{broken\n[1]\n')
    assert [row["when"] for row in ProcedureStore(path).offer()] == ["a"]
    path.write_bytes(b"\xff\xfe")
    assert ProcedureStore(path).offer() == []


def test_a_repair_of_one_run_is_offered_to_the_next(paper: Path, tmp_path: Path) -> None:
    def clumsy(document, tools) -> None:
        build_baseline(document, tools)
        tools["op_set_single_literal"]("ex:b_p002_0004", "kag:pageNumber", 0)
        assert tools["validate_graph"]()
        tools["op_set_single_literal"]("ex:b_p002_0004", "kag:pageNumber", 2)

    def curious(document, tools) -> None:
        offered.extend(tools["recall"](2))
        build_baseline(document, tools)

    offered: list[dict] = []
    store, document = ProcedureStore(tmp_path / "p.jsonl"), read_document(paper)
    index_document(document, Builder("clumsy", clumsy), procedures=store)
    index_document(document, Builder("curious", curious), procedures=store)
    assert [(row["call"], row["worked"]) for row in offered] == [(["op_set_single_literal"], 1)]


def test_layers(paper: Path) -> None:
    workspace, trajectory = Workspace(read_document(paper)), Trajectory()
    recall = RecallTools(workspace, trajectory).recall
    blocks = len(workspace.document.blocks)
    assert recall(0)[0]["next_unplaced"] == [block.id for block in workspace.document.blocks][:10]
    assert (recall(0)[0]["unplaced"], recall(0)[0]["placed"]) == (blocks, 0)
    for step in (called("op_x"), called("op_x"), Step("tool", "op_y", False, {"error": "no"})):
        trajectory.append(step)
    assert recall(1) == [{"tool": "op_x", "calls": 2, "error": ""}, {"tool": "op_y", "calls": 1, "error": "no"}]
    assert recall(2) == []
    with pytest.raises(BadValue):
        recall(3)
