"""Which numbers in margins are those of lines, and what counts beside a text without being one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kag.sources.pdf.file.content import PageContent, Word
from kag.sources.pdf.read import read_pdf
from kag.sources.pdf.text.line_numbers import without_line_numbers
from tests.printed_pdf import Printed, write_pdf
from tests.unit.sources.pdf.test_read import column
from tests.unit.sources.pdf.typeset import page, text, words


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
