"""What is said, as graphs: each fact in its terms, the values again when read back, the same bytes each time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rdflib import Graph, Literal, URIRef

from kag.core.errors import BadValue, NotConforming
from kag.layers.pipeline import chosen, findings_of, layer_files
from kag.layers.values import Findings
from kag.rdf.namespaces import LAYER_PREFIXES
from kag.rdf.profile import LAYERS
from kag.rdf.published import PublishedGraph
from tests.unit.layers.layered import MESH, said

BOTH = tuple(LAYERS)


@pytest.fixture(scope="module")
def files(ice):
    return layer_files(ice, BOTH, lambda source, layers: said(source))


def ask(files, where):
    graph = Graph()
    for text in files.values():
        graph.parse(data=text, format="turtle")
    found = graph.query(f"SELECT DISTINCT ?a ?b ?c WHERE {{ {where} }}", initNs=LAYER_PREFIXES)
    return sorted(tuple(str(one) for one in row if one is not None) for row in found)


def test_an_entity_has_a_class_names_and_identifiers_with_their_confidence(files):
    assert ask(files, "?x skos:prefLabel 'sensors' ; a ?a . FILTER(?a != kag:Entity)") == [
        ("http://semanticscience.org/resource/SIO_000956",)
    ]
    names = "?x skos:prefLabel 'sensors' ; skos:altLabel ?a ; skos:exactMatch ?b ; skos:closeMatch ?c"
    assert ask(files, names) == [("Sensor", MESH, "http://example.org/close")]
    sure = f"?x kag:hasMatch ?m . ?m kag:matches <{MESH}> ; kag:confidence ?a"
    assert ask(files, sure) == [("0.75",)]


def test_a_mention_leads_to_its_text_and_tells_who_found_it(files, ice):
    rows = ask(
        files, "?m sio:SIO_000628 ?e ; oa:start ?a ; oa:end ?b ; prov:wasDerivedFrom ?c . ?e skos:prefLabel 'river'"
    )
    ((start, end, node),) = rows
    plain = ice.graph.value(node, "http://la3d.local/kag#plainText")
    assert plain[int(start) : int(end)] == "river"
    made = "?m oa:exact 'river' ; prov:wasGeneratedBy ?y . ?y kag:rule ?a ; kag:version ?b"
    assert [row[0] for row in ask(files, made)] == ["place words 1"]


def test_a_value_is_that_of_a_property_of_an_entity(files):
    where = (
        "?q a qudt:QuantityValue ; qudt:numericValue ?n ; qudt:unit ?a ; qudt:standardUncertainty ?u ;"
        " sio:SIO_000215 ?p . ?p skos:prefLabel ?b ; sio:SIO_000011 ?e . ?e skos:prefLabel ?c . FILTER(?n = 12.5)"
    )
    assert ask(files, where) == [("http://qudt.org/vocab/unit/MegaPA", "survive", "sensors")]
    assert ask(files, "?q kag:counted ?a ; qudt:numericValue ?b") == [("sites", "12.0")]


def test_members_of_a_list_are_values_of_one_mention(files):
    rows = ask(files, "?q oa:exact '3 and 4 kg' ; qudt:numericValue ?a ; oa:start ?b")
    assert [row[0] for row in rows] == ["3.0", "4.0"]
    assert len({row[1] for row in rows}) == 1


def test_a_bound_is_the_end_of_a_range(files):
    assert ask(files, "?q kag:bound '>' ; qudt:lowerBound ?a . FILTER NOT EXISTS { ?q qudt:numericValue ?n }") == [
        ("3.0",)
    ]


def test_what_only_a_measurement_names_becomes_a_thing(files):
    assert ask(files, "?e skos:prefLabel 'Upper' ; a ?a ; kag:kind ?b . FILTER(?a != kag:Entity)") == [
        ("http://semanticscience.org/resource/SIO_000000", "thing")
    ]


def test_a_claim_says_what_it_does_and_what_it_is_about(files):
    where = "?c1 a kag:Claim ; kag:role ?a ; kag:polarity ?b ; kag:certainty ?c"
    assert ask(files, where) == [("result", "negative", "hedged")]
    assert ask(files, "?x a kag:Claim ; sio:SIO_000332/skos:prefLabel ?a ; kag:direction ?b") == [("sensors", "less")]
    assert [row[0] for row in ask(files, "?x kag:statesValue/qudt:numericValue ?a")] == ["12.5", "3.0", "4.0"]
    assert [row[:2] for row in ask(files, "?x kag:hasScope ?s . ?s kag:kind ?a ; kag:cue/oa:exact ?b")] == [
        ("hedge", "may"),
        ("negation", "not"),
    ]
    assert len(ask(files, "?x sio:SIO_000206 ?a")) == 1


def test_read_back_they_are_the_same_values_and_give_the_same_bytes(files, ice):
    graphs = {name: PublishedGraph.parse(files[LAYERS[name].file].encode()) for name in BOTH}
    back = findings_of(graphs)
    first = said(ice)
    assert {one.name for one in back.entities} == {"sensors", "river", "Upper", "sites"}
    sensors = next(one for one in back.entities if one.name == "sensors")
    assert replace(sensors, mentions=tuple(sorted(sensors.mentions, key=lambda m: (m.node, m.start)))) == replace(
        first.entities[0], mentions=tuple(sorted(first.entities[0].mentions, key=lambda m: (m.node, m.start)))
    )
    assert {one.value.value for one in back.measurements} == {12.5, 3.0, 4.0, 12.0}
    assert [one.kind for one in back.relations] == ["along"]
    (claim,) = back.claims
    assert (claim.role, claim.sentence.text, claim.score) == ("result", first.claims[0].sentence.text, 0.8)
    assert claim.scopes == first.claims[0].scopes
    assert layer_files(ice, BOTH, lambda source, layers: back) == files


def test_nothing_said_is_an_empty_layer(ice):
    files = layer_files(ice, BOTH, lambda source, layers: Findings())
    assert all("ex:" not in text.split("\n\n", 1)[-1] or text.count("\n\n") == 0 for text in files.values())


def test_only_the_layers_that_were_asked_for(ice):
    assert list(layer_files(ice, ("entity",), lambda source, layers: said(source))) == ["entity_graph.ttl"]
    assert chosen("entity") == ("entity",)
    assert chosen(" claim ,entity") == BOTH
    for wrong in ("", "entities", "doc", "entity,x"):
        with pytest.raises(BadValue):
            chosen(wrong)


def test_papers_meet_by_identifier_else_by_kind_and_name(files):
    concepts = dict(ask(files, "?e kag:concept ?b ; skos:prefLabel ?a"))
    assert len(set(concepts.values())) == len(concepts) == 4
    assert all(one.startswith("http://la3d.local/kag/concept/") for one in concepts.values())


def test_text_of_a_paper_is_data(ice):
    first = said(ice)
    hostile = 'x> } <http://evil/> ; "\\\n'
    entity = replace(first.entities[0], name=hostile, aliases=(hostile * 2,))
    files = layer_files(ice, ("entity",), lambda source, layers: replace(first, entities=(entity,)))
    graph = Graph().parse(data=files["entity_graph.ttl"], format="turtle")
    assert (None, URIRef(LAYER_PREFIXES["skos"] + "prefLabel"), Literal(hostile)) in graph
    assert not [node for triple in graph for node in triple if str(node) == "http://evil/"]


def test_what_breaks_the_shapes_is_not_written(ice):
    first = said(ice)
    odd = replace(first, claims=(replace(first.claims[0], role="rumour"),))
    with pytest.raises(NotConforming, match="claim layer has 1 violations") as error:
        layer_files(ice, BOTH, lambda source, layers: odd)
    assert 'op_set_single_literal(node, "kag:role", "result", graph="claim")' in error.value.hint
