"""Figures and tables of a page: their rectangles, captions, labels, cells and notes; and text that is neither."""

from __future__ import annotations

from kag.sources.pdf.file.content import Rect, Word
from kag.sources.pdf.floats.regions import Region, find_regions
from kag.sources.pdf.text.columns import Gutter
from tests.unit.sources.pdf.typeset import BODY, BOLD, MONO, lines, page, text, words

GUTTER = (Gutter(290, 310, 20),)
Drawing = tuple[str, float, float, float, float]


def regions(made: list[Word], drawn: list[Drawing] | None = None, gutters: tuple[Gutter, ...] = ()) -> list[Region]:
    return find_regions(page(made, drawn or []), lines(made), BODY, gutters)


def shown(region: Region) -> list[str]:
    return [line.text for line in region.inside]


def grid(region: Region) -> list[tuple[str, ...]]:
    assert region.table
    return list(region.table.grid())


def test_a_plot_is_the_art_over_its_caption_with_its_labels() -> None:
    axes: list[Drawing] = [("path", 100, 150, 100.5, 300), ("path", 100, 300, 280, 300.5), ("path", 110, 160, 270, 290)]
    labels = words(92, 160, "5", 8) + words(150, 312, "Ice in metres", 8)
    made = text(50, 60, 5, 100) + labels + words(50, 335, "Figure 1. Yields of ice.", 8) + text(50, 370, 5, 100)
    (figure,) = regions(made, axes)
    assert figure.kind == "figure"
    assert figure.shown
    assert figure.rect.y0 < 151
    assert figure.rect.y1 > 300
    assert figure.rect.x1 == 280
    assert sorted(shown(figure)) == ["5", "Ice in metres"]
    assert [line.text for line in figure.caption] == ["Figure 1. Yields of ice."]


def test_panels_are_one_figure_and_two_captions_two() -> None:
    made = words(50, 320, "Figure 1. Ice.", 8) + words(320, 320, "Figure 2. Snow.", 8) + text(50, 350, 9, 45)
    drawn: list[Drawing] = [
        ("image", 60, 60, 160, 150), ("image", 170, 60, 270, 150), ("image", 60, 170, 270, 300),
        ("image", 330, 60, 540, 300),
    ]  # fmt: skip
    left, right = regions(made + text(310, 350, 9, 45), drawn, GUTTER)
    assert (left.rect, right.rect) == (Rect(60, 60, 270, 300), Rect(330, 60, 540, 300))


def test_a_caption_beside_its_figure() -> None:
    made = words(50, 100, "Figure 1. Ice in", 8) + words(50, 110, "two winters.", 8) + text(50, 330, 9, 100)
    (figure,) = regions(made, [("image", 200, 60, 540, 300)])
    assert figure.rect == Rect(200, 60, 540, 300)
    assert len(figure.caption) == 2


def test_a_wide_figure_over_a_short_caption_in_one_column() -> None:
    made = words(50, 320, "Figure 1. Ice.", 8) + text(50, 350, 9, 45) + text(310, 350, 9, 45)
    (figure,) = regions(made, [("image", 150, 60, 450, 300)], GUTTER)
    assert figure.rect == Rect(150, 60, 450, 300)


def test_a_caption_whose_picture_is_elsewhere_stands_alone() -> None:
    (figure,) = regions(text(50, 60, 9, 100) + words(50, 200, "Figure 1. Ice.", 8) + text(50, 230, 9, 100))
    assert not figure.shown
    assert figure.caption
    assert not figure.inside


def test_a_large_picture_without_a_caption_and_no_small_one() -> None:
    made = text(50, 450, 9, 100)
    (figure,) = regions(made, [("image", 100, 100, 400, 400), ("image", 50, 20, 120, 60)])
    assert figure.rect == Rect(100, 100, 400, 400)
    assert figure.caption == ()


ROWS = [("Year", "Ice", "Snow"), ("1901", "12", "3"), ("1902", "15", "4"), ("1903", "9", "12")]


def rows(top: float, size: float = 8.0) -> list[Word]:
    return [
        word
        for n, row in enumerate(ROWS)
        for x, cell in zip((60, 160, 240), row, strict=True)
        for word in words(x, top + 12 * n, cell, size)
    ]


