"""The audit finds each way in which a paper's blocks could be lost, doubled or changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rdflib import Literal, URIRef

from kag.rdf.namespaces import KAG
from kag.sources.ocr import read_document
from kag.values.content import ContentStore
from kag.write.audit import audit
from kag.write.run import Run, load_run, write_run
from kag.write.story import index_paper


@pytest.fixture
def run(paper: Path, tmp_path: Path) -> Run:
    return load_run(write_run(tmp_path / "runs", "ice", index_paper(paper).files))


def node(run: Run, name: str) -> URIRef:
    return URIRef(f"http://la3d.local/kag/doc/ice/{name}")


def checks(run: Run) -> set[str]:
    return {issue.component for issue in audit(run).issues}


def test_a_run_is_conserved(run: Run, paper: Path) -> None:
    assert audit(run).issues == ()
    assert audit(run, read_document(paper)).issues == ()


def remove_node(run: Run) -> Run:
    run.graph.remove((node(run, "b_p002_0004"), None, None))
    return run


def change_text(run: Run) -> Run:
    run.graph.set((node(run, "b_p002_0004"), KAG.fullText, Literal("Eleven sites were chosen along the river.")))
    return run


def swap_parts(run: Run) -> Run:
    run.graph.set((node(run, "b_p002_0010-0"), KAG.fullText, Literal("[2] Other.")))
    return run


def move_box(run: Run) -> Run:
    run.graph.set((node(run, "b_p002_0004"), KAG.hasBBox, Literal("[[1, 2, 3, 4]]")))
    return run


def move_page(run: Run) -> Run:
    run.graph.set((node(run, "b_p002_0004"), KAG.pageNumber, Literal(1)))
    return run


def double(run: Run) -> Run:
    run.graph.add((node(run, "b_p002_0001"), KAG.sourceBlock, Literal("b_p002_0004")))
    return run


def skip_as_well(run: Run) -> Run:
    return replace(run, skipped={**run.skipped, "b_p002_0004": "noise"})


def skip_without_reason(run: Run) -> Run:
    return replace(run, skipped={block: " " for block in run.skipped})


def invent(run: Run) -> Run:
    return replace(run, skipped={**run.skipped, "b_p009_0009": "noise"})


def tie_order(run: Run) -> Run:
    run.graph.set((node(run, "b_p002_0004"), KAG.order, Literal(1)))
    return run


def lose_content(run: Run) -> Run:
    return replace(run, content=ContentStore())


def change_content(run: Run) -> Run:
    lines = [json.loads(line) for line in run.content.to_jsonl().splitlines()]
    lines[0]["text"] += "!"
    return replace(run, content=ContentStore.from_jsonl("\n".join(map(json.dumps, lines))))


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        (remove_node, "Lost"),
        (change_text, "TextChanged"),
        (swap_parts, "TextChanged"),
        (move_box, "PlaceChanged"),
        (move_page, "PlaceChanged"),
        (double, "Doubled"),
        (skip_as_well, "Doubled"),
        (skip_without_reason, "NoReason"),
        (invent, "Invented"),
        (tie_order, "Order"),
        (lose_content, "NoContent"),
        (change_content, "ContentChanged"),
    ],
)
def test_damage_is_found(run: Run, damage: Callable[[Run], Run], check: str) -> None:
    assert check in checks(damage(run))


def test_a_changed_source_is_found(run: Run, paper: Path) -> None:
    page = paper / "page_002.md"
    page.write_text(page.read_text().replace("Twelve", "Eleven"))
    assert [issue.component for issue in audit(run, read_document(paper)).issues] == ["SourceChanged", "Stale"]
