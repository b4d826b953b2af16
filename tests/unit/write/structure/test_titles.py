from __future__ import annotations

import pytest

from kag.write.structure.titles import is_abstract, is_part, number_depths, printed_number, section_numbers, series_of


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("2.1. Materials", "2.1"),
        ("3 Results", "3"),
        ("A.2 Proofs", "A.2"),
        ("B. Tables", "B"),
        ("IV. Discussion", "IV"),
        ("A new method", ""),
        ("I think", ""),
        ("2020 in review", ""),
        ("Methods", ""),
        ("Appendix C: Data", "C"),
    ],
)
def test_printed_numbers(title: str, number: str) -> None:
    assert printed_number(title) == number


def test_a_bare_letter_is_a_number_where_its_parts_follow() -> None:
    assert section_numbers(["A Proofs", "A.1 Sums", "B Data"]) == ["A", "A.1", ""]
    assert section_numbers(["A new method", "Results"]) == ["", ""]


def test_bare_letters_in_a_row_behind_the_last_section_are_numbers() -> None:
    assert section_numbers(["1 Main", "A Proof of a lemma", "B Sums", "References"]) == ["1", "A", "B", ""]
    assert section_numbers(["1 Main", "A new method", "Results"]) == ["1", "", ""]
    assert section_numbers(["A Proof", "B Sums"]) == ["", ""]


def test_depths_of_numbers() -> None:
    assert number_depths(["", "1", "2", "2.1", "A", "3"]) == [0, 1, 1, 2, 3, 1]
    assert number_depths(["I", "A", "B", "II", "III", "A"]) == [1, 2, 2, 1, 1, 2]


def test_series() -> None:
    assert series_of("Case 2: Lakes") == ("case", "2")
    assert series_of("Experiment IV") == ("experiment", "IV")
    assert series_of("Group A mice") is None


def test_parts_are_known_however_they_are_set() -> None:
    for title in (
        "REFERENCES",
        "4. Materials & Methods",
        "A B S T R A C T",
        "Authors’ Contributions",
        "Appendix B",
        "Methods (online)",
        "2. Matériel et méthodes",
        "Résultats",
        "4 Diskussion",
    ):
        assert is_part(title), title
    for title in ("Discussion of earlier methods", "Study sites", "Results of the second trial"):
        assert not is_part(title), title
    assert is_abstract("Author Summary")
    assert is_abstract("Résumé")
    assert not is_abstract("Abstract algebra")
