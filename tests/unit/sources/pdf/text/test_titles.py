"""What the words of a heading say."""

from __future__ import annotations

import pytest

from kag.sources.pdf.file.content import Font
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.paper_title import find_title, front_end
from kag.sources.pdf.text.paragraphs import split_labels
from kag.sources.pdf.text.titles import (
    depth_of,
    depths_of,
    is_abstract,
    is_abstract_label,
    is_references,
    is_standard,
    without_number,
)
from kag.sources.pdf.text.typography import Paragraph
from tests.unit.sources.pdf.typeset import BODY, BOLD, PLAIN, SLANTED, paragraph, words


@pytest.mark.parametrize(
    ("text", "depth", "rest"),
    [
        ("1 Introduction", 1, "Introduction"),
        ("1. Introduction", 1, "Introduction"),
        ("2.3 Sites", 2, "Sites"),
        ("2.3. Sites", 2, "Sites"),
        ("2.3.10.1 Sites", 4, "Sites"),
        ("A.1 Proofs", 2, "Proofs"),
        ("A. Proofs", 1, "Proofs"),
        ("IV. RESULTS", 1, "RESULTS"),
        ("Appendix B.2 Proofs", 2, "Proofs"),
        ("Appendix B: Proofs", 1, "Proofs"),
        ("APPENDIX K PROOFS", 1, "PROOFS"),
        ("S2. Fits", 1, "Fits"),
        ("Section 3 Sites", 1, "Sites"),
        ("1 | Introduction", 1, "Introduction"),
        ("12 Éléments", 1, "Éléments"),
        ("Sites", 0, "Sites"),
        ("A study", 0, "A study"),
        ("Civil rights", 0, "Civil rights"),
        ("1998 was cold", 0, "1998 was cold"),
        ("123 sites", 0, "123 sites"),
        ("2.3", 0, "2.3"),
        ("2 3 sites", 0, "2 3 sites"),
        ("3.5% of ice", 0, "3.5% of ice"),
        ("I. ice", 1, "ice"),
    ],
)
def test_the_number_of_a_heading_says_its_depth(text: str, depth: int, rest: str) -> None:
    assert (depth_of(text), without_number(text)) == (depth, rest)


def test_parts_counted_by_roman_numbers_have_letters_below_them() -> None:
    texts = ["I. ICE", "II. TOOLS", "A. Sites", "B. Saws", "1. Teeth", "2) Blades", "III. YIELDS", "C. Ice", "Thanks"]
    assert depths_of(texts) == [1, 1, 2, 2, 3, 3, 1, 2, 0]
    assert depths_of(["II. TOOLS", "III. YIELDS", "I. ICE", "A. Sites"]) == [1, 1, 1, 2], "I is a number there"


def test_letters_alone_are_appendices() -> None:
    assert depths_of(["1. Ice", "2. Tools", "A. Proofs", "II. TOOLS"]) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "text",
    ["Methods", "METHODS", "2 Methods", "IV. METHODS", "M E T H O D S", "Résultats", "Data availability", "Abstract"],
)
def test_the_titles_of_standard_parts(text: str) -> None:
    assert is_standard(text)


@pytest.mark.parametrize("text", ["Methods of ice", "Sites", "", "12", "The methods"])
def test_other_titles(text: str) -> None:
    assert not is_standard(text)


def test_titles_of_abstracts_and_lists() -> None:
    assert is_abstract("ABSTRACT")
    assert is_abstract("A b s t r a c t")
    assert not is_abstract("Introduction")
    assert is_abstract_label("Objective:")
    assert is_abstract_label("Main outcome measures")
    assert not is_abstract_label("Ice")
    assert all(map(is_references, ("References", "REFERENCES", "7. References", "Literature Cited", "Bibliography")))
    assert not is_references("References to ice")
    assert not is_references("Notes on ice")


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


def made(*rows: list[tuple[str, Font]]) -> Paragraph:
    """A paragraph of rows of words in their faces."""
    lines = []
    for n, row in enumerate(rows):
        at, found = 50.0, []
        for text, font in row:
            found += words(at, 100 + 12 * n, text, font=font)
            at = found[-1].x1 + 3
        lines.append(Line(tuple(found)))
    return Paragraph(1, tuple(lines))


def split(one: Paragraph) -> list[tuple[str, bool]]:
    return [(piece.text, is_title) for piece, is_title in split_labels(one)]


def test_titles_in_bold_type_are_cut_off() -> None:
    one = made([("Objective", BOLD), ("To find ice.", PLAIN)], [("Main results", BOLD), ("We found it.", PLAIN)])
    parts = [("Objective", True), ("To find ice.", False), ("Main results", True), ("We found it.", False)]
    assert split(one) == parts
    slanted = made([("Objective.", SLANTED), ("To find ice.", PLAIN)])
    assert split(slanted) == [("Objective.", True), ("To find ice.", False)]


def test_titles_in_the_text_s_type_have_a_colon() -> None:
    one = made([("Objective: To find ice. Methods: We looked", PLAIN)], [("for ice. Results: Found.", PLAIN)])
    parts = [("Objective:", True), ("To find ice.", False), ("Methods:", True), ("We looked for ice.", False)]
    assert split(one) == [*parts, ("Results:", True), ("Found.", False)]


def test_a_colon_may_be_a_word_of_its_own() -> None:
    assert split(made([("Objective", SLANTED), (": To find ice.", PLAIN)])) == [
        ("Objective :", True),
        ("To find ice.", False),
    ]
    assert split(made([("Methods — We looked for ice.", PLAIN)])) == [
        ("Methods —", True),
        ("We looked for ice.", False),
    ]


def test_a_title_that_a_line_s_end_cuts_is_whole() -> None:
    one = made([("Yes. Main", PLAIN)], [("results: We found it.", PLAIN)])
    assert [(text, is_title) for text, is_title in split(one)] == [
        ("Yes.", False),
        ("Main results:", True),
        ("We found it.", False),
    ]
    assert [len(piece.lines) for piece, _ in split_labels(one)] == [1, 2, 1]


def test_the_longest_title_is_taken() -> None:
    one = made([("Methods and findings", BOLD), ("We looked.", PLAIN)])
    assert split(one)[0] == ("Methods and findings", True)


@pytest.mark.parametrize(
    "row",
    [
        [("Methods", PLAIN), ("of ice are told.", PLAIN)],  # a word of the text
        [("We know", PLAIN), ("Methods", BOLD), ("of ice.", PLAIN)],  # inside of a sentence
        [("methods", BOLD), ("of ice.", PLAIN)],
        [("Icebergs", BOLD), ("of the north.", PLAIN)],  # names no part of an abstract
        [("We looked.", PLAIN), ("Methods:", BOLD)],  # nothing follows
        [("We looked.", PLAIN), ("Methods", SLANTED), (":", PLAIN)],
    ],
)
def test_look_alikes_stay(row: list[tuple[str, Font]]) -> None:
    one = made(row)
    assert split(one) == [(one.text, False)]


def test_a_part_of_a_word_is_no_title() -> None:
    one = made([("Aim", BOLD), ("ing", PLAIN), ("at ice.", PLAIN)])
    words_of = one.lines[0].words
    glued = Paragraph(1, (Line((words_of[0], words_of[1]._replace(spaced=False), *words_of[2:])),))
    assert glued.text == "Aiming at ice."
    assert split(glued) == [("Aiming at ice.", False)]
