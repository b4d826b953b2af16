"""How a reference comes apart, and what the labeller is told of its parts."""

import pytest

from kag.indexing.references.features import features
from kag.indexing.references.tokens import MOST_TOKENS, tokens


@pytest.mark.parametrize(("text", "parts"), [
    ("Poe, E.-J.", ["Poe", ",", "E", ".", "-", "J", "."]),
    ("PhysRev D61", ["Phys", "Rev", "D", "61"]),
    ("41:e123", ["41", ":", "e", "123"]),
    ("湖泊冰层[J]", ["湖泊冰层", "[", "J", "]"]),
    ("제14권", ["제", "14", "권"]),
    ("", []),
])  # fmt: skip
def test_parts(text, parts):
    assert [token.text for token in tokens(text)] == parts


def test_places_lead_back_to_the_text():
    text = "Poe E. Ice  (on lakes)."
    found = tokens(text)
    assert all(text[token.start : token.end] == token.text for token in found)
    assert [token.apart for token in found] == [True, True, False, True, True, False, True, False, False]


def test_a_text_without_end_is_cut():
    assert len(tokens("a " * 10_000)) == MOST_TOKENS


def told(text, word):
    found = tokens(text)
    return features(text, found)[[token.text for token in found].index(word)]


def test_what_is_told_of_a_token():
    text = "Poe E, Roe F. “Ice on lakes,” J. Ice, Bd. 3, 2001."
    assert {"named", "w=roe", "f=Xs"} <= set(told(text, "Roe"))
    assert {"quoted", "w=lakes", "f=x", "-1w=on"} <= set(told(text, "lakes"))
    assert "serial" in told(text, "J")
    assert {"w=1d", "under=volume"} <= set(told(text, "3"))
    assert "f=year" in told(text, "2001")


def test_an_apostrophe_within_a_word_opens_no_quotation():
    assert "unquoted" in told("Poe E. The lake's ice isn't warm. Rivers. 2001.", "ice")


def test_units_are_told_in_many_languages():
    for text, number, unit in (
        ("제14권", "14", "volume"),
        ("第3期", "3", "issue"),
        ("S. 12", "12", "pages"),
        ("t. 5", "5", "volume"),
    ):
        found = told(text, number)
        assert f"over={unit}" in found or f"under={unit}" in found


def test_nothing_is_told_of_nothing():
    assert features("", []) == []


def test_five_hundred_tokens_are_read() -> None:
    assert [len(tokens("a " * many)) for many in (499, 500, 501)] == [499, 500, 500]


def test_the_first_token_stands_apart() -> None:
    assert [token.apart for token in tokens("a,b")] == [True, False, False]
    assert [token.apart for token in tokens(" a")] == [True]
