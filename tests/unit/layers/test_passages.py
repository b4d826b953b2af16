"""Passages are the running texts of a paper, and their text is a literal of the graph."""

from __future__ import annotations

from kag.layers.source import passages, section_role, tables, text_of
from kag.rdf.namespaces import DEO, DOCO, KAG
from kag.rdf.published import PublishedGraph


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


def paper(*facts: str) -> PublishedGraph:
    """A graph of facts such as "a contains b" or 'a plainText "x"'; what is a class begins with a capital."""
    prefixes = f"@prefix doco: <{DOCO}> . @prefix deo: <{DEO}> . @prefix k: <{KAG}> . @prefix : <http://x/> ."
    lines = []
    for fact in facts:
        subject, what, value = fact.split(" ", 2)
        value = value if value[0] == '"' else f"{'doco' if value[0].isupper() else ''}:{value}"
        lines.append(
            f":{subject} {'a' if what == 'is' else f'k:{what}'} {value.replace('doco:Methods', 'deo:Methods')} ."
        )
    return PublishedGraph.parse(prefixes + "\n".join(lines))


def told(graph: PublishedGraph) -> list[tuple[str, str, str, float]]:
    return [(one.node[-1], one.kind, one.section, one.place) for one in passages(graph)]


def text(node: str, order: object, words: str, kind: str = "Paragraph") -> list[str]:
    return [f"{node} is {kind}", f'{node} order "{order}"', f'{node} plainText "{words}"']


SECTIONS = ["r is Section", "r is Bibliography", "s is Section", "s is Methods", "t is Section", "s contains t"]


def test_passages_come_in_order_and_reference_lists_have_none():
    """What stands behind a reference list is read, too, and the list counts as text that stands before it."""
    graph = paper(
        *SECTIONS,
        *text("c", 3, "12345678"),
        *text("b", 2, "1234"),
        *text("a", 10, "1234"),
        *text("n", "none", "1234", "Footnote"),
        *("r contains b", "t contains c"),
    )
    assert told(graph) == [("n", "footnote", "", 0.0), ("c", "paragraph", "Methods", 0.2), ("a", "paragraph", "", 0.6)]


def test_a_paper_without_text_has_no_passage():
    assert passages(paper(*SECTIONS, "a is Paragraph", 'b plainText "x"', *text("c", 1, " "))) == ()


def test_a_paragraph_of_the_abstract_is_one_of_it_and_its_footnote_is_not():
    texts = (*text("a", 1, "x"), *text("b", 2, "x", "Footnote"))
    graph = paper("s is Section", "s is Abstract", *texts, "s contains a", "s contains b")
    assert [kind for _, kind, section, _ in told(graph) if section == "Abstract"] == ["abstract", "footnote"]


def test_the_text_is_the_clean_one_and_else_the_whole():
    both = paper('a fullText "full"', 'a plainText "plain"', 'b fullText "full"')
    assert [text_of(both, f"http://x/{node}") for node in "abc"] == ["plain", "full", ""]


def test_the_innermost_section_with_a_role_counts():
    graph = paper(*SECTIONS, "t containsAsHeader h", "t contains p", "f contains q", "f is Figure", "t contains f")
    roles = {node: section_role(graph, f"http://x/{node}").rpartition("/")[2] for node in "hpqtsr"}
    assert roles == {"h": "Methods", "p": "Methods", "q": "Methods", "t": "Methods", "s": "", "r": ""}


def test_a_circle_of_parts_has_no_role():
    assert section_role(paper("a contains b", "b contains a"), "http://x/a") == ""
    assert section_role(paper("a contains a"), "http://x/a") == ""
    assert section_role(paper("a contains b", "b contains a", "a contains p"), "http://x/p") == ""


def test_of_several_roles_the_first_by_name_counts():
    graph = paper("s is Section", "s is Abstract", "s is Preface", "s contains p")
    assert section_role(graph, "http://x/p").endswith("/Abstract")


def test_a_text_without_an_order_stands_beside_the_first():
    found = paper(*text("z", "none", "x"), *text("a", 1, "x"), *text("b", 0, "x"))
    assert [node for node, *_ in told(found)] == ["b", "z", "a"]