def test_a_table_between_rules_with_its_notes() -> None:
    made = words(50, 80, "Table 1. Yields of ice and snow.", 8) + rows(100)
    made += words(50, 150, "Note: snow was weighed.", 7) + text(50, 190, 9, 100)
    drawn: list[Drawing] = [("path", 50, y, 300, y + 0.5) for y in (88.0, 103.0, 140.0)]
    (table,) = regions(made, drawn)
    assert grid(table) == ROWS
    assert table.table
    assert [cell.text for cell in table.table.cells if cell.header] == ["Year", "Ice", "Snow"]
    assert [line.text for line in table.notes] == ["Note: snow was weighed."]


def test_a_table_without_rules() -> None:
    (table,) = regions(words(50, 80, "Table 1. Yields.", 8) + rows(100) + text(50, 190, 9, 100))
    assert grid(table) == ROWS


def test_a_caption_under_its_table() -> None:
    made = text(50, 60, 5, 100) + rows(150) + words(50, 205, "Table 1. Yields.", 8) + text(50, 240, 9, 100)
    (table,) = regions(made, [("path", 50, y, 300, y + 0.5) for y in (139.0, 153.0, 190.0)])
    assert grid(table) == ROWS


def test_heads_that_span_and_groups_of_rows() -> None:
    made = words(50, 80, "Table 1. Yields.", 8) + words(180, 100, "Winter of the year", 8)
    for n, row in enumerate([("Year", "Ice", "Snow"), ("North",), ("1901", "12", "3"), ("1902", "15", "4")]):
        made += [w for x, cell in zip((60, 160, 260), row, strict=False) for w in words(x, 114 + 12 * n, cell, 8)]
    drawn: list[Drawing] = [("path", 50, y, 300, y + 0.5) for y in (88.0, 117.0, 154.0)]
    (table,) = regions(made + text(50, 190, 9, 100), [*drawn, ("path", 160, 103, 290, 103.5)])
    assert grid(table)[0] == ("Year", "Winter of the year", "Winter of the year")
    assert grid(table)[2] == ("North", "North", "North")


def test_lines_of_one_cell_are_one_row_in_a_grid() -> None:
    made = words(50, 80, "Table 1. Yields.", 8)
    made += words(60, 100, "Year", 8) + words(160, 100, "What was seen", 8)
    made += words(60, 120, "1901", 8) + words(160, 115, "much ice on the", 8) + words(160, 125, "northern arm", 8)
    made += words(60, 145, "1902", 8) + words(160, 140, "some ice on the", 8) + words(160, 150, "southern arm", 8)
    drawn: list[Drawing] = [("path", 50, y, 300, y + 0.5) for y in (88.0, 104.0, 130.0, 155.0)]
    (table,) = regions(made + text(50, 190, 9, 100), drawn)
    assert grid(table)[1:] == [("1901", "much ice on the northern arm"), ("1902", "some ice on the southern arm")]


def test_text_in_two_columns_is_no_table_and_none_is_swallowed() -> None:
    caption = words(50, 60, "Table 1", 8, BOLD) + words(90, 60, "Yields of ice.", 8)
    made = caption + text(50, 80, 40, 45) + text(310, 80, 40, 45)
    (alone,) = regions(made, gutters=GUTTER)
    assert not alone.shown
    assert not alone.inside
    assert not alone.notes
    assert regions(made[len(caption) :], gutters=GUTTER) == []


def test_a_table_ends_where_two_columns_of_text_begin() -> None:
    made = words(50, 80, "Table 1. Yields.", 8) + rows(100) + text(50, 160, 9, 45) + text(310, 160, 9, 45)
    rules: list[Drawing] = [("path", 50, y, 540, y + 0.5) for y in (88.0, 103.0, 142.0, 300.0)]
    (table,) = regions(made, rules, GUTTER)
    assert grid(table) == ROWS
    assert not table.notes


def test_two_captions_side_by_side_in_one_column_have_each_its_figure() -> None:
    made = words(60, 220, "Fig. 1. Ice", 8) + words(190, 220, "Fig. 2. Snow", 8) + text(50, 250, 9, 45)
    left, right = regions(
        made + text(310, 60, 9, 45), [("image", 60, 60, 150, 200), ("image", 185, 60, 280, 200)], GUTTER
    )
    assert (left.rect, right.rect) == (Rect(60, 60, 150, 200), Rect(185, 60, 280, 200))


