"""What the words of a quantity say, and what they do not say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.layers.measurements.reading import digits, read_span
from kag.text.quantities import Quantity, find_quantities


def read(text: str, unit: str = "") -> list[Quantity]:
    at = text.rindex(unit) if unit else 0
    return read_span(text, 0, len(text), (at, at + len(unit)), find_quantities(text))


@pytest.mark.parametrize(
    ("text", "unit", "value", "bound", "canonical"),
    [
        ("two days", "days", 2, "", "d"),
        ("eight-second", "second", 8, "", "s"),
        ("93:7, v/v", "", 93 / 7, "", ""),
        ("1:10", "", 0.1, "", ""),
        ("∼1:60", "", 1 / 60, "~", ""),
        ("1/100th", "", 0.01, "", ""),
        ("near 1.4Rp", "Rp", 1.4, "~", ""),
        ("up to at least 3Rp", "Rp", 3, ">=", ""),
        ("274", "", 274, "", ""),
        ("10,308 employees", "", 10308, "", ""),
        ("twenty-five", "", 25, "", ""),
        ("1.5 million years", "years", 1.5e6, "", "a"),
        ("within 12 weeks", "weeks", 12, "<=", "wk"),
        ("before 1200 °C", "°C", 1200, "<", "°C"),
        ("as low as 800 °C", "°C", 800, ">=", "°C"),
        ("0.5 wt.%", "wt.%", 0.5, "", "wt%"),
        ("−80 °C", "°C", -80, "", "°C"),
        ("7.2 km s−1", "km s−1", 7.2, "", "km.s-1"),
        ("9 ± 6%", "%", 9, "", "%"),
    ],
)
def test_one_value(text: str, unit: str, value: float, bound: str, canonical: str) -> None:
    [one] = read(text, unit)
    assert (one.value, one.bound, one.unit_canonical) == (value, bound, canonical)
    assert one.unit == unit


@pytest.mark.parametrize(
    ("text", "unit", "low", "high"),
    [
        ("six to eight", "", 6, 8),
        ("between 50 and 100", "", 50, 100),
        ("from 211 K to 284 K", "K", 211, 284),
        ("from 284 K to 211 K", "K", 211, 284),
        ("−25.9 to −26.5‰", "‰", -26.5, -25.9),
        ("27 keV to 40 keV", "keV", 27, 40),
    ],
)
def test_one_range(text: str, unit: str, low: float, high: float) -> None:
    [one] = read(text, unit)
    assert (one.value, one.low, one.high) == (None, low, high)


def test_members_of_a_list_share_the_unit() -> None:
    assert [(one.value, one.unit) for one in read("4.5, 6 and 13 kg", "kg")] == [(4.5, "kg"), (6, "kg"), (13, "kg")]
    assert [one.value for one in read("5% and 95%", "%")] == [5, 95]
    assert [one.value for one in read("0, 1000 and 2000 ppm", "ppm")] == [0, 1000, 2000]


@pytest.mark.parametrize(
    "text", ["room temperature", "several hundred", "05:28", "9:30 am", "1:0", "one-third", "a few percent", "", "II"]
)
def test_what_says_no_number(text: str) -> None:
    assert read(text) == []


def test_numbers_in_words() -> None:
    assert digits("three hundred and twenty-one mice") == "321 mice"
    assert digits("someone often and lone wolves") == "someone often and lone wolves"
    assert digits("1.2.3 million") == "nan"


@given(
    st.text(alphabet="0123456789.,-–+±×x^e() totwandhuredkgm%~<>\\µ", max_size=24),
    st.integers(0, 24),
    st.integers(0, 24),
)
def test_any_span_is_read_or_not(text: str, one: int, two: int) -> None:
    start, end = sorted((min(one, len(text)), min(two, len(text))))
    for found in read_span(text, 0, len(text), (start, end), find_quantities(text)):
        assert found.value is not None or found.low is not None
