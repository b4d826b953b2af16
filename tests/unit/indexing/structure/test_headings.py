"""None"""

from __future__ import annotations

import pytest

from kag.core.types import Block
from kag.indexing.structure.headings import Printed, is_heading, outline, printed_headings
from kag.indexing.structure.unheaded import Part, front_part, is_introduction, reference_part, text_under_abstract
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


WORDS = "We went to the river in each month of the winter and looked at the sensors under the ice. " * 4
PEOPLE = "Ana Lima, Jon Berg, Department of Ice, University of the North, Tromso, Norway. " * 6


def texts(*words: str) -> list[Block]:
    return [block(f"1.{n}", text) for n, text in enumerate(words, 1)]


def test_prose_right_before_the_introduction_is_the_abstract() -> None:
    front = texts("Ana Lima", PEOPLE, WORDS, "Keywords: ice")
    assert front_part(front, ["1 Introduction", "2 Methods"]) == Part("Abstract", (front[2],))
    assert front_part(front, ["Introduction", "Methods"]) == Part("Abstract", (front[2],))
    assert front_part(front, ["Introduction", "Abstract"]) is None
    assert front_part(front, ["Rivers in winter"]) is None
    assert front_part(front[:2], ["Introduction"]) is None


def test_an_abstract_that_names_itself() -> None:
    front = texts("Ana Lima", "Abstract. Ice is cold.")
    assert front_part(front, ["Rivers in winter"]) == Part("Abstract", (front[1],))
    assert front_part(texts("Abstract art is old. " + WORDS), ["Rivers in winter"]) is None


def test_much_prose_before_the_first_heading_is_the_text() -> None:
    front = texts("Ana Lima", WORDS, WORDS + "More.", WORDS + "Most.")
    assert front_part(front, ["Box 1", "References"]) == Part("Text", tuple(front[1:]))
    assert front_part(front[:3], ["Box 1", "References"]) is None


def test_text_goes_on_under_the_abstract() -> None:
    under = texts(WORDS, *(WORDS + str(n) for n in range(3)))
    assert text_under_abstract("Abstract", under) == Part("Text", tuple(under[1:]))
    assert is_introduction("1. Introduction")
    assert not is_introduction("Methods")
    assert text_under_abstract("Summary", under) is None
    assert text_under_abstract("Abstract", under[:3]) is None


def test_a_reference_list_without_heading() -> None:
    numbered = texts("We thank all.", *(f"[{n}] Poe E. Ice on rivers. Rivers. 199{n};3:1-9." for n in range(1, 6)))
    assert reference_part(numbered) == Part("References", tuple(numbered[1:]))
    assert reference_part(numbered[:4]) is None
    raised = texts(*(f"{mark} E. Poe, Rivers 3, 1 (199{n})." for n, mark in enumerate("¹²³⁴⁵")))
    assert reference_part(raised) == Part("References", tuple(raised))
    one = texts("\n".join(f"[{n}] Poe E. Ice on rivers. Rivers. 199{n};3:1-9." for n in range(1, 6)))
    assert reference_part(one) == Part("References", tuple(one))


def test_a_list_of_years_is_no_reference_list() -> None:
    items = texts(*(f"{n}. In 199{n} the river froze." for n in range(2, 8)))
    assert reference_part(items) is None
    named = texts(
        *(f"{name}, E. (199{n}). Ice on rivers. Rivers, 3, 1-9." for n, name in enumerate(("Poe", "Roe", "Doe", "Zoe")))
    )
    assert reference_part(named) == Part("References", tuple(named))


def test_how_much_prose_is_an_abstract() -> None:
    for number, title in ((1, "Abstract"), (3, "Abstract"), (4, "")):
        front = texts(*(WORDS + str(n) for n in range(number)))
        for heading in ("Introduction", "1 Overview", "I. Overview"):
            part = front_part(front, [heading, "Sites"])
            assert (part.title if part else "") == title, (number, heading)
    named = texts("Abstract: ice.", *(WORDS + str(n) for n in range(4)))
    assert front_part(named, ["Sites"]) == Part("Abstract", tuple(named[:3]))
    assert front_part(named, []) is None


def test_only_running_text_is_prose() -> None:
    exactly = "a" * 249 + " b"
    assert len(exactly) == 251
    for text, prose in ((exactly, True), (exactly[1:], False), ("Aa " * 100 + "aa " * 100, False), (WORDS, True)):
        assert bool(front_part(texts(text), ["Introduction"])) == prose, text
    assert front_part([block("1.1", WORDS, "title")], ["Introduction"]) is None


def test_entries_stand_at_the_end_and_in_a_row() -> None:
    entries = [f"[{n}] Poe E. Ice on rivers. Rivers. 199{n};3:1-9." for n in range(1, 6)]
    part = reference_part(texts("We thank all.", *entries[:4]))
    assert part is not None
    assert len(part.blocks) == 4, "as few as can be"
    assert reference_part(texts(*entries, "We thank all.")) is None
    assert reference_part(texts("In 1999 it froze.", *entries)) == Part("References", tuple(texts("", *entries)[1:]))
    no_year = [entry.replace("199", "19") for entry in entries]
    assert reference_part(texts(*no_year)) is None
    titles = [block(f"1.{n}", text, "sub_title") for n, text in enumerate(entries, 1)]
    assert reference_part(titles) is None


def test_a_long_text_is_no_entry() -> None:
    entries = [f"[{n}] Poe E. Ice on rivers. Rivers. 199{n};3:1-9." for n in range(1, 6)]
    for letters, found in ((500, True), (501, False)):
        long = entries[4] + "a" * (letters - len(entries[4]))
        assert bool(reference_part(texts(*entries[:4], long))) == found
