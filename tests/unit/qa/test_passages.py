"""Passages: nothing printed is left out, and every character leads back to a node."""

from __future__ import annotations

from kag.core.types import Cell, Table
from kag.qa.passages import Passage, passages
from kag.qa.printed_table import row_spans
from tests.unit.qa.papers import BASE, Maker, ice


def by_id(paper):
    return {passage.id.removeprefix(BASE): passage for passage in passages(paper)}


def test_a_continued_paragraph_is_one_passage_of_two_nodes():
    found = by_id(ice())["b_1"]
    assert found.text.endswith("Sensors fail as\nwas shown before [2, 1].")
    assert found.pages == (1, 2)
    at = found.text.index("as\nwas")
    first = found.text.index("\n")
    assert found.places(at, at + 6) == ((f"{BASE}b_1", at, first), (f"{BASE}b_4", 0, 3))
    assert "b_4" not in by_id(ice())


def test_the_rows_of_a_table_know_their_heads_and_their_place():
    found = by_id(ice())
    rows = [found[f"b_6#{number}"] for number in range(3)]
    assert [row.text for row in rows] == ["Site | Lost", "Upper | 3", "Lower | 14"]
    assert [row.heading for row in rows] == ["Table 1", "Table 1 Site | Lost", "Table 1 Site | Lost"]
    assert rows[2].places(0, 5) == ((f"{BASE}b_6", 22, 27),)
    assert {row.kind for row in rows} == {"table"}


def test_rows_of_an_html_table():
    make = Maker()
    make.section("s", "Results")
    make.add("t", "doco:Table", "<table><tr><td>Site</td></tr><tr><td>Upper</td></tr></table>", "s")
    rows = [passage for passage in passages(make.paper()) if passage.kind == "table"]
    assert [row.text for row in rows] == ["<table><tr><td>Site</td></tr>", "<tr><td>Upper</td></tr>", "</table>"]


def test_where_a_passage_stands():
    found = by_id(ice())["b_5"]
    assert found.path == ("2 Materials and Methods", "2.1 Sites")
    assert found.heading == "2 Materials and Methods 2.1 Sites"
    assert found.roles == ("Methods",)
    assert found.sections == (f"{BASE}s_methods", f"{BASE}s_sites")
    assert by_id(ice())["b_8"].kind == "reference"
    assert by_id(ice())["b_8"].heading == ""


def test_every_printed_word_is_in_a_passage_in_reading_order():
    paper = ice()
    found = passages(paper)
    covered = {iri: set() for iri in paper.nodes}
    for passage in found:
        for part in passage.parts:
            text = paper.nodes[part.node].text
            assert passage.text[part.start : part.end] == text[part.offset : part.offset + part.end - part.start]
            covered[part.node] |= set(range(part.offset, part.offset + part.end - part.start))
    for iri, node in paper.nodes.items():
        assert {at for at, char in enumerate(node.text) if not char.isspace()} <= covered[iri]
    orders = [paper.nodes[passage.parts[0].node].order for passage in found]
    assert orders == sorted(orders)


def test_a_circle_of_continuations_ends():
    make = Maker()
    make.section("s", "Results")
    for name, text in (("b_1", "one"), ("b_2", "two"), ("b_3", "three")):
        make.add(name, "doco:Paragraph", text, "s")
    make.link("b_1", "kag:continues", "b_2")
    make.link("b_2", "kag:continues", "b_1")
    make.link("b_3", "kag:continues", "b_3")
    assert [passage.text for passage in passages(make.paper()) if passage.kind == "paragraph"] == ["one\ntwo", "three"]


def test_a_text_without_a_graph_is_its_own_place():
    assert Passage("p1", "Ice hides sensors.").places(4, 9) == (("p1", 4, 9),)


def test_a_row_is_found_with_and_without_its_empty_last_cells() -> None:
    rows = (("Bleeding (g)", "", ""), ("Median", "629", ""), ("Range", "298", "1352"))
    cells = tuple(Cell(text, y, x) for y, row in enumerate(rows) for x, text in enumerate(row))
    text = "Bleeding (g)\nMedian | 629\nRange | 298 | 1352"
    spans = row_spans(Table(cells, 3, 3), text)
    assert [text[slice(*span)] for span in spans if span] == ["Bleeding (g)", "Median | 629", "Range | 298 | 1352"]
