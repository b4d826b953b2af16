"""Agents over layers: the tools refuse what does not stand in the text, the gate is that of rules, rules stand in."""

from __future__ import annotations

import json
from functools import partial

import pytest

from kag.agents.build.build_options import making
from kag.agents.layers import agent as layers_agent
from kag.agents.layers.agent import LONGEST, MOST, AgentLayers, all_rows, by_model, cards, uncertain_rows
from kag.agents.layers.tools import LayerTools
from kag.agents.model.engines import Source as Replies
from kag.core.tool import guard, toolset
from kag.core.trajectory import Trajectory
from kag.core.types import Document
from kag.indexing.run import read_files
from kag.layers.gate import audit_layer
from kag.layers.pipeline import Layers, as_files, findings_of, layer_triples, source_of
from kag.layers.source import passages
from kag.rdf.namespaces import RDF
from kag.rdf.profile import LAYERS
from kag.rdf.published import PublishedGraph
from kag.rdf.workspace import Workspace
from tests.unit.agents.scripted import ScriptedEngine
from tests.unit.layers.layered import SENTENCE, make_run, said

BOTH = tuple(LAYERS)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("agent"))


@pytest.fixture(scope="module")
def source(run):
    return source_of(run)


@pytest.fixture
def tools(source):
    graphs = {name: Workspace(Document("ice", (), (), (), 0, ""), profile) for name, profile in LAYERS.items()}
    made = LayerTools(source, graphs, "model/1")
    calls = {tool.name: guard(tool, Trajectory()).call for tool in toolset(made)}
    return type("Tools", (), {**{name: staticmethod(call) for name, call in calls.items()}, "made": made})


@pytest.fixture
def by_hand(monkeypatch):
    monkeypatch.setattr(layers_agent, "find_by_rules", lambda source, layers: said(source))


def written(tools):
    """An entity with its mention, a value of it, and a claim about it; the text of the mention."""
    text = "b_p002_0004"
    assert tools.op_assert_type("ex:e-sensors", "kag:Entity")["ok"]
    assert tools.op_assert_type("ex:e-sensors", "sio:SIO_000956")["ok"]
    for name, value in (("skos:prefLabel", "sensors"), ("kag:kind", "device")):
        assert tools.op_set_single_literal("ex:e-sensors", name, value)["ok"]
    mention = tools.op_create_node(text, "kag:Mention", 6, 13)
    assert tools.op_add_iri_link(mention["node"], "sio:SIO_000628", "ex:e-sensors")["ok"]
    value = tools.op_create_node(text, "qudt:QuantityValue", SENTENCE.index("12.5"), SENTENCE.index(" or 3"))
    assert tools.op_add_iri_link(value["node"], "sio:SIO_000011", "ex:e-sensors")["ok"]
    claim = tools.op_create_node(text, "kag:Claim", 0, len(SENTENCE), "claim")
    assert tools.op_assert_type(claim["node"], "sio:SIO_001183", "claim")["ok"]
    for name, value in (("kag:role", "result"), ("kag:polarity", "negative"), ("kag:certainty", "hedged")):
        assert tools.op_set_single_literal(claim["node"], name, value, "claim")["ok"]
    assert tools.op_add_iri_link(claim["node"], "sio:SIO_000332", "ex:e-sensors", "claim")["ok"]
    return mention["words"]


def test_what_is_written_through_the_tools_conforms_and_stands_where_it_says(tools, source):
    assert written(tools) == "sensors"
    assert tools.validate_graph("claim") == []
    assert tools.finalize_graph()["status"] == "READY"
    graphs = {name: sorted(graph.texts()) for name, graph in tools.made._graphs.items()}
    files = as_files(source, graphs)
    layers = {name: PublishedGraph.parse(files[LAYERS[name].file].encode()) for name in BOTH}
    assert [audit_layer(layer, source).issues for layer in layers.values()] == [(), ()]
    back = findings_of(layers)
    assert [(one.value.value, one.value.uncertainty, one.value.unit_canonical) for one in back.measurements] == [
        (12.5, 0.5, "MPa")
    ]
    assert [one.rule for one in back.entities[0].mentions] == ["model model/1"]
    assert [one.text for one in back.claims[0].about] == ["sensors"]


def test_with_an_entity_go_its_mentions_and_what_is_said_of_it(tools):
    written(tools)
    graphs = tools.made._graphs
    text = len(graphs["claim"].graph)
    assert tools.op_remove_node("ex:e-sensors")["ok"]
    left = " ".join(str(term) for graph in graphs.values() for triple in graph.graph for term in triple)
    assert "e-sensors" not in left
    assert "m-b_p002_0004-6-13" not in left
    assert len(graphs["claim"].graph) == text - 1  # the claim stays, but for what it is about
    assert tools.validate_graph("entity") == tools.validate_graph("claim") == []


