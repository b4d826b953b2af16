"""Words to lines, and which of them stand on one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kag.sources.pdf.file.content import PageContent, Word
from kag.sources.pdf.read import read_pdf
from kag.sources.pdf.text.line_numbers import without_line_numbers
from kag.sources.pdf.text.lines import Line, lines_of, shift_of, spacing, with_drop_caps
from tests.printed_pdf import Printed, write_pdf
from tests.unit.sources.pdf.test_read import column
from tests.unit.sources.pdf.typeset import BOLD, PLAIN, SLANTED, page, text, words


def read(*made: list[Word]) -> list[str]:
    return [line.text for line in lines_of([word for one in made for word in one])]


def test_words_on_a_baseline_are_a_line_up_to_a_gap() -> None:
    assert read(words(50, 100, "ice on the river"), words(50, 112, "froze")) == ["ice on the river", "froze"]
    one = words(50, 100, "ice")  # ends at 65
    assert read(one, words(77.9, 100, "snow")) == ["ice snow"], "12.9 points are less than 1.3 of the type's size"
    assert read(one, words(78.1, 100, "snow")) == ["ice", "snow"], "a gutter, or a table's columns"


def test_a_baseline_may_tremble_but_not_step() -> None:
    one = words(50, 100, "ice")
    assert read(one, words(68, 101.1, "snow")) == ["ice snow"]
    assert read(one, words(68, 101.3, "snow")) == ["ice", "snow"]
    assert read(one, words(50, 112, "snow")) == ["ice", "snow"]


def test_what_goes_back_is_another_line() -> None:
    assert read(words(50, 100, "ice"), words(61, 100, "snow")) == ["ice snow"], "kerning goes back a little"
    assert read(words(50, 100, "ice"), words(59, 100, "snow")) == ["ice", "snow"]


def test_small_words_stand_raised_and_lowered_on_their_line() -> None:
    raised, lowered = words(65, 96, "12", size=7.0), words(72, 102.5, "a", size=7.0)
    (line,) = lines_of([*words(50, 100, "ice"), *raised, *lowered, *words(80, 100, "melts")])
    assert line.text == "ice 12 a melts"
    assert (line.size, line.base) == (10.0, 100)
    assert [shift_of(word, line) for word in line.words] == [0, 1, -1, 0]
    assert read(words(50, 100, "ice"), words(65, 96, "12", size=8.7)) == ["ice", "12"], "as large as the line"
    assert read(words(50, 100, "ice"), words(65, 93.4, "12", size=7.0)) == ["ice", "12"], "too high"


def test_a_small_word_on_the_baseline_is_not_raised() -> None:
    (line,) = lines_of([*words(50, 100, "ice"), *words(68, 99.1, "snow", size=8.0)])
    assert shift_of(line.words[1], line) == 0
    (line,) = lines_of([*words(50, 100, "ice"), *words(68, 98.9, "snow", size=8.0)])
    assert shift_of(line.words[1], line) == 1


def test_pieces_that_touch_are_a_line_wherever_the_file_sets_them() -> None:
    left, below, right = words(50, 100, "ice"), words(50, 112, "snow"), words(68, 100, "melts")
    assert read(left, below, right) == ["ice melts", "snow"], "at the place of the first"
    assert read(right, below, left) == ["ice melts", "snow"], "in order from left to right"
    assert read(left, below, words(72.4, 100, "melts")) == ["ice melts", "snow"]
    assert read(left, below, words(72.6, 100, "melts")) == ["ice", "snow", "melts"], "0.75 of the type's size"
    assert read(left, below, words(68, 101.1, "melts")) == ["ice melts", "snow"]
    assert read(left, below, words(68, 101.3, "melts")) == ["ice", "snow", "melts"]
    raised = words(66, 96, "12", size=7.0)
    assert read(left, below, raised) == ["ice 12", "snow"]
    assert read(left, below, words(68.1, 96, "12", size=7.0)) == ["ice", "snow", "12"], "what is raised stands close"


def test_what_is_printed_twice_on_one_place_is_read_once() -> None:
    twice = [*words(50, 100, "Results"), *words(300, 100, "ice"), *words(50.3, 100.3, "Results")]
    assert read(twice) == ["Results", "ice"], "bold type made by printing twice"
    assert read(words(50, 100, "Results"), words(50, 104.1, "Results")) == ["Results", "Results"]
    assert read(words(50, 100, "yes"), words(69.1, 120, "yes"), words(90, 100, "yes")) == ["yes", "yes", "yes"]


@pytest.mark.parametrize("marker", ["1.", "12)", "[3]", "(4)", "a)", "•", "▪"])
def test_a_marker_goes_with_the_line_behind_it(marker: str) -> None:
    at = 50 + 5 * len(marker)
    assert read(words(50, 100, marker), words(at + 39, 100, "ice on the river")) == [f"{marker} ice on the river"]
    assert read(words(50, 100, marker), words(at + 41, 100, "ice")) == [marker, "ice"], "four type sizes"
    assert read(words(50, 100, marker), words(at + 20, 103, "ice")) == [marker, "ice"], "not on its line"


@pytest.mark.parametrize("text", ["7", "1998", "ice", "x", "a.b", "12.5"])
def test_what_is_no_marker_stands_alone(text: str) -> None:
    assert read(words(50, 100, text), words(90, 100, "ice on the river")) == [text, "ice on the river"]


def test_the_nearest_line_has_the_marker() -> None:
    assert read(words(50, 100, "2."), words(98, 100, "snow"), words(75, 100, "x")) == ["snow", "2. x"]


def entries(numbers: list[str], right: float = 60.0) -> list[Word]:
    """Numbers below each other, and each one's words 20 points behind."""
    return [
        word
        for n, number in enumerate(numbers)
        for word in (
            *words(right - 5 * len(number), 100 + 12 * n, number),
            *words(right + 20, 100 + 12 * n, f"entry{n} here"),
        )
    ]


