"""Tables laid out on a grid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kag.core.types import Box, Cell
from kag.sources.boxes import parse_boxes
from kag.sources.ocr.page_markdown import read_text
from kag.sources.ocr.tags import split_page
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


REF = "<|ref|>text<|/ref|>"
TAG = REF + "<|det|>[[1, 2, 3, 4]]<|/det|>"
ONE = (Box(1, 2, 3, 4),)


def read(text):
    segments, repairs = split_page(text, 7)
    return [(s.label, s.boxes, s.raw) for s in segments], [(r.page, r.line, r.problem) for r in repairs]


def test_tags_text_and_lines():
    text = (
        "<|ref|> Title <|/ref|><|det|>[[68, 79, 837, 133]]<|/det|>\n# A\n\n"
        "<|ref|>image<|/ref|><|det|>[[1,2,3,4]]<|/det|>\n\n"
        "<|ref|>text<|/ref|><|det|>[[0, 0, 10, 10], [20.4, 0, 30.6, 1e1]]<|/det|>\n"
        "One\ntwo<|ref|>odd_Label<|/ref|>\n<|det|>[[5,6,7,8]]<|/det|>tail"
    )
    segments, repairs = split_page(text, 7)
    assert [(s.label, s.boxes, s.raw, s.line) for s in segments] == [
        ("title", (Box(68, 79, 837, 133),), "# A", 1),
        ("image", (Box(1, 2, 3, 4),), "", 4),
        ("text", (Box(0, 0, 10, 10), Box(20, 0, 31, 10)), "One\ntwo", 6),
        ("odd_label", (Box(5, 6, 7, 8),), "tail", 8),
    ]
    assert repairs == []


def test_text_before_the_first_tag_has_no_label():
    segments, repairs = split_page(f"\n\nBefore\n{TAG}\nAfter", 1)
    assert [(s.label, s.raw, s.line) for s in segments] == [(None, "Before", 3), ("text", "After", 4)]
    assert repairs == []
    assert split_page(" \n ", 1) == ([], [])


@pytest.mark.parametrize(
    ("broken", "expected", "problem"),
    [
        ("<|ref|>image<|/ref|>\nA", ("image", (), "A"), "a tag without a box list"),
        ("<|ref|>table<|det|>[[1,2,3,4]]<|/det|>\nA", ("table", ONE, "A"), "a tag's label is not closed"),
        ("<|ref|>A long text\nB", ("text", (), "A long text\nB"), "a tag is not closed"),
        ("<|det|>[[1,2,3,4]]<|/det|>A", ("text", ONE, "A"), "a box list without a label"),
        ("<|ref|> <|/ref|><|det|>[[1,2,3,4]]<|/det|>A", ("text", ONE, "A"), "a tag without a label"),
        (REF + "<|det|>[[1,2,3,4]]\n[12] A", ("text", ONE, "[12] A"), "a tag's box list is not closed"),
        (REF + "<|det|>[[1,2,3,4],[5,6\n12 mi", ("text", ONE, "12 mi"), "a tag's box list is not closed"),
        (REF + "<|det|>[[1,2,3<|/det|>A", ("text", (), "A"), "the box list cannot be read"),
        (REF + "<|det|>[[1,2,NaN,4]]<|/det|>A", ("text", (), "A"), "the box list cannot be read"),
        (REF + "<|det|>words here<|/det|>A", ("text", (), "words here\nA"), "the box list cannot be read"),
        (REF + "<|det|>[]<|/det|>A", ("text", (), "A"), "the box list is empty"),
        (REF + "<|det|><|/det|>A", ("text", (), "A"), "the box list cannot be read"),
        (REF + "<|det|>[[1,2,3],[1,2,3,4]]<|/det|>A", ("text", ONE, "A"), "a box is not four numbers"),
        (REF + "<|det|>[[-5,2,3,2000]]<|/det|>A", ("text", (Box(0, 2, 3, 1000),), "A"), "a box leaves the page"),
        (REF + "<|det|>[[30,2,3,4]]<|/det|>A", ("text", (Box(3, 2, 30, 4),), "A"), "a box ends before it begins"),
    ],
)  # fmt: skip
def test_a_broken_tag_keeps_its_text_and_is_recorded(broken, expected, problem):
    segments, repairs = read(f"{TAG}\nFirst\n{broken}\n{TAG}Last")
    assert segments[0] == ("text", (Box(1, 2, 3, 4),), "First")
    assert segments[1] == expected
    assert segments[-1] == ("text", (Box(1, 2, 3, 4),), "Last")
    assert (7, 3, problem) in repairs


def test_stray_marks_are_dropped_inside_a_block():
    segments, repairs = read(f"{TAG}\nA<|/det|> B <|/ref|>C")
    assert segments == [("text", (Box(1, 2, 3, 4),), "A B C")]
    assert repairs == [(7, 2, "a stray <|/det|>"), (7, 2, "a stray <|/ref|>")]


def test_a_label_is_short_and_on_one_line():
    words = "w" * 100
    segments, _ = read(f"<|ref|>{words}<|/ref|>x<|ref|>a\nb<|/ref|>")
    assert "".join(raw for _, _, raw in segments).replace("\n", "") == words + "xab"


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("[1, 2, 3, 4]", (Box(1, 2, 3, 4),)),
        ("[(1, 2, 3, 4), (5, 6, 7, 8),]", (Box(1, 2, 3, 4), Box(5, 6, 7, 8))),
        ("[[true, 2, 3, 4]]", ()),
        ('[["1", 2, 3, 4]]', ()),
        ("[[1e999, 2, 3, 4]]", ()),
        ("[[" + "9" * 5000 + ", 2, 3, 4]]", ()),
        ("[" * 100_000, ()),
        ("__import__('os')", ()),
        ("{}", ()),
    ],
    ids=lambda value: str(value)[:20],
)
def test_parse_boxes(text, boxes):
    assert parse_boxes(text)[0] == boxes
    assert bool(parse_boxes(text)[1]) is (boxes == ())


@pytest.mark.parametrize("unit", ["<|ref|>", "<|det|>", "<|det|>[[", "<|ref|>a<|/ref|>", "<|det|>[1," * 2, "<|ref|>a"])
def test_hostile_pages_take_no_time(unit):
    assert linear(lambda text: split_page(text, 1), unit * 20_000)
