"""What the words of a heading say."""

from __future__ import annotations

import pytest

from kag.sources.pdf.text.titles import (
    depth_of,
    depths_of,
    is_abstract,
    is_abstract_label,
    is_references,
    is_standard,
    without_number,
)


@pytest.mark.parametrize(
    ("text", "depth", "rest"),
    [
        ("1 Introduction", 1, "Introduction"),
        ("1. Introduction", 1, "Introduction"),
        ("2.3 Sites", 2, "Sites"),
        ("2.3. Sites", 2, "Sites"),
        ("2.3.10.1 Sites", 4, "Sites"),
        ("A.1 Proofs", 2, "Proofs"),
        ("A. Proofs", 1, "Proofs"),
        ("IV. RESULTS", 1, "RESULTS"),
        ("Appendix B.2 Proofs", 2, "Proofs"),
        ("Appendix B: Proofs", 1, "Proofs"),
        ("APPENDIX K PROOFS", 1, "PROOFS"),
        ("S2. Fits", 1, "Fits"),
        ("Section 3 Sites", 1, "Sites"),
        ("1 | Introduction", 1, "Introduction"),
        ("12 Éléments", 1, "Éléments"),
        ("Sites", 0, "Sites"),
        ("A study", 0, "A study"),
        ("Civil rights", 0, "Civil rights"),
        ("1998 was cold", 0, "1998 was cold"),
        ("123 sites", 0, "123 sites"),
        ("2.3", 0, "2.3"),
        ("2 3 sites", 0, "2 3 sites"),
        ("3.5% of ice", 0, "3.5% of ice"),
        ("I. ice", 1, "ice"),
    ],
)
def test_the_number_of_a_heading_says_its_depth(text: str, depth: int, rest: str) -> None:
    assert (depth_of(text), without_number(text)) == (depth, rest)


def test_parts_counted_by_roman_numbers_have_letters_below_them() -> None:
    texts = ["I. ICE", "II. TOOLS", "A. Sites", "B. Saws", "1. Teeth", "2) Blades", "III. YIELDS", "C. Ice", "Thanks"]
    assert depths_of(texts) == [1, 1, 2, 2, 3, 3, 1, 2, 0]
    assert depths_of(["II. TOOLS", "III. YIELDS", "I. ICE", "A. Sites"]) == [1, 1, 1, 2], "I is a number there"


def test_letters_alone_are_appendices() -> None:
    assert depths_of(["1. Ice", "2. Tools", "A. Proofs", "II. TOOLS"]) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "text",
    ["Methods", "METHODS", "2 Methods", "IV. METHODS", "M E T H O D S", "Résultats", "Data availability", "Abstract"],
)
def test_the_titles_of_standard_parts(text: str) -> None:
    assert is_standard(text)


@pytest.mark.parametrize("text", ["Methods of ice", "Sites", "", "12", "The methods"])
def test_other_titles(text: str) -> None:
    assert not is_standard(text)


def test_titles_of_abstracts_and_lists() -> None:
    assert is_abstract("ABSTRACT")
    assert is_abstract("A b s t r a c t")
    assert not is_abstract("Introduction")
    assert is_abstract_label("Objective:")
    assert is_abstract_label("Main outcome measures")
    assert not is_abstract_label("Ice")
    assert all(map(is_references, ("References", "REFERENCES", "7. References", "Literature Cited", "Bibliography")))
    assert not is_references("References to ice")
    assert not is_references("Notes on ice")
