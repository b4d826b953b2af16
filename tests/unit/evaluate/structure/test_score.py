"""The structure score: each kind of facts and each share counts what it says, and nothing else."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from rdflib import Graph, Literal, URIRef

from kag.evaluate.structure.gold import Gold, gold_with_paragraphs, read_gold
from kag.evaluate.structure.score import (
    METRICS,
    READ,
    Built,
    Comparison,
    agreement,
    compare,
    normalised_doi,
    printed,
    structure_score,
)
from kag.indexing.pipeline import index_paper
from kag.rdf.namespaces import DEO, DOCO, KAG, PRISM, RDF, RDFS

PAPER = Path(__file__).parents[4] / "test_data" / "urban_pollinators"
TURTLE = """
@prefix : <http://x/> . @prefix kag: <http://la3d.local/kag#> . @prefix doco: <http://purl.org/spar/doco/> .
@prefix deo: <http://purl.org/spar/deo/> . @prefix cito: <http://purl.org/spar/cito/> .
@prefix dcterms: <http://purl.org/dc/terms/> . @prefix fabio: <http://purl.org/spar/fabio/> .
@prefix prism: <http://prismstandard.org/namespaces/basic/2.0/> .
:s1 a doco:Section ; kag:contains :p1 , :s2 ; kag:containsAsHeader :h1 .
:s2 a doco:Section ; kag:contains :p2 ; kag:containsAsHeader :h2 .
:s3 a doco:Section ; kag:contains :p3 ; kag:containsAsHeader :h3 .
:h1 kag:sourceBlock "b_p001_0001" . :h2 kag:sourceBlock "b_p001_0003" . :h3 kag:sourceBlock "b_p001_0009" .
:p1 kag:sourceBlock "b_p001_0002" ; kag:order 2 ; cito:cites :r1 , :r2 ; kag:refersTo :f1 .
:p2 kag:sourceBlock "b_p001_0004" ; kag:order 1 ; cito:cites :r2 ; kag:refersTo :c1 , :p1 .
:p3 kag:sourceBlock "b_p001_0010" ; kag:order 9 .
:f1 kag:sourceBlock "b_p001_0005" . :c1 kag:sourceBlock "b_p001_0006" ; kag:describes :f1 .
:r1 a deo:BibliographicReference ; kag:sourceBlock "b_p001_0007" ; kag:citationNumber 1 ; dcterms:title "Ice, again" ;
    fabio:hasPublicationYear "1999" ; prism:doi "https://doi.org/10.5555/ABC." ; kag:authorList "Poe, E.; Roe, J." .
