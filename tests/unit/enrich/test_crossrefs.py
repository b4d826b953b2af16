"""Mentions of figures and tables, and their links."""

import pytest

from kag.enrich.crossrefs import apply, find_crossrefs
from kag.rdf.namespaces import C4O, DEO, DOCO, KAG, RDF
from kag.rdf.workspace import Workspace
from kag.types import Document


@pytest.mark.parametrize(("text", "expected"), [
    ("see Figure 3.", [("figure", ("3",))]),
    ("Figs. 2b–d and 4", [("figure", ("2", "4"))]),
    ("(Fig. 1A,B)", [("figure", ("1",))]),
    ("Table S1 and Table 2", [("table", ("S1",)), ("table", ("2",))]),
    ("Scheme. 1", [("scheme", ("1",))]),
    ("Tables 1-3", [("table", ("1", "2", "3"))]),
    ("Figures 1, 3, and 5C", [("figure", ("1", "3", "5"))]),
    ("Figs. 2B–2D", [("figure", ("2",))]),
    ("Figure 1—figure supplement 2", [("figure", ("1—figure supplement 2",))]),
    ("Figure 3—figure supplements 1–3", [("figure", tuple(f"3—figure supplement {n}" for n in (1, 2, 3)))]),
    ("S2 Fig and S1_3 Table", [("figure", ("S2",)), ("table", ("S1",))]),
    ("Supplementary Figure 4", [("figure", ("S4",))]),
    ("Extended Data Fig. 2", [("figure", ("ED2",))]),
    ("Fig. 2(a) and Fig. 12", [("figure", ("2",)), ("figure", ("12",))]),
    ("Table II", [("table", ("II",))]),
    ("FIGURE 7", [("figure", ("7",))]),
    ("Figure9 shows", [("figure", ("9",))]),
    ("Figs S1–S3", [("figure", ("S1", "S2", "S3"))]),
    ("Figs. 2 to 4", [("figure", ("2", "3", "4"))]),
    # a count, a percentage, a year and a word are no further numbers
    ("in Fig. 3, 12 mice died", [("figure", ("3",))]),
    ("Figure 3 and 40% of mice", [("figure", ("3",))]),
    ("(Figure 3; 2010)", [("figure", ("3",))]),
    ("Figure 1 a strong band", [("figure", ("1",))]),
    # floats of other works
    ("Figure 2 of Smith et al. shows", []),
    ("Fig. 3 in ref. 12", []),
    ("Table 1 from [7]", []),
    # other words
    ("a table 3 m long", [("table", ("3",))]),
    ("the figure shows 3 mice; tables are chartless; stable 3", []),
    ("configure 3", []),
    ("", []),
])  # fmt: skip
def test_find(text, expected):
    assert [(found.kind, found.numbers) for found in find_crossrefs(text)] == expected


def test_surface_and_panels():
    text = "As shown (Figs. 2b–d and 4), it is."
    (found,) = find_crossrefs(text)
    assert found.surface == text[found.start : found.end] == "Figs. 2b–d and 4"
    assert found.panels == ("b–d",)


@pytest.fixture
def workspace():
    ws = Workspace(Document("paper", (), (), (), 1, ""))
    add(ws, "f1", DOCO.Figure, "", "1", "Fig. 1.")
    add(ws, "f2", DOCO.Figure, "", "1", "Scheme 1")
    add(ws, "t1", DOCO.Table, "", "1", "Table 1:")
    caption = add(ws, "c1", DEO.Caption, "Fig. 1. A curve, see Table 1 and Fig. 9.", "1", "Fig. 1.")
    ws.add(caption, KAG.describes, ws.node("f1"))
    add(ws, "p1", DOCO.Paragraph, "We use Scheme 1 (Figure 1a).")
    return ws


def add(ws, name, cls, text, number="", label=""):
    node = ws.node(name)
    ws.add(node, RDF.type, cls)
    ws.put(node, KAG.fullText, text)
    if number:
        ws.put(node, KAG.floatNumber, number)
        ws.put(node, KAG.floatLabel, label)
    return node


def test_apply_links_by_kind_and_number(workspace):
    assert apply(workspace) > 0
    assert workspace.links(workspace.node("p1"), KAG.refersTo) == [workspace.node("f1"), workspace.node("f2")]


def test_a_caption_does_not_refer_to_its_own_label(workspace):
    apply(workspace)
    assert workspace.links(workspace.node("c1"), KAG.refersTo) == [workspace.node("t1")]


def test_mentions_keep_their_characters(workspace):
    apply(workspace)
    mentions = workspace.links(workspace.node("p1"), KAG.hasMention)
    assert [workspace.text(m, C4O.hasContent) for m in mentions] == ["Figure 1a", "Scheme 1"]
    mention = workspace.node("p1-m7")
    assert workspace.is_a(mention, KAG.CrossReference)
    start, end = workspace.number(mention, KAG.startOffset), workspace.number(mention, KAG.endOffset)
    assert workspace.text(workspace.node("p1"))[start:end] == "Scheme 1"
    assert workspace.links(mention, KAG.refersTo) == [workspace.node("f2")]


def test_apply_twice_changes_nothing(workspace):
    apply(workspace)
    before = set(workspace.graph)
    assert apply(workspace) == 0
    assert set(workspace.graph) == before
