"""The actions over many papers: bounded, paged, and each name they give leads on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rdflib import Graph

from kag.core.errors import BadValue, UnknownNode
from kag.core.tool import guard, toolset
from kag.core.trajectory import Trajectory
from kag.qa.chunks import chunks, citations
from kag.qa.paper import PaperGraph
from kag.qa.views.search_tools import MOST, CorpusTools
from kag.qa.views.view_bounds import MAX_BYTES, MAX_ITEMS, size
from kag.qa.views.views import Views
from kag.retrieval.chunking import Chunk
from kag.retrieval.graph.build import chunk_graph
from kag.retrieval.index import Index
from tests.unit.corpus.runs import make_run


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PaperGraph]:
    folder: Path = tmp_path_factory.mktemp("tools")
    doi = "10.5555/ice.2019.7"
    citing = f"Lima A. Sensors under river ice. Rivers. 2019;9:1-12. doi:{doi}."
    runs = make_run(folder, "ice", doi=doi), make_run(folder, "snow", cites=citing)
    return {paper.id: paper for paper in map(PaperGraph.load, runs)}


@pytest.fixture(scope="module")
def tools(papers: dict[str, PaperGraph]) -> CorpusTools:
    index = Index.build(chunk for paper in papers.values() for chunk in chunks(paper))
    index.edges = chunk_graph(index, citations(papers.values()))
    return CorpusTools(index, papers)


def every(call):
    """All items of a paged answer, each page within the bounds."""
    found, cursor = [], ""
    while True:
        result = call(cursor)
        assert size(result) <= MAX_BYTES
        assert 1 <= len(result["items"]) <= MAX_ITEMS
        found += result["items"]
        cursor = result["cursor"]
        if not cursor:
            assert len(found) == result["total"]
            return found


def test_a_search_names_what_the_views_know(tools: CorpusTools, papers: dict[str, PaperGraph]) -> None:
    items = every(lambda cursor: tools.search_knowledge_graph("sensors fail under ice", 8, "hybrid", cursor))
    assert {item["paper"] for item in items} == {"ice", "snow"}
    for item in items:
        detail = Views(papers[item["paper"]]).g_node_detail(item["node"])
        assert detail["page"] == item["page"]
        node = papers[item["paper"]].nodes[papers[item["paper"]].resolve(item["node"])]
        assert node.text[item["start"] : item["end"]] == item["text"]
        assert tools.expand_node(item["chunk"])["paper"] == item["paper"]
    assert len({item["chunk"] for item in items}) == len(items)


def test_a_whole_hit_has_its_section_around_it(papers: dict[str, PaperGraph]) -> None:
    section = [Chunk(f"c{n}", f"Loss {n}. " + "Ice held it. " * 40, document="d", topic="Results") for n in range(9)]
    tools = CorpusTools(Index.build([*section, Chunk("m", "Sites.", document="d", topic="Methods")]))
    short = every(lambda cursor: tools.search_knowledge_graph("loss 4", 2, "bm25", cursor))
    items = every(lambda cursor: tools.search_knowledge_graph("loss 4", 2, "bm25", cursor, whole=True))
    assert [item["chunk"] for item in items] == [item["chunk"] for item in short]
    assert (items[0]["chunk"], items[0]["chunk_index"]) == ("c4", 4)
    assert len(short[0]["text"]) < 260 < 1300 <= len(items[0]["text"]) <= 2600
    assert "Loss 4." in items[0]["text"]


def test_names_that_matched_are_told_by_the_plan_entity() -> None:
    tools = CorpusTools(Index.build([Chunk("a", "The ice of Oslo.", document="d", entities=("Oslo",))]))
    (item,) = tools.search_knowledge_graph("What holds in Oslo?", 2, "entity")["items"]
    assert (item["matched_entities"], item["entity_count"]) == (["oslo"], 1)


def test_the_plan_and_what_it_did_without(tools: CorpusTools) -> None:
    result = tools.search_knowledge_graph("river ice", plan="dense")
    assert result["plan"] == "bm25"
    assert "no vectors" in result["notes"][0]
    assert tools.search_knowledge_graph("river ice")["plan"] == "sage"


def test_citations_lead_to_the_paper_that_is_cited(tools: CorpusTools) -> None:
    (entry,) = tools.search_knowledge_graph("Lima 9:1-12 10.5555", 1, "bm25", references=True)["items"]
    assert (entry["paper"], entry["kind"]) == ("snow", "reference")
    (cited,) = tools.expand_node(f"snow/{entry['node']}", "cites")["items"]
    assert (cited["paper"], cited["relation"], cited["out"]) == ("ice", "cites", True)
    back = every(lambda cursor: tools.expand_node("ice", "cites", cursor))
    assert [item["chunk"] for item in back if not item["out"]] == [entry["chunk"]]


def test_an_expansion_is_the_edges_of_the_graph(tools: CorpusTools) -> None:
    items = every(lambda cursor: tools.expand_node("ice", "", cursor))
    counts = tools.expand_node("ice")["counts"]
    assert sum(counts.values()) == len(items)
    assert counts["parent_child"] == sum(item["relation"] == "parent_child" for item in items)
    assert [item["weight"] for item in items] == sorted((item["weight"] for item in items), reverse=True)
    some = every(lambda cursor: tools.expand_node("ice", "next parent_child", cursor))
    assert {item["relation"] for item in some} == {"next", "parent_child"}


def test_statistics(tools: CorpusTools) -> None:
    result = tools.graph_statistics()
    assert (result["papers"], result["vectors"], result["waiting"]) == (2, False, 0)
    assert result["chunks"] == result["nodes"] == sum(result["kinds"].values())
    assert result["edges"]["cites"] >= 1
    assert size(result) <= MAX_BYTES


@pytest.mark.parametrize("query", ["", "sensors under ice"])
def test_an_export_comes_in_pieces_that_make_one_document(tools: CorpusTools, query: str) -> None:
    text = "".join(item["text"] for item in every(lambda cursor: tools.export_json_ld(query, cursor)))
    assert len(json.loads(text)["@graph"]) > 3
    assert len(Graph().parse(data=text, format="json-ld")) > 20


def test_what_cannot_be_is_refused_with_a_way_out(tools: CorpusTools) -> None:
    refused = [
        (UnknownNode, lambda: tools.expand_node("ice/ex:nothing")),
        (BadValue, lambda: tools.expand_node("ice", "likes")),
        (BadValue, lambda: tools.expand_node("ice", cursor="3-00000000")),
        (BadValue, lambda: tools.search_knowledge_graph(" ")),
        (BadValue, lambda: tools.search_knowledge_graph("ice", plan="best")),
        (BadValue, lambda: tools.search_knowledge_graph("ice", 0)),
        (BadValue, lambda: CorpusTools(Index.build([Chunk("c", "ice")])).expand_node("c")),
    ]
    for error, call in refused:
        with pytest.raises(error) as told:
            call()
        assert told.value.hint
    with pytest.raises(BadValue, match="too many"):
        CorpusTools(Index.build(Chunk(f"c{n}", "ice") for n in range(MOST + 1))).export_json_ld()


def test_an_agent_gets_errors_as_data_and_descriptions(tools: CorpusTools) -> None:
    offered = {one.name: guard(one, Trajectory()) for one in toolset(tools)}
    others = ("expand_node", "graph_statistics", "export_json_ld")
    assert list(offered) == ["search_knowledge_graph", "search_by_facets", *others]
    assert all("Returns" in one.doc for one in offered.values())
    assert offered["expand_node"].call("nobody")["code"] == "unknown_node"
    assert offered["search_knowledge_graph"].call(3)["code"] == "bad_value"
    assert offered["search_knowledge_graph"].call("a\ud800b\x00")["ok"] is True
    odd = offered["search_by_facets"].call("ice", {"entity": "a\ud800b\x00", "paper": ["ice", "snow"]})
    assert odd["code"] == "bad_value"  # no paper has layers
    assert offered["search_by_facets"].call("ice", {"paper": "ice", "kind": "\ud800"})["chosen"]["kind"] == ["?"]
    assert offered["search_by_facets"].call("ice", [])["code"] == "bad_value"


def test_without_papers_a_chunk_shows_its_own_text() -> None:
    tools = CorpusTools(Index.build([Chunk("c1", "Moss grows on stones.", document="notes", title="Moss")]))
    (item,) = tools.search_knowledge_graph("stones")["items"]
    assert (item["paper"], item["chunk"], item["text"], item["page"]) == ("notes", "c1", "Moss grows on stones.", None)
    assert "start" not in item
