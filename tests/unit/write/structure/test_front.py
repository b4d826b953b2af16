"""What stands before the first heading: title, authors, affiliations, and anything else."""

from __future__ import annotations

import pytest

from kag.rdf.namespaces import DOCO
from kag.write.structure.front_matter import front_classes
from tests.unit.write.structure.blocks import block


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