def test_bare_numbers_that_count_go_with_their_lines() -> None:
    assert read(entries(["8", "9", "10", "11"])) == [
        "8 entry0 here",
        "9 entry1 here",
        "10 entry2 here",
        "11 entry3 here",
    ]
    assert len(read(entries(["8", "9", "10"]))) == 6, "three may be a table's"
    assert len(read(entries(["8", "10", "12", "14"]))) == 8, "they do not count"
    assert len(read(entries(["11", "10", "9", "8"]))) == 8, "they count upwards"
    left = [
        word for n in range(4) for word in (*words(50, 100 + 12 * n, f"{98 + n}"), *words(90, 100 + 12 * n, "of ice"))
    ]
    assert read(left) == ["98 of ice", "99 of ice", "100 of ice", "101 of ice"], "set flush left"
    ragged = [
        word
        for n in range(4)
        for word in (*words(50 + 9 * n, 100 + 12 * n, f"{n + 1}"), *words(109, 100 + 12 * n, "x y"))
    ]
    assert len(read(ragged)) == 8, "not below each other"


def test_a_line_has_the_type_that_most_of_it_is_set_in() -> None:
    (line,) = lines_of([*words(50, 100, "ice", font=BOLD), *words(68, 100, "on the river")])
    assert (line.font, line.bold) == (PLAIN, False)
    (line,) = lines_of([*words(50, 100, "3.1"), *words(68, 100, "Ice on rivers", font=BOLD)])
    assert (line.font, line.bold) == (BOLD, True), "numbers do not count"
    (line,) = lines_of([*words(50, 100, "On ice", font=SLANTED), *words(82, 100, "and", font=PLAIN)])
    assert (line.font, line.italic, line.bold) == (SLANTED, False, False)
    (line,) = lines_of(words(50, 100, "On ice", font=SLANTED))
    assert (line.italic, line.bold) == (True, False)
    (line,) = lines_of([*words(50, 100, "I", size=24.0), *words(63, 100, "ce on the river in may")])
    assert line.size == 10, "a large first letter is not the line's size"


def test_a_line_fills_the_rectangle_around_its_words() -> None:
    line = Line((*words(50, 100, "ice"), *words(65, 96, "12", size=5.0)))
    assert line.rect == (50, 92, 70, 102)
    assert (line.rect.width, line.rect.height) == (20, 10)


def test_a_piece_of_a_word_has_no_blank_before_it() -> None:
    one, two = words(50, 100, "ice"), words(65, 100, "bergs", font=BOLD)
    assert Line((one[0], two[0]._replace(spaced=False))).text == "icebergs"
    assert Line((one[0]._replace(spaced=True),)).text == "ice"


