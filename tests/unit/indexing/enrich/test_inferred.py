"""What follows from a graph and is said in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib import Graph

from kag.core.types import Document
from kag.indexing.enrich.inferred import apply, float_kind
from kag.indexing.pipeline import index_paper
from kag.rdf.namespaces import DOCO, KAG, PO, QUDT, RDF
from kag.rdf.workspace import Workspace
from tests.unit.indexing.structure.blocks import block

PAPER = Path(__file__).resolve().parents[4] / "test_data" / "reservoir_sensors"


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph().parse(data=index_paper(PAPER).files["knowledge_graph.ttl"], format="turtle")


def test_what_contains_is_said_in_the_terms_of_the_pattern_ontology(graph: Graph) -> None:
    ours = {*graph.subject_objects(KAG.contains), *graph.subject_objects(KAG.containsAsHeader)}
    assert set(graph.subject_objects(PO.contains)) == ours
    assert set(graph.subject_objects(PO.containsAsHeader)) == set(graph.subject_objects(KAG.containsAsHeader))


def test_each_entry_is_a_reference_of_the_paper_and_leads_to_a_described_work(graph: Graph) -> None:
    query = """PREFIX kag: <http://la3d.local/kag#> PREFIX biro: <http://purl.org/spar/biro/>
        PREFIX dcterms: <http://purl.org/dc/terms/> PREFIX fabio: <http://purl.org/spar/fabio/>
        SELECT ?paper ?entry ?title ?year { ?paper a fabio:ResearchPaper ; kag:hasReference ?entry .
        ?entry biro:references ?work . ?work dcterms:title ?title ; fabio:hasPublicationYear ?year }"""
    assert len(list(graph.query(query))) > 10


def test_each_paragraph_has_plain_words(graph: Graph) -> None:
    for paragraph in graph.subjects(RDF.type, DOCO.Paragraph):
        words = str(graph.value(paragraph, KAG.plainText))
        assert words
        assert "\\(" not in words


def test_values_lie_in_their_texts(graph: Graph) -> None:
    texts = list(graph.subject_objects(KAG.hasMeasurement))
    assert texts
    for text, value in texts:
        start, end = (int(graph.value(value, name)) for name in (KAG.startOffset, KAG.endOffset))
        full = str(graph.value(text, KAG.fullText))
        assert full[start:end]
        assert any(
            graph.value(value, name) is not None for name in (QUDT.numericValue, QUDT.lowerBound, QUDT.upperBound)
        )


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Scheme 1", "scheme"),
        ("Fig. 3", "figure"),
        ("Appendix 1—Figure 2", "figure"),
        ("Supplementary Table 3", "table"),
        ("Tableau 2", "table"),
        ("Box 1", "box"),
        ("Movie S1", "video"),
        ("Key resources", ""),
        ("", ""),
    ],
)
def test_kinds_of_floats(label: str, kind: str) -> None:
    assert float_kind(label) == kind


def test_what_follows_no_more_is_taken_away() -> None:
    ws = Workspace(Document("p", (block("1.1", "Ice."),), (), (), 1, ""))
    section, child = ws.node("s"), ws.node("b_p001_0001")
    ws.add(section, KAG.contains, child)
    assert apply(ws) == 1
    assert apply(ws) == 0
    ws.remove(section, KAG.contains, child)
    assert apply(ws) == 0
    assert not ws.links(section, PO.contains)
