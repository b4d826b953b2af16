"""Which paragraphs are headings, of which level, and on what ground."""

from __future__ import annotations

import pytest

from kag.sources.pdf.file.content import Font
from kag.sources.pdf.text.headings import find_headings
from kag.sources.pdf.text.lines import Line
from kag.sources.pdf.text.typography import OutlineEntry, Paragraph, Type, body_type, type_of
from tests.unit.sources.pdf.typeset import BODY, BOLD, PLAIN, SLANTED, lines, paragraph, text, words

PROSE = ("the river froze in may", "and the gauges were read by", "hand at dawn by both of us.")
SANS = Font("Sans", bold=False, italic=False, mono=False)


class Paper:
    """Paragraphs below each other, a page after 600 points."""

    def __init__(self) -> None:
        self.made: list[Paragraph] = []
        self.base = 100.0
        self.page = 1

    def add(self, *rows: str, size: float = 10.0, font: Font = PLAIN) -> Paper:
        self.made.append(paragraph(self.page, self.base, *rows, size=size, font=font))
        self.base += 30 + 12 * len(rows)
        return self

    def head(self, title: str, size: float = 10.0, font: Font = BOLD) -> Paper:
        """A title and text below it."""
        return self.add(title, size=size, font=font).add(*PROSE)

    def turn(self) -> Paper:
        self.page, self.base = self.page + 1, 100.0
        return self

    def headings(self, outline: tuple[OutlineEntry, ...] = (), front: int = 0) -> list[tuple[str, int, str]]:
        found = find_headings(self.made, BODY, outline, front)
        return [(self.made[n].text, found[n].level, found[n].ground) for n in sorted(found)]

    def shown(self, outline: tuple[OutlineEntry, ...] = (), *, ground: bool = True) -> str:
        """Each heading with its level and ground."""
        return " / ".join(" ".join(map(str, heading[: 2 + ground])) for heading in self.headings(outline))

    def titles(self, outline: tuple[OutlineEntry, ...] = (), front: int = 0) -> list[str]:
        return [title for title, _, _ in self.headings(outline, front)]


# types ------------------------------------------------------------------------------------------


def test_the_type_of_a_line() -> None:
    (line,) = lines(words(50, 100, "Ice on rivers", 11.9, BOLD))
    assert type_of(line) == Type(12.0, True, False, False, "Serif-Bold")
    (line,) = lines([*words(50, 100, "R", 12), *words(56.5, 100, "ESULTS", 9)])
    assert type_of(line) == Type(12.0, False, False, True, "Serif"), "small capitals are as large as their first letter"
    assert not type_of(lines(words(50, 100, "DNA 12"))[0]).caps, "three letters are an abbreviation"


def test_the_body_is_set_in_what_most_text_is_set_in() -> None:
    small = [word for n in range(30) for word in words(50, 300 + 10 * n, "an entry of a list in small print", 8)]
    assert body_type(lines([*text(50, 100, 10), *small])) == BODY, "a long list is set smaller"
    few = [word for n in range(2) for word in words(50, 60 + 20 * n, "A title of ice", 18)]
    assert body_type(lines([*few, *text(50, 100, 10)])) == BODY, "a title is set larger, and once"
    assert body_type([]) == Type(10.0, False, False, False, "")


# by type ----------------------------------------------------------------------------------------


def test_standard_parts_make_their_type_one_of_headings() -> None:
    paper = Paper().head("Introduction", 12).head("Sites of ice", 12).head("Tools", 10).head("Results", 12)
    assert paper.shown() == "Introduction 1 size / Sites of ice 1 size / Tools 2 size / Results 1 size"


def test_levels_follow_the_weight_of_types() -> None:
    paper = Paper().head("Methods", 14).head("Sites", 12).head("North", 10).head("Tools", 12)
    paper.head("Saws", 10, SLANTED).head("Teeth", 10, SLANTED).head("Results", 14)
    assert (
        paper.shown(ground=False) == "Methods 1 / Sites 2 / North 3 / Tools 2 / Results 1"
    )  # slanted titles of two places: too few
    paper.head("Yields", 10, SLANTED)
    assert [(title, level) for title, level, _ in paper.headings() if level == 4] == [
        ("Saws", 4),
        ("Teeth", 4),
        ("Yields", 4),
    ]


def test_without_standard_parts_types_are_ranked_alone() -> None:
    paper = Paper().head("On ice", 14).head("On sites", 12).head("On snow", 14)
    assert [(title, level) for title, level, _ in paper.headings()] == [("On ice", 1), ("On sites", 2), ("On snow", 1)]