def test_how_far_lines_are_set_apart() -> None:
    double = [word for n in range(9) for word in words(50, 100 + 24 * n, "the river froze")]
    assert spacing(lines_of(double), 10.0) == 2.4
    assert spacing(lines_of([*double, *words(50, 500, "ice"), *words(50, 512, "snow")]), 10.0) == 2.4
    assert spacing(lines_of(double), 8.0) == 1.2, "of another size"
    side = [word for n in range(9) for word in words(50 + 200 * (n % 2), 100 + 12 * n, "the river")]
    assert spacing(lines_of(side), 10.0) == 1.2, "not below each other"
    assert spacing([], 10.0) == 1.2


def initial(letter: str, first: str, size: float = 34.0) -> list[str]:
    """The lines of a paragraph whose first two are set in beside a letter."""
    made = [*words(50, 124, letter, size), *words(75, 112, f"{first} river froze"), *words(75, 124, "in spring and")]
    (own,) = with_drop_caps([page([*made, *words(50, 136, "thawed. The ice.")])])
    return [line.text for line in lines_of(own.words)]


def test_a_large_initial_belongs_to_the_word_beside_it() -> None:
    assert initial("T", "he") == ["The river froze", "in spring and", "thawed. The ice."]
    assert initial("A", "cold")[0] == "A cold river froze"
    assert initial("A", "thawed.")[0] == "A thawed. river froze", "a word that the page has elsewhere, too"
    assert initial("T", "he", 14.0)[0] != "The river froze", "not large enough"


def strip(x: float, first: int, count: int, step: int = 1, pitch: float = 12.0, *, right: bool = True) -> list[Word]:
    """Numbers below each other from the height of the text's first line, flush right or left."""
    shown = [str(first + step * n) for n in range(count)]
    at = [x + (5 * (4 - len(one)) if right else 0) for one in shown]
    return [word for n, one in enumerate(shown) for word in words(at[n], 150 + pitch * n, one)]


def told(*made: Sequence[Word]) -> list[list[str]]:
    """The numbers that are told on each page, strip by strip."""
    pages = [page(own, number=n) for n, own in enumerate(made, start=1)]
    kept, numbers = without_line_numbers(pages)
    for before, after in zip(pages, kept, strict=True):
        away = [word for strip in numbers.get(before.number, []) for word in strip]
        assert [word for word in before.words if word not in away] == list(after.words)
    return [[" ".join(word.text for word in strip) for strip in numbers.get(page.number, [])] for page in pages]


def count(first: int, last: int, step: int = 1) -> str:
    return " ".join(map(str, range(first, last + 1, step)))


@pytest.mark.parametrize("x", [20, 560])
@pytest.mark.parametrize("right", [True, False])
def test_numbers_that_run_through_the_paper_are_left_out(x: float, right: bool) -> None:
    pages = [[*strip(x, 1 + 20 * n, 20, right=right), *text(50, 150, 20)] for n in range(3)]
    assert told(*pages) == [[count(1, 20)], [count(21, 40)], [count(41, 60)]]


def test_and_those_that_begin_again_on_each_page() -> None:
    assert told(*([*strip(20, 1, 20), *text(50, 150, 20)] for _ in range(3))) == [[count(1, 20)]] * 3


def test_and_every_fifth() -> None:
    pages = [[*strip(20, 5 + 20 * n, 4, 5, 60), *text(50, 150, 20)] for n in range(3)]
    assert told(*pages) == [["5 10 15 20"], ["25 30 35 40"], ["45 50 55 60"]]


def test_on_both_sides_or_beside_each_column() -> None:
    both = [[*strip(20, 1, 20), *strip(560, 1, 20), *text(50, 150, 20)] for _ in range(2)]
    assert told(*both) == [[count(1, 20)] * 2] * 2
    columns = [[*strip(20, 1, 20), *text(50, 150, 20), *strip(300, 21, 20), *text(330, 150, 20, 45)] for _ in range(2)]
    assert told(*columns) == [[count(1, 20), count(21, 40)]] * 2
    turns = [[*strip((20, 560)[n % 2], 1 + 20 * n, 20), *text(50, 150, 20)] for n in range(4)]
    assert told(*turns) == [[count(1 + 20 * n, 20 + 20 * n)] for n in range(4)]


