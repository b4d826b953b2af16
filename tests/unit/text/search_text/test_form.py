"""The form in which text is searched: what is alike, what is not, and the way back to the print."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kag.text.search_text import folded, search_text
from tests.growth import linear

BITS = [
    *(
        r"\( ",
        r" \)",
        r"\alpha",
        r"\mu ",
        r"\beta",
        r"\times ",
        r"\pm",
        r"\,",
        r"\frac",
        "^{",
        "_{",
        "}",
        "^",
        "_",
        "{,}",
    ),
    *("α", "μ", "µ", "é", "ﬁ", "⁸⁹", "⁻³", "₂", "–", "−", "′", "×", "≤", "·", "°", "\u2009", "\u00ad", "&lt;", "&amp;"),
    *(
        "<sup>",
        "</sup>",
        "<b>",
        "<",
        ">",
        "-\n",
        "-",
        "\n",
        " ",
        "  ",
        ",",
        ".",
        "%",
        "$",
        "*",
        "~",
        "`",
        "\\",
        "&",
        ";",
    ),
    *("a", "Zr", "word", "5", "234", "10", "mg", "IL", "H", "O", "x", "/", "e"),
]
TEXTS = st.lists(st.sampled_from(BITS), max_size=14).map("".join)


def form(text: str) -> str:
    return search_text(text).text


@pytest.mark.parametrize(
    "alike",
    [
        (r"\( ^{89} \) Zr", "^{89}Zr", "⁸⁹Zr", "89Zr", "<sup>89</sup>Zr", r"\(^{89}\mathrm{Zr}\)"),
        (r"the  \( ^{89} \) Zr label", r"the \( ^{89} \) Zr label", "the ⁸⁹Zr label"),
        (r"H \( _{2} \) O", "H2O", "H₂O", "H_{2}O", "H<sub>2</sub>O"),
        (r"K \( _{D} \)", "K_{D}", r"\( K_{D} \)", "K_D", "KD"),
        ("TNF-α", "TNFα", r"TNF-\alpha", r"TNF- \( \alpha \)", "TNF–alpha"),
        ("α", r"\alpha", r"\( \alpha \)", "alpha", "𝛼"),
        ("5 µM", "5 μM", r"5 \mu M", r"5 \( \mu \) M", r"5 \( \mu\mathrm{M} \)", "5 uM"),
        ("10⁻³", "10^{-3}", r"\( 10^{-3} \)", "10^-3", "10<sup>-3</sup>"),
        ("1.2×10⁵", "1.2 × 10^{5}", r"\( 1.2 \times 10^{5} \)"),
        ("1,234,567", "1234567", "1\u2009234\u2009567", r"1\,234\,567", "1{,}234{,}567"),
        ("p ≤ 0.05", r"p \( \leq \) 0.05", "p <= 0.05", r"p \le 0.05"),
        ("p &lt; 0.05", "p < 0.05"),
        ("naïve Łódź Müller", "naive Lodz Muller", "nai\u0308ve Lódz Muller"),
        ("eﬃcient", "efficient", "effi-\ncient", "effi\u00adcient"),
        ("5′-end", "5'-end", "5’-end"),
        ("37 °C", r"37 \( ^{\circ} \) C", "37 ℃"),
        ("**half**-life", "half-life", "half—life"),
        (r"352  \( \pm \)  87", "352 ± 87", "352 +/- 87"),
        ("cm²", "cm^{2}", "cm2", r"cm \( ^{2} \)"),
        ("μg·mL⁻¹", r"\mu g mL^{-1}"),
    ],
    ids=lambda alike: alike[0],
)
def test_alike(alike: tuple[str, ...]) -> None:
    assert {form(text) for text in alike} == {form(alike[0])}


@pytest.mark.parametrize(
    ("one", "other"),
    [("10⁶", "106"), ("10⁻³", "10-3"), ("refs 1,2", "refs 12"), ("MBq/mg", "MBq/g"), ("1,2345", "12345"), ("α", "a")],
)
def test_not_alike(one: str, other: str) -> None:
    assert form(one) != form(other)


def test_call_out_stands_apart_from_its_word() -> None:
    assert form("activation⁵ of") == form(r"activation \( ^{5} \) of") == "activation 5 of"
    assert form("cm² of") == "cm2 of"


@pytest.mark.parametrize(
    ("text", "sought", "printed"),
    [
        (r"the  \( ^{89} \) Zr label", "89zr", r"\( ^{89} \) Zr"),
        (r"a K_{D} of", "kd", "K_{D}"),
        ("die ﬁnale Größe", "grosse", "Größe"),
        ("see implemen-\ntation here", "implementation", "implemen-\ntation"),
        ("of 1,234 mice", "1234", "1,234"),
        (r"p \( \leq \) 0.05", "<= 0.05", r"\( \leq \) 0.05"),
    ],
)
def test_way_back(text: str, sought: str, printed: str) -> None:
    found = search_text(text)
    at = found.text.index(sought)
    start, end = found.span(at, at + len(sought))
    assert text[start:end] == printed


@settings(max_examples=600, deadline=None)
@given(TEXTS | st.text(max_size=40))
def test_twice_is_once(text: str) -> None:
    once = form(text)
    assert form(once) == once


@settings(max_examples=400, deadline=None)
@given(TEXTS | st.text(max_size=40))
def test_map_runs_forward(text: str) -> None:
    found = search_text(text)
    spans = [found.span(at, at + 1) for at in range(len(found.text))]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)
    assert [end for _, end in spans] == sorted(end for _, end in spans)


def test_every_character_folds_to_a_fixed_point() -> None:
    for code in (*range(0x80, 0x3400), *range(0xA000, 0x20000), sys.maxunicode):
        once = form(chr(code))
        assert form(once) == once, hex(code)
    assert folded("ß") == ("ss", False)


def test_hostile_input_takes_linear_time() -> None:
    for bit in ("\\(", "^{", "<sup", "-\n", "1,234", "\\mu ", "a-", "{", " ", "&lt", "\u0301"):
        assert linear(search_text, bit * 40_000), bit
