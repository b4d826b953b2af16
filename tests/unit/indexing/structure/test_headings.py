from __future__ import annotations

import pytest

from kag.indexing.structure.headings import Printed, is_heading, outline, printed_headings
from tests.unit.indexing.structure.blocks import block


def ranked(*titles: str, adjacent: tuple[str, ...] = (), texts: dict[str, str] | None = None) -> list[tuple[int, str]]:
    """(depth, title) of headings; `adjacent` are printed right under the heading before them, `texts` under them."""
    printed = [
        Printed(block(f"1.{n}", "## " + title, "sub_title"), title in adjacent, (texts or {}).get(title, "Some words."))
        for n, title in enumerate(titles, 1)
    ]
    return [(heading.depth, heading.block.plain) for heading in outline(printed)]


def depths(*titles: str, adjacent: tuple[str, ...] = (), texts: dict[str, str] | None = None) -> list[int]:
    return [depth for depth, _ in ranked(*titles, adjacent=adjacent, texts=texts)]


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


def test_behind_the_last_number_a_heading_right_under_another_lies_below_it() -> None:
    titles = ("1 Introduction", "2 Methods", "Additional files", "Lake data", "Afterword", "References")
    assert depths(*titles, adjacent=("Lake data",)) == [1, 1, 1, 2, 1, 1]
    assert depths(*titles) == [1, 1, 1, 1, 1, 1]


def test_a_registration_is_part_of_a_structured_abstract() -> None:
    titles = ("Abstract", "Background", "Methods", "Systematic Review Registration", "Introduction", "Results")
    assert depths(*titles, adjacent=("Background",)) == [1, 2, 2, 2, 1, 1]


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


def test_letters_behind_the_last_number_are_appendices() -> None:
    titles = ("1 Introduction", "2 Model", "2.1 Terms", "3 Results", "A Proofs", "A.1 Sums", "A.2 Limits", "B. Data")
    assert depths(*titles) == [1, 1, 2, 1, 1, 2, 2, 1]


def test_letters_between_numbers_lie_below_them() -> None:
    assert depths("1. Introduction", "2. Methods", "A. Sites", "B. Sensors", "3. Results") == [1, 1, 2, 2, 1]


def test_letters_lie_below_roman_numbers() -> None:
    titles = (
        "I. Introduction",
        "II. Methods",
        "A. Sites",
        "B. Sensors",
        "1) Depth",
        "C. Ice",
        "III. Results",
        "D. Snow",
    )
    assert depths(*titles) == [1, 1, 2, 2, 3, 2, 1, 2]


def test_a_series_that_follows_at_once_lies_below() -> None:
    titles = ("Introduction", "Results", "Solutions", "Case 1: Lakes", "Case 2: Rivers", "Comparison", "Discussion")
    assert depths(*titles, adjacent=("Solutions",)) == [1, 1, 2, 3, 3, 2, 1]


def test_what_a_short_text_announces_lies_below() -> None:
    titles = ("Introduction", "Methods", "Sites", "Covariates", "Rainfall", "Altitude", "Results")
    says = {"Covariates": "For each river we describe rainfall and altitude as follows."}
    assert depths(*titles, texts=says) == [1, 1, 2, 2, 3, 3, 1]
    assert depths(*titles) == [1, 1, 2, 2, 2, 2, 1]


def test_titles_printed_twice_are_one_group() -> None:
    titles = (
        "Introduction",
        "Methods",
        "Genes",
        "Alpha1",
        "Beta2",
        "Typing",
        "Results",
        "Genes found",
        "Alpha1",
        "Beta2",
    )
    adjacent = ("Genes", "Alpha1", "Genes found")
    assert depths(*titles, "Links", "Discussion", adjacent=adjacent) == [1, 1, 2, 3, 3, 2, 1, 2, 3, 3, 2, 1]


def test_capitals_mark_the_top_level() -> None:
    titles = (
        "INTRODUCTION",
        "METHODS",
        "Sites",
        "STUDY OF RIVERS",
        "RESULTS",
        "DISCUSSION",
        "Conclusion",
        "REFERENCES",
    )
    assert depths(*titles) == [1, 1, 2, 1, 1, 1, 2, 1]
    assert depths("Abstract", "INTRODUCTION", "METHODS", "DNA", "RESULTS", "Acknowledgments") == [1, 1, 1, 2, 1, 1]