def test_end_matter_in_a_smaller_type_is_no_part_of_the_last_section() -> None:
    paper = Paper().head("Introduction", 14).head("Sites", 12).head("Discussion", 14)
    paper.head("Funding", 9.5).head("Data availability", 9.5)
    assert [level for _, level, _ in paper.headings()] == [1, 2, 1, 1, 1]


@pytest.mark.parametrize(
    "words_of_it",
    [
        "Sites of ice.",  # a sentence
        "Sites of ice:",  # leads to a list
        "and sites of ice",
        "Sites of ice,",
        "12.5 14.1 17",
        "Figure 2. Ice",
        "Table S1 Ice",
    ],
)
def test_strong_type_alone_makes_no_heading(words_of_it: str) -> None:
    assert Paper().head("Ice", 10).titles() == ["Ice"]
    assert words_of_it not in Paper().head(words_of_it, 10).titles()


def test_a_heading_is_short() -> None:
    assert Paper().add(*["Sites of ice"] * 4, font=BOLD).add(*PROSE).titles()
    assert not Paper().add(*["Sites of ice"] * 5, font=BOLD).add(*PROSE).titles()
    assert not Paper().add("Sites of ice " * 18, font=BOLD).add(*PROSE).titles()


def test_another_face_as_large_as_the_text_needs_more_than_its_face() -> None:
    paper = Paper().head("Methods", 10, SANS).head("Sites", 10, SANS).head("Yields of ice and snow.", 10, SANS)
    assert paper.titles() == ["Methods", "Sites"]
    assert not Paper().head("Sites", 10, SANS).titles()
    assert not Paper().head("Sites", 6.5, BOLD).titles(), "much smaller than the text"
    assert Paper().head("Sites", 7, BOLD).titles() == ["Sites"]


def test_slanted_titles_are_headings_where_they_come_again() -> None:
    paper = Paper().head("Sites", 10, SLANTED).head("Tools", 10, SLANTED)
    assert paper.titles() == []
    assert paper.head("Yields", 10, SLANTED).titles() == ["Sites", "Tools", "Yields"]
    sentences = Paper().head("Sites.", 10, SLANTED).head("Tools.", 10, SLANTED).head("Yields.", 10, SLANTED)
    assert sentences.head("Ice", 10, SLANTED).titles() == [], "sentences do not count"
    two = Paper()
    for title in ("Sites", "Tools", "Yields"):
        two.add(f"{title} of ice", "on rivers", font=SLANTED).add(*PROSE)
    assert len(two.titles()) == 3, "of two lines"
    no_text = Paper()
    for title in ("Sites", "Tools", "Yields"):
        no_text.add(title, font=SLANTED).add("one line below")
    assert no_text.titles() == [], "no text is below them"


def test_the_front_matter_has_standard_parts_alone() -> None:
    paper = Paper().add("Ice on rivers", size=18, font=BOLD).add("Jo Hale", font=BOLD).head("Abstract")
    paper.head("Methods").head("Tools")
    assert paper.titles(front=3) == ["Abstract", "Methods", "Tools"]


def test_nothing_in_a_list_of_references_is_a_heading() -> None:
    paper = Paper().head("Methods", 12).add("References", size=12, font=BOLD).add("Hale J.", font=BOLD)
    paper.add("2. Ode K.", font=BOLD).head("Appendix", 11.5).head("Proofs")
    assert paper.titles() == ["Methods", "References", "Appendix", "Proofs"]
    paper = Paper().head("Methods", 12).add("References", size=12, font=BOLD).add("Hale J.", font=BOLD)
    assert paper.head("Thanks to all", 12).head("Ice").titles() == ["Methods", "References", "Thanks to all", "Ice"]


# by number --------------------------------------------------------------------------------------


def test_numbers_give_levels_where_headings_have_them() -> None:
    paper = Paper().head("1 Introduction", 12).head("2 Sites", 12).head("2.1 North", 12).head("2.1.1 Upstream", 12)
    paper.head("Thanks", 12).head("Ode to ice", 10)
    assert paper.shown() == (
        "1 Introduction 1 number / 2 Sites 1 number / 2.1 North 2 number / 2.1.1 Upstream 3 number / Thanks 1 size"
    )  # in a paper with numbers, bold type alone makes no heading


def test_titles_without_a_number_have_the_level_of_numbered_ones_set_like_them() -> None:
    paper = Paper().head("1 Methods", 16).head("1.1 Sites", 14).head("1.1.1 Lakes", 15).head("References", 14)
    found = paper.head("2 Results", 16).head("2.1 Yields", 14).head("Appendix A", 14).headings()
    assert [level for _, level, _ in found] == [1, 2, 3, 2, 1, 2, 1]


