"""The shapes of the layers: they name the profiles' terms, each fault has its message, two engines agree."""

from __future__ import annotations

import re

import pytest
from rdflib import Graph, Literal, URIRef
from rdflib.namespace import SH, XSD

from kag.core.errors import NotConforming
from kag.core.report import Issue, Report
from kag.layers.gate import check_layer, foreign, require, validate_run, validate_union
from kag.layers.pipeline import layer_files
from kag.rdf.namespaces import DOCO, KAG, LAYER, LAYER_PREFIXES, OA, PROV, QUDT, RDF, SIO, SKOS
from kag.rdf.ntriples import term, texts
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import CLAIM, ENTITY, INTENTS, LAYERS, PROFILES
from kag.rdf.pyshacl_validator import referee
from kag.rdf.shacl import Validator
from kag.rdf.turtle import from_turtle
from tests.unit.layers.layered import said
from tests.unit.rdf.terms import undefined_terms

SHAPE = "http://la3d.local/kag/shapes/"


@pytest.fixture(scope="module")
def graphs(run, ice):
    files = layer_files(ice, tuple(LAYERS), lambda source, layers: said(source))
    document = from_turtle((run / "knowledge_graph.ttl").read_bytes())
    return {"doc": document, **{name: from_turtle(files[LAYERS[name].file].encode()) for name in LAYERS}}


@pytest.mark.parametrize("profile", LAYERS.values(), ids=LAYERS)
def test_every_term_of_a_profile_is_defined(profile):
    assert undefined_terms([*profile.classes, *profile.properties]) == ()


@pytest.mark.parametrize("profile", LAYERS.values(), ids=LAYERS)
def test_shapes_name_no_term_that_no_profile_has(profile):
    known = {term for one in PROFILES.values() for term in (*one.classes, *one.properties)} | {*INTENTS}
    named = {
        node
        for triple in load_shapes(profile)
        for node in triple
        if str(node).startswith(tuple(LAYER_PREFIXES.values())) and not str(node).startswith((SHAPE, str(XSD)))
    }
    assert named - known - {RDF.first, RDF.rest, RDF.nil} == set()
    assert profile.classes <= named | {DOCO.Document}
    assert set(profile.properties) - named <= {RDF.type}


@pytest.mark.parametrize("profile", LAYERS.values(), ids=LAYERS)
def test_messages_say_what_to_call_and_in_which_graph(profile):
    shapes = load_shapes(profile)
    messages = list(shapes.subject_objects(SH.message))
    assert len({text for _, text in messages}) == len(messages)
    names = "create_node|assert_type|set_single_literal|add_iri_link|set_single_iri_link|remove_node"
    tools = rf'op_({names})\([^)]*graph="{profile.name}"\)'
    assert [str(text) for _, text in messages if not re.search(tools, text)] == []
    reported = {shape for root in shapes.subjects(SH.targetClass) for shape in shapes.objects(root, SH.property)}
    assert [one for one in reported if (one, SH.message, None) not in shapes] == []


def test_three_layers_conform_apart_and_together(run, graphs, tmp_path):
    reports = {name: referee(graphs["doc"] + graphs.get("entity", Graph()) + graphs[name], load_shapes(PROFILES[name]))
               for name in LAYERS}  # fmt: skip
    assert {name: report.issues for name, report in reports.items()} == {"entity": (), "claim": ()}
    union, shapes = Graph(), Graph()
    for name, profile in PROFILES.items():
        union += graphs[name]
        shapes += load_shapes(profile)
    assert referee(union, shapes).issues == ()
    assert Validator(shapes).full(union).issues == ()
    assert validate_run(run)["doc"].conforms
    assert validate_union([run]).conforms


def one(graph, cls):
    return min(node for node in graph.subjects(RDF.type, cls) if isinstance(node, URIRef))


