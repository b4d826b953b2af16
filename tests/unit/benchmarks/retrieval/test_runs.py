"""Plans run on an index that is built once: equal totals, what is kept and gone on with, what each variant changes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from kag.retrieval.chunk import Hit, Query
from kag.retrieval.graph.edges import LIKENESS
from kag.retrieval.graph.links import CELL, LINK
from kag.retrieval.index import Index
from kag.retrieval.plan import Plan
from kag.retrieval.presets import PRESETS, preset
from scripts.benchmarks.retrieval.index import Prepared, prepared
from scripts.benchmarks.retrieval.runs import Run, runs
from scripts.benchmarks.retrieval.sets import RetrievalSet, read_retrieval_set
from scripts.benchmarks.retrieval.variants import Variant, ablations, plans
from tests.unit.benchmarks.retrieval.places import ByWords, write_ottqa

KS = (2, 5)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> RetrievalSet:
    return read_retrieval_set(write_ottqa(tmp_path_factory.mktemp("sets") / "ottqa"))


def ready(data: RetrievalSet, folder: Path) -> Prepared:
    return prepared(data, ByWords(), ByWords(), folder)


def ran(
    place: Prepared, data: RetrievalSet, *variants: Variant, tell: Callable[[str], None] = lambda text: None
) -> list[Run]:
    return list(runs(place, data, variants, KS, tell))


def test_the_index_is_built_once_and_again_when_the_set_changes(data: RetrievalSet, tmp_path: Path) -> None:
    first, again = ready(data, tmp_path), ready(data, tmp_path)
    assert again.cost == first.cost
    assert again.folder == first.folder
    assert first.cost.chunks == len(data.chunks) == 10
    assert first.cost.edges == Counter(edge.label for edge in again.index.edges.edges)
    assert first.cost.edges[LINK] == 8
    assert {"chunks", "sparse", "vectors", "edges"} <= set(first.cost.bytes)
    assert min(first.cost.bytes.values()) > 0
    changed = replace(data, chunks=(replace(data.chunks[0], text="other"), *data.chunks[1:]))
    assert ready(changed, tmp_path).folder != first.folder


def test_every_plan_and_variant_gives_no_more_than_k_and_each_chunk_once(data: RetrievalSet, tmp_path: Path) -> None:
    place = ready(data, tmp_path)
    every = (*plans(linked=True), *ablations())
    assert {variant.of for variant in every} == set(PRESETS)
    few = replace(data, questions=data.questions[:2])
    for run in ran(place, few, *every):
        assert len(run.seconds) == 2
        assert min(run.seconds) > 0
        for k, rankings in run.rankings.items():
            assert set(rankings) == {question.id for question in few.questions}
            for found in rankings.values():
                assert len(found) == len(set(found)) <= k
                assert set(found) <= place.index.chunks.keys()


def test_a_ranking_for_k_is_that_of_a_plan_for_k(data: RetrievalSet, tmp_path: Path) -> None:
    """A plan that gives other first hits for another total is run again, even where it is named like a flat one."""
    place = ready(data, tmp_path)

    def backwards(index: Index, total: int) -> Plan:
        plan = preset("bm25", index, total)
        return replace(plan, seed=lambda query, index, k: tuple(reversed(plan.seed(query, index, total))))

    (run,) = ran(place, data, Variant("bm25", "bm25", backwards))
    (flat,) = ran(place, replace(data, name="again"), *plans(["bm25"]))
    for question in data.questions:
        for k in KS:
            assert run.rankings[k][question.id] == list(reversed(flat.rankings[k][question.id]))
        assert flat.rankings[2][question.id] == flat.rankings[5][question.id][:2]


def test_an_interrupted_run_goes_on_where_it_stopped(data: RetrievalSet, tmp_path: Path) -> None:
    place, asked = ready(data, tmp_path), list[str]()

    def counted(index: Index, total: int) -> Plan:
        plan = preset("hybrid", index, total)

        def seed(query: Query, index: Index, k: int) -> Sequence[Hit]:
            if len(asked) == 19:  # both ks of eight questions to see whether once is enough, and three more
                raise KeyboardInterrupt
            asked.append(query.text)
            return plan.seed(query, index, k)

        return replace(plan, seed=seed)

    variant = Variant("counted", "hybrid", counted)
    with pytest.raises(KeyboardInterrupt):
        ran(place, data, variant)
    (file,) = place.folder.glob("*counted*")
    kept = [json.loads(line)["question"] for line in file.read_text(encoding="utf-8").split("\n") if line]
    assert kept == ["q0", "q1", "q2"]
    file.write_text(file.read_text(encoding="utf-8")[:-9], encoding="utf-8")  # as a crash would cut it
    asked[:] = [""] * 20  # beyond the one that stops it
    (run,) = ran(place, data, variant)
    assert sorted(set(asked[20:])) == sorted(one.text for one in data.questions[2:])
    (whole,) = ran(place, data, *plans(["hybrid"]))
    assert run.rankings == whole.rankings


def test_a_variant_lacks_the_edges_that_it_names_and_no_others(data: RetrievalSet, tmp_path: Path) -> None:
    place = ready(data, tmp_path)
    whole = Counter(edge.label for edge in place.index.edges.edges)
    assert whole[CELL] > 0 < whole[LINK]
    assert any(whole[label] for label in LIKENESS)
    for variant in ablations(["sage"]):
        labels = Counter(edge.label for edge in place.graph(variant.without, variant.instead).edges)
        if not variant.instead:
            assert labels == {label: count for label, count in whole.items() if label not in variant.without}
        assert all(labels[label] == whole[label] for label in whole if label not in variant.without)
    by_name = {variant.name: variant for variant in ablations(["sage"])}
    only = by_name["sage, own links only"]
    assert {edge.label for edge in place.graph(only.without, None).edges} == {LINK}
    text = by_name["sage, text and metadata only"]
    assert LINK not in {edge.label for edge in place.graph(text.without, None).edges}


def test_the_graph_is_whole_again_behind_a_variant(data: RetrievalSet, tmp_path: Path) -> None:
    place = ready(data, tmp_path)
    whole = place.index.edges
    (changed,) = [one for one in ablations(["sage"]) if one.name == "sage, own links only"]
    seen: list[object] = []

    def make(index: Index, total: int) -> Plan:
        seen.append(index.edges)
        return changed.make(index, total)

    ran(place, data, replace(changed, make=make))
    assert seen[0] is not whole
    assert place.index.edges is whole