def test_a_line_that_reaches_out_of_the_column_is_no_label() -> None:
    made = words(150, 52, "Institute of Ice and of Snow in the North of the Land", 10) + text(50, 80, 9, 45)
    made += words(320, 220, "Figure 1. Ice.", 8) + text(50, 240, 9, 45) + text(310, 240, 9, 45)
    (figure,) = regions(made, [("image", 320, 66, 500, 200)], GUTTER)
    assert figure.rect == Rect(320, 66, 500, 200)
    assert not figure.inside


def rules(*heights: float, x0: float = 50, x1: float = 300) -> list[Drawing]:
    return [("path", x0, y, x1, y + 0.5) for y in heights]


def set_rows(made: list[tuple[float, float, str]]) -> list[Word]:
    return [word for x, base, cell in made for word in words(x, base, cell, 8)]


def test_a_table_without_a_caption_between_three_rules() -> None:
    made = text(50, 40, 3, 100) + rows(100) + text(50, 190, 9, 100)
    (table,) = regions(made, rules(88, 103, 140))
    assert (table.kind, table.caption, grid(table)) == ("table", (), ROWS)
    assert regions(made, rules(88, 140)) == [], "two rules are not enough where text stands over them"
    box = text(50, 40, 3, 100) + text(50, 100, 3, 50) + text(50, 190, 9, 100)
    assert regions(box, rules(88, 103, 140)) == [], "a box of text is none"


def test_a_part_of_a_table_at_the_top_of_a_page() -> None:
    (table,) = regions(rows(70) + text(50, 190, 9, 100), rules(58, 110))
    assert (table.caption, grid(table)) == ((), ROWS)
    assert regions(rows(70) + text(50, 190, 9, 100), rules(58)) == []


def test_a_caption_may_say_first_that_it_goes_on() -> None:
    (table,) = regions(words(50, 80, "Continued Table 1", 8, BOLD) + rows(100) + text(50, 190, 9, 100))
    assert ([line.text for line in table.caption], grid(table)) == (["Continued Table 1"], ROWS)


def test_a_cell_fills_the_rows_that_no_rule_parts() -> None:
    made = words(50, 80, "Table 1. Yields.", 8)
    made += set_rows([(60, 100, "River"), (160, 100, "Year"), (240, 100, "Ice")])
    made += set_rows([(60, 124, "Tana"), (160, 112, "1901"), (240, 112, "12"), (160, 124, "1902"), (240, 124, "15")])
    made += set_rows([(160, 136, "1903"), (240, 136, "9"), (60, 148, "Ob"), (160, 148, "1904"), (240, 148, "7")])
    drawn = [*rules(90, 103, 139, 152), *rules(115, 127, x0=140)]
    (table,) = regions(made + text(50, 190, 9, 100), drawn)
    assert table.table
    assert {cell.text: (cell.row, cell.row_span) for cell in table.table.cells if cell.column == 0} == {
        "River": (0, 1), "Tana": (1, 3), "Ob": (4, 1),
    }  # fmt: skip
    assert [row[0] for row in grid(table)] == ["River", "Tana", "Tana", "Tana", "Ob"]


def test_a_rule_under_a_part_of_the_columns_leaves_the_last_row_of_a_group_alone() -> None:
    made = words(50, 80, "Table 1. Yields.", 8)
    made += set_rows([(60, 100, "River"), (160, 100, "Year"), (240, 100, "Ice")])
    made += set_rows([(60, 112, "Tana"), (160, 112, "1901"), (240, 112, "12"), (160, 124, "1902"), (240, 124, "15")])
    made += set_rows([(60, 136, "Ob"), (160, 136, "1903"), (240, 136, "9"), (160, 148, "1904"), (240, 148, "7")])
    (table,) = regions(made + text(50, 190, 9, 100), [*rules(90, 103, 152), *rules(127, x0=140)])
    assert [row[0] for row in grid(table)] == ["River", "Tana", "", "Ob", ""]


def test_a_long_title_of_a_group_does_not_close_the_space_between_columns() -> None:
    made = words(50, 80, "Table 1. Yields.", 8) + set_rows([(60, 100, "El"), (84, 100, "Ice"), (110, 100, "Snow")])
    for n, title in enumerate(("North of the line", "South of the line")):
        top = 112 + 48 * n
        made += words(60, top, title, 8)
        made += [w for m in range(3) for w in set_rows([(60, top + 12 + 12 * m, c) for c in ("Fe",)])]
        made += [w for m in range(3) for w in set_rows([(84, top + 12 + 12 * m, "12"), (110, top + 12 + 12 * m, "3")])]
    (table,) = regions(made + text(50, 240, 9, 100), rules(88, 103, 202, x1=140))
    assert grid(table)[1:3] == [("North of the line",) * 3, ("Fe", "12", "3")]


