"""Layers in run folders and corpora: added once, checked, taken away without a trace."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from kag.core.errors import STRICT, CorpusError, NotConforming, RunError
from kag.corpus import graphs
from kag.corpus.check import check_corpus
from kag.corpus.transaction import open_writer
from kag.indexing.batch import find_papers, run_job
from kag.indexing.run import read_files
from kag.layers.gate import validate_run, validate_union
from kag.layers.pipeline import Layers, audit_run, findings_in
from kag.rdf.profile import LAYERS
from tests.papers import write_paper
from tests.unit.layers.layered import make_run, said

BY_HAND = Layers(tuple(LAYERS), lambda source, layers: said(source))


@pytest.fixture
def copy(run, tmp_path):
    return shutil.copytree(run, tmp_path / run.name)


def test_layers_are_added_and_the_document_stays_as_it_was(copy):
    before = read_files(copy)
    assert BY_HAND.add_to(copy)
    after = read_files(copy)
    assert {name: after[name] for name in before} == before
    assert after.keys() - before.keys() == {"entity_graph.ttl", "claim_graph.ttl"}
    assert not BY_HAND.add_to(copy)
    assert BY_HAND.add_to(copy, force=True)
    assert read_files(copy) == after


def test_with_a_run_or_behind_it_they_are_the_same_bytes(copy, run):
    BY_HAND.add_to(copy)
    assert BY_HAND.files(dict(read_files(run))) == {
        name: (copy / name).read_text("utf-8") for name in ("entity_graph.ttl", "claim_graph.ttl")
    }


def test_a_claim_layer_is_made_again_with_the_entities_it_is_about(copy):
    BY_HAND.add_to(copy)
    (copy / "claim_graph.ttl").write_text("", encoding="utf-8")
    Layers(("entity",), BY_HAND.finder).add_to(copy, force=True)
    assert (copy / "claim_graph.ttl").read_text("utf-8")


def test_quotes_are_looked_up(copy):
    BY_HAND.add_to(copy)
    assert {name: (report.issues, count) for name, (report, count) in audit_run(copy).items()} == {
        "entity": ((), 14),
        "claim": ((), 5),
    }
    layer = copy / "entity_graph.ttl"
    layer.write_text(layer.read_text("utf-8").replace('oa:exact "river"', 'oa:exact "lake"'), encoding="utf-8")
    (issue,) = audit_run(copy)["entity"][0].issues
    assert issue.component == "TextChanged"
    assert "there stands 'river'" in issue.message


def test_a_span_behind_the_end_is_told(copy):
    BY_HAND.add_to(copy)
    layer = copy / "entity_graph.ttl"
    layer.write_text(layer.read_text("utf-8").replace("oa:end 6", "oa:end 99999"), encoding="utf-8")
    issues = audit_run(copy)["entity"][0].issues
    assert issues
    assert all(issue.component == "TextChanged" for issue in issues)


@pytest.mark.parametrize("words", ["@prefix : <", "\x00", "<a> <b>"])
def test_a_damaged_layer_is_named(copy, words):
    BY_HAND.add_to(copy)
    (copy / "entity_graph.ttl").write_text(words, encoding="utf-8")
    for look in (audit_run, validate_run, lambda path: findings_in(read_files(path))):
        with pytest.raises(RunError, match=r"entity_graph\.ttl"):
            look(copy)


def test_a_layer_of_another_paper_is_told(copy, tmp_path):
    BY_HAND.add_to(copy)
    other = make_run(tmp_path / "other", "snow")
    shutil.copy(copy / "entity_graph.ttl", other / "entity_graph.ttl")
    assert not validate_run(other)["entity"].conforms
    with open_writer(tmp_path / "corpus", create=True) as writer:
        (change,) = writer.put([other])
    assert change.state == "failed"
    assert "no node of the paper" in change.message


class Broken:
    """Layers whose finder has a bug."""

    def prepare(self) -> None: ...

    def files(self, files):
        raise ValueError("odd words")

    def add_to(self, run):
        raise AssertionError("not asked")


def test_a_bug_in_layers_does_not_cost_the_run(tmp_path, monkeypatch):
    monkeypatch.delenv(STRICT)
    (job,) = find_papers([write_paper(tmp_path / "ice")], tmp_path / "runs")
    outcome = run_job(replace(job, layers=Broken()))
    assert (outcome.state, outcome.exit_code) == ("indexed", 0)
    assert outcome.message.startswith("ice: no layers were made: ValueError: odd words (kag/indexing/batch.py, line ")
    assert validate_run(outcome.run)["doc"].conforms


def test_a_corpus_takes_layers_in_and_lets_them_go(copy, run, tmp_path):
    root = tmp_path / "corpus"
    other = make_run(tmp_path / "other", "snow")
    for one in (copy, other):
        BY_HAND.add_to(one)
    assert validate_union([copy, other]).conforms
    with open_writer(root, create=True) as writer:
        assert [change.state for change in writer.put([other])] == ["added"]
        alone = list(graphs.nquads(writer.store))
        assert len(graphs.names(writer.store)) == 3
        assert [change.state for change in writer.put([copy])] == ["added"]
        assert len({name for name in graphs.names(writer.store) if "layer-" in name}) == 4
    assert check_corpus(root).issues == ()
    with open_writer(root) as writer:
        list(writer.put([run], replace=True))  # the same paper without layers
        assert not [name for name in graphs.names(writer.store) if "/ice/layer-" in name]
        list(writer.put([copy], replace=True))
        list(writer.remove(["ice"]))
        assert list(graphs.nquads(writer.store)) == alone
    assert check_corpus(root).issues == ()


def test_a_corpus_refuses_a_layer_that_breaks_its_shapes(copy, tmp_path):
    BY_HAND.add_to(copy)
    layer = copy / "claim_graph.ttl"
    layer.write_text(layer.read_text("utf-8").replace('kag:role "result"', 'kag:role "rumour"'), encoding="utf-8")
    with open_writer(tmp_path / "corpus", create=True) as writer:
        (change,) = writer.put([copy])
    assert (change.state, "claim layer breaks its shapes" in change.message) == ("failed", True)
    with pytest.raises((NotConforming, CorpusError, AssertionError)):
        assert validate_run(copy)["claim"].conforms


def test_concepts_join_papers(copy, tmp_path):
    from kag.library import Corpus

    other = make_run(tmp_path / "other", "snow")
    for one in (copy, other):
        BY_HAND.add_to(one)
    with open_writer(tmp_path / "corpus", create=True) as writer:
        list(writer.put([copy, other]))
    with Corpus(tmp_path / "corpus") as corpus:
        rows = corpus.sparql(
            "SELECT ?name WHERE { GRAPH ?g { ?e kag:concept ?c ; skos:prefLabel ?name } "
            "GRAPH ?h { ?f kag:concept ?c } FILTER(STR(?g) < STR(?h)) } ORDER BY ?name"
        )
    assert [row["name"] for row in rows] == ["Upper", "river", "sensors", "sites"]
