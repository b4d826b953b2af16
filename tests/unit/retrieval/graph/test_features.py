"""Shared features by arrays against the definition: the cosine of bags, rare features weighing more."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.retrieval.graph import features as module
from kag.retrieval.graph.features import SparseSignal

BAGS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=4), max_size=12)


def cosine(bags: list[list[str]], one: int, other: int) -> float:
    known = Counter(name for bag in bags for name in set(bag))
    weight = {name: math.log(1 + len(bags) / count) for name, count in known.items()}
    lengths = [math.sqrt(sum(weight[name] ** 2 for name in set(bag))) for bag in bags]
    common = set(bags[one]) & set(bags[other])
    return sum(weight[name] ** 2 / lengths[one] / lengths[other] for name in common)


@settings(max_examples=40, deadline=None)
@given(bags=BAGS, joined=st.integers(1, 9))
def test_blocks_and_pairs_are_the_cosine(bags: list[list[str]], joined: int) -> None:
    signal, size = SparseSignal(bags), len(bags)
    ones, others = np.arange(0, size), np.arange(size)[::2]
    scores = np.zeros((len(ones), len(others)), dtype=np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "JOINED", joined)
        signal.against(others)(scores, ones, 0.5)
    first, second = np.repeat(ones, len(others)), np.tile(others, len(ones))
    pairs = signal.pairs(first, second)
    assert scores.ravel() == pytest.approx(pairs / 2, abs=1e-6)
    for one, other, score, shared in zip(first, second, pairs, signal.shared(first, second), strict=True):
        if one != other:
            assert score == pytest.approx(cosine(bags, one, other), abs=1e-5)
            assert shared == tuple(sorted(set(bags[one]) & set(bags[other])))


def test_the_most_alike_are_found_and_common_features_find_nobody(monkeypatch) -> None:
    monkeypatch.setattr(module, "LISTED", 3)
    bags = [["all", "x", "y"], ["all", "x", "y"], ["all", "x"], ["all", "z"], ["all", "z"]]
    found = SparseSignal(bags).finder(np.arange(1, 5))(np.array([0, 3]), 2)
    assert [each.tolist() for each in found] == [[0, 0, 3, 3], [1, 2, 3, 4]]
    assert [len(each) for each in SparseSignal([["a"], ["b"]]).finder(np.arange(2))(np.arange(2), 3)] == [0, 0]


def test_what_very_many_have_says_nothing() -> None:
    bags = [["all", f"pair{number // 2}"] for number in range(200)]
    signal = SparseSignal(bags)
    assert signal.shared(np.array([0, 0]), np.array([1, 2])) == [("pair0",), ()]
    assert signal.pairs(np.array([0]), np.array([2])).tolist() == [0.0]
