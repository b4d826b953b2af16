"""Authors in a grid are read cell by cell, a text in columns below it is not."""

from __future__ import annotations

from kag.sources.pdf.file.content import Word
from kag.sources.pdf.text.front_layout import front_cut, rows_of_cells
from kag.sources.pdf.text.lines import Line
from tests.unit.sources.pdf.typeset import lines, words

PROSE = "the river was frozen hard when we came by again"


def cell(x: float, top: float, *rows: str) -> list[Word]:
    return [word for n, row in enumerate(rows) for word in words(x, top + 12 * n, row)]


def prose(x: float, top: float, rows: int = 6) -> list[Word]:
    return cell(x, top, *[PROSE] * rows)


def texts(cells: list[list[Line]]) -> list[str]:
    return ["/".join(line.text for line in own) for own in cells]


def test_cells_are_read_row_by_row() -> None:
    made = [*cell(50, 100, "Ann Lee", "Norland"), *cell(250, 100, "Bo Chen", "Sudland", "a@b.org")]
    made += [*cell(50, 150, "Cy Diaz", "Norland"), *cell(250, 150, "Di Eck", "Sudland")]
    assert texts(rows_of_cells(lines(made))) == [
        "Ann Lee/Norland",
        "Bo Chen/Sudland/a@b.org",
        "Cy Diaz/Norland",
        "Di Eck/Sudland",
    ]


def test_what_spans_the_zone_is_a_row_of_its_own() -> None:
    wide = "Losses of ice on the rivers of the north and of the south"
    made = [*cell(50, 60, wide), *cell(50, 84, "Ann Lee"), *cell(250, 84, "Bo Chen")]
    assert texts(rows_of_cells(lines(made))) == [wide, "Ann Lee", "Bo Chen"]


def test_the_zone_ends_where_prose_or_an_abstract_begins() -> None:
    names = [*cell(50, 100, "Ann Lee", "Institute of Ice, Norland", "Ode", "Hall"), *cell(330, 100, "Bo Chen")]
    below = lines([*names, *prose(50, 200), *prose(330, 190)])
    cut = front_cut(below, 800, 10)
    assert cut is not None
    assert max(line.rect.y1 for line in lines(names)) < cut <= min(line.rect.y0 for line in lines(prose(330, 190)))
    headed = front_cut(lines([*names, *cell(50, 180, "Abstract"), *prose(50, 200)]), 800, 10)
    assert headed is not None
    assert headed < cut
    assert front_cut(lines(names), 800, 10) is None, "nothing but names"


def test_a_blank_between_large_words_parts_no_cells() -> None:
    made = [*words(50, 60, "Losses of ice", 20), *words(180, 60, "(LICE)", 20), *words(50, 90, "Ann Lee")]
    apart = [line for line in lines(made) if line.size < 15] + [Line(tuple(made[:3])), Line(tuple(made[3:4]))]
    assert texts(rows_of_cells(apart)) == ["Losses of ice/(LICE)", "Ann Lee"]
