from __future__ import annotations

import pytest

from kag.structure.headings import is_abstract, is_heading, is_part, outline, printed_number
from tests.unit.structure.blocks import block


def ranked(*titles: str, adjacent: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    """(depth, title) of headings; `adjacent` are printed right under the heading before them."""
    blocks = [(block(f"1.{n}", "## " + title, "sub_title"), title in adjacent) for n, title in enumerate(titles, 1)]
    return [(heading.depth, heading.block.plain) for heading in outline(blocks)]


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


def test_numbers_decide_the_depth() -> None:
    assert ranked("Abstract", "1 Introduction", "2 Methods", "2.1 Sites", "2.1.1 Lakes", "3 Results", "References") == [
        (1, "Abstract"),
        (1, "1 Introduction"),
        (1, "2 Methods"),
        (2, "2.1 Sites"),
        (3, "2.1.1 Lakes"),
        (1, "3 Results"),
        (1, "References"),
    ]


def test_unnumbered_headings_lie_below_the_numbered_one_before() -> None:
    assert ranked("1 Introduction", "2 Methods", "Sites", "Sensors", "3 Results")[2:4] == [(2, "Sites"), (2, "Sensors")]


def test_without_numbers_the_standard_parts_are_on_top() -> None:
    titles = (
        "Abstract",
        "Introduction",
        "Materials and Methods",
        "Cells",
        "Results",
        "Growth",
        "Discussion",
        "References",
    )
    assert [depth for depth, _ in ranked(*titles)] == [1, 1, 1, 2, 1, 2, 1, 1]


def test_without_the_usual_parts_all_headings_are_equal() -> None:
    assert [depth for depth, _ in ranked("Abstract", "Why rivers matter", "What to do", "References")] == [1, 1, 1, 1]


def test_the_labels_of_a_structured_abstract_lie_below_it() -> None:
    titles = ("Abstract", "Background", "Methods", "Results", "Conclusions", "Introduction", "Methods", "Results")
    assert [depth for depth, _ in ranked(*titles, adjacent=("Background",))] == [1, 2, 2, 2, 2, 1, 1, 1]


def test_parts_after_a_plain_abstract_are_no_labels_of_it() -> None:
    assert [depth for depth, _ in ranked("Abstract", "Results", "Discussion", "Methods")] == [1, 1, 1, 1]


def test_a_heading_right_under_another_lies_below_it() -> None:
    titles = ("Introduction", "Methods", "Bone scans", "DXA", "pQCT", "Results")
    assert [depth for depth, _ in ranked(*titles, adjacent=("Bone scans", "DXA"))] == [1, 1, 2, 3, 3, 1]


def test_the_same_without_the_usual_parts() -> None:
    titles = ("Summary", "Features", "Reuse", "Hosting", "Feedback", "References")
    assert [depth for depth, _ in ranked(*titles, adjacent=("Reuse",))] == [1, 1, 2, 2, 2, 1]


def test_parts_are_known_however_they_are_set() -> None:
    for title in (
        "REFERENCES",
        "4. Materials & Methods",
        "A B S T R A C T",
        "Authors’ Contributions",
        "Appendix B",
        "Methods (online)",
    ):
        assert is_part(title), title
    for title in ("Discussion of earlier methods", "Study sites", "Results of the second trial"):
        assert not is_part(title), title
    assert is_abstract("Author Summary")
    assert not is_abstract("Abstract algebra")


def test_what_can_be_a_heading() -> None:
    assert is_heading(block("1.1", "## Methods", "sub_title"))
    assert is_heading(block("1.1", "## Methods", "text"))
    assert is_heading(block("1.1", "## A B S T R A C T", "sub_title"))
    assert not is_heading(block("1.1", "Methods were used.", "text"))
    assert not is_heading(block("1.1", "## 12", "sub_title"))
    assert not is_heading(block("1.1", "word " * 100, "sub_title"))
