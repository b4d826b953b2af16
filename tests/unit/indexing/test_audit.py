"""The audit finds lost, doubled and changed blocks; warnings name what looks incomplete."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rdflib import Literal, URIRef

from kag.core.content import ContentStore
from kag.core.errors import RunError
from kag.core.types import Document, Repair, Skipped
from kag.indexing.audit import audit, find_warnings, is_stale
from kag.indexing.pipeline import index_paper
from kag.indexing.run import LEDGER, Run, load_run, warnings_of, write_run
from kag.rdf.namespaces import KAG
from kag.rdf.workspace import Workspace
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper
from tests.unit.indexing.structure.blocks import block


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


def said(run: Run, name: str, text: str) -> Run:
    assert (node(run, name), KAG.sourceBlock, None) in run.graph
    return stated(run, KAG.fullText, text, name)


def stated(run: Run, property_: URIRef, value: str | int, name: str = "b_p002_0004") -> Run:
    run.graph.set((node(run, name), property_, Literal(value)))
    return run


def forgotten(run: Run, property_: URIRef | None) -> Run:
    run.graph.remove((node(run, "b_p002_0004"), property_, None))
    return run


def also_of(run: Run, name: str, block: str) -> Run:
    """One more node of a block."""
    run.graph.add((node(run, name), KAG.sourceBlock, Literal(block)))
    return run


def append_to_last_part(run: Run) -> Run:
    last = "b_p002_0010-49"
    return said(run, last, f"{run.graph.value(node(run, last), KAG.fullText)} More.")


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
    return stated(run, KAG.hasContentRef, str(run.graph.value(node(run, "b_p002_0009"), KAG.hasContentRef)))


def change_content(run: Run) -> Run:
    lines = [json.loads(line) for line in run.content.to_jsonl().splitlines()]
    lines[0]["text"] += "!"
    return replace(run, content=ContentStore.from_jsonl("\n".join(map(json.dumps, lines))))


SITES = "Twelve sites were chosen along the river."
DAMAGES: dict[str, tuple[Callable[[Run], Run], str]] = {
    "node": (lambda run: forgotten(run, None), "Lost"),
    "other text": (lambda run: said(run, "b_p002_0004", SITES.replace("Twelve", "Eleven")), "TextChanged"),
    "more text": (lambda run: said(run, "b_p002_0004", f"{SITES} More."), "TextChanged"),
    "less text": (lambda run: said(run, "b_p002_0004", SITES[:-1]), "TextChanged"),
    "text of a picture": (lambda run: said(run, "b_p001_0007", "A bear."), "TextChanged"),
    "last part": (append_to_last_part, "TextChanged"),
    "first part": (lambda run: said(run, "b_p002_0010-0", "[2] Other."), "TextChanged"),
    "no boxes": (lambda run: forgotten(run, KAG.hasBBox), "PlaceChanged"),
    "garbled boxes": (lambda run: stated(run, KAG.hasBBox, "[[1, 2"), "PlaceChanged"),
    "other box": (lambda run: stated(run, KAG.hasBBox, "[[1, 2, 3, 4]]"), "PlaceChanged"),
    "other page": (lambda run: stated(run, KAG.pageNumber, 1), "PlaceChanged"),
    "whole beside part": (lambda run: also_of(run, "b_p002_0004", "b_p002_0010"), "Doubled"),
    "two nodes": (lambda run: also_of(run, "b_p002_0001", "b_p002_0004"), "Doubled"),
    "skipped as well": (lambda run: replace(run, skipped={**run.skipped, "b_p002_0004": "noise"}), "Doubled"),
    "no reason": (lambda run: replace(run, skipped=dict.fromkeys(run.skipped, " ")), "NoReason"),
    "invented": (lambda run: replace(run, skipped={**run.skipped, "b_p009_0009": "noise"}), "Invented"),
    "order from two": (begin_order_with_two, "Order"),
    "tie": (lambda run: stated(run, KAG.order, 1), "Order"),
    "cells": (lose_cells, "NoContent"),
    "store": (lambda run: replace(run, content=ContentStore()), "NoContent"),
    "stored text": (change_stored_text, "TextChanged"),
    "other content": (change_content, "ContentChanged"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found(run: Run, name: str) -> None:
    damage, check = DAMAGES[name]
    assert check in checks(damage(run))


def test_what_is_found_says_where(run: Run) -> None:
    assert [(issue.focus, issue.component) for issue in audit(said(run, "b_p002_0004", f"{SITES} More.")).issues] == [
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


# What looks incomplete ---

PROSE = "The gauges were read by hand at dawn and again at noon, and the loads were compared with those of the year. "


def entries(number: int) -> str:
    return "\n\n".join(
        f"[{n}] A. Hill. Banks of brooks, part {n}. Journal of Rivers, 3:1-9, 2001." for n in range(1, number + 1)
    )


TITLE, AUTHORS = "# Loads of small streams", "Anna Berg, Tomas Field"
SOUND = f"""{TITLE}