def test_what_can_be_a_heading() -> None:
    assert is_heading(block("1.1", "## Methods", "sub_title"))
    assert is_heading(block("1.1", "## Methods", "text"))
    assert is_heading(block("1.1", "## A B S T R A C T", "sub_title"))
    assert not is_heading(block("1.1", "Methods were used.", "text"))
    assert not is_heading(block("1.1", "## 12", "sub_title"))
    assert not is_heading(block("1.1", "word " * 100, "sub_title"))


def test_two_numbers_and_a_third_of_the_headings_number_a_paper() -> None:
    assert depths("1 Ice", "1.1 Snow", "Fog") == [1, 2, 1]
    assert depths("1 Ice", "1.1 Snow", "Fog", "Hail", "Rain", "Wind") == [1, 2, 1, 1, 1, 1]
    few = ("1 Ice", "1.1 Snow", "Fog", "Hail", "Rain", "Wind", "Sun")
    assert depths(*few) == [1] * 7, "two of seven number nothing"
    assert [heading.number for heading in outline([Printed(block("1.1", "## 1 Ice", "sub_title"))])] == [""]


@pytest.mark.parametrize(
    ("heights", "below"),
    [((14, 20), True), ((20, 20), False), ((17, 20), False), ((20, 14), False)],
)
def test_smaller_headings_lie_below(heights: tuple[int, int], below: bool) -> None:
    """Parts and others differ in the height of their lines, by more than boxes vary; three of each are printed."""
    small, large = heights
    titles = [
        ("Summary", large),
        ("Ice", small),
        ("Limitations", large),
        ("Snow", small),
        ("Conclusion", large),
        ("Fog", small),
    ]
    printed = [
        Printed(block(f"1.{n}", f"## {title}", "sub_title", ((100, 40 * n, 900, 40 * n + height),)), False, "Words.")
        for n, (title, height) in enumerate(titles, 1)
    ]
    assert [heading.depth for heading in outline(printed)] == ([1, 2] * 3 if below else [1] * 6)


def test_what_stands_under_a_heading() -> None:
    heads = [block("1.1", "## A", "sub_title"), block("1.2", "## B", "sub_title"), block("1.5", "## C", "sub_title")]
    blocks = [heads[0], heads[1], block("1.3", "One."), block("1.4", "x | y", "table"), heads[2], block("1.6", "Two.")]
    assert [(one.adjacent, one.text) for one in printed_headings(heads, blocks)] == [
        (False, ""), (True, "One."), (False, "Two."),
    ]  # fmt: skip


@pytest.mark.parametrize(("letters", "heading"), [(300, True), (301, False)])
def test_how_long_a_heading_is(letters: int, heading: bool) -> None:
    assert is_heading(block("1.1", "a" * letters, "sub_title")) == heading


def test_the_text_under_a_heading_is_what_stands_before_the_next() -> None:
    blocks = [
        block("1.1", "Before.", "text"),
        block("1.2", "## Lakes", "text"),
        block("1.3", "Deep.", "text"),
        block("1.4", "Figure 1", "figure_title"),
        block("1.5", "Cold.", "text"),
        block("1.6", "## Rivers", "text"),
        block("1.7", "## Brooks", "sub_title"),
        block("1.8", "Fast.", "text"),
    ]
    found = printed_headings([blocks[1], blocks[5], blocks[6]], blocks)
    assert [(one.adjacent, one.text) for one in found] == [(False, "Deep. Cold."), (False, ""), (True, "Fast.")]


def test_an_abstract_may_have_parts_where_sections_are_numbered() -> None:
    titles = ("Abstract", "Background", "Methods", "1 Introduction", "2 Methods", "Sites", "Lakes", "3 Results")
    assert depths(*titles, adjacent=("Background", "Lakes")) == [1, 2, 2, 1, 1, 2, 3, 1]


