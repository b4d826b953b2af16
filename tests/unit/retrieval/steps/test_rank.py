"""How well a chunk answers, alone and beside another, against the formulas."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.retrieval.chunking import Chunk, Hit, Query
from kag.retrieval.index import Index
from kag.retrieval.steps.rank import Scorer, _merged, agreed, credited, in_order
from kag.retrieval.steps.seed import fused

FILLER = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(300)]


def text(*words: str, length: int) -> str:
    """Words, and others up to a length."""
    return " ".join((*words, *FILLER[: length - len(words)]))


CHUNKS = (
    Chunk("best", text("ice", "ice", "river", length=50)),
    Chunk("ice", text("ice", length=100)),
    Chunk("long", text("ice", length=200)),
    Chunk("river", text("river", length=100)),
    Chunk("none", text(length=100)),
)


@pytest.fixture(scope="module")
def index() -> Index:
    return Index.build(CHUNKS)


def weight(known: int) -> float:
    """Inverse document frequency of a word that so many of the five chunks have."""
    return math.log(1 + (5 - known + 0.5) / (known + 0.5))


def part(count: int, length: int, known: int) -> float:
    """BM25 with k1 = 1.2, b = 0.75 and usual chunks of 100 words."""
    return weight(known) * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / 100))


ICE, RIVER = 3, 2  # chunks that have the word
QUESTION = Query("ice river unknown")


@pytest.fixture
def scorer(index: Index) -> Scorer:
    return Scorer(QUESTION, index)


BEST = part(2, 50, ICE) + part(1, 50, RIVER)


def test_a_chunk_alone_scores_its_share_of_the_best(scorer: Scorer) -> None:
    wanted = {
        "best": BEST,
        "ice": part(1, 100, ICE),
        "long": part(1, 200, ICE),
        "river": part(1, 100, RIVER),
        "none": 0,
    }
    for name, score in wanted.items():
        assert scorer.alone(name) == pytest.approx(score / BEST), name
        assert scorer.alone(name) == pytest.approx(score / BEST), "a second time"


def test_two_chunks_together_count_each_word_where_it_stands_best(scorer: Scorer) -> None:
    both = part(1, 100, ICE) + part(1, 100, RIVER)
    assert scorer.together("ice", "river", []) == pytest.approx(both / BEST)
    assert scorer.together("ice", "long", []) == pytest.approx(part(1, 100, ICE) / BEST), "what both say counts once"
    place = part(1, 1, ICE) + part(1, 100, RIVER)
    assert scorer.together("none", "river", ["ice", "fog"]) == pytest.approx((part(1, 100, RIVER) + place) / 2 / BEST)


def test_a_word_asked_twice_counts_twice(index: Index) -> None:
    twice = Scorer(Query("ice ice river"), index)
    best = 2 * part(2, 50, ICE) + part(1, 50, RIVER)
    assert twice.alone("ice") == pytest.approx(2 * part(1, 100, ICE) / best)


def test_where_nothing_fits_nothing_scores(index: Index) -> None:
    assert Scorer(Query("unknown"), index).alone("ice") == 0.0


def test_hits_earn_a_little_by_how_surely_they_were_found(index: Index, scorer: Scorer) -> None:
    hits = [Hit("ice", 2.0, "a"), Hit("river", 4.0, "b"), Hit("none", 0.0, "c")]
    ranked = credited()(QUESTION, hits, index)
    wanted = {"ice": scorer.alone("ice") + 0.05, "river": scorer.alone("river") + 0.1, "none": 0.0}
    assert {hit.chunk: hit.score for hit in ranked} == pytest.approx(wanted)
    assert [hit.score for hit in ranked] == sorted(wanted.values(), reverse=True)
    assert {hit.chunk: hit.via for hit in ranked} == {"ice": "a", "river": "b", "none": "c"}
    unsure = credited()(QUESTION, [Hit("ice", 0.5)], index)
    assert unsure[0].score == pytest.approx(scorer.alone("ice") + 0.1), "however sure the surest is"
    assert credited()(QUESTION, [], index) == ()
    level = credited()(Query("unknown"), [Hit("river", 0.0), Hit("ice", 0.0)], index)
    assert [(hit.chunk, hit.score) for hit in level] == [("ice", 0.0), ("river", 0.0)], "equals by their names"


NUMBERED = [Chunk(f"n{number}", "frost " * (6 - number) + "on the river") for number in range(5)]
ASKED = Query("frost")


@given(
    st.lists(st.floats(0, 2, width=16), max_size=12),
    st.lists(st.tuples(st.integers(0, 20), st.floats(0, 2, width=16)), max_size=12),
    st.sampled_from((0.0, 0.3, 0.5, 1.0)),
)
def test_both_guards_hold(scores: list[float], found: list[tuple[int, float]], head: float) -> None:
    """Chunks 0 to 11 are seeds; what is found may be one of them."""
    seeds = [Hit(f"{number}", 0.0) for number in range(len(scores))]
    hits = sorted((Hit(f"{number}", score, "found") for number, score in found), key=lambda hit: -hit.score)
    merged = list(_merged(seeds, scores, hits, head))
    names = [hit.chunk for hit in merged]
    assert len(set(names)) == len(names)
    assert set(names) == {hit.chunk for hit in (*seeds, *hits)}
    kept = [hit for hit in merged if hit.via == "seed"]
    assert kept == [seed for seed in seeds if seed in kept]
    for place, hit in enumerate(merged):
        behind = [later for later in merged[place:] if later.via == "seed"]
        if hit.via == "found" and behind:
            assert all(hit.score > scores[int(later.chunk)] for later in behind)
            assert sum(one.via == "seed" for one in merged[:place]) >= head * (place + 1)


def test_a_hit_overtakes_only_what_scores_less() -> None:
    seeds = [Hit(f"s{number}", 0.0) for number in range(6)]
    found = [Hit("a", 0.95, "found"), Hit("s5", 0.5, "found"), Hit("b", 0.1, "found")]
    merged = list(_merged(seeds, [1.0, 0.9, 0.8, 0.4, 0.7, 0.2], found, 0.5))
    assert [hit.chunk for hit in merged] == ["s0", "a", "s1", "s2", "s3", "s4", "s5", "b"]


def test_without_seeds_or_finds_there_is_nothing_to_merge() -> None:
    index, hits = Index.build(NUMBERED), [Hit("n1", 0.1)]
    assert list(in_order()(ASKED, hits, [], index)) == list(in_order()(ASKED, [], hits, index)) == hits


def test_what_more_rankings_agree_on_comes_first() -> None:
    one, two = [Hit("a", 3.0, "x"), Hit("b", 2.0)], [Hit("c", 9.0), Hit("b", 1.0, "y")]
    merged = fused([one, two])
    assert [hit.chunk for hit in merged] == ["b", "a", "c"]
    assert merged[0].score == 1 / 62 + 1 / 62
    assert [hit.via for hit in merged] == ["seed", "x", "seed"]


def test_the_first_ranking_keeps_its_order_among_the_others() -> None:
    index = Index.build(NUMBERED)
    first = [Hit(name, 0.0) for name in ("n0", "n3", "n4")]
    gathered = agreed()(ASKED, [first, [Hit("n1", 0.0, "other"), Hit("n4", 0.0, "other")]], index)
    assert [hit.chunk for hit in gathered] == ["n0", "n1", "n3", "n4"]
    assert agreed()(ASKED, [first], index) == tuple(first)
