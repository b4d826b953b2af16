"""Ablations: what is taken away is away, and all else stays."""

from __future__ import annotations

from kag.evaluate.answers.ablations import ablations, rows, without_enrichment
from kag.evaluate.answers.gold import Gold
from kag.evaluate.answers.plain_words import plain_wording, plainly
from kag.questions.file import Question
from kag.rdf.namespaces import CITO, KAG
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from tests.unit.read.exact.conftest import ice  # noqa: F401

QUESTIONS = (
    (Question("1", "Which references does the Introduction cite?", "ice", "citation"), Gold([1, 2])),
    (Question("2", "Which sections refer to Table 1?", "ice", "cross_ref"), Gold(["Introduction"])),
    (Question("3", "Which subsections does Methods have?", "ice", "structural"), Gold(["Sites"])),
)


def test_enrichment_is_gone_and_the_structure_stays(ice: PaperGraph) -> None:  # noqa: F811
    bare = without_enrichment(ice)
    assert len(bare.graph) < len(ice.graph)
    for iri in ice.nodes:
        assert bare.graph.values(iri, str(CITO.cites)) == ()
        assert bare.graph.values(iri, str(KAG.refersTo)) == ()
    assert any(ice.graph.values(iri, str(CITO.cites)) for iri in ice.nodes)
    assert [(node.iri, node.text, node.page, node.boxes) for node in bare.nodes.values()] == [
        (node.iri, node.text, node.page, node.boxes) for node in ice.nodes.values()
    ]
    assert [section.path for section in bare.sections.values()] == [s.path for s in ice.sections.values()]
    assert {kind for section in bare.sections.values() for kind in section.types} == set()
    assert {kind for section in ice.sections.values() for kind in section.types}


def test_what_needs_links_falls_and_what_does_not_stays(ice: PaperGraph) -> None:  # noqa: F811
    table = {row["setting"]: row for row in rows(ablations(QUESTIONS, {ice.id: ice}))}
    assert list(table) == ["all", "no enrichment", "no search normalisation"]
    exact = {
        name: (row["exact, citation"], row["exact, cross_ref"], row["exact, structural"]) for name, row in table.items()
    }
    assert exact["all"] == (1.0, 1.0, 1.0)
    assert exact["no enrichment"] == (0.0, 0.0, 1.0)
    assert exact["no search normalisation"] == (1.0, 1.0, 1.0)


def test_plain_words_are_not_evened_out() -> None:
    texts = [Passage("a", "Sensors of \\( \\mathrm{CO}_2 \\) were failing."), Passage("b", "Ice.")]
    usual = SearchIndex(texts)
    plain = plainly(usual)
    assert usual.forms("sensor") == ("sensors",)
    assert plain.forms("sensor") == ()
    assert plain.forms("sensors") == ("sensors",)
    assert usual.scores({"co2": 1.0})
    assert not plain.scores({"co2": 1.0})
    assert list(plain_wording("A-b c")) == [(0, 1, "a"), (2, 3, "b"), (4, 5, "c")]