{AUTHORS}

## Abstract

{PROSE * 3}

## 1. Introduction

Banks move [1-7]. {PROSE * 40}

## References

{entries(7)}
"""


def codes(tmp_path: Path, text: str) -> list[str]:
    paper = tmp_path / "paper.md"
    paper.write_text(text, encoding="utf-8")
    run = write_run(tmp_path / "runs", "paper", index_paper(paper).files)
    warnings = json.loads((run / "summary.json").read_text(encoding="utf-8"))["warnings"]
    assert warnings == warnings_of(run)
    return [warning["code"] for warning in warnings]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ""),
        ({TITLE: ""}, "no-title no-authors"),
        ({AUTHORS: ""}, "no-authors"),
        ({AUTHORS: "", PROSE * 40: PROSE * 20}, ""),  # a page of text may lack them
        ({"## Abstract": f"{PROSE * 3}\n\n" * 4}, "no-abstract"),
        ({f"## References\n\n{entries(7)}": ""}, "no-references"),
        ({f"## References\n\n{entries(7)}": "", "[1-7]": ""}, "no-references"),
        ({f"## References\n\n{entries(7)}": "", "[1-7]": "", PROSE * 40: PROSE * 20}, ""),
        ({"[1-7]": ""}, "uncited-references"),
        ({"[1-7]": "[1]"}, "uncited-references"),
        ({"[1-7]": "[1, 2]"}, ""),  # a quarter of them
        ({"[1-7]": "", entries(7): entries(5)}, "uncited-references"),
        ({"[1-7]": "", entries(7): entries(4)}, ""),
        ({"[1-7]": "[1-7], [8, 9], [10]"}, "citations-without-entry"),
        ({"[1-7]": "[1-7], [8, 9]"}, ""),
        ({"[1-7]": "[1-7], [9, 10, 11]"}, ""),  # the list does not end there
        ({"[1-7]": "[1-7], [8, 9], [17]"}, "citations-without-entry"),
        ({"[1-7]": "[1-7], [8, 9], [18]"}, ""),  # more than ten behind the last
    ],
)
def test_a_sound_paper_has_no_warning_and_a_damaged_one_has_its_own(
    tmp_path: Path, changes: dict[str, str], expected: str
) -> None:
    text = SOUND
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    assert codes(tmp_path, text) == expected.split()


@pytest.mark.parametrize(
    ("left_out", "reason", "repairs", "expected"),
    [
        (10, "unreadable", [], []),
        (11, "unreadable", [], [("skipped-text", "11% of the text was left out")]),
        (50, "Running head", [], []),  # what every paper leaves out
        (0, "", [(1, "read by tesseract 5"), (1, "read by tesseract 5"), (2, "read by tesseract 5"), (0, "tesseract")],
         [("read-by-ocr", "2 of 4 pages were read by OCR")]),
        (0, "", [(3, "page left out"), (3, "page left out"), (4, "page left as a picture"), (0, "page left out")],
         [("lost-pages", "1 of 4 pages could not be read")]),
    ],
)  # fmt: skip
def test_what_was_left_out_and_what_was_read_from_pictures_is_counted(
    left_out: int, reason: str, repairs: list[tuple[int, str]], expected: list[tuple[str, str]]
) -> None:
    blocks = block("1.1", "a" * (100 - left_out)), block("1.2", "b" * left_out)
    made = tuple(Repair(page, 1, "problem", action) for page, action in repairs)
    workspace = Workspace(Document("ice", blocks, (), made, 4, ""))
    workspace.skipped = {blocks[1].id: Skipped(blocks[1].id, reason)}
    sources = [(row["code"], row["message"]) for row in find_warnings(workspace) if row["code"] != "no-title"]
    assert sources == expected
