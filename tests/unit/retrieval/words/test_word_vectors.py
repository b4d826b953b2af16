"""Vectors of words: texts without words are zeros, wherever they are."""

from __future__ import annotations

import numpy as np
import pytest

from kag.retrieval.word_vectors import WordVectors

ROWS = np.array([[1, 0], [0, 2]], dtype=np.float32)
KNOWN = WordVectors(["ice", "snow"], ROWS, np.array([1, 0.5], dtype=np.float32))


@pytest.mark.parametrize(
    ("words", "starts", "vectors"),
    [
        ([], [0], [[0, 0]]),
        (["ice"], [0, 1], [[1, 0], [0, 0]]),
        (["ice", "snow"], [0, 1, 1], [[1, 0], [0, 0], [0, 1]]),
        (["ice", "snow"], [0], [[2**-0.5, 2**-0.5]]),
        (["rain"], [0], [[0, 0]]),
    ],
)
def test_a_text_has_a_vector_of_length_one_or_zero(
    words: list[str], starts: list[int], vectors: list[list[float]]
) -> None:
    assert np.allclose(KNOWN.of_texts(KNOWN.places(words), np.array(starts)), vectors)
