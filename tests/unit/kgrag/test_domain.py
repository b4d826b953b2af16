"""A domain as data: what TOML says, each kind of rule, claims of a draft."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kag.core.errors import BadValue, KagError, SourceError
from kag.kgrag.domain import GIVEN, domain_of, given_domain, read_domain
from kag.kgrag.facade import DomainGraph
from kag.kgrag.files import facade_of
from kag.kgrag.names import words_of
from kag.kgrag.rules import cron_fault
from kag.kgrag.science import ScienceGraph
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node
from kag.retrieval.property_graph.engine import GraphEngine

GARDEN = """
name = "garden"
[nodes.Plant]
required = ["name"]
names = ["name", "aliases"]
metadata = "plantIds"
[nodes.Bed]
[edges.grows_in]
from = "Plant"
to = "Bed"
phrases = ["grows in", "^holds"]
[edges.helps]
from = "Plant"
to = "Plant"
phrases = ["helps"]
[edges.harms]
from = "Plant"
to = "Plant"
phrases = ["harms", "^is harmed by"]
[[rules]]
name = "one_bed"
kind = "at_most_one"
node = "Plant"
edges = ["grows_in"]
fix = "Move it."
[[rules]]
name = "both"
kind = "one_sign"
edges = ["helps", "harms"]
severity = "warning"
"""


@pytest.fixture
def garden(tmp_path: Path) -> Any:
    (tmp_path / "garden.toml").write_text(GARDEN, encoding="utf-8")
    return read_domain(tmp_path / "garden.toml")


def graph_of(*edges: str) -> GraphEngine:
    graph = GraphEngine()
    for edge in edges:
        source, label, target = edge.split()
        for name in (source, target):
            if name not in graph:
                graph.create_node("Bed" if name.startswith("bed") else "Plant", {"name": name}, name)
        graph.create_edge(label, source, target)
    return graph


def test_a_domain_of_ones_own(garden: Any) -> None:
    checked = garden.validate(
        graph_of("leek grows_in bed1", "leek grows_in bed2", "leek helps kale", "leek harms kale")
    )
    assert [(issue.rule, issue.severity) for issue in checked.issues] == [
        ("one_bed", "error"),
        ("both", "warning"),
    ]
    assert checked.issues[0].nodes == ("leek", "bed1", "bed2")
    assert garden.validate(graph_of("leek grows_in bed1", "kale grows_in bed1")).issues == ()


def test_hooks_of_retrieval(garden: Any) -> None:
    facade = DomainGraph(graph_of("leek grows_in bed1", "kale grows_in bed1", "kale helps pea"), garden)
    assert facade.expand_seeds(["leek"]) == ("leek", "bed1")
    assert facade.build_metadata_filter(facade.graph.snapshot()) == {"plantIds": ["kale", "leek", "pea"]}


def test_a_label_beside_a_name_chooses_the_node() -> None:
    science = ScienceGraph()
    drug = science.add_chemical("Aspirin")
    science.add_gene("PTGS1", id="gene")
    protein = science.add_protein("PTGS1", id="protein")
    science.link_inhibition(drug, protein)
    assert science.check_consistency("Aspirin inhibits PTGS1 protein.")[0].answer == "supported"
    assert science.check_consistency("Aspirin activates PTGS1.")[0].answer == "contradicted"
    assert words_of("PTGS1, that") == ("ptgs1", ",", "that")


def test_more_labels_without_code() -> None:
    science = given_domain("science")
    edges = {"seen_in": {"from": "Protein", "to": "Cell"}}
    more = science.extended({"nodes": {"Cell": {"required": ["name"]}}, "edges": edges})
    nodes = (Node("p", "Protein", {"name": "P"}), Node("c", "Cell", {"name": "C"}))
    snapshot = GraphSnapshot(nodes, (Link("e", "seen_in", "p", "c"),))
    assert more.validate(snapshot).issues == ()
    assert {issue.rule for issue in science.validate(snapshot).issues} == {"unknown_label"}


def test_a_rule_of_a_known_name_takes_its_place() -> None:
    story = given_domain("story")
    rule = {"name": "two_settings", "kind": "at_most_one", "node": "Event", "edges": "occurs_at", "severity": "warning"}
    more = story.extended({"rules": [rule]})
    assert [one.severity for one in more.rules if one.name == "two_settings"] == ["warning"]
    assert len(more.rules) == len(story.rules)


@pytest.mark.parametrize("name", GIVEN)
def test_the_given_domains_are_read_and_a_rule_has_a_fix(name: str) -> None:
    domain = given_domain(name)
    assert domain.rules
    assert all(rule.fix.endswith(".") for rule in domain.rules)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name = 3",
        "name = 'x'\nnods = 1",
        "name = 'x'\nnodes = 3",
        "name = 'x'\n[edges.a]\nfrom = 3",
        "name = 'x'\n[nodes.A]\n[edges.a]\nfrom = 'B'",
        "name = 'x'\n[[rules]]\nname = 'r'\nkind = 'magic'",
        "name = 'x'\n[edges.a]\n[[rules]]\nname = 'r'\nkind = 'acyclic'\nedges = ['b']",
        "name = 'x'\n[[rules]]\nname = 'r'\nkind = 'valid'\nprop = 'p'\nwanted = 'lovely'",
        "name = 'x'\n[[rules]]\nname = 'r'\nkind = 'acyclic'\nseverity = 'bad'",
        "name = 'x'\n[[rules]]\nname = 'r'\nkind = 'at_most_one'\ndirection = 'up'",
        "name = 'x'\nrules = [3]",
        "name = 'x'\nrules = 3",
        "name = 'x'\ngrowth = 3",
        "name = 'x'\n[growth]\nhops = 'far'",
        "name = 'x'\n[types]\na = 'lovely'",
        "name = 'x'\n[severities]\nunknown_label = ['error']",
        "name = 'x'\n[severities]\nmagic = 'error'",
        "name = 'x'\n[[rules]]\nname = 'r'\nkind = 'acyclic'\nedgs = ['a']",
        "[[[[",
        "\x00",
    ],
)
def test_what_is_no_domain_is_refused_with_its_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "d.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=r"d\.toml") as caught:
        read_domain(tmp_path / "d.toml")
    assert caught.value.hint


def test_the_facades_keep_to_their_labels() -> None:
    science = ScienceGraph()
    gene, disease = science.add_gene("G"), science.add_disease("D")
    for wrong in (
        lambda: science.link_encoding(gene, disease),
        lambda: science.add("Cat", {}),
        lambda: science.link("eats", gene, disease),
        lambda: science.link_encoding(gene, "nobody"),
    ):
        with pytest.raises(KagError):
            wrong()


def test_science_in_its_own_words() -> None:
    s = ScienceGraph()
    gene, protein, drug = s.add_gene("G", symbol="g"), s.add_protein("P"), s.add_chemical("C")
    disease, way, one, two = s.add_disease("D"), s.add_pathway("W"), s.add_paper("T", year=2001), s.add_paper("U")
    s.link_encoding(gene, protein), s.link_interaction(protein, protein), s.link_inhibition(drug, protein)
    s.link_association(gene, disease), s.link_pathway_membership(protein, way), s.link_reported_entity(one, drug)
    s.link_citation(one, two)
    assert s.get_gene_protein_pathway(gene).protein_ids == (protein,)
    assert s.get_gene_protein_pathway(gene).pathways == (way,)
    assert s.find_chemical_targets(drug) == (protein,)
    assert s.get_disease_related_entities(disease) == (gene,)
    assert s.get_protein_interactions(protein) == (protein,)
    assert s.expand_seeds([drug]) == (drug, protein, one, two)
    assert s.validate().issues == ()
    s.link_citation(two, one)
    s.link_citation(one, one)
    s.link_activation(drug, protein)
    assert [issue.rule for issue in s.validate_no_circular_citations().issues] == ["circular_citation", "self_citation"]
    assert [issue.nodes for issue in s.validate_signs().issues] == [(drug, protein)]
    assert {issue.rule for issue in s.validate().errors} == {"circular_citation", "self_citation"}


def test_a_draft_that_closes_a_circle_of_citations_contradicts() -> None:
    science = ScienceGraph()
    first, second = science.add_paper("Alpha study"), science.add_paper("Beta study")
    science.link_citation(first, second)
    verdicts = science.check_consistency("Alpha study cites Beta study. Beta study cites Alpha study.")
    assert [(one.answer, one.rule) for one in verdicts] == [("supported", ""), ("contradicted", "circular_citation")]


@pytest.mark.parametrize(
    "right", ["0 6 * * 1", "*/5 * * * *", "0 0 29 2 *", "15,45 8-18/2 * jan-mar MON-FRI", "@daily", "0 0 * * 7"]
)
def test_cron_that_is_right(right: str) -> None:
    assert cron_fault(right) == ""


@pytest.mark.parametrize(
    "wrong",
    [
        "0 25 * * 1",
        "60 * * * *",
        "* * *",
        "",
        "a b c d e",
        "*/0 * * * *",
        "5-1 * * * *",
        "*-3 * * * *",
        7,
        None,
        "0 0 0 * *",
    ],
)
def test_cron_that_is_wrong(wrong: object) -> None:
    assert cron_fault(wrong)


def test_a_property_can_have_a_kind_of_value() -> None:
    rule = {"name": "size", "kind": "valid", "node": "A", "prop": "size", "wanted": "positive"}
    domain = domain_of({"name": "d", "nodes": {"A": {}}, "rules": [rule]})
    graph = GraphSnapshot(tuple(Node(str(n), "A", {"size": n}) for n in (-1, 1, "x", True)))
    assert [issue.nodes[0] for issue in domain.validate(graph).issues] == ["-1", "x", "True"]
    with pytest.raises(BadValue):
        domain_of({"name": "d", "nodes": {"A": {}, "B": {}}, "rules": [{**rule, "node": "C"}]})


PHRASES = [
    (name, label, phrase, source, target)
    for name in GIVEN
    for label, phrases in given_domain(name).phrases.items()
    for phrase in phrases
    for source, target in given_domain(name).schema.ends(label)
]


@pytest.mark.parametrize(("name", "label", "phrase", "source", "target"), PHRASES)
def test_every_phrase_of_a_domain_file_is_understood(
    name: str, label: str, phrase: str, source: str, target: str
) -> None:
    graph = GraphEngine()
    named = {one: "Duel" if one == "Event" else "Arion" for one in (source, target)}
    ends = [
        graph.create_node(one, {"name": word, "title": word})
        for one, word in ((source, named[source]), (target, "Mara"))
    ]
    graph.create_edge(label, *ends)
    subject, object = reversed((named[source], "Mara")) if phrase.startswith("^") else (named[source], "Mara")
    said = phrase.removeprefix("^")
    story = facade_of(given_domain(name), graph)
    assert [one.answer for one in story.check_consistency(f"{subject} {said} {object}.")] == ["supported"]
