"""What the baseline writes of a plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib import Graph, URIRef

from kag.core.errors import SourceError
from kag.core.types import Document
from kag.indexing.baseline import write_plan
from kag.indexing.build_plan import Plan
from kag.indexing.pipeline import index_paper
from kag.rdf.namespaces import DEO, DOCO, KAG, RDF
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper

PAGE = (
    ("title", "[[60, 40, 940, 60]]", "# Rivers"),
    ("text", "[[60, 70, 940, 80]]", "Ana Lima, Jon Berg"),
    ("sub_title", "[[60, 100, 940, 120]]", "## 1 Introduction"),
    ("text", "[[60, 130, 940, 150]]", "Ice is cold."),
    ("sub_title", "[[60, 160, 940, 180]]", "## 2 Methods"),
    ("sub_title", "[[60, 190, 940, 210]]", "## 2.1 Sites"),
    ("image", "[[60, 220, 940, 300]]", ""),
    ("figure_title", "[[60, 310, 940, 330]]", "Fig. 7. The river."),
    ("sub_title", "[[60, 340, 940, 360]]", "## 3 Data"),
    ("sub_title", "[[60, 370, 940, 390]]", "## References"),
    ("text", "[[60, 400, 940, 410]]", "[1] Poe E. Ice in the north"),
    ("text", "[[60, 420, 940, 430]]", "of Norway. Rivers. 1999;3:1-9."),
    ("text", "[[60, 440, 940, 450]]", "[2] Roe E. Fog. Rivers. 2000;3:1-9."),
    ("text", "[[60, 460, 940, 470]]", "[3] Doe J. Hail. Rivers. 2001;3:1-9."),
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = write_paper(tmp_path_factory.mktemp("baseline") / "rivers", (PAGE,))
    return Graph().parse(data=index_paper(folder).files["knowledge_graph.ttl"], format="turtle")


def node(name: str) -> URIRef:
    return URIRef(f"http://la3d.local/kag/doc/rivers/{name}")


def of(graph: Graph, name: str, predicate: URIRef) -> list[str]:
    return sorted(str(value).rpartition("/")[2] for value in graph.objects(node(name), predicate))


def test_sections_hold_their_nodes_and_sections(graph: Graph) -> None:
    assert of(graph, "document", KAG.contains) == [
        "s_front",
        "s_p001_0003",
        "s_p001_0005",
        "s_p001_0009",
        "s_p001_0010",
    ]
    assert of(graph, "s_p001_0003", KAG.contains) == ["b_p001_0004"]
    assert of(graph, "s_p001_0005", KAG.contains) == ["s_p001_0006"], "a title with a section under it is not in it"
    assert of(graph, "s_p001_0006", KAG.contains) == ["b_p001_0007", "b_p001_0008"]
    assert of(graph, "s_p001_0009", KAG.contains) == ["b_p001_0009"], "nothing is printed under it: it holds its title"


def test_sections_have_title_number_depth_and_page(graph: Graph) -> None:
    facts = (KAG.containsAsHeader, KAG.sectionNumber, KAG.depth, KAG.pageNumber)
    assert [of(graph, "s_p001_0006", fact) for fact in facts] == [["b_p001_0006"], ["2.1"], ["2"], ["1"]]
    assert [of(graph, "s_front", fact) for fact in facts] == [["s_front_title"], [], ["1"], ["1"]]
    assert (node("s_front"), RDF.type, DOCO.FrontMatter) in graph
    assert (node("s_p001_0003"), RDF.type, DOCO.FrontMatter) not in graph
    assert of(graph, "s_front_title", KAG.fullText) == of(graph, "s_front_title", KAG.mainText) == ["Front matter"]
    assert of(graph, "s_front_title", KAG.isSynthetic) == ["true"]
    assert of(graph, "b_p001_0003", KAG.isSynthetic) == []


def test_a_float_and_its_caption_have_its_label(graph: Graph) -> None:
    for name in ("b_p001_0007", "b_p001_0008"):
        assert of(graph, name, KAG.floatLabel) == ["Fig. 7"]
        assert of(graph, name, KAG.floatNumber) == ["7"]
    assert of(graph, "b_p001_0008", KAG.describes) == ["b_p001_0007"]
    assert (node("b_p001_0008"), RDF.type, DEO.Caption) in graph


def test_a_node_of_several_blocks_names_them_all(graph: Graph) -> None:
    assert of(graph, "b_p001_0011", KAG.sourceBlock) == ["b_p001_0011", "b_p001_0012"]
    assert of(graph, "b_p001_0013", KAG.sourceBlock) == ["b_p001_0013"]


def test_pages_with_nothing_on_them_are_refused(tmp_path: Path) -> None:
    page = (("header", "[[60, 40, 940, 60]]", "Journal of Ice"),)
    with pytest.raises(SourceError, match="nothing on the pages"):
        index_paper(write_paper(tmp_path / "rivers", (page,)))
    with pytest.raises(SourceError):
        write_plan(Document("rivers", (), (), (), 1, ""), Plan((), {}), {})
    assert read_document(tmp_path / "rivers").blocks


def test_a_paragraph_that_goes_on_leads_back_to_its_beginning(tmp_path: Path) -> None:
    page = (
        ("text", "[[60, 100, 490, 900]]", "The sensors were placed in"),
        ("text", "[[510, 100, 940, 900]]", "the river in March."),
    )
    files = index_paper(write_paper(tmp_path / "rivers", (page,))).files
    graph = Graph().parse(data=files["knowledge_graph.ttl"], format="turtle")
    assert of(graph, "b_p001_0002", KAG.continues) == ["b_p001_0001"]
    assert of(graph, "b_p001_0001", KAG.continues) == []
