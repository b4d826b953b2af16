"""Values in SI: exact examples, and every unit that has an IRI held against QUDT's own multipliers."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from kag.text.quantities import read_quantity
from kag.text.quantities.find import in_si
from kag.text.quantities.parsing import Quantity
from kag.text.quantities.units import QUDT, UNITS


@pytest.mark.parametrize(
    ("text", "value", "unit", "iri"),
    [
        ("25 °C", 298.15, "K", "K"),
        ("2 °C/min", 2 / 60, "K.s-1", "K-PER-SEC"),
        ("212 °F", 373.15, "K", "K"),
        ("5 mg/L", 5e-3, "kg.m-3", "KiloGM-PER-M3"),
        ("3.2 MBq/mg", 3.2e12, "Bq.kg-1", "BQ-PER-KiloGM"),
        ("2 mM", 2.0, "mol.m-3", "MOL-PER-M3"),
        ("50 %", 0.5, "1", "UNITLESS"),
        ("10 µm", 1e-5, "m", "M"),
        ("3 cm2", 3e-4, "m2", "M2"),
        ("12,000 × g", 117679.8, "m.s-2", "M-PER-SEC2"),
        ("-36 cal/mol/K", -150.624, "J.K-1.mol-1", "J-PER-MOL-K"),
        ("2 h", 7200.0, "s", "SEC"),
    ],
)
def test_in_si(text: str, value: float, unit: str, iri: str) -> None:
    quantity = read_quantity(text)
    assert quantity
    found = in_si(quantity)
    assert found
    assert found.value == pytest.approx(value)
    assert (found.unit, found.iri.removeprefix(QUDT)) == (unit, iri)


def test_ends_and_spread_go_along() -> None:
    heat, ranged = read_quantity("25 ± 2 °C"), read_quantity("10-20 °C")
    assert heat
    assert ranged
    told, ends = in_si(heat), in_si(ranged)
    assert told
    assert ends
    assert (told.value, told.uncertainty) == pytest.approx((298.15, 2.0))  # a spread has no zero point
    assert ends.value is None
    assert (ends.low, ends.high) == pytest.approx((283.15, 293.15))


@pytest.mark.parametrize("canonical", ["", "cells", "dB", "IU", "kDa.cells-1", "Rp", "m2x", "..", "-", "5", "µ"])
def test_what_has_no_place_in_si(canonical: str) -> None:
    assert in_si(Quantity("5", 0, 1, 5.0, unit_canonical=canonical)) is None


def test_no_number_beyond_a_float() -> None:
    assert in_si(Quantity("", 0, 0, 1e308, unit_canonical="km2")) is None


def test_all_units_agree_with_qudt(shared: Path) -> None:
    with gzip.open(shared / "data" / "ontology_terms" / "qudt_units.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        known = {row["iri"]: (float(row["multiplier"]), float(row["offset"] or 0)) for row in rows if row["multiplier"]}
    checked = 0
    for canonical, local in UNITS.items():
        one, two = (in_si(Quantity("", 0, 0, n, unit_canonical=canonical)) for n in (0.0, 1.0))
        if one is None or two is None or QUDT + local not in known:
            continue
        multiplier, offset = known[QUDT + local]
        target = known.get(two.iri, (1.0, 0.0))[0]
        assert two.value is not None
        assert one.value is not None
        assert two.value - one.value == pytest.approx(multiplier / target, rel=3e-5), canonical
        assert one.value == pytest.approx(offset * multiplier, abs=1e-2), canonical
        checked += 1
    assert checked > 500
