"""A graph under construction: names, values, and what is read from it."""

from __future__ import annotations

import pytest
from rdflib import Literal, URIRef

from kag.core.errors import BadValue
from kag.core.types import Box, Document, FigureFile
from kag.rdf.namespaces import DCTERMS, DOCO, KAG, RDF, XSD
from kag.rdf.workspace import Workspace, typed_literal
from tests.unit.indexing.structure.blocks import block

BLOCKS = (block("1.1", "One *word*"), block("1.2", "Two"), block("2.1", "Three"))


@pytest.fixture
def workspace() -> Workspace:
    return Workspace(Document("ice", BLOCKS, (), (), 2, ""))


def texts(workspace: Workspace, name: str, predicate: URIRef = KAG.fullText) -> set[str]:
    return set(map(str, workspace.graph.objects(workspace.node(name), predicate)))


# names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a", "b_p001_0001", "b-1", "a.b", "9"])
def test_plain_names(workspace: Workspace, name: str) -> None:
    assert str(workspace.node(name)) == f"http://la3d.local/kag/doc/ice/{name}"
    assert workspace.resolve(f"ex:{name}") == workspace.resolve(f" <{workspace.node(name)}> ") == workspace.node(name)
    assert workspace.curie(workspace.node(name)) == f"ex:{name}"


@pytest.mark.parametrize("name", ["", "a b", "a/b", "-a", ".a", "a.", "ä", "a:b"])
def test_names_that_are_none(workspace: Workspace, name: str) -> None:
    with pytest.raises(BadValue):
        workspace.node(name)


def test_terms_of_known_vocabularies(workspace: Workspace) -> None:
    assert workspace.resolve("doco:Section") == workspace.resolve(str(DOCO.Section)) == DOCO.Section
    assert workspace.curie(DOCO.Section) == "doco:Section"
    assert workspace.curie(URIRef("http://other.example/x")) == "http://other.example/x"
    for wrong in ("none:Section", "Section", "doco:", "doco:a b", "http://other.example/x", "ex:"):
        with pytest.raises(BadValue):
            workspace.resolve(wrong)


# changing -------------------------------------------------------------------------------------


def test_setting_leaves_no_other_value(workspace: Workspace) -> None:
    node = workspace.node("a")
    for value in ("old", "older"):
        workspace.add(node, KAG.fullText, Literal(value))
    workspace.set(node, KAG.fullText, Literal("new"))
    assert texts(workspace, "a") == {"new"}
    workspace.put(node, KAG.fullText, "newest")
    assert texts(workspace, "a") == {"newest"}


def test_what_is_there_already_is_no_change(workspace: Workspace) -> None:
    node = workspace.node("a")
    assert workspace.add(node, KAG.fullText, Literal("x"))
    version = workspace.version
    assert not workspace.add(node, KAG.fullText, Literal("x"))
    workspace.set(node, KAG.fullText, Literal("x"))
    assert not workspace.remove(node, KAG.fullText, Literal("y"))
    assert workspace.version == version
    assert workspace.remove(node, KAG.fullText, Literal("x"))
    assert workspace.version == version + 1


def test_work_that_fails_leaves_nothing(workspace: Workspace) -> None:
    node = workspace.node("a")
    workspace.add(node, KAG.fullText, Literal("old"))

    def fails() -> None:
        workspace.set(node, KAG.fullText, Literal("new"))
        workspace.add(node, KAG.mainText, Literal("more"))
        workspace.content.put("paragraph", "words")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        workspace.attempt(fails)
    assert texts(workspace, "a") == {"old"}
    assert texts(workspace, "a", KAG.mainText) == set()
    assert list(workspace.content) == []
    assert workspace.attempt(lambda: workspace.add(node, KAG.mainText, Literal("kept")))
    with pytest.raises(ValueError, match="no"):
        workspace.attempt(fails)
    assert texts(workspace, "a", KAG.mainText) == {"kept"}


# reading --------------------------------------------------------------------------------------


def ordered(workspace: Workspace, *names: str, cls: URIRef = DOCO.Paragraph) -> None:
    """Nodes whose reading order is the one they are given in."""
    for order, name in enumerate(names, start=1):
        workspace.add(workspace.node(name), RDF.type, cls)
        workspace.put(workspace.node(name), KAG.order, order)