def test_the_class_of_an_entity_follows_its_kind(tools):
    written(tools)
    assert tools.op_set_single_literal("ex:e-sensors", "kag:kind", "material")["ok"]
    assert tools.finalize_graph()["status"] == "READY"
    entity = tools.made._graphs["entity"]
    classes = {entity.curie(cls) for cls in entity.links(entity.resolve("ex:e-sensors"), RDF.type)}
    assert classes == {"kag:Entity", "sio:SIO_011126"}


def test_a_mention_of_two_things_stays_with_the_other(tools):
    written(tools)
    for name in ("kag:Entity", "sio:SIO_000956"):
        tools.op_assert_type("ex:e-probes", name)
    tools.op_add_iri_link("ex:m-b_p002_0004-6-13", "sio:SIO_000628", "ex:e-probes")
    tools.op_remove_node("ex:e-sensors")
    entity = tools.made._graphs["entity"]
    assert entity.exists(entity.resolve("ex:m-b_p002_0004-6-13"))


@pytest.mark.parametrize(
    ("name", "given", "error"),
    [
        ("op_create_node", ("b_p002_0004", "kag:Mention", 5, 5), "is not in"),
        ("op_create_node", ("b_p002_0004", "kag:Mention", 0, 99999), "is not in"),
        ("op_create_node", ("b_p009_0009", "kag:Mention", 0, 5), "no text"),
        ("op_create_node", ("b_p002_0004", "kag:Entity", 0, 5), "does not stand in a text"),
        ("op_create_node", ("b_p002_0004", "kag:Claim", 0, 5), "not a class of this graph"),
        ("op_create_node", ("b_p002_0004", "qudt:QuantityValue", 0, 5), "prints no value"),
        ("op_create_node", ("b_p002_0004", "kag:Mention", 0, 5, "doc"), "read-only"),
        ("op_create_node", ("b_p002_0004", "kag:Mention", 0, 5, "facts"), "no graph"),
        ("op_assert_type", ("ex:b_p002_0004", "kag:Entity"), "read-only"),
        ("op_assert_type", ("http://example.org/x", "kag:Entity"), "not a name"),
        ("op_assert_type", ("ex:e-x", "doco:Paragraph"), "not a class"),
        ("op_set_single_literal", ("ex:e-x", "skos:prefLabel", "x"), "does not exist"),
        ("op_remove_node", ("ex:b_p002_0004",), "does not exist"),
        ("op_add_iri_link", ("ex:e-x", "skos:exactMatch", "http://e/ x"), "does not exist"),
    ],
)
def test_what_is_not_so_is_refused_with_a_hint(tools, name, given, error):
    found = getattr(tools, name)(*given)
    assert found["ok"] is False
    assert error in found["error"]
    assert found["hint"]


def test_spans_and_links_cannot_be_told_otherwise(tools):
    written(tools)
    mention = "ex:m-b_p002_0004-6-13"
    assert "is what the text has" in tools.op_set_single_literal(mention, "oa:exact", "bees")["error"]
    assert "exists already" in tools.op_create_node("b_p002_0004", "kag:Mention", 6, 13)["error"]
    assert "links nodes" in tools.op_set_single_literal(mention, "sio:SIO_000628", "x")["error"]
    assert "takes a literal" in tools.op_add_iri_link("ex:e-sensors", "skos:prefLabel", "ex:e-sensors")["error"]
    assert "is not an IRI" in tools.op_add_iri_link("ex:e-sensors", "skos:exactMatch", "http://e/ x")["error"]
    assert "does not exist" in tools.op_add_iri_link(mention, "sio:SIO_000628", "ex:e-lost")["error"]


def test_messages_of_the_gate_are_told(tools):
    tools.op_assert_type("ex:e-x", "kag:Entity")
    told = tools.finalize_graph()
    assert told["status"] == "NOT_READY"
    assert any("No mention names this entity" in row["message"] for row in told["violations"])
    assert tools.op_remove_node("ex:e-x")["ok"]
    assert tools.finalize_graph()["ok"]


@pytest.mark.parametrize("builder", ["review", "rlm"])
def test_the_offline_policy_loses_nothing_of_the_rules_layers(by_hand, source, run, builder):
    files = AgentLayers(BOTH, making(builder, "offline")).files(dict(read_files(run)))
    facts = json.loads(files.pop("layers.json"))
    assert files == Layers(BOTH, lambda source, layers: said(source)).files(dict(read_files(run)))
    assert (facts["builder"], facts["answer"]) == (builder, "as the rules have it")
    assert facts["usage"]["calls"] == 1


