"""None"""

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
from kag.indexing.structure.unheaded import front_classes
from kag.rdf.namespaces import DOCO
from tests.unit.indexing.structure.blocks import block


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


@pytest.mark.parametrize(
    "places",
    [
        "Institute of Meadows, Northtown",
        " \\( ^{1} \\) Institute of Meadows, Northtown",  # the mark stands right before the word
        " \\( ^{1} \\) University of Southtown\n \\( ^{2} \\) School of Fields, Northtown",
    ],
)
def test_affiliations_are_told_by_the_kind_of_organisation(places: str) -> None:
    front = [block("1.1", "# Bees", "title"), block("1.2", "Mira Holm, Tomas Vale"), block("1.3", places)]
    assert list(front_classes(front).values()) == [DOCO.Title, DOCO.ListOfAuthors, DOCO.ListOfOrganizations]


def test_a_word_that_only_contains_one_is_no_organisation() -> None:
    front = [block("1.1", "# Bees", "title"), block("1.2", "Mira Holm, Tomas Vale"), block("1.3", "on concentration")]
    assert front_classes(front)["b_p001_0003"] == DOCO.Paragraph


@pytest.mark.parametrize(
    "text",
    [
        "Bees were counted on the plots of the University of Northtown in each of two summers, always by the same two "
        "people and before noon.",
        "In these gardens most of the species nest above the ground near old walls, as reported for a company of "
        "growers.",
    ],
)
def test_running_text_that_names_an_organisation_is_a_paragraph(text: str) -> None:
    front = [block("1.1", "# Bees", "title"), block("1.2", "Mira Holm, Tomas Vale"), block("1.3", text)]
    assert front_classes(front)["b_p001_0003"] == DOCO.Paragraph


def test_a_note_that_says_where_its_author_is_stays_an_affiliation() -> None:
    note = "Mira Holm and Tomas Vale are with the Department of Meadows, Institute of Fields and Gardens, Northtown"
    front = [block("1.1", "# Bees", "title"), block("1.2", "Mira Holm, Tomas Vale"), block("1.3", f"{note}, Norland.")]
    assert front_classes(front)["b_p001_0003"] == DOCO.ListOfOrganizations


def classes(*texts: str, label: str = "text") -> list[str]:
    """The classes of blocks behind a title."""
    front = [block("1.1", "# Bees", "title"), *(block(f"1.{n}", text, label) for n, text in enumerate(texts, 2))]
    return [str(cls).rpartition("/")[2] for cls in list(front_classes(front).values())[1:]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mira Holm", True),
        ("Holm", False),  # one word may be anything
        ("Mira Holm and Ana de la Vega", True),
        ("Mira Holm, editor of Bees", False),  # 3 of 5
        ("Mira Holm Tomas Vale Ana Lima of old bees", False),  # 6 of 9
        ("Mira Holm Tomas Vale Ana Lima Jon of old bees", True),  # 7 of 10
        ("Keywords: Bees, Flowers", False),
        ("Key Words: Bees, Flowers", False),
        ("12, 34", False),
    ],
)
def test_what_reads_as_authors(text: str, names: bool) -> None:
    assert classes(text) == ["ListOfAuthors" if names else "Paragraph"]


def test_authors_are_listed_once_and_behind_the_title() -> None:
    assert classes("Mira Holm, Tomas Vale", "Ana Lima, Jon Berg") == ["ListOfAuthors", "Paragraph"]
    front = [block("1.1", "Mira Holm, Tomas Vale"), block("1.2", "# Bees", "title"), block("1.3", "# Wasps", "title")]
    assert [str(cls).rpartition("/")[2] for cls in front_classes(front).values()] == ["Paragraph", "Title", "Paragraph"]


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        # twelve words of four letters, seven tenths of them in small letters
        ("University " + "bees " * 11, True),
        ("University " + "bees " * 10, False),
        ("University " + "North " * 3 + "bees " * 10, True),  # 10 of 14
        ("University " + "North " * 4 + "bees " * 10, False),  # 10 of 15
        ("University " + "North " * 11 + "was", True),  # a verb
        ("University " + "North " * 10 + "was", False),
        ("University " + "North " * 12 + "is with", False),  # "A. Holm is with the Institute"
        ("University came. Many bees live. " * 15, False),  # shorter
        ("University. North. " * 40, False),
        ("University came. Many bees live. " * 20, True),  # more than 600 characters, in sentences
    ],
)
def test_what_reads_as_running_text(text: str, prose: bool) -> None:
    assert classes("Mira Holm, Tomas Vale", text)[1] == ("Paragraph" if prose else "ListOfOrganizations")
