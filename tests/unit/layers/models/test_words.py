"""Scores of words summed once a word are the scores of their attributes in place."""

from __future__ import annotations

import numpy as np
import pytest

from kag.text.crf import EDGE, Crf, Look, WordScores
from scripts.benchmarks.models.crf_training import attributes_of

LOOK = Look((-1, 0, 2), lambda word: ((f"-1|{word}",), (f"w={word}", f"n={len(word)}"), (f"+2|{word}",)))
SENTENCES = [("ice", "melts", "in", "spring"), ("ice",), (), ("in", "ice")]


def model() -> Crf:
    names = sorted({one for words in SENTENCES for row in attributes_of(LOOK, words) for one in row})[::2]
    rows = {name: n for n, name in enumerate(names)}
    weights = np.random.default_rng(7).normal(size=(len(rows) + 1, 3))
    weights[-1] = 0.0
    return Crf(("O", "B", "I"), rows, weights, np.zeros((3, 3)))


def test_attributes_are_told_from_each_place() -> None:
    assert attributes_of(LOOK, ("ice", "melts")) == [
        [f"-1|{EDGE}", "w=ice", "n=3", f"+2|{EDGE}"],
        ["-1|ice", "w=melts", "n=5", f"+2|{EDGE}"],
    ]


@pytest.mark.parametrize("most", [50_000, 2])
def test_scores_of_words_are_those_of_their_attributes(most: int) -> None:
    known = model()
    words = WordScores(known, LOOK, most)
    for _ in range(2):  # once learning the words, once knowing them
        for sentence, found in zip(SENTENCES, words.scored(SENTENCES), strict=True):
            assert found.shape == (len(sentence), 3)
            assert found == pytest.approx(known.scores(attributes_of(LOOK, sentence)))
    assert words.scored([]) == []
