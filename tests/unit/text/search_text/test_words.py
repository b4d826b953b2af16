"""The words of a text: compounds, numbers with units, stems, and their places."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.text.words import tokens

TEXTS = st.lists(
    st.sampled_from([
        *(r"\( ^{89} \) Zr", "K_{D}", "TNF-α", "IL-6", "5 mg", "5mg", "10^{-3}", "3.2 × 10⁵", "95 %", "37 °C", "1,234"),
        *("ﬁne", "H \\( _{2} \\) O", "state-of-the-art", "word", "Größe", "<sup>2</sup>", "naïve", "-\n", "(", ")."),
    ]),
    max_size=10,
).map(" ".join)  # fmt: skip


def words(text: str, **options: bool) -> list[str]:
    return [token.text for token in tokens(text, **options)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TNF-α at 5 mg", ["tnfalpha", "tnf", "alpha", "at", "5", "mg", "5mg"]),
        ("TNFalpha", ["tnfalpha", "tnf", "alpha"]),
        (r"the  \( ^{89} \) Zr-labelled", ["the", "89zrlabelled", "89zr", "89", "zr", "labelled"]),
        ("pages 10–20", ["pages", "10", "20"]),
        ("IL-6 and CD4", ["il6", "il", "6", "and", "cd4"]),
        ("95 % at 37 °C", ["95", "95%", "at", "37", "°c", "37°c"]),
        ("3.2 × 10^{-9} M", ["3.2 x 10^-9", "m", "3.2 x 10^-9m"]),
        ("5 mice", ["5", "mice"]),
        ("", []),
        ("— ( ) .", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_without_wholes_a_phrase_is_a_run_of_neighbours() -> None:
    assert words("the state-of-the-art 89Zr, 5 mg", wholes=False) == [
        *("the", "state", "of", "the", "art", "89", "zr", "5", "mg")
    ]


def test_stems() -> None:
    assert words("labelled labels labelling H2O was", stem=True) == ["label", "label", "label", "h2o", "was"]


@settings(max_examples=500, deadline=None)
@given(TEXTS, st.booleans())
def test_each_place_prints_its_word(text: str, stem: bool) -> None:
    for token in tokens(text, stem=stem):
        assert token.text in words(text[token.start : token.end], stem=stem)


@settings(max_examples=300, deadline=None)
@given(TEXTS | st.text(max_size=60))
def test_places_are_in_the_text_and_in_order(text: str) -> None:
    found = tokens(text, wholes=False)
    assert all(0 <= t.start < t.end <= len(text) for t in found)
    assert [t.start for t in found] == sorted(t.start for t in found)
