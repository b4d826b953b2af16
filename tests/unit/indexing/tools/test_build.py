"""The build tools, each with what it does, what it refuses, and what it says then."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest
from rdflib import Literal

from kag.core.errors import BadValue, UnknownBlock, UnknownNode, UnknownTerm
from kag.core.report import Report
from kag.core.tool import Tool, guard, toolset
from kag.core.trajectory import Trajectory
from kag.indexing.baseline import build_baseline
from kag.indexing.pipeline import document_validator
from kag.indexing.tools.build_tools import MAX_WINDOW, BuildTools
from kag.indexing.tools.judge import MAX_NODES, MAX_ROWS, JudgeTools
from kag.rdf.namespaces import DEO, KAG, RDF
from kag.rdf.shacl import Validator
from kag.rdf.workspace import Workspace
from kag.sources.ocr.folder import read_document


@pytest.fixture
def workspace(paper: Path) -> Workspace:
    return Workspace(read_document(paper))


@pytest.fixture
def offered(workspace: Workspace) -> dict[str, Tool]:
    owners = BuildTools(workspace), JudgeTools(workspace, document_validator())
    return {tool.name: tool for tool in toolset(*owners)}


@pytest.fixture
def tools(offered: dict[str, Tool]) -> SimpleNamespace:
    """The tools as attributes: `tools.op_create_node(...)`."""
    return SimpleNamespace(**{name: tool.call for name, tool in offered.items()})


def built(tools: SimpleNamespace, workspace: Workspace) -> SimpleNamespace:
    build_baseline(workspace.document, vars(tools))
    return tools


def test_create_node_sets_what_the_block_knows(tools: SimpleNamespace, workspace: Workspace) -> None:
    made = tools.op_create_node("b_p001_0006", "doco:Paragraph")
    assert made == {"ok": True, "node": "ex:b_p001_0006", "type": "doco:Paragraph"}
    node = workspace.node("b_p001_0006")
    block = workspace.blocks["b_p001_0006"]
    assert workspace.text(node) == block.text
    assert workspace.text(node, KAG.hasBBox) == "[[100, 310, 490, 500], [510, 310, 900, 400]]"
    assert workspace.number(node, KAG.pageNumber) == 1
    assert workspace.number(node, KAG.order) == 6
    ref = workspace.text(node, KAG.hasContentRef)
    assert workspace.content[ref].text == block.text
    assert workspace.content[ref].details["nodes"][0]["blocks"][0]["boxes"] == [
        [100, 310, 490, 500],
        [510, 310, 900, 400],
    ]


def test_create_node_from_a_part(tools: SimpleNamespace, workspace: Workspace) -> None:
    text = workspace.blocks["b_p002_0010"].text
    cut = text.index("[3]")
    assert tools.op_create_node("b_p002_0010", "deo:BibliographicReference", 0, cut)["node"] == "ex:b_p002_0010-0"
    second = tools.op_create_node("b_p002_0010", "deo:BibliographicReference", cut)["node"]
    assert workspace.text(workspace.resolve(second)) == text[cut:]
    for start, end in ((-1, 5), (5, 5), (0, len(text) + 1)):
        with pytest.raises(BadValue, match="is not a part"):
            tools.op_create_node("b_p002_0010", "deo:BibliographicReference", start, end)


def test_create_node_from_several_blocks(tools: SimpleNamespace, workspace: Workspace) -> None:
    name = tools.op_create_node("b_p001_0006", "doco:Paragraph", more_blocks=["b_p002_0001"])["node"]
    node = workspace.resolve(name)
    assert [block.id for block in workspace.source_blocks(node)] == ["b_p001_0006", "b_p002_0001"]
    assert workspace.text(node).endswith("as was expected from earlier winters [2].")


def test_table_cells_are_stored(tools: SimpleNamespace, workspace: Workspace) -> None:
    node = workspace.resolve(tools.op_create_node("b_p002_0006", "doco:Table")["node"])
    assert workspace.content[workspace.text(node, KAG.tableCells)].text == '[["Site", "Lost"], ["Upper", "3"]]'


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (("op_create_node", "b_p009_0001", "doco:Paragraph"), UnknownBlock, "unknown block"),
        (("op_create_node", "b_p001_0001", "doco:Paragrafh"), UnknownTerm, "not a class of this graph"),
        (("op_create_node", "b_p001_0001", "doco:Section"), UnknownTerm, "not a class of blocks"),
        (("op_create_node", "b_p001_0001", "foo:Bar"), BadValue, "not a name"),
        (("op_assert_type", "doco:Section", "doco:Section"), BadValue, "not a node of this paper"),
        (("op_set_single_literal", "ex:nothing", "kag:depth", 1), UnknownNode, "does not exist"),
        (("op_set_single_literal", "ex:document", "kag:depth", "deep"), BadValue, "not an integer"),
        (("op_set_single_literal", "ex:document", "kag:isSynthetic", "perhaps"), BadValue, "not true or false"),
        (("op_set_single_literal", "ex:document", "kag:contains", "ex:x"), BadValue, "links nodes"),
        (("op_set_single_literal", "ex:document", "kag:invented", "x"), UnknownTerm, "not a property"),
        (("op_add_iri_link", "ex:document", "kag:fullText", "ex:document"), BadValue, "takes a literal"),
        (("op_add_iri_link", "ex:document", "kag:contains", "ex:nothing"), UnknownNode, "does not exist"),
        (("op_add_iri_link", "ex:document", "rdf:type", "ex:document"), UnknownTerm, "not a property"),
        (("op_remove_node", "ex:nothing"), UnknownNode, "does not exist"),
        (("op_skip_block", "b_p001_0001", " "), BadValue, "reason"),
        (("read_window", "paragraph:0000000000000000"), UnknownNode, "no text"),
        (("read_window", "b_p001_0004", -3), BadValue, "no window from -3"),
        (("read_window", "b_p001_0004", 0, -1), BadValue, "no window from 0 of -1"),
    ],
)
def test_refusals_change_nothing_and_say_what_to_do(
    tools: SimpleNamespace, workspace: Workspace, call: tuple, error: type, message: str
) -> None:
    tools.op_assert_type("ex:document", "doco:Document")
    before = set(workspace.graph)
    with pytest.raises(error, match=message) as refused:
        getattr(tools, call[0])(*call[1:])
    assert refused.value.hint
    assert set(workspace.graph) == before


def test_a_node_is_created_once(tools: SimpleNamespace) -> None:
    tools.op_create_node("b_p001_0004", "doco:Paragraph")
    with pytest.raises(BadValue, match="exists already"):
        tools.op_create_node("b_p001_0004", "doco:Footnote")


def test_literals_are_typed_and_single(tools: SimpleNamespace, workspace: Workspace) -> None:
    tools.op_assert_type("ex:s", "doco:Section")
    tools.op_set_single_literal("ex:s", "kag:depth", "1")
    tools.op_set_single_literal("ex:s", "kag:depth", 2)
    assert list(workspace.graph.objects(workspace.node("s"), KAG.depth)) == [Literal(2)]


def test_links_can_be_written_inverse(tools: SimpleNamespace, workspace: Workspace) -> None:
    for name in ("ex:one", "ex:two", "ex:child"):
        tools.op_assert_type(name, "doco:Section")
    tools.op_add_iri_link("ex:one", "kag:contains", "ex:child")
    tools.op_set_single_iri_link("ex:child", "^kag:contains", "ex:two")
    assert workspace.sources(KAG.contains, workspace.node("child")) == [workspace.node("two")]
    tools.op_add_iri_link("ex:two", "kag:contains", "ex:one")
    tools.op_set_single_iri_link("ex:two", "kag:contains", "ex:child")
    assert workspace.links(workspace.node("two"), KAG.contains) == [workspace.node("child")]


def test_removing_a_node_names_its_orphans(tools: SimpleNamespace, workspace: Workspace) -> None:
    built(tools, workspace)
    section = workspace.section_of(workspace.node("b_p002_0004"))
    removed = tools.op_remove_node(workspace.curie(section))
    assert "ex:b_p002_0004" in removed["orphans"]
    assert (section, None, None) not in workspace.graph
    assert (None, None, section) not in workspace.graph
    assert any("ex:b_p002_0004" in row["nodes"] for row in tools.validate_graph())


def test_the_baseline_conforms_and_is_enriched(tools: SimpleNamespace, workspace: Workspace) -> None:
    built(tools, workspace)
    assert tools.validate_graph() == []
    done = tools.finalize_graph("done")
    assert done["status"] == "READY"
    assert (workspace.node("b_p002_0009"), RDF.type, DEO.BibliographicReference) in workspace.graph
    assert workspace.number(workspace.node("b_p002_0009"), KAG.citationNumber) == 1


def test_finalize_is_idempotent(tools: SimpleNamespace, workspace: Workspace) -> None:
    built(tools, workspace)
    first = tools.finalize_graph("done")
    graph = set(workspace.graph)
    assert tools.finalize_graph("done") == first
    assert set(workspace.graph) == graph


def test_finalize_refuses_what_does_not_conform(tools: SimpleNamespace, workspace: Workspace) -> None:
    built(tools, workspace)
    tools.op_set_single_literal("ex:b_p002_0004", "kag:pageNumber", 0)
    refused = tools.finalize_graph()
    assert (refused["ok"], refused["status"]) == (False, "NOT_READY")
    assert refused["violations"][0]["nodes"] == ["ex:b_p002_0004"]
    assert "op_set_single_literal" in refused["violations"][0]["message"]
    tools.op_set_single_literal("ex:b_p002_0004", "kag:pageNumber", 2)
    assert tools.finalize_graph()["status"] == "READY"


def test_a_graph_that_conforms_is_validated_once_and_one_that_does_not_is_left_as_it_was(
    tools: SimpleNamespace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, sizes = Validator.report, []

    def counted(validator: Validator, triples: Iterable[tuple[str, str, str]]) -> Report:
        triples = list(triples)
        sizes.append(len(triples))
        return report(validator, triples)

    monkeypatch.setattr(Validator, "report", counted)
    built(tools, workspace)
    tools.op_set_single_literal("ex:b_p002_0004", "kag:pageNumber", 0)
    tools.op_assert_type("ex:document", "fabio:ResearchPaper")
    assert tools.finalize_graph()["status"] == "NOT_READY"
    assert workspace.of_type(DEO.BibliographicReference)
    assert not workspace.text(workspace.of_type(DEO.BibliographicReference)[0], KAG.citationText), "nothing is enriched"
    tools.op_set_single_literal("ex:b_p002_0004", "kag:pageNumber", 2)
    again = Workspace(workspace.document)
    offered = {tool.name: tool.call for tool in toolset(BuildTools(again), JudgeTools(again, document_validator()))}
    sizes.clear()
    assert built(SimpleNamespace(**offered), again).finalize_graph()["status"] == "READY"
    assert sizes == [len(again.graph)]
    assert tools.finalize_graph()["status"] == "READY"
    assert set(workspace.texts()) == set(again.texts())


def test_finalize_refuses_to_lose_a_block(tools: SimpleNamespace, workspace: Workspace) -> None:
    built(tools, workspace)
    tools.op_remove_node("ex:b_p002_0004")
    tools.op_add_iri_link("ex:s_p002_0003", "kag:contains", "ex:b_p002_0003")  # else the section would be empty
    refused = tools.finalize_graph()
    assert any(
        "op_skip_block" in row["message"] and row["nodes"] == ["ex:b_p002_0004"] for row in refused["violations"]
    )
    tools.op_skip_block("b_p002_0004", "not needed here")
    assert tools.finalize_graph()["status"] == "READY"


def test_finalize_refuses_an_empty_graph(tools: SimpleNamespace, workspace: Workspace) -> None:
    for block in workspace.document.blocks:
        tools.op_skip_block(block.id, "tired")
    (row,) = tools.finalize_graph()["violations"]
    assert "ex:document" in row["message"]


def test_a_block_is_not_skipped_while_it_is_in_the_graph(tools: SimpleNamespace, workspace: Workspace) -> None:
    tools.op_create_node("b_p001_0004", "doco:Paragraph")
    with pytest.raises(BadValue, match="is in the graph"):
        tools.op_skip_block("b_p001_0004", "noise")
    tools.op_skip_block("b_p001_0009", "running head")
    tools.op_create_node("b_p001_0009", "doco:Paragraph")
    assert "b_p001_0009" not in workspace.skipped


def test_order_is_right_however_often_finalize_is_asked(tools: SimpleNamespace, workspace: Workspace) -> None:
    built(tools, workspace)
    section = workspace.curie(workspace.section_of(workspace.node("b_p001_0006")))
    tools.op_remove_node("ex:b_p001_0006")
    assert tools.finalize_graph()["status"] == "NOT_READY"
    tools.op_create_node("b_p001_0006", "doco:Paragraph")
    tools.op_add_iri_link(section, "kag:contains", "ex:b_p001_0006")
    assert tools.finalize_graph()["status"] == "READY"
    orders = {name: workspace.number(workspace.node(name), KAG.order) for name in ("b_p001_0005", "b_p001_0006")}
    assert orders["b_p001_0006"] == orders["b_p001_0005"] + 1


def test_validation_rows_are_bounded(tools: SimpleNamespace, workspace: Workspace) -> None:
    for block in workspace.document.blocks:
        if block.text:
            tools.op_create_node(block.id, "doco:Paragraph")
    rows = tools.validate_graph()
    assert 0 < len(rows) <= MAX_ROWS + 1
    assert all(len(row["nodes"]) <= MAX_NODES <= row["count"] or len(row["nodes"]) == row["count"] for row in rows)


def test_windows_are_bounded(tools: SimpleNamespace, workspace: Workspace) -> None:
    window = tools.read_window("b_p001_0004", 6, 3)
    assert (window["text"], window["total"]) == ("ice", len(workspace.blocks["b_p001_0004"].text))
    ref = workspace.content.put("paragraph", "x" * 10_000)
    assert len(tools.read_window(ref, 0, 10**9)["text"]) == MAX_WINDOW


def test_a_bug_is_recorded_and_raised() -> None:
    def broken() -> None:
        raise ZeroDivisionError

    trajectory = Trajectory()
    with pytest.raises(ZeroDivisionError):
        guard(Tool("broken", "", broken), trajectory).call()
    assert [step.ok for step in trajectory] == [False]


def test_every_tool_says_what_it_returns(offered: dict[str, Tool]) -> None:
    assert list(offered) == [
        "op_create_node",
        "op_assert_type",
        "op_set_single_literal",
        "op_add_iri_link",
        "op_set_single_iri_link",
        "op_remove_node",
        "op_skip_block",
        "read_window",
        "validate_graph",
        "finalize_graph",
    ]
    assert all("Returns" in tool.doc for tool in offered.values())
