"""Units: spellings that are one unit, units that are two, and words that are none."""

from __future__ import annotations

import pytest

from kag.text.quantities import find_quantities, read_unit
from kag.text.quantities.units import UNITS


def unit(text: str) -> str:
    (found,) = find_quantities(f"we saw 2.5 {text} of it")
    return found.unit_canonical


@pytest.mark.parametrize(
    "alike",
    [
        ("MBq/mg", "MBq mg^{-1}", "MBq·mg⁻¹", r"MBq mg \( ^{-1} \)", "MBq per mg", r"\( \mathrm{MBq\,mg^{-1}} \)"),
        ("mol/L", "mol L^{-1}", "M", "mol·L⁻¹", "mol l⁻¹"),
        ("μg/mL", "µg mL⁻¹", r"\( \mu \) g/mL", "ug/ml", r"\( \mu \mathrm{g/mL} \)"),
        ("cm²", "cm^2", "cm^{2}", "cm2", r"cm \( ^{2} \)"),
        ("°C", r"\( ^{\circ} \) C", r"\( ^{\circ}\mathrm{C} \)", "℃"),
        ("h", "hours", "hr", "hrs"),
        ("%", "percent"),
        ("× g", r"\( \times \) g"),
        ("mg/kg/day", "mg kg⁻¹ d⁻¹", "mg per kg per day"),
        ("kΩ",),
    ],
    ids=lambda alike: alike[0],
)
def test_one_unit(alike: tuple[str, ...]) -> None:
    assert {unit(text) for text in alike} == {unit(alike[0])}


@pytest.mark.parametrize(
    ("one", "other"), [("MBq/mg", "MBq/g"), ("mM", "MM"), ("mg", "Mg"), ("m s⁻¹", "ms⁻¹"), ("mg/kg", "kg/mg")]
)
def test_two_units(one: str, other: str) -> None:
    assert unit(one) != unit(other)


@pytest.mark.parametrize(
    ("text", "canonical", "local"),
    [
        ("mg/kg", "mg.kg-1", "MilliGM-PER-KiloGM"),
        ("MBq/mg", "MBq.mg-1", ""),
        ("mM", "mmol.L-1", "MilliMOL-PER-L"),
        ("nm", "nm", "NanoM"),
        ("mL/min/1.73 m2", "mL.m-2.min-1", ""),
        ("m s-2", "m.s-2", "M-PER-SEC2"),
        ("kDa", "kDa", ""),
        ("x g", "[g]", "G"),
    ],
)
def test_canonical_form_and_iri(text: str, canonical: str, local: str) -> None:
    found = read_unit(text)
    assert found is not None
    assert (found[0].canonical, found[1]) == (canonical, len(text))
    assert found[0].iri == (f"http://qudt.org/vocab/unit/{local}" if local else "")


@pytest.mark.parametrize("text", ["mice", "patients", "T cells", "A", "", "mgs", "C", "in", "mg2", "-"])
def test_no_unit(text: str) -> None:
    assert read_unit(text) is None


def test_a_blank_joins_only_factors_with_exponents() -> None:
    assert read_unit("mg min later") == read_unit("mg")
    assert read_unit("mg min-1 later") != read_unit("mg")


def test_each_iri_is_found_by_its_canonical_form() -> None:
    for canonical, local in UNITS.items():
        factors = canonical.replace("[g]", "x g").split(".")
        printed = " ".join("yr" + factor[1:] if factor.rstrip("-123") == "a" else factor for factor in factors)
        found = read_unit(printed, exact=True)
        assert found is not None, canonical
        assert found[0].iri.rpartition("/")[2] == local
