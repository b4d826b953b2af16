"""Passages are the running texts of a paper, and their text is a literal of the graph."""

from __future__ import annotations

from kag.layers.passages import passages
from kag.layers.source import tables
from kag.rdf.namespaces import KAG


def test_running_texts_in_order(ice):
    found = [(one.kind, one.section, one.text[:12]) for one in passages(ice.graph)]
    assert found == [
        ("title", "FrontMatter", "Sensors unde"),
        ("abstract", "Abstract", "River ice hi"),
        ("paragraph", "Introduction", "Sensors fail"),
        ("caption", "Introduction", "Fig. 1. Sens"),
        ("paragraph", "Introduction", "expected fro"),
        ("paragraph", "Methods", "Upper sensor"),
        ("caption", "Methods", "Table 1. Los"),
    ]


def test_text_is_the_plain_text_of_the_node(ice):
    for one in passages(ice.graph):
        assert one.text == ice.graph.value(one.node, str(KAG.plainText))


def test_place_is_the_share_of_the_text_before(ice):
    texts = passages(ice.graph)
    assert texts[0].place == 0.0
    assert [one.place for one in texts] == sorted(one.place for one in texts)
    total = sum(len(one.text) for one in texts)
    assert abs(texts[-1].place - (total - len(texts[-1].text)) / total) < 0.05


def test_a_table_comes_with_its_full_text_cells_and_caption(ice):
    ((passage, table, caption),) = tables(ice)
    assert passage.text == ice.graph.value(passage.node, str(KAG.fullText)) == "Site | Lost\nUpper | 3"
    assert table.grid() == (("Site", "Lost"), ("Upper", "3"))
    assert caption is not None
    assert caption.text == "Table 1. Losses by site."
