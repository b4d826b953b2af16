"""Measured values in text: what is found, what it says, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kag.text.quantities import Quantity, find_quantities, read_quantity
from tests.growth import linear


def one(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


@pytest.mark.parametrize(
    ("text", "surface", "facts"),
    [
        ("at 225-341 nm was", "225-341 nm", {"low": 225, "high": 341, "value": None, "unit_canonical": "nm"}),
        ("of 2 to 5 mg", "2 to 5 mg", {"low": 2, "high": 5, "unit": "mg"}),
        ("took between 2 and 5 h", "between 2 and 5 h", {"low": 2, "high": 5, "unit": "h"}),
        ("5 mM to 10 mM", "5 mM to 10 mM", {"low": 5, "high": 10, "unit": "mM"}),
        ("purity >95%", ">95%", {"value": 95, "bound": ">", "unit": "%"}),
        ("was ≤ 0.05", "≤ 0.05", {"value": 0.05, "bound": "<="}),
        (r"p \( \leq \) 0.05", r"\( \leq \) 0.05", {"value": 0.05, "bound": "<="}),
        ("p &lt; 0.001", "&lt; 0.001", {"value": 0.001, "bound": "<"}),
        ("(n = 12)", "12", {"value": 12, "bound": ""}),
        ("1.2 × 10^{5} cells", "1.2 × 10^{5} cells", {"value": 1.2e5, "factor": 1e5, "unit": "cells"}),
        ("with 10⁻³ M acid", "10⁻³ M", {"value": 1e-3, "unit_canonical": "mol.L-1"}),
        ("p = 1.2e-5.", "1.2e-5", {"value": 1.2e-5}),
        ("3.4 ± 0.2 mL", "3.4 ± 0.2 mL", {"value": 3.4, "uncertainty": 0.2, "uncertainty_kind": "±", "unit": "mL"}),
        ("3.4% ± 0.2%", "3.4% ± 0.2%", {"value": 3.4, "uncertainty": 0.2, "unit": "%"}),
        ("was 3.4 ± 0.2 (SD)", "3.4 ± 0.2", {"uncertainty_kind": "sd"}),
        ("was 12 (SD 3.4) in", "12 (SD 3.4)", {"value": 12, "uncertainty": 3.4, "uncertainty_kind": "sd"}),
        ("(3.4 ± 0.2) × 10^{5} M", "(3.4 ± 0.2) × 10^{5} M", {"value": 3.4e5, "uncertainty": 2e4}),
        ("(3.2 ± 0.1) x 10^10 cm", "(3.2 ± 0.1) x 10^10 cm", {"value": 3.2e10, "factor": 1e10, "unit": "cm"}),
        ("(3.2 ± 0.1) × 10^{-110} cm", "(3.2 ± 0.1) × 10^{-110} cm", {"factor": 1e-110}),
        ("of ( 5 ± 1 ) × 10^10 kg", "( 5 ± 1 ) × 10^10 kg", {"value": 5e10, "uncertainty": 1e10}),
        ("of 12 (95% CI 8–16) was", "12 (95% CI 8–16)", {"value": 12, "low": 8, "high": 16, "uncertainty_kind": "ci"}),
        ("OR 1.5 (95% CI: 1.2–1.9; p", "1.5 (95% CI: 1.2–1.9", {"value": 1.5, "low": 1.2, "high": 1.9}),
        ("1.604(2) Å", "1.604(2) Å", {"value": 1.604, "uncertainty": 0.002, "uncertainty_kind": "digits", "unit": "Å"}),
        ("1,234 mg", "1,234 mg", {"value": 1234}),
        ("12\u2009345 mg", "12\u2009345 mg", {"value": 12345}),
        ("at −3.2 °C", "−3.2 °C", {"value": -3.2, "unit_canonical": "°C"}),
        ("at −\u00a020 °C", "−\u00a020 °C", {"value": -20}),
        ("at - 20 °C", "- 20 °C", {"value": -20}),
        ("stored at -80°C", "-80°C", {"value": -80}),
        ("a 2-mm slice", "2-mm", {"value": 2, "unit_canonical": "mm"}),
        ("a 5-fold rise", "5-fold", {"value": 5, "unit_canonical": "fold"}),
        ("at least 20 minutes", "at least 20 minutes", {"value": 20, "bound": ">=", "unit_canonical": "min"}),
        ("approximately 5 days", "approximately 5 days", {"value": 5, "bound": "~"}),
        (r"a  \( \sim12 \)  h fast", r"\( \sim12 \)  h", {"value": 12, "bound": "~", "unit": "h"}),
        ("at 12,000 × g for", "12,000 × g", {"value": 12000, "unit_canonical": "[g]"}),
    ],
)
def test_found(text: str, surface: str, facts: dict[str, object]) -> None:
    found = one(text)
    assert found.surface == surface == text[found.start : found.end]
    assert {name: getattr(found, name) for name in facts} == pytest.approx(facts)


@pytest.mark.parametrize(
    "text",
    [
        *("89Zr", "⁸⁹Zr", r"\( ^{89} \) Zr", "IL-6", "CD4", "p53", "H2O", r"H \( _{2} \) O", "3T3-L1 cells", "T2"),
        *("as shown [5-9]", "as shown (5–9)", "activation⁵⁻⁹ of", r"shown. \( ^{5,6} \) To", "refs 5-9", "[1, 2]"),
        *("Fig. 2.1", "Section 3.2", "Figs. 2–4", "Table 2", "pp. 225-341", "Nat. 12, 225–341", "step 2–4"),
        *("in 2019", "from 1999-2004", "2020-03-15", "12 May 2020", "10–16 March", "the 1990s", "doi 10.1021/ab.12"),
        *("12 mice", "ratio 1:1000", "compound 3h", "15 N NMR", "the 2.5D model", "at 10:30", "v2.1.3", "2.1 Methods"),
        *("95% CI", "no numbers", "", "1.", "8,000 U.S. sheep"),
    ],
)
def test_none(text: str) -> None:
    assert find_quantities(text) == ()


def test_several() -> None:
    found = find_quantities("at 4 °C for 30 min, then 2–5 mL of 0.5 M acid (95% CI 1.2 to 1.4)")
    assert [q.surface for q in found] == ["4 °C", "30 min", "2–5 mL", "0.5 M", "1.2 to 1.4"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("1,200", 1200),
        ("< 5", 5),
        ("−3", -3),
        ("12 mg", 12),
        ("(12)", 12),
        ("= 7", 7),
        ("- 3", -3),
        ("− 20 °C", -20),
        ("- 10^{5}", -1e5),
        ("(− 2.5)", -2.5),
    ],
)
def test_a_cell_is_one_value(text: str, value: float) -> None:
    found = read_quantity(text)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize("text", ["12 mice", "Mouse 12", "12/20", "", "a", "12 13", "2020-03-15", "CD4"])
def test_a_cell_with_other_words_is_none(text: str) -> None:
    assert read_quantity(text) is None


NUMBERS = st.decimals(0, 9999, places=2, allow_nan=False).map(float)
UNITS = st.sampled_from([
    ("mg/kg", "mg.kg-1"), ("MBq mg^{-1}", "MBq.mg-1"), ("μg·mL⁻¹", "ug.mL-1"), ("%", "%"), ("°C", "°C"),
    (r"\( \mu \) L", "uL"), ("nm", "nm"), ("kDa", "kDa"), ("cm²", "cm2"), (r"mol L \( ^{-1} \)", "mol.L-1"),
])  # fmt: skip
SPREADS = st.sampled_from([" ± ", "±", r" \( \pm \) ", r" \pm ", " +/- "])
DASHES = st.sampled_from(["–", "-", " to ", " – ", "—"])
BOUNDS = st.sampled_from([
    ("", ""), ("<", "<"), ("≤ ", "<="), (r"\( \geq \) ", ">="), ("> ", ">"), ("about ", "~"), ("up to ", "<="),
])  # fmt: skip
POWERS = st.sampled_from([
    ("", 0), (" × 10^{5}", 5), ("×10⁻³", -3), (r" \times 10^{4}", 4), (r" \( \times 10^{-2} \)", -2), ("e3", 3),
])  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(NUMBERS, UNITS, BOUNDS, POWERS)
def test_rendered_values_are_found(number: float, unit: tuple[str, str], bound: tuple[str, str], power) -> None:
    text = f"It was {bound[0]}{number:.2f}{power[0]} {unit[0]}, they say"
    found = one(text)
    assert found.value == pytest.approx(number * 10.0 ** power[1])
    assert (found.bound, found.unit_canonical) == (bound[1], unit[1])


@settings(max_examples=300, deadline=None)
@given(NUMBERS, NUMBERS, UNITS, SPREADS, POWERS)
def test_rendered_spreads_are_found(number: float, spread: float, unit: tuple[str, str], mark: str, power) -> None:
    text = f"It was {number:.2f}{mark}{spread:.2f} {unit[0]} there"
    found = one(text)
    assert (found.value, found.uncertainty, found.unit_canonical) == (number, spread, unit[1])


@settings(max_examples=300, deadline=None)
@given(NUMBERS, st.floats(0.01, 500), UNITS, DASHES)
def test_rendered_ranges_are_found(low: float, more: float, unit: tuple[str, str], dash: str) -> None:
    found = one(f"It was {low:.2f}{dash}{low + more:.2f} {unit[0]} there")
    assert (found.value, found.low, found.high) == (None, low, float(f"{low + more:.2f}"))
    assert found.unit_canonical == unit[1]


BITS = st.sampled_from(
    [
        *"0123456789.,-–±×<>=~()[]%^{}/ ",
        " to ",
        " 10^{5}",
        " mg",
        " \\( ",
        " \\)",
        "95% CI ",
        " and ",
        "between ",
        "x",
        "Fig. ",
    ]
)


@settings(max_examples=600, deadline=None)
@given(st.lists(BITS, max_size=25).map("".join))
@example("=- 10^{5}")
def test_every_value_can_be_read_from_its_surface(text: str) -> None:
    end = 0
    for found in find_quantities(text):
        assert found.start >= end
        end = found.end
        assert text[found.start : found.end] == found.surface
        again = read_quantity(found.surface)
        assert again is not None, found
        assert (again.value, again.low, again.high, again.bound) == (found.value, found.low, found.high, found.bound)


def test_hostile_input_takes_linear_time() -> None:
    for bit in ("1-", "1 ± ", "1 x 10", "9", "1,234", "1 to ", "5 mg/", "about 1 ", "1(2)", "1^", "(1 ", "95% CI 1-"):
        assert linear(find_quantities, bit * 8_000), bit


@pytest.mark.parametrize(
    ("text", "surface", "facts"),
    [
        ("10 to 20 thousand years ago", "10 to 20 thousand years", {"low": 1e4, "high": 2e4, "unit_canonical": "a"}),
        ("between 2 and 3 million people", "between 2 and 3 million", {"low": 2e6, "high": 3e6, "value": None}),
        ("an age of 13 billion years", "13 billion years", {"value": 1.3e10, "unit_canonical": "a"}),
        ("91.2 ± 0.3 (stat.) ± 0.1 (syst.) GeV", "91.2 ± 0.3 (stat.) ± 0.1 (syst.) GeV",
         {"value": 91.2, "uncertainty": 0.3, "unit_canonical": "GeV"}),
        ("2.5 ± 0.3 ± 0.1 mm", "2.5 ± 0.3 ± 0.1 mm", {"value": 2.5, "uncertainty": 0.3, "unit_canonical": "mm"}),
        ("took 1h30min in all", "1h30min", {"value": 90, "unit_canonical": "min"}),
    ],
)  # fmt: skip
def test_magnitudes_several_errors_and_parts_of_time(text: str, surface: str, facts: dict[str, object]) -> None:
    found = one(text)
    assert (found.surface, {name: getattr(found, name) for name in facts}) == (surface, facts)
