"""Which lines are no part of the text: running heads, page numbers, and what looks like them."""

from __future__ import annotations

import pytest

from kag.sources.draft import Draft
from kag.sources.pdf.file.content import Font, Word
from kag.sources.pdf.read import _not_found
from kag.sources.pdf.text.furniture import Contents, find_contents, find_furniture, without_ornaments
from kag.sources.pdf.text.lines import Line, lines_of
from kag.sources.pdf.text.typography import OutlineEntry, Paragraph, is_footnote, is_formula, is_numbered
from tests.unit.sources.pdf.typeset import BODY, BOLD, PLAIN, lines, page, paragraph, text, words


def labels(*pages: list[Word]) -> list[dict[str, str]]:
    """What is told of each page's lines, by their words."""
    contents = [page(made, number=n) for n, made in enumerate(pages, start=1)]
    lines = [lines_of(made) for made in pages]
    found = find_furniture(contents, lines)
    return [{line.text: found[line] for line in own if line in found} for own in lines]


def body() -> list[Word]:
    return text(50, 150, 10)


def test_the_same_words_on_other_pages_are_a_running_head() -> None:
    pages = [[*words(50, 40, f"Ice {n} of 9"), *body(), *words(50, 770, "Hale et al.")] for n in range(3)]
    for n, own in enumerate(labels(*pages)):
        assert own == {f"Ice {n} of 9": "page_header", "Hale et al.": "page_footer"}


def test_it_stands_at_the_same_height_within_the_margin() -> None:
    stepped = [[*words(50, 40 + 5 * n, "Ice on rivers"), *body()] for n in range(3)]
    assert labels(*stepped) == [{}, {}, {}]
    inside = [[*words(50, 100, "Ice on rivers"), *body()] for _ in range(3)]
    assert labels(*inside) == [{}, {}, {}]


def test_two_pages_tell_it_from_three_on() -> None:
    one_other = [[*words(50, 40, "Ice on rivers"), *body()], [*words(50, 40, "Ice on rivers"), *body()], body()]
    assert labels(*one_other) == [{}, {}, {}]
    assert labels(*one_other[:2]) == [{"Ice on rivers": "page_header"}] * 2


@pytest.mark.parametrize(
    "caption", ["Figure 3. Yields", "Table S1. Yields", "Fig. 2 Ice", "Supplementary Figure 1. Ice", "TABLE IV"]
)
def test_a_caption_in_the_margin_is_none(caption: str) -> None:
    assert labels(*([*words(50, 40, caption), *body()] for _ in range(4))) == [{}] * 4


@pytest.mark.parametrize("number", ["7", "page 7", "7 of 12", "- 7 -", "xii", "7/12", "Seite 7", "[7]"])
def test_a_lone_number_at_the_edge_is_the_page_s(number: str) -> None:
    assert labels([*body(), *words(300, 780, number)]) == [{number: "page_number"}]
    assert labels([*words(300, 30, number), *body()]) == [{number: "page_number"}]


@pytest.mark.parametrize("other", ["Ice", "7 days", "1.5 m", "Page"])
def test_other_words_at_the_edge_are_not(other: str) -> None:
    assert labels([*body(), *words(300, 780, other)]) == [{}]


def test_a_number_in_the_margin_is_the_page_s_where_others_are_or_nothing_is_beyond() -> None:
    inner = [*body(), *words(300, 740, "7"), *words(50, 780, "a note below it")]
    assert labels(inner) == [{}]
    assert labels(inner, [*body(), *words(300, 740, "8"), *words(50, 780, "another note")]) == [
        {"7": "page_number"},
        {"8": "page_number"},
    ]


def test_a_number_in_the_last_row_of_a_table_is_none() -> None:
    row = [*words(50, 780, "Elm"), *words(200, 780, "24"), *words(350, 780, "7.1")]
    assert labels([*body(), *row]) == [{}]


