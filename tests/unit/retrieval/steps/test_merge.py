"""Seeds and found hits in one order: both guards of the seeds, and rankings that agree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kag.retrieval.chunking import Chunk, Hit, Query
from kag.retrieval.index import Index
from kag.retrieval.steps.rank import _merged, agreed, in_order
from kag.retrieval.steps.seed import fused

CHUNKS = [Chunk(f"n{number}", "frost " * (6 - number) + "on the river") for number in range(5)]
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
    index, hits = Index.build(CHUNKS), [Hit("n1", 0.1)]
    assert list(in_order()(ASKED, hits, [], index)) == list(in_order()(ASKED, [], hits, index)) == hits


def test_what_more_rankings_agree_on_comes_first() -> None:
    one, two = [Hit("a", 3.0, "x"), Hit("b", 2.0)], [Hit("c", 9.0), Hit("b", 1.0, "y")]
    merged = fused([one, two])
    assert [hit.chunk for hit in merged] == ["b", "a", "c"]
    assert merged[0].score == 1 / 62 + 1 / 62
    assert [hit.via for hit in merged] == ["seed", "x", "seed"]


def test_the_first_ranking_keeps_its_order_among_the_others() -> None:
    index = Index.build(CHUNKS)
    first = [Hit(name, 0.0) for name in ("n0", "n3", "n4")]
    gathered = agreed()(ASKED, [first, [Hit("n1", 0.0, "other"), Hit("n4", 0.0, "other")]], index)
    assert [hit.chunk for hit in gathered] == ["n0", "n1", "n3", "n4"]
    assert agreed()(ASKED, [first], index) == tuple(first)
