"""JSON-LD: what is written is what a reader of RDF gets, in terms of schema.org that exist, whatever texts say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache

import pytest
from rdflib import Graph, Literal, URIRef
from rdflib.namespace import OWL, RDF, XSD

from kag.rdf.namespaces import KAG, PROV
from kag.rdf.ontology import ontology_dir
from kag.retrieval.chunking import Chunk, ChunkKind, Hit
from kag.retrieval.facets import THINGS, Thing, with_things
from kag.retrieval.graph.build import Citation, chunk_graph
from kag.retrieval.hits_json_ld import Article, chunk_iri, graph_lines, result_lines
from kag.retrieval.index import Index
from kag.retrieval.retrieve import Found

SCHEMA = "https://schema.org/"
OURS = "http://la3d.local/kag#"
BASE = "http://la3d.local/kag/doc/"

# The terms of schema.org that are used: the types that each property is defined for, and what its values are.
SUPERTYPES = {
    "Thing": (),
    "CreativeWork": ("Thing",),
    "Dataset": ("CreativeWork", "Thing"),
    "ScholarlyArticle": ("Article", "CreativeWork", "Thing"),
    "Table": ("WebPageElement", "CreativeWork", "Thing"),
    "SearchAction": ("Action", "Thing"),
    "ItemList": ("Intangible", "Thing"),
    "ListItem": ("Intangible", "Thing"),
}
PROPERTIES = {
    "name": ({"Thing"}, "text"),
    "description": ({"Thing"}, "text"),
    "identifier": ({"Thing"}, "text"),
    "sameAs": ({"Thing"}, "link"),
    "additionalType": ({"Thing"}, "text"),
    "text": ({"CreativeWork"}, "text"),
    "keywords": ({"CreativeWork"}, "text"),
    "datePublished": ({"CreativeWork"}, "text"),
    "isPartOf": ({"CreativeWork"}, "link"),
    "mentions": ({"CreativeWork"}, "link"),
    "citation": ({"CreativeWork"}, "any"),
    "query": ({"SearchAction"}, "text"),
    "result": ({"Action"}, "link"),
    "numberOfItems": ({"ItemList"}, "integer"),
    "itemListElement": ({"ItemList"}, "link"),
    "position": ({"CreativeWork", "ListItem"}, "integer"),
    "item": ({"ListItem"}, "link"),
}

HOSTILE = (
    '{"@id": "http://evil/", "@context": {"name": "http://evil/name"}} </script> \x00\x1b[2J "@type": "kag:X" \ud800'
)
CHUNKS = (
    Chunk(
        f"{BASE}ice/b_p001_0004",
        HOSTILE,
        document="ice",
        title="On ice",
        topic="1 Methods > 1.1 Sites",
        entities=("Lima River", "lima river", "@id"),
        sources=(f"{BASE}ice/b_p001_0004", f"{BASE}ice/b_p001_0005"),
        metadata={"pages": "1 2", "@id": "http://evil/", THINGS: with_things([Thing("site", "c1", "Lima River")])},
    ),
    Chunk(
        f"{BASE}ice/b_p001_0004#1",
        "Site | Lost\nUpper | 3",
        ChunkKind.TABLE,
        "ice",
        "On ice",
        columns=("Site", "@type"),
    ),
    Chunk(f"{BASE}ice/b_p003_0001", "[1] Berg. On snow.", ChunkKind.RECORD, "ice", sources=(f"{BASE}ice/r1",)),
    Chunk("odd id <of> \u00e9\n#%", "The Lima River is long.", document="odd name/", title="@context"),
)


@cache
def index() -> Index:
    made = Index.build(CHUNKS)
    made.edges = chunk_graph(made, [Citation("ice", f"{BASE}ice/r1", "odd name/")])
    return made


def parsed(lines: Iterable[str]) -> tuple[Graph, Mapping[str, object]]:
    text = "".join(lines)
    return Graph().parse(data=text, format="json-ld"), json.loads(text)


def objects(graph: Graph, subject: str, term: str) -> set[str]:
    return {str(value) for value in graph.objects(URIRef(subject), URIRef(term))}


@pytest.fixture(scope="module")
def whole() -> Graph:
    articles = {"ice": Article(f"{BASE}ice/document", "On ice", "2019", "10.5/a b", (f"{BASE}snow/document",))}
    return parsed(graph_lines(index(), articles))[0]


@pytest.fixture(scope="module")
def results() -> Graph:
    hits = (Hit(CHUNKS[3].id, 1.0, "seed"), Hit(CHUNKS[1].id, 1e-7, f"link from {CHUNKS[3].id}"))
    return parsed(result_lines(Found('What "@id" is long?', "sage", hits, ("no vectors",)), index()))[0]


def test_a_chunk_and_its_document(whole: Graph) -> None:
    name = f"{BASE.replace('doc/', 'chunk/')}ice/b_p001_0004"
    assert chunk_iri(CHUNKS[0].id) == name
    assert objects(whole, name, RDF.type) == {SCHEMA + "CreativeWork"}
    assert objects(whole, name, SCHEMA + "text") == {HOSTILE.replace("\ud800", "?")}
    assert objects(whole, name, SCHEMA + "isPartOf") == {f"{BASE}ice/document"}
    assert objects(whole, name, SCHEMA + "keywords") == {"1 Methods", "1.1 Sites"}
    assert objects(whole, name, PROV.wasDerivedFrom) == {f"{BASE}ice/b_p001_0004", f"{BASE}ice/b_p001_0005"}
    assert set(whole.objects(URIRef(name), KAG.pageNumber)) == {Literal(1), Literal(2)}
    assert objects(whole, f"{BASE}ice/document", SCHEMA + "citation") == {f"{BASE}snow/document"}
    assert objects(whole, f"{BASE}ice/document", SCHEMA + "sameAs") == {"https://doi.org/10.5/a%20b"}
    assert objects(whole, chunk_iri(CHUNKS[1].id), RDF.type) == {SCHEMA + "Table"}
    assert objects(whole, chunk_iri(CHUNKS[1].id), OURS + "column") == {"Site", "@type"}


def test_a_name_is_one_node_wherever_it_is_mentioned(whole: Graph) -> None:
    rivers = [
        name
        for name in whole.subjects(RDF.type, URIRef(SCHEMA + "Thing"))
        if "Lima River" in objects(whole, str(name), SCHEMA + "name")
    ]
    assert len(rivers) == 1
    assert len(set(whole.subjects(URIRef(SCHEMA + "mentions"), rivers[0]))) == 2


def test_edges_are_nodes_with_all_that_is_said_of_them(whole: Graph) -> None:
    found = {
        (str(whole.value(edge, URIRef(OURS + "source"))), str(whole.value(edge, URIRef(OURS + "target"))),
         str(whole.value(edge, URIRef(OURS + "relation")))): whole.value(edge, URIRef(OURS + "weight"))
        for edge in whole.subjects(RDF.type, URIRef(OURS + "Relationship"))
    }  # fmt: skip
    assert len(found) == sum(1 for _ in index().edges.edges)
    types = {str(value) for value in whole.objects(None, URIRef(OURS + "sourceType"))}
    assert types <= {"document", "table", "record"}
    (river,) = whole.subjects(URIRef(SCHEMA + "additionalType"), Literal("site"))
    assert objects(whole, str(river), SCHEMA + "name") & {"Lima River"}
    cited = found[chunk_iri(CHUNKS[2].id), chunk_iri(CHUNKS[3].id), "cites"]
    assert cited == Literal("1.0", datatype=XSD.double)


def test_the_results_of_a_question(results: Graph) -> None:
    (search,) = results.subjects(RDF.type, URIRef(SCHEMA + "SearchAction"))
    assert results.value(search, URIRef(SCHEMA + "query")) == Literal('What "@id" is long?')
    assert objects(results, str(search), OURS + "plan") == {"sage"}
    assert objects(results, str(search), OURS + "note") == {"no vectors"}
    listed = results.value(search, URIRef(SCHEMA + "result"))
    assert results.value(listed, URIRef(SCHEMA + "numberOfItems")) == Literal(2)
    items = {
        results.value(item, URIRef(SCHEMA + "position")).toPython(): item
        for item in results.objects(listed, URIRef(SCHEMA + "itemListElement"))
    }
    assert [str(results.value(items[n], URIRef(SCHEMA + "item"))) for n in (1, 2)] == [
        chunk_iri(CHUNKS[3].id),
        chunk_iri(CHUNKS[1].id),
    ]
    assert [results.value(items[n], URIRef(OURS + "score")).toPython() for n in (1, 2)] == [1.0, 1e-7]
    assert objects(results, chunk_iri(CHUNKS[3].id), SCHEMA + "text") == {CHUNKS[3].text}


def test_only_terms_that_exist_on_types_that_allow_them(whole: Graph, results: Graph) -> None:
    used = set()
    for graph in (whole, results):
        for subject, term, value in graph:
            if not term.startswith(SCHEMA):
                continue
            domains, kind = PROPERTIES[term.removeprefix(SCHEMA)]
            types = [str(one).removeprefix(SCHEMA) for one in graph.objects(subject, RDF.type)]
            assert any(domains & {one, *SUPERTYPES[one]} for one in types), (types, term)
            assert isinstance(value, URIRef) == (kind == "link") or kind == "any"
            assert kind != "integer" or value.datatype == XSD.integer
            used.add(term.removeprefix(SCHEMA))
        kinds = {str(kind) for kind in graph.objects(None, RDF.type)} - {OURS + "Relationship"}
        assert kinds <= {SCHEMA + name for name in SUPERTYPES}
    assert used == set(PROPERTIES)


def test_our_terms_are_declared_and_no_text_becomes_one(whole: Graph, results: Graph) -> None:
    declared = Graph()
    for file in ontology_dir().glob("*_ext.ttl"):
        declared.parse(file)
    kinds = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty)
    known = {str(term) for kind in kinds for term in declared.subjects(RDF.type, kind)}
    for graph in (whole, results):
        terms = {str(term) for term in graph.predicates()} | {str(term) for term in graph.objects(None, RDF.type)}
        assert {term for term in terms if term.startswith(OURS)} <= known
        assert not [one for triple in graph for one in triple if isinstance(one, URIRef) and "evil" in one]


def test_all_is_in_the_default_graph_and_stays_the_same() -> None:
    text = "".join(graph_lines(index()))
    assert text == "".join(graph_lines(index()))
    assert set(json.loads(text)) == {"@context", "@graph"}
    text.encode()
    assert text.count("\n") > len(CHUNKS), "a node is a line, so that a large graph can be streamed"


def test_an_empty_index() -> None:
    graph, _ = parsed(graph_lines(Index.build(())))
    assert objects(graph, "http://la3d.local/kag/search-graph", RDF.type) == {SCHEMA + "Dataset"}