def test_what_stands_beside_a_running_head_belongs_to_it() -> None:
    pages = [[*words(50, 40, "Ice on rivers"), *words(400, 40, name), *body()] for name in ("Methods", "Sites", "Ice")]
    found = labels(*pages)
    assert [own[name] for own, name in zip(found, ("Methods", "Sites", "Ice"), strict=True)] == ["page_header"] * 3
    lower = [[*words(50, 40, "Ice on rivers"), *words(400, 43, name), *body()] for name in ("Methods", "Sites", "Ice")]
    assert labels(*lower) == [{"Ice on rivers": "page_header"}] * 3


def test_small_print_beyond_the_text_is_a_footer_where_another_page_has_one() -> None:
    own = ("J Ice 2021;12:101", "example.org/12/101", "example.org/12/101")
    pages = [[*body(), *words(50, 770, foot, 7.0)] for foot in own]
    assert labels(*pages) == [{foot: "page_footer"} for foot in own], "also the first page's, of other words"
    assert labels(*pages[:2]) == [{}, {}], "no words are repeated"
    large = [[*body(), *words(50, 770, foot)] for foot in own]
    assert labels(*large) == [{}] * 3, "set as the text is"
    close = [[*pages[0], *text(50, 700, 6)], *pages[1:]]
    assert labels(*close)[0] == {}, "the last line of a list in small print"


def test_a_lone_letter_in_the_margin_is_no_running_head() -> None:
    assert labels(*([*words(50, 40, "Q"), *words(50, 60, "above" + "e" * n), *body()] for n in range(3))) == [{}] * 3


def test_what_is_drawn_in_the_margins_of_several_pages_is_left_out() -> None:
    rule, logo, plot = ("rule", 50, 60, 550, 61), ("image", 50, 760, 90, 790), ("image", 50, 300, 290, 500)

    def left(*pages: list[tuple[str, float, float, float, float]]) -> list[list[float]]:
        made = [page([], drawn, n) for n, drawn in enumerate(pages, start=1)]
        return [[one.y0 for one in own.drawn] for own in without_ornaments(made)]

    assert left(*([[rule, logo, plot]] * 3)) == [[300], [300], [300]]
    assert left(*([[rule, plot]] * 2)) == [[60, 300]] * 2, "two pages are too few"
    assert left([rule], [rule], [("rule", 50, 70, 550, 71)]) == [[60], [60], [70]], "not on one place"
    mirrored = ("image", 510, 760, 550, 790)
    assert left([logo], [mirrored], [logo]) == [[], [], []], "left and right pages"


def test_numbers_that_count_the_pages_are_theirs_however_wide_the_margin_is() -> None:
    def numbered(*numbers: str) -> list[list[Word]]:
        return [[*text(50, 150, 10), *words(300, 660, number)] for number in numbers]

    assert [own for own in labels(*numbered("7", "8", "9"))] == [{n: "page_number"} for n in ("7", "8", "9")]
    assert labels(*numbered("7", "8")) == [{"7": "page_number"}, {"8": "page_number"}], "on all pages, apart from text"
    assert labels(*numbered("7", "8"), text(50, 150, 10)) == [{}, {}, {}], "two of three may do so by chance"
    aside = [[*text(50, 150, 10), *words(300 + 20 * n, 660, str(7 + n))] for n in (0, 1)]
    assert labels(*aside) == [{}, {}], "not below each other"
    assert labels(*numbered("7", "9", "12")) == [{}] * 3, "they do not count"
    inner = [[*words(300, 300, number), *text(50, 350, 10)] for number in ("1", "2", "3")]
    assert labels(*([*text(50, 150, 3), *own] for own in inner)) == [{}] * 3, "text stands on both sides"


MATH = Font("CMMI10", bold=False, italic=True, mono=False)


@pytest.mark.parametrize("row", ["E = mc + p (3)", "x = y + z = w / 2", "F(x) = a (2.1)"])
def test_a_formula_has_signs_and_hardly_a_word(row: str) -> None:
    assert is_formula(paragraph(1, 100, row))


def test_a_face_of_mathematics_tells_one() -> None:
    assert is_formula(paragraph(1, 100, "dN + rN", font=MATH))
    assert not is_formula(paragraph(1, 100, "dN + rN", font=PLAIN))


