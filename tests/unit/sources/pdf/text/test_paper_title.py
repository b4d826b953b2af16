"""The title of a paper, and where the paper itself begins."""

from __future__ import annotations

from kag.sources.pdf.text.paper_title import find_title, front_end
from kag.sources.pdf.text.typography import Paragraph
from tests.unit.sources.pdf.typeset import BODY, BOLD, SLANTED, paragraph

PROSE = ["the river froze in may and the gauges"] * 6
JOURNAL = paragraph(1, 40, "Ice Letters", size=22)
TITLE = paragraph(1, 90, "Losses of ice on", "rivers of the north", size=16)
AUTHORS = paragraph(1, 150, "Jo Hale and K. Ode", size=11)
BODIED = paragraph(1, 200, *PROSE)


def title(made: list[Paragraph], told: str = "") -> str:
    return " ".join(made[n].text for n in find_title(made, told))


def test_the_title_is_set_largest() -> None:
    assert title([AUTHORS, TITLE, BODIED]) == "Losses of ice on rivers of the north"
    assert title([]) == ""


def test_three_words_count_more_than_one() -> None:
    assert title([JOURNAL, TITLE, AUTHORS, BODIED]) == TITLE.text, "the name of the journal is set larger"
    assert title([paragraph(1, 40, "Geology", size=60), TITLE]) == TITLE.text, "one word is no title"
    long = paragraph(1, 300, "a rather long line of many words that are set a little smaller here", size=15)
    assert title([TITLE, AUTHORS, long]) == TITLE.text, "words behind the eighth do not count"


def test_a_short_title_is_surer_than_a_longer_line_in_the_text_s_size() -> None:
    assert (
        title([paragraph(1, 50, "Sensors under ice", size=18), paragraph(1, 90, PROSE[0]), BODIED])
        == "Sensors under ice"
    )
    assert title([paragraph(1, 40, "Ice Letters", size=22), paragraph(1, 90, PROSE[0], font=BOLD), BODIED]) == PROSE[0]


def test_what_can_be_no_title() -> None:
    assert title([paragraph(1, 40, "12 2014 3:1", size=30), TITLE]) == TITLE.text
    assert title([paragraph(1, 40, "Research and data", *["ice"] * 8, size=30), TITLE]) == TITLE.text, "nine lines"
    assert title([paragraph(1, 40, "Graphical abstract", size=30), TITLE]) == TITLE.text, "a standard part"
    assert title([paragraph(1, 40, "7")]) == ""


def test_a_title_in_roman_and_slanted_type_is_one() -> None:
    made = [
        paragraph(1, 50, "Losses of ice caused by", size=16),
        paragraph(1, 70, "Salmo trutta", size=16, font=SLANTED),
    ]
    assert title([*made, AUTHORS, BODIED]) == "Losses of ice caused by Salmo trutta"
    assert title([*made, paragraph(1, 90, "Abstract", size=16)]) == "Losses of ice caused by Salmo trutta"
    assert title([made[0], paragraph(1, 70, "Jo Hale", size=15)]) == "Losses of ice caused by"
    assert title([made[0], paragraph(1, 70, "Jo Hale", size=16, font=BOLD)]) == "Losses of ice caused by"
    assert title([made[0], paragraph(2, 70, "Jo Hale", size=16)]) == "Losses of ice caused by"


def test_the_title_is_on_the_first_page_with_words() -> None:
    assert (
        title([paragraph(2, 50, "Losses of ice", size=12), paragraph(3, 50, "Snow and more snow", size=20)])
        == "Losses of ice"
    )


def test_the_title_that_the_file_tells() -> None:
    cover = [paragraph(1, 50, "Preprint server of the north", size=30), paragraph(1, 90, "Do not cite this")]
    paper = [paragraph(2, 50, "Losses of ice on rivers of the north", size=12), *PAGE_TWO]
    told = "Losses of Ice on Rivers of the North"
    assert title([*cover, *paper]) == cover[0].text
    assert title([*cover, *paper], told) == paper[0].text, "a cover may come before"
    assert title([*cover, *paper], told + ": a subtitle that stands nowhere") == paper[0].text
    assert title([*cover, *paper], "Losses of ice") == cover[0].text, "too few letters say nothing"
    assert title([*cover, *paper], "Losses of ice on rivers") == paper[0].text
    late = [*cover, paragraph(2, 50, *PROSE), paragraph(3, 50, paper[0].text)]
    assert title(late, told) == cover[0].text, "on the third page it is a reference or a running head"
    assert title([*cover, paragraph(2, 50, "Losses")], told) == cover[0].text


PAGE_TWO = [paragraph(2, 90, "Jo Hale", size=10)]


def front(*made: Paragraph) -> int:
    found = [TITLE, AUTHORS, *made]
    return front_end(found, range(0, 1), BODY)


def test_the_front_ends_before_the_first_standard_heading() -> None:
    address = paragraph(1, 170, "Department of ice")
    assert front(address, paragraph(1, 180, "Abstract", font=BOLD), BODIED) == 3
    assert front(address, paragraph(2, 180, "ABSTRACT"), BODIED) == 3, "in capitals"
    assert front(address, paragraph(1, 180, "Abstract"), BODIED) == 3, (
        "set as the text is: the paragraph before the text"
    )


def test_without_one_it_ends_before_the_text() -> None:
    address = paragraph(1, 170, "Department of ice")
    assert front(address, paragraph(1, 180, "On ice", font=BOLD), BODIED) == 3, (
        "a paragraph before it may be its heading"
    )
    assert front(BODIED) == 1
    assert front(address, paragraph(3, 180, "Abstract", font=BOLD), BODIED) == 3
    small = paragraph(1, 200, *PROSE, size=8)
    assert front(small, address, BODIED) == 3, "small print is no text"
    assert front(paragraph(1, 200, *PROSE[:4]), address) == 1, "four lines are none, either"


def test_one_word_alone_is_no_title() -> None:
    assert title([paragraph(1, 40, "Glaciological", size=16), BODIED]) != "Glaciological"
    assert title([paragraph(1, 40, "Glaciological", size=16)]) == ""
