"""Pairs, and walks from the seeds."""

from __future__ import annotations

import pytest

from kag.core.errors import BadValue
from kag.retrieval.chunking import Chunk, ChunkKind, Hit, Query
from kag.retrieval.graph.build import GraphOptions, sage_graph
from kag.retrieval.index import Index
from kag.retrieval.steps.expand import ExpandOptions, neighbours, paths
from kag.retrieval.steps.rank import Scorer

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
    alone = {name: 0.8 * scorer.alone(name) + 0.2 * scorer.alone("t#0") for name in ("ana", "jon")}
    assert {hit.chunk: hit.score for hit in found} == pytest.approx(alone)


def test_within_one_document_nearness_says_nothing() -> None:
    paragraphs = [Chunk(f"p{number}", f"Ice of the {number} winter cup.", document="p") for number in range(3)]
    other = Chunk("q", "A town with a school.", document="q")
    both, alone = Index.build([*paragraphs, other]), Index.build(paragraphs)
    for made in (both, alone):
        made.edges = sage_graph([*made.chunks.values()], options=GraphOptions(likeness=False))
    question, seeds = Query("Who won the 1 winter cup?"), [Hit("p0", 1.0)]
    scored = {hit.chunk: hit.score for hit in neighbours()(question, seeds, both)}
    scorer = Scorer(question, both)
    kin = {name: 0.8 * scorer.alone(name) + 0.2 * scorer.alone("p0") for name in ("p1", "p2")}
    assert scored == pytest.approx(kin)
    for query, index in ((Query(question.text, frozenset(["p"])), both), (question, alone)):
        scorer = Scorer(query, index)
        found = neighbours()(query, seeds, index)
        assert {hit.chunk: hit.score for hit in found} == {name: scorer.alone(name) for name in ("p1", "p2")}


def test_a_pair_loses_what_its_edge_is_doubted_by(index: Index) -> None:
    doubted, sure = (
        neighbours(ExpandOptions(doubts=doubts))(QUESTION, [Hit("ana", 1.0)], index)
        for doubts in ({"mentions": 0.3}, {})
    )
    scores = [{hit.chunk: hit.score for hit in found} for found in (doubted, sure)]
    assert scores[0]["town"] == pytest.approx(scores[1]["town"] - 0.3)
    assert scores[0]["t#0"] == scores[1]["t#0"]


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


@pytest.mark.parametrize(
    "wrong", [{"hops": 0}, {"hops": 4}, {"seeds": 0}, {"fan": 0}, {"meaning": 1.5}, {"related": -1}]
)
def test_settings_have_ranges(wrong: dict[str, int]) -> None:
    with pytest.raises(BadValue):
        ExpandOptions(**wrong)


def test_paths_prefer_what_more_seeds_lead_to(index: Index) -> None:
    found = paths()(QUESTION, [Hit("ana", 1.0), Hit("jon", 1.0)], index)
    assert found[0].chunk == "t#0"
    assert [hit.chunk for hit in paths(most=1)(QUESTION, [Hit("ana", 1.0), Hit("jon", 1.0)], index)] == ["t#0"]


def test_a_pair_is_worth_at_least_what_each_of_it_is(index: Index) -> None:
    scorer = Scorer(QUESTION, index)
    together = scorer.together("t#0", "ana", ["1998 | Ana Lima"])
    assert together > scorer.alone("ana")
    assert together > scorer.together("t#0", "ana", ["1999 | Jon Berg"])