def test_the_next_number_of_three_parts_makes_a_heading_of_a_line_set_as_the_text_is() -> None:
    paper = (
        Paper()
        .head("1. Methods")
        .head("1.1. Sites")
        .head("1.1.1. Northern lakes", font=PLAIN)
        .head("1.1.2. Northern rivers", font=PLAIN)
    )
    others = ("1.1.4. Gaps of numbers", "1.2. Steps of a method", "1.3.1. Steps below none")
    for other in others:
        paper.head(other, font=PLAIN)
    found = paper.head("2. Results").titles()
    assert found == ["1. Methods", "1.1. Sites", "1.1.1. Northern lakes", "1.1.2. Northern rivers", "2. Results"]


def test_parts_in_roman_numbers() -> None:
    paper = Paper()
    for title in ("I. INTRODUCTION", "II. METHODS", "III. RESULTS"):
        paper.head(title, 12)
    paper.head("A. Yields", 10, SLANTED).head("1. Ice", 10, SLANTED).head("IV. DISCUSSION", 12)
    assert paper.shown(ground=False) == (
        "I. INTRODUCTION 1 / II. METHODS 1 / III. RESULTS 1 / A. Yields 2 / 1. Ice 3 / IV. DISCUSSION 1"
    )


def test_items_of_a_numbered_list_are_no_headings() -> None:
    paper = Paper().head("1 Introduction", 12).head("2 Sites", 12).head("3 Results", 12)
    paper.add("1. The first of all.", font=SLANTED).add("2. The second of all,", font=SLANTED).add("3 saws")
    assert paper.titles() == ["1 Introduction", "2 Sites", "3 Results"]


# by outline -------------------------------------------------------------------------------------


def test_the_file_s_outline_tells_headings_and_levels() -> None:
    paper = Paper().head("Introduction").head("Sites", 10, PLAIN).turn().head("Tools", 12)
    outline = (OutlineEntry(1, "Introduction", 1), OutlineEntry(2, "1.1 Sites", 1), OutlineEntry(1, "Tools", 2))
    assert (
        paper.shown(outline) == "Introduction 1 outline / Sites 2 outline / Tools 1 outline"
    )  # the second is set as the text is


def test_levels_of_an_outline_that_begins_with_the_title_count_from_one() -> None:
    paper = Paper().head("Introduction").head("Sites")
    outline = (OutlineEntry(1, "Ice on rivers", 1), OutlineEntry(2, "Introduction", 1), OutlineEntry(3, "Sites", 1))
    assert [level for _, level, _ in paper.headings(outline)] == [1, 2]


def test_a_title_that_comes_twice_is_the_one_at_the_entry_s_place() -> None:
    paper = Paper().add("Sites").add(*PROSE).add("Sites").add(*PROSE)
    second = paper.made[2].lines[0].rect.y0
    (found,) = find_headings(paper.made, BODY, (OutlineEntry(1, "Sites", 1, second - 3),))
    assert found == 2
    (found,) = find_headings(paper.made, BODY, (OutlineEntry(1, "Sites", 1, 50.0),))
    assert found == 0
    both = (OutlineEntry(1, "Sites", 1, second), OutlineEntry(2, "Sites", 1, 50.0))
    assert {n: one.level for n, one in find_headings(paper.made, BODY, both).items()} == {0: 2, 2: 1}


def test_an_entry_far_from_every_such_paragraph_names_none() -> None:
    paper = Paper().add("Sites").add(*PROSE)
    assert paper.titles((OutlineEntry(1, "Sites", 3),)) == ["Sites"], "two pages away"
    assert paper.titles((OutlineEntry(1, "Sites", 4),)) == []
    assert paper.titles((OutlineEntry(1, "Sites", 0),)) == ["Sites"], "no page is told"
    assert paper.titles((OutlineEntry(1, "–", 1),)) == []


def test_the_outline_says_nothing_of_the_front_and_of_lists() -> None:
    paper = Paper().add("Jo Hale").head("References").add("Jo Hale")
    assert paper.titles((OutlineEntry(1, "Jo Hale", 1),), front=1) == ["References"]


def test_where_most_of_a_type_have_one_level_all_of_it_have() -> None:
    names = ("Ice", "Snow", "Sites", "Tools", "Yields")
    paper = Paper()
    for name in names:
        paper.head(name, 12)
    nested = tuple(OutlineEntry(1 if name != "Tools" else 4, name, 1) for name in names)
    assert [level for _, level, _ in paper.headings(nested)] == [1, 1, 1, 1, 1]
    assert [level for _, level, _ in paper.headings(nested[1:4])] == [1, 1, 1, 4, 1], "three tell too little"


