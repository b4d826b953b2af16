"""The draft: a plan as rows and back, what an agent may change in it, and what is told of that."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from kag.rdf.namespaces import DEO, DOCO
from kag.sources.ocr.folder import read_document
from kag.values.errors import BadValue
from kag.values.types import Document
from kag.write.build_plan import Plan, plan_sections
from kag.write.changes import LEFT_OUT, Change, changes, losses, state_of_plan
from kag.write.draft import draft_of, plan_of

ROOT = Path(__file__).parents[3]
PAPERS = ["reservoir_sensors", "urban_pollinators", "zirconium_tracers"]


@pytest.fixture
def document(paper: Path) -> Document:
    return read_document(paper)


@pytest.fixture
def draft(document: Document) -> dict[str, Any]:
    return draft_of(document, plan_sections(document))


def read(draft: dict[str, Any], document: Document) -> tuple[Plan, dict[str, str]]:
    return plan_of(draft, draft_of(document, plan_sections(document)), document)


def node(plan: Plan, block: str):
    return next(n for s in plan.sections for n in s.nodes if block in {b.id for b in n.blocks})


@pytest.mark.parametrize("name", PAPERS)
def test_a_draft_is_the_plan_and_json(name: str) -> None:
    document = read_document(ROOT / "test_data" / name)
    plan = plan_sections(document)
    found, refused = read(json.loads(json.dumps(draft_of(document, plan))), document)
    assert refused == {}
    assert found == plan


def test_it_is_the_plan_on_real_papers(shared: Path) -> None:
    for folder in sorted((shared / "data" / "jats_gold").glob("*/gold.json"))[::6]:
        document = read_document(folder.parent)
        plan = plan_sections(document)
        found, refused = read(draft_of(document, plan), document)
        assert refused == {}
        assert changes(state_of_plan(plan), state_of_plan(found), document) == []


def test_a_heading_goes_elsewhere_with_what_follows_it(document: Document, draft: dict[str, Any]) -> None:
    draft["sections"]["b_p001_0005"]["depth"] = 2
    plan, refused = read(draft, document)
    assert refused == {}
    moved = next(section for section in plan.sections if section.heading and section.heading.block.id == "b_p001_0005")
    assert plan.sections[moved.parent].heading.block.id == "b_p001_0003"


def test_a_row_that_is_added_takes_its_block_from_where_it_was(document: Document, draft: dict[str, Any]) -> None:
    draft["skipped"]["b_p001_0004"] = "a slogan"
    draft["sections"]["b_p001_0006"] = {"depth": 2}
    draft["nodes"]["b_p002_0004"]["more"] = ["b_p002_0005"]
    plan, refused = read(draft, document)
    assert refused == {}
    assert "b_p001_0004" in plan.skipped
    assert any(section.heading and section.heading.block.id == "b_p001_0006" for section in plan.sections)
    assert [block.id for block in node(plan, "b_p002_0005").blocks] == ["b_p002_0004", "b_p002_0005"]


def test_what_was_left_out_can_be_brought_back(document: Document, draft: dict[str, Any]) -> None:
    lost = next(iter(draft["skipped"]))
    draft["nodes"][lost] = {"class": "doco:Footnote"}
    plan, _ = read(draft, document)
    assert node(plan, lost).cls == DOCO.Footnote
    assert lost not in plan.skipped


def test_a_block_is_cut_into_parts(document: Document, draft: dict[str, Any]) -> None:
    length = len(next(block.text for block in document.blocks if block.id == "b_p001_0004"))
    draft["nodes"]["b_p001_0004-0"] = {"class": "doco:Paragraph", "start": 0, "end": 9}
    draft["nodes"]["b_p001_0004-9"] = {"class": "doco:Paragraph", "start": 9, "end": length}
    plan, refused = read(draft, document)
    assert refused == {}
    parts = [n for s in plan.sections for n in s.nodes if n.blocks[0].id == "b_p001_0004"]
    assert [(part.start, part.end) for part in parts] == [(0, 9), (9, length)]


@pytest.mark.parametrize(
    ("change", "row", "why"),
    [
        (lambda d: d["nodes"].update(b_p099_0001={"class": "doco:Paragraph"}), "b_p099_0001", "no block"),
        (lambda d: d["nodes"]["b_p001_0004"].update({"class": "doco:Poem"}), "b_p001_0004", "no class"),
        (lambda d: d["nodes"]["b_p001_0004"].update({"in": "b_p099_0001"}), "b_p001_0004", "no section"),
        (lambda d: d["nodes"]["b_p001_0004"].update({"continues": 7}), "b_p001_0004", "no block 7"),
        (lambda d: d["nodes"]["b_p001_0004"].update({"start": "x"}), "b_p001_0004", "invalid literal"),
        (lambda d: d["sections"]["b_p001_0005"].update({"depth": "2"}), "b_p001_0005", "depth is '2'"),
        (lambda d: d["sections"]["b_p001_0005"].update({"depth": -1}), "b_p001_0005", "depth is -1"),
        (lambda d: d["sections"].update(b_p099_0001={"depth": 1}), "b_p099_0001", "no block"),
        (lambda d: d["skipped"].update(b_p099_0001="gone"), "b_p099_0001", "no block"),
    ],
)
def test_a_row_that_cannot_be_is_named(document: Document, draft: dict[str, Any], change, row: str, why: str) -> None:
    change(draft)
    _, refused = read(draft, document)
    assert why in refused[row]
    assert len(refused) == 1


@pytest.mark.parametrize("wrong", [{}, {"sections": [], "nodes": {}, "skipped": {}}, [], "draft", None])
def test_what_is_no_draft_is_refused(document: Document, wrong: Any) -> None:
    with pytest.raises(BadValue):
        read(wrong, document)


def test_a_row_that_is_no_dict_is_refused(document: Document, draft: dict[str, Any]) -> None:
    draft["nodes"]["b_p001_0004"] = "doco:Paragraph"
    with pytest.raises(BadValue, match="b_p001_0004 is no dict"):
        read(draft, document)


# what differs -----------------------------------------------------------------------------------------------------


def differences(document: Document, draft: dict[str, Any]) -> list[Change]:
    plan, _ = read(draft, document)
    return changes(state_of_plan(plan_sections(document)), state_of_plan(plan), document)


def test_differences_are_told_block_by_block(document: Document, draft: dict[str, Any]) -> None:
    before = deepcopy(draft)
    assert differences(document, draft) == []
    draft["nodes"]["b_p001_0004"]["class"] = "doco:Footnote"
    draft["sections"]["b_p001_0005"]["depth"] = 2
    found = differences(document, draft)
    assert Change("b_p001_0004", "as", "doco:Paragraph", "doco:Footnote", "doco:Footnote") in found
    assert Change("b_p001_0005", "in", "", "b_p001_0003", "heading") in found
    assert losses(found, document) == [], "nothing is lost by that"
    assert before["nodes"]["b_p001_0004"]["class"] == "doco:Paragraph"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["skipped"].update(b_p001_0004="dull"), "left out: b_p001_0004"),
        (lambda d: d["sections"].update(b_p001_0004={"depth": 2}), "a heading made of running text: b_p001_0004"),
        (lambda d: d["nodes"].update(b_p001_0005={"class": "doco:Paragraph"}), "no heading any more: b_p001_0005"),
        (
            lambda d: d["nodes"]["b_p002_0004"].update(continues="b_p001_0004"),
            "joined with b_p001_0004 though no sentence is cut: b_p002_0004",
        ),
    ],
)
def test_what_is_lost_is_told_in_words(document: Document, draft: dict[str, Any], change, said: str) -> None:
    change(draft)
    assert any(line.startswith(said) for line in losses(differences(document, draft), document))


def test_paragraphs_with_a_cut_between_them_may_be_joined(document: Document) -> None:
    cut = Change("b_p002_0002", "continues", "", "b_p001_0006", "doco:Paragraph")
    assert losses([cut], document) == []
    table = Change("b_p002_0004", "with", "b_p002_0004", "b_p001_0004", "doco:Table")
    assert losses([table], document) == [], "a table in two blocks is one table"
    assert LEFT_OUT in {row["as"] for row in state_of_plan(plan_sections(document)).values()}
    assert DEO.Caption
