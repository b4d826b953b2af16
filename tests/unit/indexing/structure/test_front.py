"""What stands before the first heading: title, authors, affiliations, and anything else."""

from __future__ import annotations

import pytest

from kag.indexing.structure.unheaded import front_classes
from kag.rdf.namespaces import DOCO
from tests.unit.indexing.structure.blocks import block


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
