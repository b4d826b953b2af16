"""What speaks against an edge, by each kind of rule; drafts over facades."""

from __future__ import annotations

import pytest

from kag.kgrag.domain import Domain, domain_of, given_domain
from kag.kgrag.facade import DomainGraph
from kag.kgrag.files import facade_of
from kag.kgrag.science import ScienceGraph
from kag.kgrag.story.facade import StoryGraph
from kag.kgrag.workflow.facade import WorkflowGraph
from kag.retrieval.property_graph.engine import GraphEngine

TOWN = {
    "name": "town",
    "nodes": {"Person": {"names": ["name"]}, "House": {"names": ["name"]}},
    "edges": {
        "lives_in": {"from": "Person", "to": "House", "phrases": ["lives in"], "single": True},
        "owns": {"from": "Person", "to": "House", "phrases": ["owns", "^is owned by"]},
        "begat": {"from": "Person", "to": "Person", "phrases": ["begat"]},
        "knows": {"from": "Person", "to": "Person", "phrases": ["knows", "is known to"]},
        "loves": {"from": "Person", "to": "Person", "phrases": ["loves"]},
        "hates": {"from": "Person", "to": "Person", "phrases": ["hates"]},
    },
    "rules": [
        {"name": "one_owner", "kind": "at_most_one", "node": "House", "edges": ["owns"], "direction": "in"},
        {"name": "no_circle", "kind": "acyclic", "edges": ["begat"]},
        {"name": "not_oneself", "kind": "no_self", "edges": ["begat"]},
        {"name": "older", "kind": "ordered", "edges": ["begat"], "prop": "born"},
        {"name": "signs", "kind": "one_sign", "edges": ["loves", "hates"], "severity": "warning"},
        {"name": "polite", "kind": "no_self", "edges": ["knows"], "severity": "warning"},
    ],
}


@pytest.fixture
def town() -> DomainGraph:
    one = DomainGraph(domain=domain_of(TOWN))
    for name, born in (("Adam", 1900), ("Bea", 1930), ("Cy", 1960), ("Dot", 1890)):
        one.add("Person", {"name": name, "born": born}, name)
    for name in ("Mill", "Barn"):
        one.add("House", {"name": name}, name)
    for label, source, target in (
        ("lives_in", "Adam", "Mill"), ("owns", "Bea", "Mill"), ("begat", "Adam", "Bea"), ("begat", "Bea", "Cy"),
        ("loves", "Adam", "Cy"),
    ):  # fmt: skip
        one.link(label, source, target)
    return one


@pytest.mark.parametrize(
    ("sentence", "answer", "rule", "edges"),
    [
        ("Adam lives in Mill.", "supported", "", ("e1",)),
        ("Adam lives in Barn.", "contradicted", "single lives_in", ("e1",)),
        ("Bea lives in Barn.", "not known", "", ()),
        ("Cy owns Mill.", "contradicted", "one_owner", ("e2",)),
        ("Mill is owned by Cy.", "contradicted", "one_owner", ("e2",)),
        ("Bea owns Barn.", "not known", "", ()),
        ("Cy begat Adam.", "contradicted", "no_circle", ("e3", "e4")),
        ("Adam begat Adam.", "contradicted", "not_oneself", ()),
        ("Bea begat Dot.", "contradicted", "older", ()),
        ("Dot begat Bea.", "not known", "", ()),
        ("Adam hates Cy.", "contradicted", "signs", ("e5",)),
        ("Adam knows Adam.", "not known", "", ()),
        ("Adam does not live in Mill.", "not known", "", ()),
        ("Adam never loves Cy.", "contradicted", "denied", ("e5",)),
        ("Bea never loves Cy.", "not known", "", ()),
        ("Adam never loves Cy and Bea owns Mill.", "not known", "", ()),
        ("Adam loves Cy and Bea owns Mill.", "supported", "", ("e5", "e2")),
        ("Adam loves Cy and Dot.", "not known", "", ()),
        ("Adam loves Cy and hates nobody.", "supported", "", ("e5",)),
        ("Not only Adam loves Cy, nobody hates Dot.", "not known", "", ()),
    ],
)
def test_each_kind_of_rule_speaks(
    town: DomainGraph, sentence: str, answer: str, rule: str, edges: tuple[str, ...]
) -> None:
    (verdict,) = town.check_consistency(sentence)
    assert (verdict.answer, verdict.rule, verdict.edges) == (answer, rule, edges)
    assert verdict.as_record()["answer"] == answer


def test_a_name_of_several_is_contradicted_only_if_all_of_them_are(town: DomainGraph) -> None:
    town.add("House", {"name": "Mill"}, "Mill2")
    (verdict,) = town.check_consistency("Cy owns Mill.")
    assert verdict.answer == "not known"


@pytest.mark.parametrize(
    ("name", "kind"), [("story", StoryGraph), ("science", ScienceGraph), ("workflow", WorkflowGraph)]
)
def test_a_given_domain_has_its_own_facade(name: str, kind: type) -> None:
    assert type(facade_of(given_domain(name), GraphEngine())) is kind
    assert type(facade_of(Domain("any"), GraphEngine())) is DomainGraph
