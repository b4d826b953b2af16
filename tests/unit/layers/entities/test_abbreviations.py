"""Definitions of short forms: what is one, which words it stands for, and what only looks like one."""

from __future__ import annotations

import pytest

from kag.layers.entities.abbreviations import find_abbreviations


def pairs(text: str) -> list[tuple[str, str]]:
    return [(text[slice(*one.short)], text[slice(*one.long)]) for one in find_abbreviations(text)]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We used magnetic resonance imaging (MRI).", "MRI", "magnetic resonance imaging"),
        ("Cystic fibrosis (CF) is rare.", "CF", "Cystic fibrosis"),
        ("It binds methotrexate (MTX).", "MTX", "methotrexate"),
        ("The CT (computed tomography) scans.", "CT", "computed tomography"),
        ("A 95% confidence interval [CI] was given.", "CI", "confidence interval"),
        ("[odds ratio (OR): 0.31; 95% CI]", "OR", "odds ratio"),
        ("forced expiratory volume in 1 s (FEV1)", "FEV1", "forced expiratory volume in 1 s"),
        ("with 1,25-dihydroxyvitamin D (DVD)", "DVD", "1,25-dihydroxyvitamin D"),
        ("tumor necrosis factor alpha (TNF alpha) rose", "TNF alpha", "tumor necrosis factor alpha"),
        ("regions of interest (ROIs) were drawn", "ROIs", "regions of interest"),
        ("HIF-1beta (aryl receptor nuclear translocator, ARNT)", "ARNT", "aryl receptor nuclear translocator"),
        ("discussed by the British Aircraft Corp. (BAC) and others", "BAC", "British Aircraft Corp."),
        ("Streptococcus pyogenes (S. pyogenes) grew", "S. pyogenes", "Streptococcus pyogenes"),
        ("a first-order reaction model (1ORM)", "1ORM", "first-order reaction model"),
        ("MTX (methotrexate) was given", "MTX", "methotrexate"),
        ("tumour necrosis factor α (TNF-α)", "TNF-α", "tumour necrosis factor α"),
        ("tumour necrosis factor alpha (TNF-α)", "TNF-α", "tumour necrosis factor alpha"),
        ("a “thermal intensity equation” (TIE) is used", "TIE", "thermal intensity equation"),
    ],
)
def test_a_definition_is_found(text: str, short: str, long: str) -> None:
    assert (short, long) in pairs(text)


@pytest.mark.parametrize(
    "text",
    [
        "as shown (Fig. 2)",
        "(see Table 1)",
        "ten mice (n = 10)",
        "the samples (P < 0.05)",
        "in water (pH 7)",
        "the model of ours (which is new)",
        "",
        "(((((",
        "))) ((a",
        "()",
        "水 (H2O)",
        "six extracts (tea and water)",
        "the area (A), the breadth (B); A is larger",
        "the nucleus (N) of a cell",
    ],
)
def test_what_looks_like_one_is_left_alone(text: str) -> None:
    assert pairs(text) == []


def test_words_between_cost() -> None:
    assert pairs("The liver was weighed and then stored in boxes (LB).") == []


def test_brackets_that_do_not_close_are_not_read_over() -> None:
    assert all(
        long.count("(") == long.count(")") for _, long in pairs("gas (GC/ECD) or a mass detector (GMD) and more")
    )


def test_long_text_takes_no_time() -> None:
    assert isinstance(find_abbreviations("a (" * 2000 + "b) " * 2000), list)
