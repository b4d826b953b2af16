"""Searching by the name of a plan: what falls back, what is refused, and why a hit was found."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from kag.core.errors import BadValue, ModelError
from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.graph.build import sage_graph
from kag.retrieval.index import Index
from kag.retrieval.presets import PRESETS, PlanOptions
from kag.retrieval.retrieve import LONGEST, reasons, search, usable

CHUNKS = (
    Chunk("a", "Winter cups\nSite | Cup\nNorrland | Silver", ChunkKind.TABLE, "wins", "Cups", columns=("Site", "Cup")),
    Chunk("b", "A region of forests in the north.", document="places", title="Norrland"),
    Chunk("c", "Moss grows on stones.", document="plants", title="Moss"),
)


def embed(texts) -> np.ndarray:
    return np.array([[text.count("s") + 1.0, text.count("o") + 1.0] for text in texts], dtype=np.float32)


@cache
def index(*, vectors: bool, graph: bool) -> Index:
    made = Index.build(CHUNKS, embed if vectors else None)
    if graph:
        made.edges = sage_graph(CHUNKS)
    return made


@pytest.mark.parametrize(
    ("plan", "vectors", "graph", "used", "words"),
    [
        ("", False, False, "bm25", []),
        ("", True, False, "hybrid", []),
        ("", False, True, "sage", []),
        ("sage", False, False, "bm25", ["no graph", "no vectors"]),
        ("paths", True, False, "hybrid", ["no graph"]),
        ("dense", False, True, "bm25", ["no vectors"]),
        ("entity", False, False, "entity", []),
        ("bm25", False, False, "bm25", []),
    ],
)
def test_a_plan_falls_back_and_says_so(plan, vectors, graph, used, words) -> None:
    name, notes = usable(plan, index(vectors=vectors, graph=graph))
    assert name == used
    assert len(notes) == len(words)
    assert all(word in note for word, note in zip(words, notes, strict=True))


@pytest.mark.parametrize("plan", PRESETS)
def test_every_plan_runs_with_and_without_all_it_can_use(plan: str) -> None:
    for whole in (True, False):
        found = search(index(vectors=whole, graph=whole), "winter cups", plan=plan, k=2)
        assert 1 <= len(found.hits) <= 2
        assert found.hits[0].chunk == "a" or plan == "dense"


def test_a_search_within_documents() -> None:
    found = search(index(vectors=False, graph=False), "forests moss cups", documents=["plants", "places"])
    assert {hit.chunk for hit in found.hits} == {"b", "c"}
    assert found.documents == {"plants", "places"}


@pytest.mark.parametrize(
    ("text", "given", "words"),
    [
        (" ", {}, "question"),
        ("x" * (LONGEST + 1), {}, "question"),
        ("cup", {"k": 0}, "k is 0"),
        ("cup", {"plan": "best"}, "unknown plan"),
        ("cup", {"documents": ["plant"]}, "no 'plant'"),
    ],
)
def test_what_cannot_be_searched_is_refused(text, given, words) -> None:
    with pytest.raises(BadValue, match=words) as error:
        search(index(vectors=False, graph=False), text, **given)
    assert error.value.hint
    if "documents" in given:
        assert "plants" in error.value.hint


def test_why_a_hit_was_found() -> None:
    made = index(vectors=True, graph=True)
    found = search(made, "silver cups in winter", plan="sage", k=3)
    why = dict(zip([hit.chunk for hit in found.hits], reasons(found, made), strict=True))
    assert why["a"].words is not None
    assert why["a"].words[0] == 1
    assert why["a"].edge is None
    assert why["a"].vectors is not None
    paths = search(index(vectors=False, graph=True), "silver cups", plan="sage", k=2)
    (reason,) = [reason for hit, reason in zip(paths.hits, reasons(paths, made), strict=True) if hit.chunk == "b"]
    assert reason.edge is not None
    assert (reason.edge.source, reason.edge.target, reason.edge.label) == ("a", "b", "cell_title")
    assert reason.places == ("Norrland | Silver",)


@pytest.mark.parametrize("plan", ["bm25", "sage"])
def test_entries_of_reference_lists_are_hits_only_where_they_are_wished(plan: str) -> None:
    entries = [
        Chunk(f"r{n}", f"Moss {n}. Moss on stones.", ChunkKind.RECORD, "plants", metadata={"kind": "reference"})
        for n in range(9)
    ]
    made = Index.build([*entries, *CHUNKS])
    made.edges = sage_graph([*entries, *CHUNKS])
    hits = [hit.chunk for hit in search(made, "moss on stones", plan=plan, k=2).hits]
    assert hits[0] == "c"
    assert not any(name.startswith("r") for name in hits)
    wished = [hit.chunk for hit in search(made, "moss on stones", plan=plan, k=2, references=True).hits]
    assert any(name.startswith("r") for name in wished)
    behind = search(made, "moss on stones", plan=plan, k=2, options=PlanOptions(more=1)).hits
    assert behind[0].chunk == "c"
    assert not any(hit.chunk.startswith("r") for hit in behind)


@pytest.mark.parametrize("plan", ["", "dense", "sage", "entity", "multi_query"])
def test_without_the_server_of_vectors_words_rank_and_a_note_says_so(plan: str) -> None:
    made = Index.build(CHUNKS, embed)
    made.edges = sage_graph(CHUNKS)

    def down(texts: Sequence[str]) -> np.ndarray:
        raise ModelError("the server is down", hint="Start it.")

    made.embed = down
    found = search(made, "winter cups", plan=plan, k=2)
    assert found.hits[0].chunk == "a"
    assert "the server is down" in found.notes[0]
    assert "ranked by words alone" in found.notes[0]
    assert reasons(found, made)[0].vectors is None
    assert not search(made, "winter cups", plan="bm25", k=2).notes


def test_expanded_hits_stand_behind_the_seeds_where_so_many_more_are_asked_for() -> None:
    whole = index(vectors=False, graph=True)
    for plan in ("sage", "entity", "paths"):
        flat = search(whole, "winter cups", plan="bm25", k=1).hits
        more = search(whole, "winter cups", plan=plan, k=1, options=PlanOptions(more=1)).hits
        assert [hit.chunk for hit in more[:1]] == [hit.chunk for hit in flat]
        assert len(more) <= 2
    with pytest.raises(BadValue, match="expansion"):
        search(whole, "winter cups", plan="entity", options=PlanOptions(hops=4))


def test_hits_by_names_say_which_names_they_mention() -> None:
    chunks = [Chunk("a", "Ana Lima met Jon Berg."), Chunk("b", "Jon Berg went to Oslo.")]
    found = search(Index.build(chunks), "Where did Ana Lima meet Jon Berg", plan="entity")
    assert set(found.matched["a"]) == {"ana lima", "jon berg"}
    assert "jon berg" in found.matched["b"]
