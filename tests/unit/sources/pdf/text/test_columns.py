"""The order in which the columns of a page are read."""

from __future__ import annotations

from dataclasses import dataclass

from kag.sources.pdf.file.content import Rect
from kag.sources.pdf.text.columns import Gutter, page_gutters, reading_order

WIDE = 600.0


@dataclass(frozen=True)
class Set:
    """A line as placed."""

    name: str
    rect: Rect
    size: float = 10.0


def column(name: str, x0: float, x1: float, top: float, count: int = 6, size: float = 10.0) -> list[Set]:
    """Lines below each other, a size high and a fifth of it apart."""
    step = 1.2 * size
    return [Set(name, Rect(x0, top + step * n, x1, top + step * n + size), size) for n in range(count)]


def order(*parts: list[Set], usual: tuple[Gutter, ...] = ()) -> list[str]:
    """The names of the columns, each as often as another follows."""
    found = reading_order([one for part in parts for one in part], WIDE, usual)
    for own in found:
        assert [one.rect.y0 for one in own] == sorted(one.rect.y0 for one in own) or len({o.name for o in own}) > 1
    return [" ".join(dict.fromkeys(one.name for one in own)) for own in found]


LEFT, RIGHT = (50.0, 290.0), (310.0, 550.0)


def test_one_column_is_read_downwards() -> None:
    assert order(column("a", 50, 550, 300), column("b", 50, 550, 100)) == ["b a"]
    assert reading_order([], WIDE) == []


def test_two_columns_are_read_one_after_the_other() -> None:
    assert order(column("b", *RIGHT, 100), column("a", *LEFT, 100)) == ["a", "b"]
    assert order(column("b", *RIGHT, 103), column("a", *LEFT, 100)) == ["a", "b"], "on baselines of their own"


def test_what_spans_them_parts_what_is_above_it_from_what_is_below() -> None:
    title, table = column("title", 100, 500, 50, 2), column("table", 50, 550, 200, 3)
    above, below = (
        (column("a", *LEFT, 100), column("b", *RIGHT, 100)),
        (column("c", *LEFT, 260), column("d", *RIGHT, 260)),
    )
    assert order(title, *above, table, *below) == ["title", "a", "b", "table", "c", "d"]


def test_three_columns() -> None:
    made = [column(name, x, x + 150, 100, 8) for name, x in (("c", 400.0), ("a", 50.0), ("b", 225.0))]
    assert order(*made) == ["a", "b", "c"]
    assert order(column("title", 50, 550, 60, 1), *made) == ["title", "a", "b", "c"]


def test_lines_of_many_lengths_leave_a_gutter_where_nearly_all_leave_one() -> None:
    ragged = [Set("a", Rect(50, 100 + 12 * n, 290 - 5 * (n % 4), 110 + 12 * n)) for n in range(20)]
    ragged.append(Set("a", Rect(50, 340, 299, 350)))  # runs into the gutter
    (gutter,) = page_gutters([*ragged, *column("b", *RIGHT, 100, 21)], WIDE)
    assert (gutter.x0, gutter.x1, gutter.votes) == (290, 310, 21)
    assert order(ragged, column("b", *RIGHT, 100, 21)) == ["a", "b"]


def test_too_few_lines_side_by_side_make_no_columns() -> None:
    pair = [column("a", *LEFT, 100, 2), column("b", *RIGHT, 100, 2)]
    assert order(*pair) == ["a b"]
    assert order(*pair, usual=(Gutter(290, 310, 40),)) == ["a", "b"], "but where the paper's pages have them"
    assert order(*pair, usual=(Gutter(390, 410, 40),)) == ["a b"]
    assert order(column("a", *LEFT, 100, 3), column("b", *RIGHT, 100, 3)) == ["a", "b"]


def test_a_narrow_gap_is_no_gutter() -> None:
    assert page_gutters([*column("a", 50, 297, 100), *column("b", 303, 550, 100)], WIDE)
    assert not page_gutters([*column("a", 50, 297.5, 100), *column("b", 303, 550, 100)], WIDE)


def test_numbers_beside_the_text_are_no_column() -> None:
    numbers, text = column("1", 20, 30, 100, 8), column("a", 45, 550, 100, 8)
    assert page_gutters([*numbers, *text], WIDE) == []
    assert order(numbers, text) == ["1 a"]
    marks = column("*", 575, 585, 100, 8)
    assert page_gutters([*column("a", 45, 560, 100, 8), *marks], WIDE) == []


