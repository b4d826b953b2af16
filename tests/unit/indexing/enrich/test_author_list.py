"""Who wrote a paper, and where they work, by the labels of the blocks of its front matter."""

from __future__ import annotations

import pytest

from kag.core.types import Block
from kag.indexing.enrich.author_list import affiliations, labelled_authors, split_authors


def made(*rows: tuple[str, str]) -> list[Block]:
    return [
        Block(f"b_p001_{n:04d}", 1, n, label, (), text, text.replace("\n", " "), text.replace("\n", " "))
        for n, (label, text) in enumerate(rows, start=1)
    ]


def found(*rows: tuple[str, str]) -> list[tuple[str, tuple[str, ...]]]:
    return [(author.name, author.affiliations) for author in labelled_authors(made(*rows))]


def test_marks_lead_to_affiliations() -> None:
    assert found(
        ("author", "Ann Lee¹,* and Bo de Wit¹,²"),
        ("affiliation", "¹ Institute of Ice, Norland"),
        ("affiliation", "² Sudland College"),
    ) == [("Ann Lee", ("Institute of Ice, Norland",)), ("Bo de Wit", ("Institute of Ice, Norland", "Sudland College"))]
    assert found(
        ("author", "Ann Lee \\( ^{a,b} \\) , Bo Chen \\( ^{b} \\)"),
        ("affiliation", "\\( ^{a} \\) Institute of Ice"),
        ("affiliation", "\\( ^{b} \\) Sudland College"),
    ) == [("Ann Lee", ("Institute of Ice", "Sudland College")), ("Bo Chen", ("Sudland College",))]


def test_without_marks_an_affiliation_belongs_to_the_authors_before_it() -> None:
    assert found(
        ("author", "Ann Lee"),
        ("affiliation", "Institute of Ice\nNorland"),
        ("author", "Bo Chen"),
        ("author", "Cy Diaz"),
        ("affiliation", "Sudland College"),
    ) == [
        ("Ann Lee", ("Institute of Ice, Norland",)),
        ("Bo Chen", ("Sudland College",)),
        ("Cy Diaz", ("Sudland College",)),
    ]


def test_notes_state_affiliations() -> None:
    note = (
        "Ann Lee and B. Chen are with the Institute of Ice, Norland (e-mail: a@b.org). C. Diaz is with Sudland College."
    )
    assert found(("author", "Ann Lee, Bo Chen, and Cy Diaz"), ("text", note)) == [
        ("Ann Lee", ("Institute of Ice, Norland",)),
        ("Bo Chen", ("Institute of Ice, Norland",)),
        ("Cy Diaz", ("Sudland College",)),
    ]


def test_what_is_no_name_is_left_out() -> None:
    assert found(("author", "Ann Lee, Member, IEEE, and Bo Chen, PhD; see https://example.org/x")) == [
        ("Ann Lee", ()),
        ("Bo Chen", ()),
    ]
    assert found(("affiliation", "Institute of Ice")) == []
    assert found(("author", "Ann Lee¹[0000−0002−1825−0097] · Bo Chen²")) == [("Ann Lee", ()), ("Bo Chen", ())]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ANN LEE AND BO CHEN", ("ANN LEE", "BO CHEN")),
        ("Ann Lee 1,2, Bo Chen 3*", ("Ann Lee", "Bo Chen")),
        ("Ann Lee | Bo Chen – Cy Diaz", ("Ann Lee", "Bo Chen", "Cy Diaz")),
        ("Ann Lee, 12 Main Road, room 5:3", ()),
    ],
)
def test_names_of_a_list(text: str, names: tuple[str, ...]) -> None:
    assert split_authors(text) == names


def test_marks_within_a_line_begin_affiliations() -> None:
    text = "1 Institute of Ice, Norland, 2 Sudland College, Sudland"
    assert affiliations(text) == {"1": "Institute of Ice, Norland", "2": "Sudland College, Sudland"}
