"""The plan as rows for an agent, and the differences and losses of a plan against the rules' own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kag.core.types import Document, Skipped
from kag.indexing.build_plan import Plan, PlannedNode, PlannedSection, plan_sections
from kag.indexing.changes import LEFT_OUT, Change, changes, losses, plan_rows, state_of_plan
from kag.indexing.rule_book import FLOAT_NUMBERS, RULES, rules_text
from kag.indexing.structure.floats import float_label
from kag.indexing.structure.headings import Heading
from kag.indexing.structure.page_layout import reading_positions
from kag.rdf.namespaces import DEO, DOCO
from kag.sources.ocr.folder import read_document

ROOT = Path(__file__).parents[3]


@pytest.fixture
def document(paper: Path) -> Document:
    return read_document(paper)


@pytest.mark.parametrize("name", ["reservoir_sensors", "urban_pollinators", "zirconium_tracers"])
def test_rows_are_json_and_name_each_block_once(name: str) -> None:
    document = read_document(ROOT / "test_data" / name)
    rows = plan_rows(document, plan_sections(document))
    assert json.loads(json.dumps(rows)) == rows
    headings = {name for name, row in rows.items() if "class" not in row}
    nodes = {name.partition("-")[0] for name, row in rows.items() if "class" in row}
    inside = [block for row in rows.values() for block in row.get("more", ())]
    assert sorted([*headings, *nodes, *inside]) == sorted(block.id for block in document.blocks)
    places = reading_positions(document)
    order = [places[name.partition("-")[0]] for name in rows]
    assert order == sorted(order)


# differences ------------------------------------------------------------------------------------------------------


def edited(plan: Plan, block: str, **values) -> Plan:
    """The plan with other values in the node of a block."""
    sections = [
        PlannedSection(
            section.heading,
            section.title,
            section.depth,
            section.parent,
            [replace(node, **values) if node.blocks[0].id == block else node for node in section.nodes],
        )
        for section in plan.sections
    ]
    return Plan(tuple(sections), plan.skipped)


def differences(document: Document, plan: Plan) -> list[Change]:
    return changes(state_of_plan(plan_sections(document)), state_of_plan(plan), document)


def without(plan: Plan, block: str) -> Plan:
    for section in plan.sections:
        section.nodes[:] = [node for node in section.nodes if node.blocks[0].id != block]
    return plan


def test_differences_are_listed_block_by_block(document: Document) -> None:
    plan = plan_sections(document)
    assert differences(document, plan) == []
    found = differences(document, edited(plan, "b_p001_0004", cls=DOCO.Footnote))
    assert found == [Change("b_p001_0004", "as", "doco:Paragraph", "doco:Footnote", "doco:Footnote")]
    assert losses(found, document) == [], "nothing is lost by that"


def left_out(document: Document) -> Plan:
    plan = without(plan_sections(document), "b_p001_0004")
    return replace(plan, skipped={**plan.skipped, "b_p001_0004": Skipped("b_p001_0004", "dull")})


def headed(document: Document) -> Plan:
    plan = without(plan_sections(document), "b_p001_0004")
    block = next(block for block in document.blocks if block.id == "b_p001_0004")
    return replace(plan, sections=(*plan.sections, PlannedSection(Heading(block, "", 1), block.plain, 1, None)))


def unheaded(document: Document) -> Plan:
    plan = plan_sections(document)
    place = next(n for n, s in enumerate(plan.sections) if s.heading and s.heading.block.id == "b_p001_0005")
    section = plan.sections[place]
    block = section.heading.block
    flat = PlannedSection(None, "Text", 1, None, [PlannedNode(DOCO.Paragraph, (block,)), *section.nodes])
    return replace(plan, sections=(*plan.sections[:place], flat, *plan.sections[place + 1 :]))


def joined(document: Document) -> Plan:
    return edited(plan_sections(document), "b_p002_0004", continues="b_p001_0004")


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (left_out, "left out: b_p001_0004"),
        (headed, "a heading made of running text: b_p001_0004"),
        (unheaded, "no heading any more: b_p001_0005"),
        (joined, "joined with b_p001_0004 though no sentence is cut: b_p002_0004"),
    ],
)
def test_what_is_lost_is_reported_in_words(document: Document, make, text: str) -> None:
    assert any(line.startswith(text) for line in losses(differences(document, make(document)), document))


def test_paragraphs_with_a_cut_between_them_may_be_joined(document: Document) -> None:
    cut = Change("b_p002_0002", "continues", "", "b_p001_0006", "doco:Paragraph")
    assert losses([cut], document) == []
    table = Change("b_p002_0004", "with", "b_p002_0004", "b_p001_0004", "doco:Table")
    assert losses([table], document) == [], "a table in two blocks is one table"
    assert LEFT_OUT in {row["as"] for row in state_of_plan(plan_sections(document)).values()}
    assert DEO.Caption


@pytest.mark.parametrize(("label", "number"), FLOAT_NUMBERS.items())
def test_a_float_is_called_what_the_rule_book_says(label: str, number: str) -> None:
    found = float_label(f"{label}. Ice in May.")
    assert found
    assert found.number == number


def test_rules_have_a_line_each_with_when_they_fail() -> None:
    assert rules_text(("notes", "references")).count("\n") == 1
    assert " But: " in rules_text(("parts",))
    assert all(str(rule).endswith(".") for rule in RULES.values())
