"""Tables laid out on a grid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.core.types import Cell
from kag.sources.ocr.page_markdown import read_text
from kag.sources.tables import Loose, lay_out, parse_table
from tests.growth import linear


def grid(html):
    return parse_table(html).grid()


def test_spans_and_headers():
    table = parse_table(
        "<table><thead><tr><td rowspan=2>A</td><td colspan='2'>B</td></tr><tr><td>C</td><td>D</td></tr></thead>"
        "<tr><th>1</th><td>2</td><td>3</td></tr></table>"
    )
    assert table.cells == (
        Cell("A", 0, 0, 2, 1, True),
        Cell("B", 0, 1, 1, 2, True),
        Cell("C", 1, 1, 1, 1, True),
        Cell("D", 1, 2, 1, 1, True),
        Cell("1", 2, 0, 1, 1, True),
        Cell("2", 2, 1),
        Cell("3", 2, 2),
    )
    assert table.grid() == (("A", "B", "B"), ("A", "C", "D"), ("1", "2", "3"))


def test_a_cell_never_covers_a_place_already_taken():
    table = parse_table("<table><tr><td>a<td rowspan=2>b<td>c</tr><tr><td colspan=3>d</tr></table>")
    assert table.grid() == (("a", "b", "c"), ("d", "b", ""))


@pytest.mark.parametrize("span", ["colspan=100000", "colspan=99999999999999", "rowspan=65534", "rowspan=0"])
def test_spans_are_bounded_by_what_is_there(span):
    table = parse_table(f"<table><tr><td {span}>a</td></tr><tr><td>b</td><td>c</td></tr></table>")
    assert table.rows == 2
    assert table.columns <= 3
    assert {cell.text for cell in table.cells} == {"a", "b", "c"}


@pytest.mark.parametrize("span", ["colspan=0", "colspan=-3", "colspan=x", "colspan", "rowspan=-1"])
def test_spans_that_mean_nothing_are_one(span):
    assert grid(f"<table><tr><td {span}>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>") == (
        ("a", "b"), ("c", "d"))  # fmt: skip


def test_words_of_a_cell():
    cells = "<td>a<br>b</td><td>10<sup>-9</sup></td><td>n \\( ^{2} \\)</td><td>p <0.05 & q<r</td><td>x&lt;y</td>"
    assert grid(f"<table><tr>{cells}</tr></table>") == (
        ("a b", r"10 \( ^{-9} \)", r"n \( ^{2} \)", "p <0.05 & q<r", "x<y"),
    )


def test_a_nested_table_becomes_words():
    table = parse_table("<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table>d</td><td>e</td></tr></table>")
    assert table.grid() == (("a b c d", "e"),)


def test_no_table():
    assert parse_table("plain < words").cells == ()
    assert parse_table("<b>x</b>").cells == ()
    assert parse_table("<table></table>").rows == 0


def test_text_of_a_table_block():
    read = read_text(
        "Table 1. Before\n<table><caption>Cap</caption><tr><td colspan=2>H</td><td></td></tr>"
        "<tr><td>a</td><td>b</td><td>c</td></tr></table>\nNote after",
        "table",
    )
    assert read.text == "Table 1. Before\nCap\nH | \na | b | c\nNote after"
    assert read.table is not None
    assert read.table.grid() == (("H", "H", ""), ("a", "b", "c"))


def test_two_tables_in_a_block_are_stacked():
    read = read_text("<table><tr><td>a</td></tr></table>mid<TABLE><tr><td>b</td><td>c</td></tr></TABLE>", "table")
    assert read.text == "a\nmid\nb | c"
    assert read.table is not None
    assert read.table.grid() == (("a", ""), ("b", "c"))


def test_an_unclosed_table_and_misplaced_words_are_kept():
    read = read_text("<table>loose<tr><td>a</td><td>b", "table")
    assert read.text == "loose\na | b"


@pytest.mark.parametrize("deep", ["<table><tr><td>" * 3000 + "end", "<table><tr><td>" + "<b>" * 20_000 + "end"])
def test_words_below_hostile_nesting_are_not_lost(deep):
    read = read_text(deep, "table")
    assert "end" in read.text


def test_pipe_table():
    read = read_text("Before\n| a | b\\|c |\n|:--|--:|\n| 1 | 2 | 3 |\n|4|\nAfter", "text")
    assert read.text == "Before\na | b|c\n1 | 2 | 3\n4\nAfter"
    assert read.table is not None
    assert read.table.grid() == (("a", "b|c", ""), ("1", "2", "3"), ("4", "", ""))
    assert [cell.header for cell in read.table.cells] == [True, True, False, False, False, False]


def test_pipes_in_prose_are_no_table():
    text = "P(a|b) is\nP(a)|P(b)\nand more"
    assert read_text(text, "text").text == text
    assert read_text(text, "text").table is None


@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "<tr><td colspan=100000 rowspan=99999>x</td></tr>" * 2000,
        "<table><tr>" + "<td colspan=1000>x" * 3000,
        "<table>" * 20_000,
        "<table " * 20_000,
        "<table>" + "<" * 50_000,
        "|a\n" + " " * 100_000 + "-|x",
        "|a\n|" + "-" * 50_000 + "|" * 50_000 + "x",
    ],
    ids=lambda html: html[:20],
)
def test_hostile_tables_take_no_time(html):
    assert linear(lambda text: read_text(text, "table"), html)


LOOSE = st.builds(Loose, st.just("x"), st.integers(0, 9), st.integers(1, 9))


@given(st.lists(st.lists(LOOSE, max_size=6), max_size=6))
def test_cells_lie_on_the_grid_without_overlap(rows):
    table = lay_out(rows)
    assert len(table.cells) == sum(map(len, rows))
    places = [
        (row, column)
        for cell in table.cells
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    ]
    assert len(places) == len(set(places))
    assert all(0 <= row < table.rows and 0 <= column < table.columns for row, column in places)