BROKEN = [
    ("entity", LAYER.Mention, OA.exact, None, "has its characters once"),
    ("entity", LAYER.Mention, OA.start, Literal(900), "begins at one character"),
    ("entity", LAYER.Mention, PROV.wasDerivedFrom, None, "derived from this one text"),
    ("entity", LAYER.Mention, PROV.wasGeneratedBy, None, "which rule or model made this node"),
    ("entity", LAYER.Mention, LAYER.confidence, Literal(2.0), "from 0 to 1"),
    ("entity", LAYER.Mention, SKOS.prefLabel, Literal("x"), "A mention holds its characters"),
    ("entity", LAYER.Entity, SKOS.prefLabel, None, "exactly one name"),
    ("entity", LAYER.Entity, LAYER.concept, None, "is one concept"),
    ("entity", LAYER.Entity, LAYER.rule, Literal("x"), "An entity has names"),
    ("entity", LAYER.Match, LAYER.confidence, None, "how sure it is"),
    ("entity", LAYER.Relation, LAYER.head, None, "begins at one mention"),
    ("entity", SIO.SIO_000070, QUDT.unit, Literal("MPa"), "A unit is the IRI of one of QUDT"),
    ("entity", SIO.SIO_000070, QUDT.numericValue, Literal("x"), "at most one number"),
    ("entity", SIO.SIO_000070, RDF.type, None, "has no class"),
    ("entity", PROV.Activity, LAYER.rule, None, "names one rule or model"),
    ("claim", LAYER.Claim, LAYER.role, Literal("rumour"), "has one role"),
    ("claim", LAYER.Claim, LAYER.polarity, None, "positive or negative"),
    ("claim", LAYER.Claim, LAYER.certainty, Literal("sure"), "certain or hedged"),
    ("claim", LAYER.Claim, SKOS.prefLabel, Literal("x"), "A claim has a role"),
    ("claim", LAYER.Scope, LAYER.cue, None, "has one cue"),
    ("claim", LAYER.Scope, LAYER.kind, Literal("irony"), "negation and hedge"),
]  # fmt: skip


@pytest.mark.parametrize(("layer", "cls", "property_", "value", "message"), BROKEN)
def test_a_fault_is_told_alike_by_both_engines(graphs, layer, cls, property_, value, message):
    broken, below = Graph(), Graph()
    broken += graphs[layer]
    for name in PROFILES[layer].rests_on:
        below += graphs[name]
    node = one(broken, cls)
    if value is None or property_ in (OA.start, LAYER.role, LAYER.certainty, LAYER.kind, LAYER.confidence):
        broken.remove((node, property_, None))
    if value is not None:
        broken.add((node, property_, value))
    shapes = load_shapes(PROFILES[layer])
    found = referee(broken + below, shapes)
    assert [issue for issue in found.issues if message in issue.message] != []
    assert Validator(shapes).full(broken + below) == found


def test_terms_outside_the_profile_and_nodes_of_other_layers_are_told(graphs):
    text = graphs["doc"].value(None, KAG.plainText, None) or next(graphs["doc"].subjects(KAG.plainText))
    odd = Graph()
    odd.add((URIRef("http://la3d.local/kag/doc/ice/x"), KAG.fullText, Literal("x")))
    odd.add((URIRef("http://la3d.local/kag/doc/ice/x"), RDF.type, DOCO.Paragraph))
    odd.add((text, SKOS.prefLabel, Literal("x")))
    found = sorted(issue.component for issue in foreign(ENTITY, texts(odd), texts(graphs["doc"])))
    assert found == ["Profile", "Profile", "ReadOnly"]


def test_the_gate_names_the_odd_term_and_the_node_of_another_layer():
    mine, theirs, label = (f"<http://x/{name}>" for name in ("mine", "theirs", "label"))
    kind, entity, name = (term(one) for one in (RDF.type, LAYER.Entity, SKOS.prefLabel))
    own = [(mine, kind, entity), (mine, name, '"x"'), (mine, kind, label), (mine, label, '"x"'), (theirs, name, '"x"')]
    told = [
        (issue.focus, issue.path, issue.component, issue.message.partition(" ")[0])
        for issue in foreign(ENTITY, own, [(theirs, kind, entity)])
    ]
    assert told == [
        (mine, kind, "Profile", label),
        (mine, label, "Profile", label),
        (theirs, name, "ReadOnly", "The"),
    ]


def test_a_layer_that_is_not_right_is_refused_with_its_first_fault():
    faults = [Issue(f"<http://x/{n}>", "", "Profile", f"Fault {n}.") for n in (1, 2)]
    with pytest.raises(NotConforming, match="ice: the entity layer has 2 violations") as caught:
        require(ENTITY, Report.of(faults), "ice")
    assert caught.value.hint == "Fault 1. (<http://x/1>)"
    require(ENTITY, Report.of([]), "ice")


def test_a_layer_without_the_one_it_rests_on_is_told(graphs):
    report = check_layer(CLAIM, texts(graphs["claim"]), texts(graphs["doc"]))
    assert any("entities of the entity layer" in issue.message for issue in report.issues)