@pytest.mark.parametrize(
    "row",
    ["The slope was 0.3 (p = 0.04) in both rivers", "Results (3)", "n = 12 rivers were sampled", "12", "3.1 Sites"],
)
def test_a_sentence_with_signs_is_none(row: str) -> None:
    assert not is_formula(paragraph(1, 100, row))


def test_its_number_stands_behind_it() -> None:
    assert is_numbered(paragraph(1, 100, "a = b (12)"))
    assert is_numbered(paragraph(1, 100, "a = b (A.1)"))
    assert not is_numbered(paragraph(1, 100, "a = b (12) holds"))


def note(mark: str, base: float, size: float = 8.0, raised: float = 3.0) -> Paragraph:
    first = words(50, base - raised, mark, 0.7 * size)
    return Paragraph(1, (Line((*first, *words(56, base, "Supported by the river board.", size))),))


def test_a_note_is_small_low_and_marked() -> None:
    sheet = page([])
    assert is_footnote(note("1", 700), sheet, BODY)
    assert is_footnote(note("*", 700, raised=0.0), sheet, BODY)
    assert not is_footnote(note("1", 200), sheet, BODY), "it stands high on the page"
    assert not is_footnote(note("1", 700, size=10.0), sheet, BODY), "it is as large as the text"
    assert not is_footnote(paragraph(1, 700, "Supported by the board.", size=8), sheet, BODY), "it has no mark"
    assert not is_footnote(paragraph(1, 700, "12 rivers were sampled.", size=8), sheet, BODY), (
        "its number is not raised"
    )


TITLES = ("1 Rivers", "1.1 Gauges", "2 Lakes", "3 Ice and what follows")


def row(top: float, title: str, number: str, *, left: float = 50, dots: bool = False) -> list[Word]:
    made = words(left, top, title)
    made += words(made[-1].x1 + 4, top, ". . . . . .") if dots else []
    number_words = words(300, top, number)
    wide = number_words[-1].x1 - 300
    return [*made, *(word._replace(x0=word.x0 - wide, x1=word.x1 - wide) for word in number_words)]


def listed(*titles: str, dots: bool = False, top: float = 130) -> list[Word]:
    return [w for n, title in enumerate(titles) for w in row(top + 14 * n, title, str(2 + 3 * n), dots=dots)]


def test_a_titled_list_is_found_with_its_entries() -> None:
    page = [*words(50, 100, "Contents", 14, BOLD), *listed(*TITLES), *words(50, 230, "The river was frozen in may.")]
    found = find_contents([lines(page)])
    assert [(entry.level, entry.title) for entry in found.entries] == list(zip((1, 2, 1, 1), TITLES, strict=True))
    assert "The river was frozen in may." not in {line.text for line in found.lines}


def test_dots_lead_to_the_numbers_of_a_list_that_goes_on() -> None:
    first = [*words(50, 100, "Inhaltsverzeichnis", 14, BOLD), *listed(*TITLES, dots=True)]
    second = listed("4 Snow", "5 Melt", "6 End", dots=True)
    assert [entry.title for entry in find_contents([lines(first), lines(second)]).entries][-1] == "6 End"


def test_lists_of_figures_are_skipped_but_name_no_sections() -> None:
    page = [*words(50, 100, "List of Figures", 14, BOLD), *listed("1 A map of the river", "2 A view of the lake")]
    found = find_contents([lines(page)])
    assert len(found.lines) >= 3
    assert found.entries == ()


def test_rows_of_a_table_are_no_list() -> None:
    assert find_contents([lines(listed("North", "South", "East", "West"))]).lines == frozenset()
    assert find_contents([lines(words(50, 100, "Contents", 14, BOLD))]).lines == frozenset(), "a title alone"


def test_entries_that_are_no_headings_are_reported() -> None:
    entries = tuple(OutlineEntry(1, title, 0) for title in ("1 Methods", "2 Results", "3 Discussion"))
    drafts = [Draft(2, "sub_title", title, ()) for title in ("1. Methods", "3. Discussion")]
    (repair,) = _not_found(Contents(frozenset(), entries), drafts)
    assert repair.problem == "1 entries of the table of contents are no headings: 2 Results"
    assert not list(_not_found(Contents(frozenset(), entries[:1]), drafts))
