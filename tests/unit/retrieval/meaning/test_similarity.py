import numpy as np

from kag.retrieval.vectors import jaccard, normalised, word_set


def test_jaccard_is_the_share_of_common_stems() -> None:
    assert jaccard(word_set("frozen rivers"), word_set("River, frozen!")) == 1.0
    assert jaccard(word_set("frozen rivers"), word_set("frozen lakes")) == 1 / 3
    assert jaccard(word_set("\\( ^{89} \\) Zr"), word_set("⁸⁹Zr")) == 1.0


def test_rows_of_zeros_stay_zero() -> None:
    assert normalised([[3, 4], [0, 0]]).tolist() == [[np.float32(0.6), np.float32(0.8)], [0, 0]]
