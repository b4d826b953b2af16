"""The pairs that are kept against all pairs, however few are looked at at once."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.core.errors import BadValue
from kag.retrieval.graph import pairs as module
from kag.retrieval.graph.features import DenseSignal, SparseSignal
from kag.retrieval.graph.pairs import Pairs, kept_pairs, percentile


def made(size: int, tables: int, *, seed: int = 3, step: float = 0.0) -> tuple[Pairs, Pairs]:
    """Pairs within the later chunks, and between the first ones and them; `step` makes equals among their scores."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(max(2, size // 8), 6))
    rows = centres[rng.integers(len(centres), size=size)] + 0.4 * rng.normal(size=(size, 6))
    rows = np.round(rows / step) * step if step else rows
    rows = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)
    names = [[f"n{name}" for name in rng.integers(max(3, size // 3), size=3)] for _ in range(size)]
    signals = [(DenseSignal(rows), 0.6), (SparseSignal(names), 0.4)]
    first, last = np.arange(tables), np.arange(tables, size)
    return Pairs(signals, last, last), Pairs(signals, first, last)


def naive(pairs: Pairs, share: float, nearest: int) -> tuple[set[tuple[int, int]], set[tuple[int, int]], float]:
    """The pairs by definition: those that must be kept and those that may, which differ by rounding, and the least."""
    both = [(int(a), int(b)) for a in pairs.ones for b in pairs.others if not pairs.same or a < b]
    if not both:
        return set(), set(), 0.0
    scores = dict(zip(both, pairs.scores(*np.array(both).T).tolist(), strict=True))
    least = max(0.0, sorted(scores.values())[max(1, math.ceil(share * len(both) - 1e-9)) - 1])
    ends: dict[int, list[float]] = {}
    for (a, b), score in scores.items():
        ends.setdefault(a, []).append(score)
        ends.setdefault(b, []).append(score)
    floor = {end: sorted(each)[-min(nearest, len(each))] for end, each in ends.items()}
    near = {pair: score - min(floor[pair[0]], floor[pair[1]]) for pair, score in scores.items()}
    must = {pair for pair, above in near.items() if above > 1e-6 and scores[pair] > max(least, 0) + 1e-6}
    may = {pair for pair, above in near.items() if above >= -1e-6 and scores[pair] > least - 1e-6}
    return must, may, least


@settings(max_examples=40, deadline=None)
@given(
    size=st.integers(0, 40),
    tables=st.integers(0, 12),
    share=st.sampled_from([0.0, 0.5, 0.95, 1.0]),
    nearest=st.integers(1, 5),
    tile=st.integers(3, 17),
    step=st.sampled_from([0.0, 1.0]),
)
def test_what_is_kept_is_what_the_definition_says(size, tables, share, nearest, tile, step) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "TILE", tile)
        patch.setattr(module, "BATCH", 5)
        for pairs in made(size, min(tables, size), step=step):
            must, may, _ = naive(pairs, share, nearest)
            one, other, _ = kept_pairs(pairs, share, nearest, 100, 100)
            found = list(zip(one.tolist(), other.tolist(), strict=True))
            assert found == sorted(set(found))
            assert must <= set(found) <= may


@pytest.mark.parametrize("drawn", ["fair", "low", "high"])
def test_a_sample_bounds_the_percentile_and_one_that_misses_it_does_no_harm(drawn: str, monkeypatch) -> None:
    monkeypatch.setattr(module, "BRACKET", 50)
    sample = Pairs.sample
    shift = {"fair": 0.0, "low": -0.3, "high": 0.3}[drawn]
    monkeypatch.setattr(Pairs, "sample", lambda self, count: np.maximum(sample(self, count) + np.float32(shift), 0))
    for pairs in made(120, 40):
        must, may, _ = naive(pairs, 0.8, 30)
        one, other, _ = kept_pairs(pairs, 0.8, 30, 1000, 1)
        assert must <= set(zip(one.tolist(), other.tolist(), strict=True)) <= may


def test_with_candidates_nearly_the_same_is_kept() -> None:
    for pairs in made(900, 200):
        one, other, exact = kept_pairs(pairs, 0.95, 5, 10_000, 1)
        near_one, near_other, scores = kept_pairs(pairs, 0.95, 5, 500, 50_000)
        whole = set(zip(one.tolist(), other.tolist(), strict=True))
        found = set(zip(near_one.tolist(), near_other.tolist(), strict=True))
        assert len(whole & found) >= 0.95 * max(len(whole), len(found))
        assert scores.sum() == pytest.approx(exact.sum(), rel=0.05)


def test_the_share_below_a_sampled_percentile_is_off_by_no_more_than_stated() -> None:
    for pairs in made(300, 100):
        drawn = pairs.sample(20_000)
        values = np.concatenate([each.ravel() for each in pairs.values()])
        assert len(values) == pairs.count
        for share in (0.5, 0.95):
            off = (values <= drawn[math.ceil(share * 20_000) - 1]).mean() - share
            assert abs(off) < 5 * math.sqrt(share * (1 - share) / 20_000)
        assert drawn.tolist() == pairs.sample(20_000).tolist()


def test_candidates_grow_with_the_chunks_and_not_with_their_square() -> None:
    counts = [sum(len(one) for one, _, _ in made(size, 0)[0].candidates(20)) for size in (250, 1000)]
    assert counts[1] < 5 * counts[0]
    assert counts[1] < made(1000, 0)[0].count / 8


NUMBERS = st.lists(
    st.one_of(st.floats(-1, 1, width=32), st.sampled_from([0.0, 0.5, float(np.float32(1e-40)), -0.0])),
    min_size=1,
    max_size=60,
)


def reference(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[max(1, math.ceil(share * len(ordered) - 1e-9)) - 1]


@given(values=NUMBERS, share=st.sampled_from([0.0, 0.05, 0.5, 0.95, 1.0]), bins=st.integers(2, 9))
def test_it_is_exact_however_coarse_the_bins(values: list[float], share: float, bins: int) -> None:
    def blocks() -> Iterator[np.ndarray]:
        return iter(np.array_split(np.array(values, dtype=np.float32), 3))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BINS", bins)
        patch.setattr(module, "SORTED", 1)
        assert percentile(blocks, share) == reference(values, share)


def test_it_needs_numbers_and_a_share() -> None:
    with pytest.raises(BadValue):
        percentile(lambda: iter([np.zeros(0)]), 0.5)
    with pytest.raises(BadValue):
        percentile(lambda: iter([np.ones(3)]), 1.5)
