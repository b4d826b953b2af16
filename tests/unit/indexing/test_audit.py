"""The audit finds each way in which a paper's blocks could be lost, doubled or changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rdflib import Literal, URIRef

from kag.core.content import ContentStore
from kag.core.errors import RunError
from kag.indexing.audit import audit, is_stale
from kag.indexing.pipeline import index_paper
from kag.indexing.run import LEDGER, Run, load_run, write_run
from kag.rdf.namespaces import KAG
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper


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


def append_text(run: Run) -> Run:
    return said(run, "b_p002_0004", "Twelve sites were chosen along the river. More.")


def cut_text(run: Run) -> Run:
    return said(run, "b_p002_0004", "Twelve sites were chosen along the river")


def say_something_of_a_picture(run: Run) -> Run:
    return said(run, "b_p001_0007", "A bear.")


def append_to_last_part(run: Run) -> Run:
    last = "b_p002_0010-49"
    return said(run, last, f"{run.graph.value(node(run, last), KAG.fullText)} More.")


def said(run: Run, name: str, text: str) -> Run:
    assert (node(run, name), KAG.sourceBlock, None) in run.graph
    run.graph.set((node(run, name), KAG.fullText, Literal(text)))
    return run


def forget_boxes(run: Run) -> Run:
    run.graph.remove((node(run, "b_p002_0004"), KAG.hasBBox, None))
    return run


def garble_boxes(run: Run) -> Run:
    run.graph.set((node(run, "b_p002_0004"), KAG.hasBBox, Literal("[[1, 2")))
    return run


def whole_beside_part(run: Run) -> Run:
    """A block of which one node has a part, and another one all."""
    run.graph.add((node(run, "b_p002_0004"), KAG.sourceBlock, Literal("b_p002_0010")))
    return run


def begin_order_with_two(run: Run) -> Run:
    for subject, number in list(run.graph.subject_objects(KAG.order)):
        run.graph.set((subject, KAG.order, Literal(int(str(number)) + 1)))
    return run


def lose_cells(run: Run) -> Run:
    (table,) = run.graph.subjects(KAG.tableCells)
    run.graph.set((table, KAG.tableCells, Literal("no such content")))
    return run


def change_stored_text(run: Run) -> Run:
    """The graph's text and the store's differ, each whole by itself."""
    other = str(run.graph.value(node(run, "b_p002_0009"), KAG.hasContentRef))
    run.graph.set((node(run, "b_p002_0004"), KAG.hasContentRef, Literal(other)))
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
        (append_text, "TextChanged"),
        (cut_text, "TextChanged"),
        (say_something_of_a_picture, "TextChanged"),
        (append_to_last_part, "TextChanged"),
        (swap_parts, "TextChanged"),
        (forget_boxes, "PlaceChanged"),
        (garble_boxes, "PlaceChanged"),
        (whole_beside_part, "Doubled"),
        (begin_order_with_two, "Order"),
        (lose_cells, "NoContent"),
        (change_stored_text, "TextChanged"),
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


def test_what_is_found_says_where(run: Run) -> None:
    assert [(issue.focus, issue.component) for issue in audit(append_text(run)).issues] == [
        (str(node(run, "b_p002_0004")), "TextChanged"),
        (str(node(run, "b_p002_0004")), "TextChanged"),  # it differs from its block, and from the content store
    ]


def test_a_part_that_is_not_whole_names_its_block(run: Run) -> None:
    found = [issue.focus for issue in audit(append_to_last_part(run)).issues]
    assert "b_p002_0010" in found


SHUFFLED = (
    ("text", "[[510, 120, 940, 300]]", "printed by Rivers, 1999."),
    ("text", "[[510, 320, 940, 500]]", "[2] Roe E. Snow on rivers. Rivers, 2000."),
    ("sub_title", "[[60, 60, 940, 100]]", "## References"),
    ("text", "[[60, 120, 490, 300]]", "[1] Poe E. Ice on rivers,"),
)


@pytest.fixture
def shuffled(tmp_path: Path) -> Run:
    """A reference of two blocks, of which the second has the smaller number."""
    folder = write_paper(tmp_path / "ice", (SHUFFLED,))
    return load_run(write_run(tmp_path / "runs", "ice", index_paper(folder).files))


def test_blocks_of_a_node_are_joined_in_reading_order(shuffled: Run) -> None:
    entry = node(shuffled, "b_p001_0004")
    text = "[1] Poe E. Ice on rivers, printed by Rivers, 1999."
    assert str(shuffled.graph.value(entry, KAG.fullText)) == text
    assert audit(shuffled).issues == ()
    for wrong in (text.replace(", printed", ",  printed"), text.replace(", printed", ",printed"), text[:25]):
        assert "TextChanged" in checks(said(shuffled, "b_p001_0004", wrong)), wrong


def test_a_block_that_left_its_node_is_missed_there(shuffled: Run) -> None:
    shuffled.graph.remove((node(shuffled, "b_p001_0004"), KAG.sourceBlock, Literal("b_p001_0001")))
    assert {"Lost", "TextChanged", "PlaceChanged"} <= checks(shuffled)


def test_a_run_is_stale_when_its_pages_have_changed(run: Run, paper: Path) -> None:
    assert not is_stale(run.path, read_document(paper))
    page = paper / "page_002.md"
    page.write_text(page.read_text() + "\n")
    assert not is_stale(run.path, read_document(paper)), "other bytes, the same blocks"
    page.write_text(page.read_text().replace("Twelve", "Eleven"))
    assert is_stale(run.path, read_document(paper))
    (run.path / LEDGER).write_text("no ledger")
    with pytest.raises(RunError):
        is_stale(run.path, read_document(paper))


def test_a_changed_source_is_found(run: Run, paper: Path) -> None:
    page = paper / "page_002.md"
    page.write_text(page.read_text().replace("Twelve", "Eleven"))
    assert [issue.component for issue in audit(run, read_document(paper)).issues] == ["SourceChanged", "Stale"]


def test_a_hyphen_in_the_name_of_a_paper_makes_no_parts(tmp_path: Path) -> None:
    folder = write_paper(tmp_path / "ice-2")
    run = load_run(write_run(tmp_path / "runs", "ice-2", index_paper(folder).files))
    assert audit(run).issues == ()
    block = URIRef("http://la3d.local/kag/doc/ice-2/b_p002_0001")
    run.graph.add((block, KAG.sourceBlock, Literal("b_p002_0004")))
    assert "Doubled" in checks(run)
