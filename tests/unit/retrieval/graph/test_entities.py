"""Names by rule."""

from __future__ import annotations

import pytest

from kag.retrieval.graph.entities import acronyms, entities, name_form
from tests.growth import linear


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The ice on the Lena River broke in May.", ("Lena River", "May")),
        ("We saw that TNF-α and p53 fell; CO2 rose.", ("TNF-α", "p53", "CO2")),
        ("However, it failed. We saw 12 of 40 in 1999.", ()),
        ("She sang “Songs of the Ice” in Oslo.", ("Songs of the Ice", "Oslo")),
        ("The University of Upper Ice and the Lena River", ("The University of Upper Ice", "Lena River")),
        ("Lena River | Lena River’s ice", ("Lena River",)),
        ("A talk on the Bank of the old north and Oslo of the", ("Bank", "Oslo")),
        ("The Bank of the river " + "a" * 80 + " Rio de la Plata of", ("The Bank", "Rio de la Plata")),
        ("", ()),
    ],
)
def test_entities(text: str, names: tuple[str, ...]) -> None:
    assert entities(text) == names


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("The Queen’s Gambit", "queen gambit"),
        ("Élan  Vital", "elan vital"),
        ("TNF-α", "tnf alpha"),
        ("The", "the"),
        ("", ""),
    ],
)
def test_name_form(name: str, form: str) -> None:
    assert name_form(name) == form


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("by reverse osmosis (RO) alone", (("RO", "reverse osmosis"),)),
        ("a heat shock protein ( HSP ) and later HSP", (("HSP", "heat shock protein"),)),
        ("see the right plate (Q)", ()),
        ("we met them. Old sites (WMO)", ()),
        ("(AB) alone", ()),
    ],
)
def test_acronyms(text: str, pairs: tuple[tuple[str, str], ...]) -> None:
    assert acronyms(text) == pairs


HOSTILE = [
    "A" * 60_000,
    "“" * 60_000,
    "A of " * 20_000,
    "(A" * 30_000,
    "a.b" * 30_000,
    "a" * 60_000,
    "A " + "of " * 30_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_takes_linear_time(text: str) -> None:
    assert linear(entities, text)
    assert linear(acronyms, text)
