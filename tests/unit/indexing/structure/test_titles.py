from __future__ import annotations

import pytest

from kag.indexing.structure.titles import (
    is_abstract,
    is_abstract_label,
    is_back_matter,
    is_part,
    is_subsection,
    letters_of,
    number_depths,
    printed_number,
    section_numbers,
    series_of,
)


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
        ("2.1研究方法", "2.1"),
        ("3种方法", ""),
        ("Appendix C: Data", "C"),
    ],
)
def test_printed_numbers(title: str, number: str) -> None:
    assert printed_number(title) == number


def test_a_bare_letter_is_a_number_where_its_parts_follow() -> None:
    assert section_numbers(["A Proofs", "A.1 Sums", "B Data"]) == ["A", "A.1", ""]
    assert section_numbers(["A new method", "Results"]) == ["", ""]


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


@pytest.mark.parametrize(
    ("titles", "numbers"),
    [
        (["1 Main", "A Proof", "B Sums", "C More"], ["1", "A", "B", "C"]),
        (["1 Main", "A Proof", "C Sums"], ["1", "", ""]),
        (["1 Main", "A new method", "Results"], ["1", "", ""]),
        (["A Proof", "B Sums"], ["", ""]),
        (["1 Main", "B Sums", "A Proof"], ["1", "", ""]),
        (["A Proof", "1 Main", "A Sums"], ["", "1", ""]),
        (["1 Main", "A Proof", "Ice", "B Sums"], ["1", "A", "", "B"]),
        (["1 Main", "Apples", "Bees"], ["1", "", ""]),
    ],
)
def test_letters_in_a_row(titles: list[str], numbers: list[str]) -> None:
    assert section_numbers(titles) == numbers


@pytest.mark.parametrize(
    ("numbers", "depths"),
    [
        ([], []),
        (["", ""], [0, 0]),
        (["1", "1.1", "1.1.1", "2"], [1, 2, 3, 1]),
        (["A", "1", "B", "2"], [1, 1, 2, 1]),  # a letter between numbers lies below them
        (["1", "1.1", "A", "2"], [1, 2, 3, 1]),
        (["1", "2", "A", "A.1"], [1, 1, 1, 2]),
        (["A", "B"], [1, 1]),
        (["1", "1.1", "A", "1.2"], [1, 2, 3, 2]),
        (["I", "A", "1"], [1, 1, 1]),  # one roman number is a letter
        (["I", "II", "1", "III"], [1, 1, 2, 1]),  # no letters between
        (["I", "A", "1", "II", "B", "2"], [1, 2, 3, 1, 2, 3]),
        (["", "I", "", "II"], [0, 1, 0, 1]),
        (["I", "I.1", "II"], [1, 2, 1]),
        (["I", "II", "C", "III", "C"], [1, 1, 2, 1, 2]),  # "C" is no roman number that comes next
    ],
)
def test_depths_by_number(numbers: list[str], depths: list[int]) -> None:
    assert number_depths(numbers) == depths


@pytest.mark.parametrize(
    ("title", "letters"),
    [
        ("2.1. Materials & Methods (online)", "materials and methods"),
        ("A B S T R A C T", "abstract"),
        ("A B", "a b"),
        ("Authors’ Notes", "authors notes"),
        ("Résumé", "resume"),
        ("12", ""),
    ],
)
def test_titles_in_plain_letters(title: str, letters: str) -> None:
    assert letters_of(title) == letters


def test_labels_of_an_abstract() -> None:
    assert is_abstract_label("Main Results")
    assert is_abstract_label("What is known?")
    assert not is_abstract_label("Study sites")


@pytest.mark.parametrize(
    "title",
    [
        "Results/Discussion",
        "3. Results & Discussion",
        "Methods and analysis",
        "Discussion, limitations and outlook",
        "Discussion; Conclusions",
        "Data and Methods",
        "Resultados y Discusión",
        "Ergebnisse und Diskussion",
        "结果与讨论",
        "Материалы и методы",
    ],
)
def test_titles_that_join_parts(title: str) -> None:
    assert is_part(title)


@pytest.mark.parametrize(
    "title",
    [
        "Methods of analysis",
        "Lakes and results",
        "Summary and outlook of lakes",
        "Data, materials",
        "Analysis and outlook",  # no part of the text is among them
        "/",
        " and ",
        "Results for lakes/rivers",
    ],
)
def test_titles_that_join_no_parts(title: str) -> None:
    assert not is_part(title)


def test_what_is_printed_behind_the_text_and_below_its_parts() -> None:
    assert is_back_matter("Authors’ Contributions")
    assert is_back_matter("7. Funding")
    assert not is_back_matter("Methods")
    assert is_subsection("2.4 Statistical Analysis")
    assert not is_subsection("Analysis of lakes")
