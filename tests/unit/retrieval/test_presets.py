"""Every preset: seeds first, settings in their ranges, switches that switch."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.core.errors import BadValue
from kag.retrieval.chunking import Chunk, ChunkKind, Query
from kag.retrieval.graph.build import sage_graph
from kag.retrieval.index import Index
from kag.retrieval.plan import Plan, retrieve
from kag.retrieval.presets import PRESETS, entity_plan, multi_query_plan, paths_plan, preset, sage_plan, sage_within
from kag.retrieval.steps.expand import ONE_HOP
from kag.retrieval.steps.rank import Stages, best_sentences, clause_variants, condensed, variants
from kag.retrieval.steps.seed import (
    FLAT,
    QUESTIONS,
    EntityGraph,
    EntityOptions,
    bm25,
    by_entities,
    entity_graph,
    reciprocal_rank,
    remembered,
)

WORDS = ("ice", "river", "frost", "Lima", "Berg", "cup", "Norrland", "winter", "Rime", "school")


def embed(texts) -> np.ndarray:
    rows = [[text.lower().count(word.lower()) + 0.01 for word in WORDS] for text in texts]
    return np.array(rows, dtype=np.float32).reshape(-1, len(WORDS))


def made(seed: int, count: int) -> tuple[Index, EntityGraph]:
    rng = np.random.default_rng(seed)
    chunks = [
        Chunk(
            f"c{number}",
            "Site | Name\n" + " | ".join(rng.choice(WORDS, 2)) if number % 4 == 0 else " ".join(rng.choice(WORDS, 7)),
            ChunkKind.TABLE if number % 4 == 0 else ChunkKind.DOCUMENT,
            document=f"d{number // 2}",
            title=str(rng.choice(WORDS)),
            columns=("Site", "Name") if number % 4 == 0 else (),
        )
        for number in range(count)
    ]
    index = Index.build(chunks, embed)
    index.edges = sage_graph(chunks, index.vectors.matrix)
    return index, EntityGraph(chunks)


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    count=st.integers(1, 25),
    asked=st.lists(st.sampled_from(WORDS), min_size=1, max_size=5),
)
def test_seeds_stay_first_in_every_preset(seed: int, count: int, asked: list[str]) -> None:
    index, names = made(seed, count)
    query = Query(" ".join(asked))
    for plan in (sage_plan(4, 3), paths_plan(4, 3), entity_plan(names, 4, 3), multi_query_plan(4)):
        flat = [hit.chunk for hit in retrieve(query, index, Plan("flat", reciprocal_rank, k=4)).hits]
        found = [hit.chunk for hit in retrieve(query, index, plan).hits]
        assert found[: len(flat)] == flat, plan.name
        assert len(set(found)) == len(found)
        assert found == [hit.chunk for hit in retrieve(query, index, plan).hits]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), total=st.integers(1, 12))
def test_sage_within_gives_as_many_hits_as_flat(seed: int, total: int) -> None:
    index, _ = made(seed, 20)
    found = retrieve(Query("Lima frost"), index, sage_within(total)).hits
    assert len(found) == total


def test_without_a_graph_plans_are_flat() -> None:
    index, _ = made(1, 12)
    index.edges = None
    flat = retrieve(Query("ice"), index, Plan("flat", reciprocal_rank, k=5))
    for plan in (sage_plan(5), sage_within(5, seed=reciprocal_rank), paths_plan(5)):
        assert retrieve(Query("ice"), index, plan) == flat


@pytest.mark.parametrize(
    "wrong", [{"hops": 0}, {"hops": 4}, {"threshold": 4}, {"threshold": 21}, {"synonyms": 0}, {"synonyms": 6}]
)
def test_entity_settings_have_ranges(wrong: dict[str, int]) -> None:
    with pytest.raises(BadValue):
        EntityOptions(**wrong)


@pytest.mark.parametrize("k", [2, 6])
def test_multi_query_takes_three_to_five(k: int) -> None:
    with pytest.raises(BadValue):
        multi_query_plan(k)


ENTITY_CHUNKS = (
    Chunk("a", "Reverse osmosis (RO) was tried with Ana Lima."),
    Chunk("b", "Ana Lima met Jon Berg in Oslo."),
    Chunk("c", "Later Jon Berg went to Rimeford."),
    Chunk("d", "We know that RO is cheap."),
)


def test_chunks_come_by_how_many_of_the_names_they_mention() -> None:
    index = Index.build(ENTITY_CHUNKS)
    found = by_entities(EntityGraph(ENTITY_CHUNKS))(Query("Did Ana Lima meet Jon Berg"), index, 3)
    assert [hit.chunk for hit in found] == ["b", "a", "c"]
    assert {hit.via for hit in found} == {"MENTIONED_IN"}


def test_hops_reach_names_that_stand_beside_known_ones() -> None:
    names = EntityGraph(ENTITY_CHUNKS)
    assert "rimeford" not in names.near(["ana lima"], 1)
    assert "rimeford" in names.near(["ana lima"], 2)


def test_synonyms_are_asked_for_below_the_threshold_only() -> None:
    index, names = Index.build(ENTITY_CHUNKS), EntityGraph(ENTITY_CHUNKS)
    asked: list[tuple[str, int]] = []

    def synonyms(name: str, most: int) -> list[str]:
        asked.append((name, most))
        return ["RO", "Oslo", "Rimeford"]

    query = Query("Ana Lima and Jon Berg of Nowhere Town")
    few = EntityOptions(threshold=5, synonyms=1)
    by_entities(names, replace(few, threshold=20), synonyms=synonyms)(query, index, 4)
    assert [most for _, most in asked] == [1, 1]
    many = [f"Name{number}" for number in range(6)]
    chunks = (Chunk("m", "x", entities=tuple(many)),)
    asked.clear()
    by_entities(EntityGraph(chunks), few, synonyms=synonyms)(Query("see Name1 now"), Index.build(chunks), 4)
    assert asked == []


def test_a_synonym_far_from_its_name_is_left_out() -> None:
    chunks = (
        Chunk("a", "Abortion is a procedure."),
        Chunk("b", "Frogs live here."),
        Chunk("c", "Termination ends it."),
    )
    near = {"abortion": [1.0, 0.0], "termination": [0.8, 0.6], "frogs": [0.0, 1.0]}
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        return np.array([near.get(text.casefold(), [1.0, 0.0]) for text in texts], dtype=np.float32)

    index, graph = Index.build(chunks, embed), EntityGraph(chunks, extract=lambda text: text.split()[:1])
    for _ in range(2):
        found = by_entities(
            graph, extract=lambda text: ["abortion"], synonyms=lambda name, most: ["termination", "frogs"]
        )(Query("the law of abortion"), index, 3)
        assert [hit.chunk for hit in found] == ["a", "c"]
    assert asked.count("frogs") == 1


def test_the_corpus_own_acronyms_serve_as_synonyms() -> None:
    index, names = Index.build(ENTITY_CHUNKS), EntityGraph(ENTITY_CHUNKS)
    assert names.synonyms("RO", 3) == ("reverse osmosis",)
    found = by_entities(names, extract=lambda text: ["reverse osmosis"])(Query("reverse osmosis"), index, 4)
    assert {"a", "d"} <= {hit.chunk for hit in found}


def test_variants_begin_with_the_question_and_are_few() -> None:
    rewrite = variants(lambda text: ["one", text, "two", "one", "three"], most=2)
    assert [query.text for query in rewrite(Query("asked", frozenset(["d"])), None)] == ["asked", "one", "two"]
    assert all(query.scope == {"d"} for query in rewrite(Query("asked", frozenset(["d"])), None))


def test_clauses_become_variants() -> None:
    found = clause_variants("How high is the tower in the city that hosted the cup, when Ana Lima won the race?")
    assert "Ana Lima won the race" in found
    assert "How high is the tower in the city hosted the cup" in found


def test_best_sentences_are_verbatim_and_in_order() -> None:
    text = "Ice is cold. The cup was won in 1998. Nothing here. Ana Lima won the cup."
    assert best_sentences("who won the cup", text, 2) == "The cup was won in 1998. Ana Lima won the cup."
    assert best_sentences("penguins", text) == ""


def test_notes_come_in_the_order_of_the_hits_and_hits_stay() -> None:
    index = Index.build(ENTITY_CHUNKS)
    plan = Plan("notes", bm25, k=4, compress=condensed(lambda question, text: text.upper()))
    bundle = retrieve(Query("Jon Berg RO"), index, plan)
    assert list(bundle.notes) == [hit.chunk for hit in bundle.hits]
    assert bundle.notes["c"] == "LATER JON BERG WENT TO RIMEFORD."


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("total", [2, 10])
def test_every_preset_gives_at_most_what_it_is_asked_for(name: str, total: int) -> None:
    index, _ = made(1, 30)
    hits = retrieve(Query("Lima frost"), index, preset(name, index, total)).hits
    assert 0 < len(hits) <= total


EXPANDING = ("sage", "entity", "multi_query", "paths")


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10_000), asked=st.lists(st.sampled_from(WORDS), min_size=1, max_size=5))
def test_first_hits_do_not_depend_on_the_total_and_half_of_them_are_seeds(seed: int, asked: list[str]) -> None:
    index, _ = made(seed, 40)
    query = Query(f"Is {' '.join(asked)} that which is frost in winter")
    for name in EXPANDING:
        many = [hit.chunk for hit in retrieve(query, index, preset(name, index, 20)).hits]
        flat = [hit.chunk for hit in retrieve(query, index, replace(FLAT["hybrid_linear"], k=20)).hits]
        for total in (1, 2, 7):
            few = [hit.chunk for hit in retrieve(query, index, preset(name, index, total)).hits]
            assert few == many[:total], name
            assert len(set(few).intersection(flat[:total])) >= total / 2 or name == "multi_query"
        assert many[0] == flat[0]


def test_what_variants_find_is_among_the_hits_and_the_question_comes_first() -> None:
    index = Index.build([*ENTITY_CHUNKS, *(Chunk(f"n{number}", "We know of salt.") for number in range(9))])
    stages = Stages(variants=lambda text: ["who went to Rimeford"])
    found = retrieve(Query("RO is cheap"), index, preset("multi_query", index, 4, stages))
    assert found.hits[0].chunk == "d"
    assert {hit.chunk: hit.via for hit in found.hits}["c"] == "seed"
    assert found.notes["c"] == "Later Jon Berg went to Rimeford."


def test_walks_take_options() -> None:
    index, _ = made(2, 40)
    labels = replace(ONE_HOP, labels=frozenset(["nothing"]))
    hits = retrieve(Query("Lima frost"), index, preset("sage", index, 10, options=labels)).hits
    assert {hit.via for hit in hits} == {"seed"}
    assert {"seed"} < {hit.via for hit in retrieve(Query("Lima frost"), index, preset("sage", index, 10)).hits}


def test_names_are_read_once_and_again_when_chunks_change() -> None:
    index = Index.build(ENTITY_CHUNKS)
    first = entity_graph(index)
    assert entity_graph(index) is first
    index.add([Chunk("e", "We saw Ursa Minor.")])
    assert entity_graph(index).known(["Ursa Minor"]) == ["ursa minor"]
    assert first.known(["Ursa Minor"]) == []


def test_what_is_remembered_of_a_question_ends_with_the_index_as_it_was() -> None:
    index, made_ = Index.build(ENTITY_CHUNKS), itertools.count()
    one = Query("one")
    assert [remembered(one, index, "x", lambda: next(made_)) for _ in range(3)] == [0, 0, 0]
    assert remembered(one, index, "y", lambda: next(made_)) == 1
    assert remembered(replace(one, scope=frozenset("a")), index, "x", lambda: next(made_)) == 2
    index.delete(["a"])
    assert remembered(one, index, "x", lambda: next(made_)) == 3
    for number in range(QUESTIONS):
        remembered(Query(f"{number}"), index, "x", lambda: 0)
    assert remembered(one, index, "x", lambda: next(made_)) == 4


def test_an_unknown_preset() -> None:
    with pytest.raises(BadValue, match="unknown plan"):
        preset("best", made(1, 3)[0])