def test_cells_of_several_lines_set_from_their_tops() -> None:
    made = words(50, 80, "Table 1. Yields.", 8) + set_rows([(60, 100, "River"), (130, 100, "Seen"), (220, 100, "By")])
    for n, river in enumerate(("Tana", "Ob", "Inn")):
        top = 112 + 48 * n
        made += set_rows([(60, top, river), (130, top, "much ice"), (220, top, "both")])
        made += set_rows([(130, top + 12, "and snow"), (220, top + 12, "of us")])
        made += set_rows([(130, top + 24, "in the"), (130, top + 36, "north")])
    (table,) = regions(made + text(50, 290, 9, 100), rules(88, 103, 256))
    assert grid(table)[1:] == [
        (river, "much ice and snow in the north", "both of us") for river in ("Tana", "Ob", "Inn")
    ]


def test_rows_that_fill_their_columns_are_not_put_together() -> None:
    cells = [("Tana", "12", "3"), ("Ob", "15", "4"), ("Inn", "9", "1"), ("Po", "7", ""), ("Don", "6", "2")] * 2
    made = words(50, 80, "Table 1. Yields.", 8) + set_rows([(60, 100, "River"), (160, 100, "Ice"), (240, 100, "Snow")])
    made += [
        word
        for n, row in enumerate(cells)
        for x, cell in zip((60, 160, 240), row, strict=True)
        for word in words(x, 112 + 12 * n, cell, 8)
    ]
    (table,) = regions(made + text(50, 290, 9, 100), rules(88, 103, 226))
    assert grid(table)[1:] == cells


def test_further_lines_of_one_cell_do_not_end_a_table_without_rules() -> None:
    made = words(50, 80, "Table 1. Yields.", 8) + set_rows([(60, 100, "River"), (130, 100, "Seen"), (220, 100, "By")])
    for n, river in enumerate(("Tana", "Ob", "Inn", "Po", "Don")):
        made += set_rows([(60, 112 + 12 * n, river), (130, 112 + 12 * n, "much ice"), (220, 112 + 12 * n, "both")])
    made += set_rows([(130, 172 + 12 * m, "and snow") for m in range(7)])
    made += set_rows([(60, 256, "Ural"), (130, 256, "no ice"), (220, 256, "both")])
    (table,) = regions(made + text(50, 400, 9, 100), rules(88, 103))
    assert [row[0] for row in grid(table) if row[0]] == ["River", "Tana", "Ob", "Inn", "Po", "Don", "Ural"]


def test_the_short_last_line_of_a_typescript_is_none_of_the_figure_under_it() -> None:
    rows = ["the gauges were read by hand at dawn and again at noon by both of us and the others"] * 5
    prose = [word for n, row in enumerate([*rows, "when it froze."]) for word in words(50, 80 + 24 * n, row)]
    made = prose + words(50, 420, "Figure 1. Ice.", 8) + words(52, 216, "5", 8)
    (figure,) = regions(made, [("image", 50, 210, 400, 400)])
    assert shown(figure) == ["5"]


def cells(
    *texts: str, top: float = 100, step: float = 12, columns: tuple[float, ...] = (60, 160, 260, 360)
) -> list[Word]:
    """Rows of cells that "|" parts, in columns."""
    return [
        word
        for n, row in enumerate(texts)
        for x, cell in zip(columns, row.split("|"), strict=False)
        if cell.strip()
        for word in words(x, top + step * n, cell.strip(), 9)
    ]


def table(made: list[Word], *levels: float) -> list[tuple[str, ...]]:
    drawn: list[Drawing] = [("path", 55, y, 420, y + 0.5) for y in levels]
    (found,) = regions(words(50, 80, "Table 1. Loads of streams.", 9) + made + text(50, 300, 9, 100), drawn)
    return grid(found)


def test_a_label_halfway_between_two_rows_spans_both() -> None:
    head = cells("Group|Level|Min|Max")
    pairs = cells("|low|1.5|2.5", "|high|3.5|4.5", "|low|5.5|6.5", "|high|7.5|8.5", top=118)
    labels = words(60, 124, "Calm", 9) + words(60, 148, "Storm", 9)
    assert table([*head, *pairs, *labels], 90, 106, 160)[1:] == [
        ("Calm", "low", "1.5", "2.5"),
        ("Calm", "high", "3.5", "4.5"),
        ("Storm", "low", "5.5", "6.5"),
        ("Storm", "high", "7.5", "8.5"),
    ]