def test_a_label_of_an_abstract_comes_once() -> None:
    titles = ("Abstract", "Background", "Results", "Results", "Discussion")
    assert depths(*titles, adjacent=("Background",)) == [1, 2, 2, 1, 1]


def test_a_heading_of_several_lines_is_as_high_as_one() -> None:
    long = "Lakes and rivers and brooks and ponds of the north in spring and in the late autumn of the year"
    others = [sized(f"{long} {n}", 60) for n in "ABC"]
    headings = [sized("Introduction", 40), *others, sized("Conclusions", 40)]
    assert [heading.depth for heading in outline(headings)] == [1, 2, 2, 2, 1]


def test_parts_printed_twice_under_one_experiment_make_no_experiments() -> None:
    assert depths("Experiment 1", "Method", "Results", "Method", "Experiment 2") == [1, 1, 1, 1, 1]


def test_capitals_tell_the_parts_only_where_no_other_heading_has_them() -> None:
    assert depths("INTRODUCTION", "Lakes", "Rivers", "CONCLUSIONS") == [1, 2, 2, 1]
    assert depths("INTRODUCTION", "LAKES", "Rivers", "CONCLUSIONS") == [1, 1, 1, 1]


def sized(title: str, *heights: int) -> Printed:
    boxes = tuple((100, 100 + 100 * n, 500, 100 + 100 * n + height) for n, height in enumerate(heights))
    return Printed(block("1.1", "## " + title, "sub_title", boxes), False, "Some words.")


def test_the_first_box_of_a_heading_tells_its_size() -> None:
    def found(first: int, last: int) -> list[int]:
        others = [sized(title, first, last) for title in ("Lakes", "Rivers", "Brooks")]
        headings = [sized("Introduction", 40, 40), *others, sized("Conclusions", 40, 40)]
        return [heading.depth for heading in outline(headings)]

    assert found(10, 40) == [1, 2, 2, 2, 1]
    assert found(40, 10) == [1, 1, 1, 1, 1]


def test_headings_without_boxes_have_no_size() -> None:
    def found(*parts: Printed, others: int) -> list[int]:
        small = [sized(title, others) if others else sized(title) for title in ("Lakes", "Rivers", "Brooks")]
        return [heading.depth for heading in outline([parts[0], *small, *parts[1:]])]

    whole = (sized("Introduction", 40), sized("Conclusions", 40))
    assert found(*whole, others=30) == [1, 2, 2, 2, 1]
    assert found(whole[0], sized("Acknowledgements"), whole[1], others=30) == [1, 2, 2, 2, 1, 1]
    assert found(*whole, others=0) == [1, 1, 1, 1, 1]


def test_three_parts_in_capitals_tell_what_is_on_top() -> None:
    assert depths("INTRODUCTION", "Lakes", "METHODS", "Conclusion", "DISCUSSION")[3] == 2
    assert depths("INTRODUCTION", "Lakes", "Conclusion", "DISCUSSION")[2] == 1


def test_parts_joined_in_a_title_are_on_top() -> None:
    titles = ("Introduction", "Methods and analysis", "Sites", "Results/Discussion", "Lakes", "References")
    assert depths(*titles) == [1, 1, 2, 1, 2, 1]


def test_behind_the_text_all_is_on_top_but_below_additional_files() -> None:
    titles = ("Methods", "Sites", "Results", "Lakes", "Funding", "Ethics approval", "References")
    assert depths(*titles) == [1, 2, 1, 2, 1, 1, 1]
    titles = ("Methods", "Sites", "Results", "Funding", "Additional files", "Major datasets", "References")
    assert depths(*titles) == [1, 2, 1, 1, 1, 2, 1]


def test_a_paper_with_methods_or_results_alone_may_have_others_on_top() -> None:
    titles = ("Rivers", "Lakes", "Discussion")
    assert depths("Introduction", *titles) == [1, 1, 1, 1]
    assert depths("Methods", *titles) == [1, 2, 2, 1]
    assert depths("Introduction", *titles[:2], "Methods", "Sites", "Results") == [1, 2, 2, 1, 2, 1]