:r2 a deo:BibliographicReference ; kag:citationNumber 3 ; fabio:hasPublicationYear "2001" .
:r4 a deo:BibliographicReference ; kag:citationNumber "iv" .
"""
ROW = {
    "sections": [
        {"id": "s1", "parent": None, "blocks": ["b_p001_0001"], "title": "A"},
        {"id": "s2", "parent": "s1", "blocks": ["b_p001_0003"], "title": "B"},
        {"id": "s3", "parent": "s2", "blocks": ["b_p001_0009"], "title": "C"},
        {"id": "s4", "parent": None, "blocks": []},
    ],
    "paragraphs": [
        {"idx": 0, "section": "s1", "text": "one", "blocks": ["b_p001_0002"]},
        {"idx": 1, "section": "s2", "text": "two", "blocks": ["b_p001_0004"]},
        {"idx": 2, "section": "s2", "text": "three", "blocks": ["b_p001_0010"]},
    ],
    "figures": [{"number": "1", "image_blocks": ["b_p001_0005"], "caption_blocks": ["b_p001_0006"], "caption": "F"}],
    "tables": [{"number": "1", "table_blocks": ["b_p001_0011"], "caption_blocks": ["b_p001_0012"], "caption": "T"}],
    "references": [
        {"number": 1, "text": "1 Poe E. Ice again. 1999. doi:10.5555/abc", "title": "Ice again", "year": "1999",
         "doi": "10.5555/abc", "authors": [{"family": "Poe"}]},
        {"number": 2, "text": "2 Roe J. 2000.", "title": "Snow", "year": "2000", "doi": "", "authors": []},
        {"number": 3, "text": "3 Doe. 2002.", "year": "2002", "authors": [{"family": "Doe"}]},
    ],
    "citation_links": [["p0", 1], ["p0", 2], ["p1", 3], ["fig:1", 1]],
    "crossref_links": [["p0", "figure", "1"], ["p1", "table", "1"], ["p0", "section", "2"]],
    "blocks": [{"id": f"b_p001_{n:04d}"} for n in range(1, 13)],
}  # fmt: skip
GOLD = gold_with_paragraphs(ROW, "small")


@pytest.fixture(scope="module")
def built() -> Graph:
    return Graph().parse(data=index_paper(PAPER).files["knowledge_graph.ttl"], format="turtle")


@pytest.mark.parametrize(
    ("metric", "counts"),
    [
        ("headings", (3, 0, 0)),
        ("heading_parent", (2, 1, 1)),  # C stands at the top instead of under B
        ("membership", (2, 1, 1)),  # three is under C instead of B
        ("captions", (1, 0, 1)),
        ("references", (2, 0, 1)),
        ("citations", (2, 1, 1)),  # p0 cites 3 instead of 2; links from captions are not asked for
        ("crossrefs", (1, 1, 1)),  # p1 refers to the figure, by its caption, instead of the table
        ("ref_title", (1, 0, 0)),  # the title of 2 is not printed
        ("ref_year", (1, 1, 2)),  # 3 has another year, 2 is not there
        ("ref_doi", (1, 0, 0)),
        ("ref_first_author", (1, 0, 1)),
        ("order", (1, 1, 1)),
        ("accounted", (10, 0, 2)),
        ("content_kept", (3, 0, 0)),
    ],
)
def test_counts(metric: str, counts: tuple[int, int, int]) -> None:
    compared = compare(Built(Graph().parse(data=TURTLE, format="turtle"), ["b_p001_0008"]), GOLD)
    assert list(compared) == list(METRICS)
    assert compared[metric].counts == counts


def test_without_a_graph_facts_are_missing_and_shares_are_not_asked() -> None:
    compared = compare(None, GOLD)
    assert {name: one.counts for name, one in compared.items()} == {
        "headings": (0, 0, 3), "heading_parent": (0, 0, 3), "membership": (0, 0, 3), "captions": (0, 0, 2),
        "references": (0, 0, 3), "citations": (0, 0, 3), "crossrefs": (0, 0, 2),
    }  # fmt: skip


def test_a_metric_that_was_not_annotated_is_left_out() -> None:
    gold = Gold("x", {"headings": frozenset({("b",)})}, {}, {}, ())
    assert set(compare(Built(Graph()), gold)) == {"headings", "ref_title", "ref_year", "ref_doi", "ref_first_author"}


def test_only_what_is_declared_counts(built: Graph) -> None:
    """A graph without all other predicates, and with noise in them, scores the same."""
    gold = read_gold(PAPER)
    graph = Graph()
    for triple in built:
        if triple[1] in READ:
            graph.add(triple)
    assert len(graph) < len(built)
    graph.add((URIRef("http://x/y"), RDFS.label, Literal("noise")))
    assert compare(Built(graph), gold) == compare(Built(built), gold)


def test_numbers_of_references() -> None:
    graph = Graph()
    for number in ("0", "007", "7b", ""):
        node = URIRef(f"http://x/{number or 'none'}")
        graph.add((node, RDF.type, DEO.BibliographicReference))
        graph.add((node, KAG.citationNumber, Literal(number)))
    assert sorted(Built(graph).references.values()) == [0, 7]


def test_what_the_entry_does_not_print_is_not_asked() -> None:
    row = {
        "text": "Poe. Ice. 1999",
        "title": "Ice age",
        "year": "1999a",
        "doi": "10.1/x",
        "authors": [{"family": "Éoe"}],
    }
    assert printed(row) == {"ref_year": "1999"}
    assert printed({"text": "Ice", "title": "ICE!"}) == {"ref_title": "ice"}


@pytest.mark.parametrize("text", ["10.5555/AB.", "doi: 10.5555/ab", "http://dx.doi.org/10.5555/ab", " 10.5555/ab "])
def test_a_doi_is_compared_without_its_address(text: str) -> None:
    assert normalised_doi(text) == "10.5555/ab"


def test_f1_and_recall() -> None:
    one = Comparison(frozenset({(1,), (2,)}), frozenset({(3,)}), frozenset({(4,), (5,), (6,)}))
    assert (one.counts, one.f1, one.recall) == ((2, 3, 1), 0.5, 2 / 3)
    assert Comparison().f1 == Comparison().recall == 0.0


# the score of the optimizer -------------------------------------------------------------------------------------------


def test_a_graph_without_faults_scores_one(built: Graph) -> None:
    kinds = agreement(built, read_gold(PAPER))
    assert len(kinds) == 7
    assert {kind.f1 for kind in kinds.values()} == {structure_score(kinds)} == {1.0}
    assert all(len(kind.right) > 1 for kind in kinds.values())


def test_a_fault_costs_what_it_should(built: Graph) -> None:
    gold = read_gold(PAPER)
    graph = copy.deepcopy(built)
    caption, target = sorted(graph.subject_objects(KAG.describes))[0]
    graph.remove((caption, KAG.describes, target))
    kind = agreement(graph, gold)["captions"]
    lost = len(kind.missing)
    assert lost == len(list(graph.objects(target, KAG.sourceBlock)))
    assert kind.f1 == pytest.approx(2 * len(kind.right) / (2 * len(kind.right) + lost))
    assert not kind.wrong
    graph.add((caption, KAG.describes, caption))
    assert len(agreement(graph, gold)["captions"].wrong) == 1


def test_what_neither_has_says_nothing(built: Graph) -> None:
    row = json.loads((PAPER / "gold.json").read_text(encoding="utf-8"))
    gold = gold_with_paragraphs(row | {"crossref_links": []})
    graph = copy.deepcopy(built)
    assert agreement(graph, gold)["crossrefs"].f1 == 0.0
    graph.remove((None, KAG.refersTo, None))
    assert "crossrefs" not in agreement(graph, gold)
    assert structure_score(agreement(graph, gold)) == 1.0
    assert structure_score(agreement(Graph(), gold)) == structure_score({}) == 0.0


def test_a_heading_of_several_blocks_counts_all_of_them_once() -> None:
    graph = Graph()
    section, title = URIRef("http://x/s"), URIRef("http://x/h")
    graph.add((section, RDF.type, DOCO.Section))
    graph.add((section, KAG.containsAsHeader, title))
    for block in ("b_p001_0003", "b_p001_0001"):
        graph.add((title, KAG.sourceBlock, Literal(block)))
    graph.add((title, PRISM.doi, Literal("x")))
    compared = compare(Built(graph), GOLD)
    assert compared["headings"].right == {("b_p001_0001",), ("b_p001_0003",)}
    assert compared["heading_parent"].right == {("b_p001_0001", None)}
