"""Percentiles in blocks against the sorted whole."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.core.errors import BadValue
from kag.retrieval.graph import pairs as module
from kag.retrieval.graph.pairs import percentile

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
