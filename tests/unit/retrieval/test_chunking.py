"""None"""

import numpy as np
import pytest

from kag.retrieval.chunking import pieces, semantic_chunks, table_segments
from kag.retrieval.vectors import jaccard, normalised, word_set

ICE = "River ice hides the sensors. The sensors under river ice fail. Ice on the river breaks sensors. "
BIRD = "Owls hunt at night. At night the owls hunt mice. Mice fear hunting owls at night."


def parts(text: str, spans) -> list[str]:
    return [text[start:end] for start, end in spans]


def test_text_is_cut_where_the_subject_changes() -> None:
    text = ICE + BIRD
    assert parts(text, semantic_chunks(text, least=4, percentile=80)) == [ICE.strip(), BIRD]


def test_another_measure_cuts_elsewhere() -> None:
    text = "A one. B two. C three. D four."

    def alike(sides):  # pairs of sides: only behind the first sentence they differ
        return [0.0 if sides[place] == "A one." else 1.0 for place in range(len(sides) - 1)]

    assert parts(text, semantic_chunks(text, alike, least=1, percentile=50)) == ["A one.", "B two. C three. D four."]


def test_nothing_smaller_than_the_least_is_cut_off() -> None:
    text = ICE + BIRD
    assert parts(text, semantic_chunks(text, least=17, percentile=50)) == [text]


def test_what_is_too_long_is_cut_at_its_widest_difference() -> None:
    text = ICE + BIRD
    found = parts(text, semantic_chunks(text, least=4, most=20, percentile=100))
    assert found == [ICE.strip(), BIRD]
    assert all(len(part.split()) <= 8 for part in parts(text, semantic_chunks(text, least=1, most=8)))


def test_chunks_hold_all_words_in_order() -> None:
    text = "  " + (ICE + BIRD + "  ") * 5
    found = semantic_chunks(text, least=5, most=30)
    assert " ".join(" ".join(parts(text, found)).split()) == " ".join(text.split())
    assert len(found) > 5


@pytest.mark.parametrize("text", ["", "  \n ", "One", "One. Two."])
def test_short_texts_are_not_cut(text: str) -> None:
    assert parts(text, semantic_chunks(text)) == ([text.strip()] if text.strip() else [])


def test_pieces_are_about_equal_and_end_with_sentences() -> None:
    text = " ".join(f"Sentence number {n} has six words." for n in range(10))
    assert [len(part.split()) for part in parts(text, pieces(text, 40))] == [30, 30]


def test_a_sentence_longer_than_a_piece_is_cut_between_words() -> None:
    text = " ".join(f"w{n}" for n in range(25))
    found = parts(text, pieces(text, 10))
    assert [len(part.split()) for part in found] == [10, 10, 5]
    assert " ".join(found) == text


def test_every_table_segment_has_the_header() -> None:
    rows = [[f"r{n}", str(n)] for n in range(17)]
    found = table_segments(["Site", "Lost"], rows)
    assert [(one.first, one.last) for one in found] == [(0, 8), (8, 16), (16, 17)]
    assert found[2].text == "Site | Lost\nr16 | 16"


def test_a_table_without_rows_is_its_header_and_one_without_header_its_rows() -> None:
    assert [one.text for one in table_segments(["Site"], [])] == ["Site"]
    assert [one.text for one in table_segments([], [["a\nb", " c "]])] == ["a b | c"]


def test_hostile_text_takes_linear_time() -> None:
    pieces(". " * 100_000)
    found = semantic_chunks("A b. " * 5_000, least=20, most=50, percentile=0)
    assert len(found) == 499  # equals are cut at the first place that may be, and the last 40 words stay


def test_one_endless_sentence_does_not_keep_the_rest_together() -> None:
    text = "Short one. " + "word " * 100 + "end. " + "Of four words each. " * 30
    found = parts(text, semantic_chunks(text, least=10, most=40))
    assert len(found[0].split()) == 103
    assert all(len(part.split()) <= 40 for part in found[1:])


def test_jaccard_is_the_share_of_common_stems() -> None:
    assert jaccard(word_set("frozen rivers"), word_set("River, frozen!")) == 1.0
    assert jaccard(word_set("frozen rivers"), word_set("frozen lakes")) == 1 / 3
    assert jaccard(word_set("\\( ^{89} \\) Zr"), word_set("⁸⁹Zr")) == 1.0


def test_rows_of_zeros_stay_zero() -> None:
    assert normalised([[3, 4], [0, 0]]).tolist() == [[np.float32(0.6), np.float32(0.8)], [0, 0]]
