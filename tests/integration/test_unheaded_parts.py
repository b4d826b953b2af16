"""A paper that prints few headings: what it leaves unsaid is found, and the graph conforms with nothing lost."""

from __future__ import annotations

import pytest
from rdflib import Graph

from kag.indexing.audit import audit
from kag.indexing.build_plan import plan_sections
from kag.indexing.pipeline import index_document
from kag.indexing.run import load_run, write_run
from kag.rdf.namespaces import DOCO, KAG, RDF
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper

ABSTRACT = "We went to the river in each month of the winter and looked at the sensors under the ice. " * 4
PAGES = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Sensors under river ice"),
        ("text", "[[100, 110, 900, 130]]", "Ana Lima \\( ^{1} \\), Jon Berg \\( ^{2} \\)"),
        ("text", "[[100, 150, 900, 250]]", ABSTRACT),
        ("sub_title", "[[100, 280, 300, 300]]", "## 1 Introduction"),
        ("text", "[[100, 310, 900, 400]]", "**Losses.** Sensors fail under ice [1, 2]. The share lost is"),
        ("equation", "[[100, 410, 800, 440]]", "\\[ n = \\frac{a}{b} \\]"),
        ("text", "[[850, 415, 890, 435]]", "(1)"),
        ("text", "[[100, 450, 900, 470]]", "where a is the number of sensors that were lost."),
        ("table_title", "[[100, 480, 900, 500]]", "Table 1. Losses by site."),
        ("table", "[[100, 510, 900, 600]]", "<table><tr><th>Site</th></tr><tr><td>Upper</td></tr></table>"),
    ),
    (
        ("table_title", "[[100, 80, 900, 100]]", "Table 1 (continued)"),
        ("table", "[[100, 110, 900, 200]]", "<table><tr><th>Site</th></tr><tr><td>Lower</td></tr></table>"),
        ("sub_title", "[[100, 230, 300, 250]]", "## 2 Conclusion"),
        ("text", "[[100, 260, 900, 300]]", "Ice is hard on sensors."),
        *(
            ("text", f"[[100, {300 + 30 * n}, 900, {320 + 30 * n}]]", f"[{n}] Poe E. Ice. Rivers. 199{n};3:1-9.")
            for n in range(1, 6)
        ),
    ),
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("paper")
    document = read_document(write_paper(folder / "ice", PAGES))
    run = load_run(write_run(folder, "ice", index_document(document).files))
    assert audit(run, document).issues == ()
    return run.graph


def titles(graph: Graph, cls) -> list[str]:
    sections = graph.subjects(RDF.type, cls)
    return [str(graph.value(graph.value(section, KAG.containsAsHeader), KAG.fullText)) for section in sections]


def test_the_parts_without_headings_are_sections(graph: Graph) -> None:
    assert titles(graph, DOCO.Abstract) == ["Abstract"]
    assert titles(graph, DOCO.Bibliography) == ["References"]
    assert titles(graph, DOCO.FrontMatter) == ["Front matter"]


def test_the_number_beside_a_formula_is_the_formula_s(graph: Graph) -> None:
    formula = graph.value(None, RDF.type, DOCO.Formula)
    assert str(graph.value(formula, KAG.floatNumber)) == "1"
    assert len(list(graph.objects(formula, KAG.sourceBlock))) == 2
    after = next(n for n in graph.subjects(RDF.type, DOCO.Paragraph) if "where a" in str(graph.value(n, KAG.fullText)))
    before = graph.value(after, KAG.continues)
    assert str(graph.value(before, KAG.runInHeading)) == "Losses"


def test_the_second_part_of_a_table_goes_on_with_the_first(graph: Graph) -> None:
    tables = sorted(graph.subjects(RDF.type, DOCO.Table), key=lambda node: int(str(graph.value(node, KAG.order))))
    assert graph.value(tables[1], KAG.continues) == tables[0]
    assert {str(graph.value(table, KAG.floatNumber)) for table in tables} == {"1"}


def test_text_under_an_abstract_is_text_even_where_it_names_organisations(tmp_path) -> None:
    prose = "We asked the university and each college near the river for the sensors that they had lost in winter. " * 4
    texts = [("text", f"[[100, {200 + 100 * n}, 900, {290 + 100 * n}]]", f"{prose}See [{n}].") for n in range(1, 5)]
    head = (
        ("title", "[[100, 60, 900, 100]]", "# Sensors under river ice"),
        ("sub_title", "[[100, 120, 300, 140]]", "## Abstract"),
        ("text", "[[100, 150, 900, 250]]", ABSTRACT),
    )
    page = (
        *head,
        *texts,
        ("sub_title", "[[100, 700, 300, 720]]", "## Methods"),
        ("text", "[[1, 730, 9, 750]]", "One."),
    )
    sections = plan_sections(read_document(write_paper(tmp_path / "ice", (page,)))).sections
    text = next(section for section in sections if section.title == "Text")
    assert {node.cls for node in text.nodes} == {DOCO.Paragraph}
    assert len(text.nodes) == 4
