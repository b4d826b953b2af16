"""Pairs, walks from the seeds, and merging without overtaking among seeds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.errors import BadValue
from kag.retrieve.chunk import Chunk, ChunkKind, Hit, Query
from kag.retrieve.edges import GraphOptions, sage_graph
from kag.retrieve.expand import ExpandOptions, _merged, in_order, neighbours, paths
from kag.retrieve.index import Index
from kag.retrieve.rank import Scorer

CHUNKS = (
    Chunk(
        "t#0",
        "Ice Cup\nYear | Winner\n1998 | Ana Lima\n1999 | Jon Berg",
        ChunkKind.TABLE,
        document="t",
        title="Ice Cup",
        columns=("Year", "Winner"),
    ),
    Chunk("ana", "She was born in Rimeford.", document="ana", title="Ana Lima"),
    Chunk("jon", "He was born in Snowdon.", document="jon", title="Jon Berg"),
    Chunk("town", "Rimeford is a town with a school.", document="town", title="Rimeford"),
    *(Chunk(f"n{number}", f"Winter notes number {number} about the school cup year.") for number in range(6)),
)


@pytest.fixture
def index() -> Index:
    made = Index.build(CHUNKS)
    made.edges = sage_graph(CHUNKS, options=GraphOptions(likeness=False))
    return made


QUESTION = Query("Where was the winner of the 1998 Ice Cup born?")


def test_the_row_that_fits_the_question_decides_between_its_neighbours(index: Index) -> None:
    found = neighbours()(QUESTION, [Hit("t#0", 1.0)], index)
    assert [hit.chunk for hit in found] == ["ana", "jon"]
    assert found[0].via == "cell_title from t#0"
    assert found[0].score > found[1].score


def test_without_pairs_a_neighbour_answers_alone(index: Index) -> None:
    found = neighbours(ExpandOptions(pairs=False))(QUESTION, [Hit("t#0", 1.0)], index)
    scorer = Scorer(QUESTION, index)
    assert {hit.chunk: hit.score for hit in found} == {name: scorer.alone(name) for name in ("ana", "jon")}


def test_edges_are_walked_both_ways(index: Index) -> None:
    assert [hit.chunk for hit in neighbours()(QUESTION, [Hit("jon", 1.0)], index)] == ["t#0"]


def test_a_second_hop_reaches_what_a_neighbour_names(index: Index) -> None:
    one, two = (neighbours(ExpandOptions(hops=hops))(QUESTION, [Hit("t#0", 1.0)], index) for hops in (1, 2))
    assert "town" not in {hit.chunk for hit in one}
    assert {hit.chunk: hit.via for hit in two}["town"] == "mentions from ana"


def test_labels_scope_and_fan_bound_the_walk(index: Index) -> None:
    none = neighbours(ExpandOptions(labels=frozenset(["mentions"])))(QUESTION, [Hit("t#0", 1.0)], index)
    scoped = neighbours()(Query(QUESTION.text, frozenset(["t", "jon"])), [Hit("t#0", 1.0)], index)
    narrow = neighbours(ExpandOptions(fan=1))(QUESTION, [Hit("t#0", 1.0)], index)
    assert none == []
    assert [hit.chunk for hit in scoped] == ["jon"]
    assert len(narrow) == 1


@pytest.mark.parametrize("wrong", [{"hops": 0}, {"hops": 4}, {"seeds": 0}, {"fan": 0}, {"meaning": 1.5}])
def test_settings_have_ranges(wrong: dict[str, int]) -> None:
    with pytest.raises(BadValue):
        ExpandOptions(**wrong)


def test_paths_prefer_what_more_seeds_lead_to(index: Index) -> None:
    found = paths()(QUESTION, [Hit("ana", 1.0), Hit("jon", 1.0)], index)
    assert found[0].chunk == "t#0"
    assert {"ana", "jon"}.isdisjoint(hit.chunk for hit in found)


def test_a_pair_is_worth_at_least_what_each_of_it_is(index: Index) -> None:
    scorer = Scorer(QUESTION, index)
    together = scorer.together("t#0", "ana", ["1998 | Ana Lima"])
    assert together > scorer.alone("ana")
    assert together > scorer.together("t#0", "ana", ["1999 | Jon Berg"])


@given(
    st.lists(st.floats(0, 2, width=16), max_size=12),
    st.lists(st.floats(0, 2, width=16), max_size=12),
)
def test_a_merge_keeps_both_orders_and_everything(seeds: list[float], found: list[float]) -> None:
    one = [Hit(f"s{number}", 0.0) for number in range(len(seeds))]
    other = [Hit(f"f{number}", score) for number, score in enumerate(sorted(found, reverse=True))]
    merged = list(_merged(one, seeds, other))
    assert [hit for hit in merged if hit in one] == one
    assert [hit for hit in merged if hit in other] == other
    for place, hit in enumerate(merged):
        if hit in other:
            behind = [seeds[one.index(later)] for later in merged[place:] if later in one]
            assert all(hit.score > score for score in behind)


def test_the_head_stays_whatever_the_scores(index: Index) -> None:
    seeds = [Hit(f"n{number}", 1.0 - number / 10) for number in range(4)]
    merged = in_order(0.5)(QUESTION, seeds, [Hit("ana", 9.0)], index)
    assert [hit.chunk for hit in merged] == ["n0", "n1", "ana", "n2", "n3"]