def test_a_lost_entity_is_reported_once_and_has_to_be_confirmed(by_hand, source, monkeypatch):
    lose = 'op_remove_node(rows[0]["node"])\nfinalize_graph()\nSUBMIT("fewer")'
    _scripted(monkeypatch, lose, 'SUBMIT("fewer")')
    graphs, facts = by_model(source, BOTH, making("rlm", "offline"))
    assert (facts["answer"], facts["iterations"]) == ("fewer", 2)
    assert graphs["entity"] != layer_triples(source, BOTH, said(source))["entity"]


def _scripted(monkeypatch, *steps):

    from kag.agents import offline_policy

    monkeypatch.setattr(
        offline_policy, "source", lambda: Replies("script", partial(ScriptedEngine, *steps), tariff="local")
    )


def test_a_model_changes_what_the_rules_are_unsure_of(by_hand, source, monkeypatch):
    change = (
        'print(op_set_single_literal(unsure[0]["node"], "kag:kind", "material"))\n'
        'print(finalize_graph())\nSUBMIT("changed one")'
    )
    _scripted(monkeypatch, change)
    monkeypatch.setattr(
        layers_agent, "uncertain_rows", lambda said, texts: [{"node": "ex:e-" + "x"}][:0] or all_rows(said)[:1]
    )
    graphs, facts = by_model(source, ("entity",), making("review", "offline"))
    assert facts["answer"] == "changed one"
    assert any(value == '"material"' for _, property_, value in graphs["entity"] if property_.endswith("kind>"))


def test_a_model_takes_a_wrong_identifier_away_and_sees_all_names(by_hand, source, monkeypatch):
    iri = "http://id.nlm.nih.gov/mesh/D000001"
    change = (
        'e = next(iter(known["device"].values()))\n'
        f'op_add_iri_link(e, "skos:exactMatch", "{iri}")\n'
        'op_assert_type(e + "-id9", "kag:Match")\n'
        f'op_add_iri_link(e + "-id9", "kag:matches", "{iri}")\n'
        'op_add_iri_link(e, "kag:hasMatch", e + "-id9")\n'
        f'print(op_remove_iri_link(e, "skos:exactMatch", "{iri}"))\n'
        'print(finalize_graph())\nSUBMIT("dropped one")'
    )
    _scripted(monkeypatch, change)
    monkeypatch.setattr(layers_agent, "uncertain_rows", lambda said, texts: all_rows(said)[:1])
    graphs, facts = by_model(source, ("entity",), making("review", "offline"))
    assert facts["answer"] == "dropped one"
    told = " ".join(term for triple in graphs["entity"] for term in triple)
    assert iri not in told
    assert "-id9" not in told


def test_rules_stand_where_a_model_is_stopped_or_submits_too_early(by_hand, source, monkeypatch):
    ruled = layer_triples(source, BOTH, said(source))
    _scripted(monkeypatch, 'op_remove_node(rows[0]["node"])', 'SUBMIT("done")', 'SUBMIT("done")')
    graphs, facts = by_model(source, BOTH, making("rlm", "offline", max_iters=3))
    assert facts["completed_by"] == "rules"
    assert facts["cause"] == "iterations"
    assert graphs == ruled


def test_replies_are_recorded_and_replayed(by_hand, source, tmp_path):
    tape = tmp_path / "calls.jsonl"
    first, _ = by_model(source, BOTH, making("rlm", "offline", record=tape))
    again, facts = by_model(source, BOTH, making("rlm", "offline", replay=tape))
    assert again == first
    assert facts["usage"]["replayed"] == 1


def test_cards_are_bounded_and_tell_each_term():
    for name, profile in LAYERS.items():
        text = cards(name)
        assert len(text) <= LONGEST
        assert len(text.splitlines()) == len(profile.classes) + len(profile.properties) + 2
    assert "sio:SIO_010004 chemical entity: for entities of kind chemical" in cards("entity")


def test_uncertain_rows_are_few_and_the_least_sure_first(source):
    texts = passages(source.graph)
    rows = uncertain_rows(said(source), texts)
    assert [row["node"] for row in rows] == [
        row["node"] for row in sorted(rows, key=lambda row: (row["sure"], row["node"]))
    ]
    assert rows[0]["identifiers"] == ["http://example.org/close"]
    assert len(rows) <= MOST