def test_nodes_come_in_reading_order(workspace: Workspace) -> None:
    ordered(workspace, "c", "a", "b")
    workspace.add(workspace.node("z"), RDF.type, DOCO.Paragraph)
    assert [workspace.curie(node) for node in workspace.of_type(DOCO.Paragraph)] == ["ex:z", "ex:c", "ex:a", "ex:b"]
    for name in ("a", "b", "c"):
        workspace.add(workspace.node("s"), KAG.contains, workspace.node(name))
    assert [workspace.curie(node) for node in workspace.links(workspace.node("s"), KAG.contains)] == [
        "ex:c", "ex:a", "ex:b",
    ]  # fmt: skip
    workspace.add(workspace.node("r"), KAG.contains, workspace.node("a"))
    assert workspace.sources(KAG.contains, workspace.node("a")) == [workspace.node("r"), workspace.node("s")]


def test_values_as_text_and_numbers(workspace: Workspace) -> None:
    node = workspace.node("a")
    assert workspace.text(node) == ""
    assert workspace.number(node, KAG.pageNumber) is None
    workspace.put(node, KAG.fullText, "3")
    workspace.put(node, KAG.pageNumber, 4)
    assert (workspace.text(node), workspace.number(node, KAG.fullText)) == ("3", None)
    assert workspace.number(node, KAG.pageNumber) == 4


def test_the_section_of_a_node(workspace: Workspace) -> None:
    for name in ("s", "t"):
        workspace.add(workspace.node(name), RDF.type, DOCO.Section)
    workspace.add(workspace.node("document"), KAG.contains, workspace.node("s"))
    workspace.add(workspace.node("s"), KAG.contains, workspace.node("a"))
    workspace.add(workspace.node("t"), KAG.containsAsHeader, workspace.node("h"))
    workspace.put(workspace.node("h"), KAG.mainText, "Sites")
    assert workspace.section_of(workspace.node("a")) == workspace.node("s")
    assert workspace.section_of(workspace.node("h")) == workspace.node("t")
    assert workspace.section_of(workspace.node("s")) is None, "the paper is no section"
    assert workspace.title_of(workspace.node("t")) == "Sites"
    assert workspace.title_of(workspace.node("s")) == ""


def test_words_come_from_the_blocks_but_for_a_part(workspace: Workspace) -> None:
    whole, part = workspace.node("b_p001_0001"), workspace.node("b_p001_0001-3")
    for node in (whole, part):
        workspace.put(node, KAG.mainText, "preview")
    assert workspace.plain(whole) == "preview", "it has no blocks yet"
    for node in (whole, part):
        workspace.add(node, KAG.sourceBlock, Literal("b_p002_0001"))
        workspace.add(node, KAG.sourceBlock, Literal("b_p001_0002"))
    assert workspace.plain(whole) == "Two Three"
    assert [one.id for one in workspace.source_blocks(whole)] == ["b_p001_0002", "b_p002_0001"]
    assert workspace.plain(part) == "preview"
    workspace.add(whole, KAG.sourceBlock, Literal("b_p009_0009"))
    assert workspace.plain(whole) == "Two Three"


def test_pictures_are_found_by_page_and_box() -> None:
    one, other = Box(1, 2, 3, 4), Box(5, 6, 7, 8)
    files = (FigureFile("a.png", 1, (one, other), "", 1, 1), FigureFile("b.png", 1, (one,), "", 1, 1))
    pictures = Workspace(Document("ice", (), files, (), 1, "")).pictures
    assert pictures == {(1, one): {"a.png", "b.png"}, (1, other): {"a.png"}}


# values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "datatype", "literal"),
    [
        ("x", XSD.string, Literal("x")),
        (3, XSD.integer, Literal(3)),
        (" -3 ", XSD.integer, Literal(-3)),
        ("+3", XSD.integer, Literal(3)),
        (2020, XSD.gYear, Literal("2020", datatype=XSD.gYear, normalize=False)),
        ("https://example.org/a%20b", XSD.anyURI, Literal("https://example.org/a%20b", datatype=XSD.anyURI)),
        (True, XSD.boolean, Literal(True)),
        ("False", XSD.boolean, Literal(False)),
    ],
)
def test_typed_values(value: str | int | bool, datatype: URIRef, literal: Literal) -> None:
    assert typed_literal(value, datatype) == literal
    assert typed_literal(value, datatype).datatype == literal.datatype


@pytest.mark.parametrize(
    ("value", "datatype"),
    [
        ("3.0", XSD.integer), (True, XSD.integer), ("", XSD.integer), ("3a", XSD.integer),
        ("0000", XSD.gYear), ("20200", XSD.gYear), ("202", XSD.gYear), ("２０２０", XSD.gYear),
        ("no address", XSD.anyURI), ("/a", XSD.anyURI),
        ("yes", XSD.boolean), (1, XSD.boolean),
        ("x", DCTERMS.title),
    ],
)  # fmt: skip
def test_values_that_do_not_fit(value: str | int | bool, datatype: URIRef) -> None:
    with pytest.raises(BadValue):
        typed_literal(value, datatype)
