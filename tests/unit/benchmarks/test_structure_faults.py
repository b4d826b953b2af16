"""Planted faults: each is seen by the metric meant for it and by no other, and a blind metric is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.evaluate.structure.runs import Paper, evaluate
from kag.evaluate.structure.score import METRICS
from kag.rdf.namespaces import CITO
from scripts.benchmarks.structure_faults import FAULTS, Fault, Seen, fault_table, self_test, verdict

BUNDLED = Path(__file__).parents[3] / "test_data"


@pytest.fixture(scope="module")
def papers(bundled_runs: Path) -> tuple[Paper, ...]:
    return evaluate(BUNDLED, bundled_runs).papers


@pytest.fixture(scope="module")
def seen(papers: tuple[Paper, ...]) -> dict[str, Seen]:
    return {one.fault.name: one for one in self_test(papers)}


@pytest.mark.parametrize("name", [fault.name for fault in FAULTS])
def test_a_fault_is_seen(name: str, seen: dict[str, Seen]) -> None:
    assert (seen[name].blind, seen[name].disturbed) == ([], [])
    assert seen[name].before.keys() == set(METRICS)


def test_each_metric_falls_by_some_fault() -> None:
    assert {metric for fault in FAULTS for metric in fault.falls} == set(METRICS)


def test_a_graph_is_spoilt_in_a_copy(papers: tuple[Paper, ...], seen: dict[str, Seen]) -> None:
    assert all(list(paper.built.graph.triples((None, CITO.cites, None))) for paper in papers if paper.built)
    assert seen["citations not linked"].after["citations"] == 0.0


def test_a_fault_that_does_nothing_and_one_that_does_too_much_are_told(papers: tuple[Paper, ...]) -> None:
    nothing = Fault("nothing", lambda graph: None, frozenset({"ref_year"}))
    all_lost = Fault("all lost", lambda graph: graph.remove((None, None, None)), frozenset({"citations"}))
    idle, wild = self_test(papers[:1], [nothing, all_lost])
    assert (idle.blind, idle.disturbed) == (["ref_year"], [])
    assert verdict(idle) == "blind: ref_year"
    assert wild.blind == []
    assert "headings" in wild.disturbed
    assert "disturbed: headings" in fault_table([idle, wild])