def test_what_the_outline_leaves_out_has_the_level_of_its_type() -> None:
    paper = Paper().head("Ice", 12).head("North", 10).head("South", 10).head("Thanks to all", 12)
    outline = (OutlineEntry(1, "Ice", 1), OutlineEntry(3, "North", 1))
    assert paper.shown(outline) == "Ice 1 outline / North 3 outline / South 3 size / Thanks to all 1 size"


# abstracts --------------------------------------------------------------------------------------


def test_the_parts_of_a_structured_abstract_are_below_it() -> None:
    paper = Paper().head("Abstract", 12).head("Background").head("Methods").head("Results")
    paper.head("Introduction", 12).head("Methods", 12).head("Results", 12)
    assert [level for _, level, _ in paper.headings()] == [1, 2, 2, 2, 1, 1, 1]


def test_what_follows_an_abstract_without_parts_stays() -> None:
    paper = Paper().head("Abstract").head("Background").head("Methods").head("Results")
    assert [level for _, level, _ in paper.headings()] == [1, 1, 1, 1], "the text has no such parts beside them"
    paper = Paper().head("Abstract", 12).head("Background", 12).head("Methods", 12).head("Sites of ice", 12)
    paper.head("Methods", 12)
    assert [level for _, level, _ in paper.headings()] == [1, 1, 1, 1, 1], "one of them is no part of an abstract"


def test_an_abstract_is_of_the_first_level_in_any_type() -> None:
    paper = Paper().head("Abstract", 10).head("Introduction", 14).head("Methods", 14).head("Sites").head("Saws")
    assert [level for _, level, _ in paper.headings()] == [1, 1, 1, 2, 2]


def test_a_line_of_a_paragraph_is_not_looked_at_alone() -> None:
    made = (Line(tuple(words(50, 100, "Sites", font=BOLD))), Line(tuple(words(50, 112, "of ice"))))
    assert find_headings([Paragraph(1, made), paragraph(1, 130, *PROSE)], BODY) == {}


@pytest.mark.parametrize(("face", "below"), [("", 2), ("Serif-Bold", 1)])
def test_titles_set_like_the_parts_of_a_text_are_below_them_where_no_face_is_known(face: str, below: int) -> None:
    font, paper = BOLD._replace(name=face), Paper()
    for title in ("Background", "Methods", "Search of sites", "Results", "Sites found", "Discussion", "Thanks to all"):
        paper.head(title, font=font)
    assert [level for _, level, _ in paper.headings()] == [1, 1, below, 1, below, 1, 1]
    paper = Paper().head("Methods", font=font).head("Search of sites", font=font).head("Results", font=font)
    assert [level for _, level, _ in paper.headings()] == [1, 1, 1], "two parts do not tell how a text is divided"


# set as the text is -----------------------------------------------------------------------------


def test_a_list_of_references_ends_with_a_larger_title() -> None:
    paper = Paper().head("Chapter 1 Ice", 16).head("Methods", 12).add("References", size=12, font=BOLD)
    paper.add("Hale J. 2001. Ice.").add("Ode K.", font=BOLD).head("Chapter 2 Snow", 16).head("Sites", 12)
    assert paper.titles() == ["Chapter 1 Ice", "Methods", "References", "Chapter 2 Snow", "Sites"]


def test_a_numbered_title_may_fill_more_lines_than_one_without_number() -> None:
    rows = (
        "On the choice between",
        "gauges and sonar for",
        "ice on rivers below",
        "the tree line and",
        "in the valleys",
    )
    paper = Paper().head("1 Methods").head("2 Results").head("3 Discussion")
    assert paper.add(f"3.1 {rows[0]}", *rows[1:], font=BOLD).add(*PROSE).titles()[-1] == f"3.1 {' '.join(rows)}"
    other = Paper().head("1 Methods").head("2 Results").head("3 Discussion").add(*rows, font=BOLD).add(*PROSE)
    assert other.titles()[-1] == "3 Discussion"


def test_lines_of_a_program_are_no_headings() -> None:
    mono = Font("Typewriter-Bold", bold=True, italic=False, mono=True)
    assert Paper().head("Methods").head("Return the depth", font=mono).titles() == ["Methods"]


def test_a_title_in_a_face_of_its_own_may_be_a_little_smaller() -> None:
    paper = Paper().head("Methods", 14)
    for title in ("Sites of ice", "Times of day", "Ways of gauging"):
        paper.head(title, 9.2, SANS)
    assert paper.titles() == ["Methods", "Sites of ice", "Times of day", "Ways of gauging"]
