"""The rule book: the prompts quote it, and the code follows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.indexing.build_plan import Plan, plan_sections
from kag.indexing.rule_book import FLOAT_NUMBERS, RULES, rules_text
from kag.indexing.structure.floats import float_label
from kag.rdf.namespaces import DEO, DOCO
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper


def block(label: str, top: int, words: str) -> tuple[str, str, str]:
    return label, f"[[100, {top}, 900, {top + 30}]]", words


def plan(folder: Path, *blocks: tuple[str, str, str]) -> Plan:
    return plan_sections(read_document(write_paper(folder / "frost", (blocks,))))


def depths(found: Plan) -> list[int]:
    return [section.depth for section in found.sections if section.heading]


def headings(*titles: str) -> list[tuple[str, str, str]]:
    rows = []
    for n, title in enumerate(titles):
        rows += [block("sub_title", 60 * n + 10, f"## {title}"), block("text", 60 * n + 45, f"Words of part {n}.")]
    return rows


@pytest.mark.parametrize(("label", "number"), FLOAT_NUMBERS.items())
def test_a_float_is_called_what_the_rule_book_says(label: str, number: str) -> None:
    found = float_label(f"{label}. Ice in May.")
    assert found
    assert found.number == number


def test_printed_numbers_decide_how_headings_nest(tmp_path: Path) -> None:
    assert depths(plan(tmp_path, *headings("1 Ice", "1.1 Frost", "2 Snow"))) == [1, 2, 1]


def test_standard_parts_are_top_level_and_others_lie_below(tmp_path: Path) -> None:
    assert depths(plan(tmp_path, *headings("Introduction", "Methods", "The lakes", "Results"))) == [1, 1, 2, 1]


def test_a_note_under_a_table_is_a_footnote_and_what_is_not_printed_is_text(tmp_path: Path) -> None:
    found = plan(
        tmp_path,
        *headings("Introduction", "Results"),
        block("table_title", 300, "Table 1. Ice."),
        block("table", 340, "<table><tr><td>1</td></tr></table>"),
        block("text", 380, "* Mean of ten lakes."),
        block("text", 420, "Figure S1. Frost in May."),
    )
    nodes = found.sections[-1].nodes
    assert [node.cls for node in nodes[1:]] == [DEO.Caption, DOCO.Table, DOCO.Footnote, DOCO.Paragraph]


def test_rules_have_a_line_each_with_when_they_fail() -> None:
    assert rules_text(("notes", "references")).count("\n") == 1
    assert " But: " in rules_text(("parts",))
    assert all(str(rule).endswith(".") for rule in RULES.values())
