from __future__ import annotations

import pytest

from kag.indexing.structure.headings import Printed, is_heading, outline, printed_headings
from tests.unit.indexing.structure.blocks import block


def depths_of(*titles: str, texts: dict[str, str] | None = None) -> list[int]:
    """Depths of headings: those with `^` are printed right under the heading before them, `texts` under them."""
    printed = [
        Printed(
            block(f"1.{n}", "## " + title.lstrip("^"), "sub_title"),
            title.startswith("^"),
            (texts or {}).get(title, "Some words."),
        )
        for n, title in enumerate(titles, 1)
    ]
    return [heading.depth for heading in outline(printed)]


@pytest.mark.parametrize(
    ("titles", "depths"),
    [
        # numbers decide the depth
        ("Abstract / 1 Introduction / 2 Methods / 2.1 Sites / 2.1.1 Lakes / 3 Results / References", "1112311"),
        # unnumbered headings lie below the numbered one before
        ("1 Introduction / 2 Methods / Sites / Sensors / 3 Results", "11221"),
        # behind the last number a heading right under another lies below it
        ("1 Introduction / 2 Methods / Additional files / ^Lake data / Afterword / References", "111211"),
        ("1 Introduction / 2 Methods / Additional files / Lake data / Afterword / References", "111111"),
        # a registration is part of a structured abstract
        ("Abstract / ^Background / Methods / Systematic Review Registration / Introduction / Results", "122211"),
        # without numbers the standard parts are on top
        (
            "Abstract / Introduction / Materials and Methods / Cells / Results / Growth / Discussion / References",
            "11121211",
        ),
        # without the usual parts all headings are equal
        ("Abstract / Why rivers matter / What to do / References", "1111"),
        # the labels of a structured abstract lie below it
        ("Abstract / ^Background / Methods / Results / Conclusions / Introduction / Methods / Results", "12222111"),
        # parts after a plain abstract are no labels of it
        ("Abstract / Results / Discussion / Methods", "1111"),
        # a heading right under another lies below it
        ("Introduction / Methods / ^Bone scans / ^DXA / pQCT / Results", "112331"),
        # the same without the usual parts
        ("Summary / Features / ^Reuse / Hosting / Feedback / References", "112221"),
        # letters behind the last number are appendices
        ("1 Introduction / 2 Model / 2.1 Terms / 3 Results / A Proofs / A.1 Sums / A.2 Limits / B. Data", "11211221"),
        # letters between numbers lie below them
        ("1. Introduction / 2. Methods / A. Sites / B. Sensors / 3. Results", "11221"),
        # letters lie below roman numbers
        (
            "I. Introduction / II. Methods / A. Sites / B. Sensors / 1) Depth / C. Ice / III. Results / D. Snow",
            "11223212",
        ),
        # a series that follows at once lies below
        ("Introduction / Results / ^Solutions / Case 1: Lakes / Case 2: Rivers / Comparison / Discussion", "1123321"),
        # titles printed twice are one group
        (
            "Introduction / Methods / ^Genes / ^Alpha1 / Beta2 / Typing / "
            "Results / ^Genes found / ^Alpha1 / Beta2 / Links / Discussion",
            "112332123321",
        ),
        # capitals mark the top level
        (
            "INTRODUCTION / METHODS / Sites / STUDY OF RIVERS / RESULTS / DISCUSSION / Conclusion / REFERENCES",
            "11211121",
        ),
        ("Abstract / INTRODUCTION / METHODS / DNA / RESULTS / Acknowledgments", "111211"),
        # an abstract may have parts where sections are numbered
        ("Abstract / ^Background / Methods / 1 Introduction / 2 Methods / Sites / ^Lakes / 3 Results", "12211231"),
        # a label of an abstract comes once
        ("Abstract / ^Background / Results / Results / Discussion", "12211"),
        # parts printed twice under one experiment make no experiments
        ("Experiment 1 / Method / Results / Method / Experiment 2", "11111"),
        # capitals tell the parts only where no other heading has them
        ("INTRODUCTION / Lakes / Rivers / CONCLUSIONS", "1221"),
        ("INTRODUCTION / LAKES / Rivers / CONCLUSIONS", "1111"),
        # three parts in capitals tell what is on top
        ("INTRODUCTION / Lakes / METHODS / Conclusion / DISCUSSION", "12121"),
        ("INTRODUCTION / Lakes / Conclusion / DISCUSSION", "1111"),
        # parts joined in a title are on top
        ("Introduction / Methods and analysis / Sites / Results/Discussion / Lakes / References", "112121"),
        # behind the text all is on top but below additional files
        ("Methods / Sites / Results / Lakes / Funding / Ethics approval / References", "1212111"),
        ("Methods / Sites / Results / Funding / Additional files / Major datasets / References", "1211121"),
        # a paper with methods or results alone may have others on top
        ("Introduction / Rivers / Lakes / Discussion", "1111"),
        ("Methods / Rivers / Lakes / Discussion", "1221"),
        ("Introduction / Rivers / Lakes / Methods / Sites / Results", "122121"),
        # two numbers and a third of the headings number a paper
        ("1 Ice / 1.1 Snow / Fog", "121"),
        ("1 Ice / 1.1 Snow / Fog / Hail / Rain / Wind", "121111"),
        ("1 Ice / 1.1 Snow / Fog / Hail / Rain / Wind / Sun", "1111111"),
    ],
)
def test_depths(titles: str, depths: str) -> None:
    """`^` is before a title that is printed right under the heading before it."""
    assert "".join(str(depth) for depth in depths_of(*titles.split(" / "))) == depths


@pytest.mark.parametrize(("others", "number"), [(4, "1"), (5, "")])
def test_two_numbers_and_a_third_of_the_headings_number_a_paper(others: int, number: str) -> None:
    titles = ["1 Ice", "1.1 Snow", "Fog", "Hail", "Rain", "Wind", "Sun"][: 2 + others]
    printed = [Printed(block(f"1.{n}", f"## {title}", "sub_title")) for n, title in enumerate(titles, 1)]
    assert outline(printed)[0].number == number


def test_what_a_short_text_announces_lies_below() -> None:
    titles = ("Introduction", "Methods", "Sites", "Covariates", "Rainfall", "Altitude", "Results")
    says = {"Covariates": "For each river we describe rainfall and altitude as follows."}
    assert depths_of(*titles, texts=says) == [1, 1, 2, 2, 3, 3, 1]
    assert depths_of(*titles) == [1, 1, 2, 2, 2, 2, 1]


def test_what_can_be_a_heading() -> None:
    assert is_heading(block("1.1", "## Methods", "sub_title"))
    assert is_heading(block("1.1", "## Methods", "text"))
    assert is_heading(block("1.1", "## A B S T R A C T", "sub_title"))
    assert not is_heading(block("1.1", "Methods were used.", "text"))
    assert not is_heading(block("1.1", "## 12", "sub_title"))
    assert not is_heading(block("1.1", "word " * 100, "sub_title"))


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


def test_a_heading_of_several_lines_is_as_high_as_one() -> None:
    long = "Lakes and rivers and brooks and ponds of the north in spring and in the late autumn of the year"
    others = [sized(f"{long} {n}", 60) for n in "ABC"]
    headings = [sized("Introduction", 40), *others, sized("Conclusions", 40)]
    assert [heading.depth for heading in outline(headings)] == [1, 2, 2, 2, 1]


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