def test_the_gutter_with_most_votes_comes_first() -> None:
    few = [*column("a", 50, 190, 100, 4), *column("b", 210, 550, 100, 4)]
    many = [*column("c", *LEFT, 300, 9), *column("d", *RIGHT, 300, 9)]
    assert [(gutter.middle, gutter.votes) for gutter in page_gutters([*few, *many], WIDE)] == [(300, 9), (200, 4)]


def test_a_page_may_have_other_columns_above_than_below() -> None:
    box = (column("a", 50, 190, 100, 5), column("b", 210, 550, 100, 5))
    text = (column("c", *LEFT, 200, 12), column("d", *RIGHT, 200, 12))
    assert order(*box, *text) == ["a", "b", "c", "d"]
    assert order(
        column("c", *LEFT, 40, 12),
        column("d", *RIGHT, 40, 12),
        column("a", 50, 190, 260, 5),
        column("b", 210, 550, 260, 5),
    ) == ["c", "d", "a", "b"]


def test_a_sidebar_is_a_column() -> None:
    assert order(column("side", 50, 170, 100, 20), column("text", 190, 550, 100, 30)) == ["side", "text"]


def test_a_list_in_smaller_print_below_the_text_has_columns_of_its_own() -> None:
    text = (column("a", *LEFT, 60, 12), column("b", *RIGHT, 60, 12))
    listed = (column("c", *LEFT, 230, 12, 8.0), column("d", *RIGHT, 230, 12, 8.0))
    assert order(*text, *listed) == ["a", "b", "c", "d"]
    as_large = (column("c", *LEFT, 230, 12), column("d", *RIGHT, 230, 12))
    assert order(*text, *as_large) == ["a c", "b d"], "a blank strip alone parts nothing"
    touching = (column("c", *LEFT, 206, 12, 8.0), column("d", *RIGHT, 206, 12, 8.0))
    assert order(*text, *touching) == ["a c", "b d"], "no strip"
    notes = (column("c", *LEFT, 230, 3, 8.0), column("d", *RIGHT, 230, 3, 8.0))
    assert order(*text, *notes) == ["a c", "b d"], "footnotes stand below their column"
    half = (column("c", *LEFT, 230, 12, 8.0),)
    assert order(*text, *half) == ["a", "c", "b"], "it is below its own column, not below the page"
    mixed = (*listed, column("c", *LEFT, 350, 5), column("d", *RIGHT, 350, 5))
    assert order(*text, *mixed) == ["a c", "b d"], "set smaller throughout"


def test_what_stands_on_one_line_is_read_from_left_to_right() -> None:
    formula, number = [Set("formula", Rect(60, 101, 120, 113))], [Set("(1)", Rect(500, 100, 520, 110))]
    assert [one.name for one in reading_order([*number, *formula], WIDE)[0]] == ["formula", "(1)"]
    lower = [Set("formula", Rect(60, 105, 120, 117))]
    assert [one.name for one in reading_order([*number, *lower], WIDE)[0]] == ["(1)", "formula"]


def test_a_short_page_is_cut_at_the_gutter_of_the_others() -> None:
    left, right = column("a", 50, 180, 100, 2), column("b", 310, 550, 100, 3)
    known = (Gutter(296, 304, 40),)
    assert order(left, right, usual=known) == ["a", "b"]
    assert order(left, right) == ["a b"]
    assert order(column("title", 120, 480, 60, 1), left, right, usual=known) == ["title a b"]


def test_few_lines_of_smaller_print_in_the_margin_are_a_column() -> None:
    text = column("text", 200, 550, 100, count=30)
    assert order(text, column("note", 50, 180, 102, count=2, size=8)) == ["note", "text"]
    assert len(order(text, column("note", 50, 180, 102, count=2))) == 1  # in the text's own size it is a part of it
    assert len(order(text, column("wide", 50, 550, 700, count=1), column("note", 50, 180, 102, count=2, size=8))) == 1


def test_a_list_that_begins_low_on_a_page_below_a_heading_in_its_middle() -> None:
    heading = [Set("head", Rect(270, 400, 340, 410))]
    left = [Set("a", Rect(50, 420, 290, 430)), Set("a", Rect(60, 436, 200, 446))]
    right = [Set("b", Rect(321, 420, 550, 430))]
    right += [Set("b", Rect(330, 436 + 16 * n, 540, 446 + 16 * n)) for n in range(4)]
    above = column("text", 50, 560, 100)
    low = [Set("note", Rect(59, 480, 210, 488))]
    usual = (Gutter(292, 320, 20),)
    assert order(above, heading, left, right, low, usual=usual) == ["text head", "a note", "b"]