def test_a_page_of_few_lines_has_few_numbers() -> None:
    pages = [[*strip(20, 1 + 20 * n, 20), *text(50, 150, 20)] for n in range(2)]
    assert told(*pages, [*strip(20, 41, 2), *text(50, 150, 2)]) == [[count(1, 20)], [count(21, 40)], ["41 42"]]
    other = [*words(35, 150, "7"), *text(50, 150, 2)]
    assert told(*pages, other)[2] == [], "it does not go on"
    larger = [*words(35, 150, "41", 14), *text(50, 150, 2)]
    assert told(*pages, larger)[2] == [], "a number in another type"


def test_a_page_without_text_does_not_count() -> None:
    pages = [[*strip(20, 1, 20), *text(50, 150, 20)], [*strip(20, 21, 20), *text(50, 150, 20)], [], []]
    assert told(*pages) == [[count(1, 20)], [count(21, 40)], [], []]


def test_what_counts_inside_of_the_text_stays() -> None:
    listed = [[*text(50, 100, 4), *strip(40, 1, 20), *text(80, 150, 20), *text(50, 400, 30)] for _ in range(3)]
    assert told(*listed) == [[]] * 3, "a list, or the first column of a table"


def test_what_counts_on_few_pages_stays() -> None:
    plain = text(50, 150, 20)
    assert told([*strip(20, 1, 20), *plain], plain, plain) == [[]] * 3
    assert told([*strip(20, 1, 9), *plain]) == [[]], "a list of one page"
    assert told([*strip(20, 1, 12), *plain]) == [[count(1, 12)]]


def test_years_neither_go_on_nor_begin() -> None:
    assert told(*([*strip(20, 2001, 20), *text(50, 150, 20)] for _ in range(3))) == [[]] * 3


def test_numbers_that_do_not_count_stay() -> None:
    odd = [
        word for n, one in enumerate(("3", "9", "4", "12", "40", "41", "7")) for word in words(20, 150 + 12 * n, one)
    ]
    assert told(*([*odd, *text(50, 150, 20)] for _ in range(3))) == [[]] * 3


def test_a_paper_without_words_is_left_alone() -> None:
    blank = PageContent(1, 600, 800, (), (), ())
    assert without_line_numbers([blank]) == ([blank], {})
    assert without_line_numbers([]) == ([], {})


def test_a_manuscript_reads_as_without_them(tmp_path: Path) -> None:
    title = [(150, 60, 18, "Losses of ice on rivers")]
    bodies = [[*title, *column(60, 100, 50, last="by us all.")], column(60, 100, 50, last="by us all.")]
    numbered = [
        [*body, *((30, line[1], 8, str(50 * n + k)) for k, line in enumerate(body[-50:], start=1))]
        for n, body in enumerate(bodies)
    ]
    plain, with_numbers = (
        read_pdf(write_pdf(tmp_path / name, [Printed(body, (), (600, 800)) for body in made])).drafts
        for name, made in (("a.pdf", bodies), ("b.pdf", numbered))
    )
    told = [draft for draft in with_numbers if draft.label == "line_number"]
    assert [draft.text for draft in told] == [count(1, 50), count(51, 100)]
    assert [(d.label, d.text) for d in with_numbers if d not in told] == [(d.label, d.text) for d in plain]


def test_numbers_that_go_on_in_a_strip_behind_those_of_the_other_column() -> None:
    wide = [word for n in range(6) for word in words(20, 450 + 12 * n, str(41 + n))]
    made = [*strip(20, 1, 20), *text(50, 150, 20, 45), *strip(300, 21, 20), *text(330, 150, 20, 45)]
    assert told([*made, *wide, *text(50, 450, 6)], made)[0] == [count(41, 46), count(1, 20), count(21, 40)]


def spaced(text: str, gap: float, blank: float) -> str:
    """A line whose letters are set apart, and its words further."""
    made: list[Word] = []
    at = 50.0
    for letter in text:
        if letter == " ":
            at += blank
            continue
        made += words(at, 100, letter)
        at += 5 + gap
    (line,) = lines_of(made)
    return line.text


def test_letters_that_are_set_apart_are_words() -> None:
    assert spaced("FROZEN RIVER", 3, 5) == "FROZEN RIVER"
    assert spaced("RESULTS", 3, 0) == "RESULTS"
    assert spaced("THE ICE", 3, 0) == "T H E I C E", "where one ends is not to be seen"
    assert spaced("abc", 3, 0) == "a b c", "signs of a formula"
    assert read(words(50, 100, "A B of ice and snow")) == ["A B of ice and snow"]
