"""Numbers in one form, however they are printed; and what looks like a number and is none."""

from __future__ import annotations

import pytest

from kag.text.printed_numbers import printed_numbers


def read(text: str) -> list[tuple[float, str]]:
    return [(float(number.value), number.unit) for number in printed_numbers(text)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("12.3 \\( \\pm \\) 0.4 kg", [(12.3, "kg"), (0.4, "kg")]),
        ("SE 0.05", [(0.05, "")]),
        ("5.2e-05 m and 5.2 \\( \\times 10^{-5} \\) m", [(5.2e-05, "m"), (5.2e-05, "m")]),
        ("\\( 10^{-3} \\) g", [(0.001, "g")]),
        ("12,345 and 10\\,000", [(12345, ""), (10000, "")]),
        ("12–15 kg", [(12, "kg"), (15, "kg")]),
        ("12, 15 and 18 mg", [(12, "mg"), (15, "mg"), (18, "mg")]),
        ("between 12 and 15 milligrams per litre", [(12, "mg.L-1"), (15, "mg.L-1")]),
        ("20 square kilometres", [(20, "km2")]),
        ("forty-five per cent", [(45, "%")]),
        ("one hundred and twenty-five patients", [(125, "")]),
        ("a dozen, two thirds, half of them", [(12, ""), (2 / 3, ""), (0.5, "")]),
        ("1.2 million people", [(1_200_000, "")]),
        ("doubled, a threefold rise, 1.5-fold", [(2, "fold"), (3, "fold"), (1.5, "fold")]),
        ("a 3-day trial of 40-year-olds", [(3, "d"), (40, "a")]),
        ("120/80 mmHg, 5/12", [(120, "mmHg"), (80, "mmHg"), (5 / 12, "")]),
        ("−3.5 °C", [(3.5, "°C")]),
        ("7 mL min⁻¹", [(7, "mL.min-1")]),
        ("0.05 m²", [(0.05, "m2")]),
        ("an area of 1.6 km².", [(1.6, "km2")]),
        ("in 3/4.", [(0.75, "")]),
    ],
)
def test_numbers_have_one_form(text: str, numbers: list[tuple[float, str]]) -> None:
    assert read(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "COVID-19, IL-6, HX4 and 3T3 cells",
        "9-epi-cannabidiol",
        "shown before \\( ^{46} \\) .",
        "shown before⁴⁶,⁴⁷",
        "the rate n^{-2/5}, n^(-2/5) or ℓ¹/⁵",
        "(1) the first, (2) the rest",
        "Table 2, Figs. 3a and 4, Section 2.1, Eq. (5), [12, 13–15]",
        "Smith et al., 2019",
        "the 5th, one of these, the third",
    ],
)
def test_names_citations_numerals_and_exponents_are_no_numbers(text: str) -> None:
    assert read(text) == []
