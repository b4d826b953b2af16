"""Names of computing by their last words: where they begin and end, and what is none."""

from __future__ import annotations

import pytest

from kag.layers.entities.terms import named
from kag.layers.entities.tokens import tokens


def told(text: str) -> list[tuple[str, str]]:
    return [(one.kind, text[one.start : one.end]) for one in named(tokens(text))]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We use hidden Markov models (HMM) here.", ("method", "hidden Markov models (HMM)")),
        ("It needs estimation of the camera motion.", ("task", "estimation of the camera motion")),
        ("It rests on lexical and syntactic information.", ("term", "lexical and syntactic information")),
        ("They train a structured perceptron model.", ("method", "structured perceptron model")),
        ("The usual tree kernels are slow.", ("method", "tree kernels")),
        ("In this method, all is fast.", ("generic", "method")),
        ("The tree kernels fail.", ("method", "tree kernels")),
        ("The Turkish training set is small.", ("material", "Turkish training set")),
    ],
)
def test_a_name_is_whole(text: str, name: tuple[str, str]) -> None:
    assert name in told(text)


@pytest.mark.parametrize("text", ["", "for method", "of images", "It is (HMM).", "and and and", "((()))"])
def test_what_is_no_name(text: str) -> None:
    assert [one for one in told(text) if one[0] in ("generic", "material")] == []