def test_titles_of_groups_lie_over_all_columns_and_hide_none() -> None:
    titled = cells("Group|Min|Max|n", top=100) + cells(
        "Panel A: streams in the hills", "Arden|1.5|2.5|9", "Panel B: streams of the plain", "Brun|3.5|4.5|8", top=118
    )
    found = table(titled, 90, 106, 162)
    assert found[2] == ("Arden", "1.5", "2.5", "9")
    assert found[1] == ("Panel A: streams in the hills",) * 4


def test_wide_spaces_between_words_that_are_set_flush_are_no_columns() -> None:
    flush = cells("Group|Remark", "Calm|An early snap-", "|shot of it", "Storm|A late season", "|of rain", top=100)
    moved = [word._replace(x0=word.x0 + 6, x1=word.x1 + 6) if word.text == "snap-" else word for word in flush]
    assert [row[1:] for row in table(moved, 90, 106, 160)][1:] == [
        ("An early snapshot of it",),
        ("A late season of rain",),
    ]


def test_an_algorithm_between_rules_is_one_float_and_leaves_the_next_figure_its_picture() -> None:
    made = [
        *words(50, 70, "Algorithm 1 Main loop", 10, BOLD),
        *words(50, 90, "1: for i do"),
        *words(50, 102, "2: end for"),
    ]
    made += [*words(50, 250, "Figure 1. Ice.", 8), *text(50, 300, 6, 100)]
    rules: list[Drawing] = [("path", 50, y, 550, y + 0.5) for y in (58, 76, 108)]
    algorithm, figure = regions(made, [*rules, ("image", 100, 130, 400, 235)])
    assert algorithm.kind == "algorithm"
    assert shown(algorithm) == ["1: for i do", "2: end for"]
    assert figure.rect == Rect(100, 130, 400, 235)


def test_a_listing_without_rules_goes_as_far_as_its_typewriter_face() -> None:
    made = [*words(50, 70, "Listing 1. Main loop", 8), *words(50, 86, "for x in y:", 9, MONO)]
    made += [*words(70, 97, "return x", 9, MONO), *text(50, 120, 6, 100)]
    (listing,) = regions(made)
    assert shown(listing) == ["for x in y:", "return x"]


def test_a_drawing_below_a_table_is_the_figure_s() -> None:
    made = words(50, 60, "Table 1. Ice.", 8)
    for base, row in ((90, "River Depth"), (110, "Arden 3"), (125, "Borno 4")):
        first, second = row.split()
        made += [*words(60, base, first), *words(300, base, second)]
    made += [*words(90, 165, "Gauge"), *words(270, 165, "Store"), *words(50, 220, "Figure 1. Ways of ice.", 8)]
    made += text(50, 260, 6, 100)
    rules: list[Drawing] = [("path", 50, y, 500, y + 0.5) for y in (75, 95, 132)]
    boxes: list[Drawing] = [("path", 80, 150, 150, 180), ("path", 250, 150, 330, 180), ("path", 150, 164, 250, 165)]
    table, figure = regions(made, [*rules, *boxes])
    assert table.rect.y1 < 140
    assert figure.shown
    assert sorted(shown(figure)) == ["Gauge", "Store"]


def test_a_table_over_both_columns_ends_before_their_text() -> None:
    made = words(
        50, 60, "Table 1. Losses of ice on all of the rivers and the lakes of Norland and of Sudland in two winters", 8
    )
    for base in (80, 93, 106):
        made += [word for n in range(4) for word in words(60 + 120 * n, base, f"{base}.{n}")]
    below = [*text(50, 124, 12, 45), *text(310, 124, 12, 45)]
    (table,) = regions(made + below, None, GUTTER)
    assert len(table.inside) == 12


def test_a_column_of_floats_beside_a_column_of_text() -> None:
    made = [*words(50, 300, "Figure 1. Losses of ice on the rivers of Norland", 8), *text(310, 60, 30, 45)]
    (figure,) = regions(made, [("image", 60, 100, 280, 285)], GUTTER)
    assert figure.rect == Rect(60, 100, 280, 285)
