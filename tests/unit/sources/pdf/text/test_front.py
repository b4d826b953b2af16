"""The trained labeller of front matter, and what is checked behind it."""

from __future__ import annotations

import pytest

from kag.core.types import NO_METADATA
from kag.sources.pdf.file.content import Word
from kag.sources.pdf.text import front
from kag.sources.pdf.text.front import front_lines, label_front
from kag.sources.pdf.text.front_features import FrontLine
from kag.sources.pdf.text.front_layout import front_cut, front_groups, rows_of_cells
from kag.sources.pdf.text.lines import Line
from tests.unit.sources.pdf.typeset import BODY, BOLD, PLAIN, SLANTED, lines, page, text, words

SHEET = (600.0, 800.0)


def roles(made: list[Word]) -> dict[str, str]:
    found = label_front(front_lines([(1, lines(made))]), SHEET, BODY, NO_METADATA)
    return {line.text: role for line, role in found.roles.items()}


def first_page(*names: str, kind: str = "Original Article") -> list[Word]:
    made = [*words(50, 60, kind, 12), *words(50, 90, "Losses of Ice on Small Rivers", 17, BOLD)]
    for n, row in enumerate(names):
        made += words(50, 130 + 14 * n, row, 12)
    made += words(50, 190, "Institute of Ice, University of Norland, 1234 Arden, Norland")
    made += [*words(50, 240, "Abstract", 12, BOLD), *text(50, 260, 6, 80)]
    return [*made, *words(50, 370, "1 Introduction", 14, BOLD), *text(50, 394, 20, 80)]


def test_title_authors_and_affiliation_are_told_apart() -> None:
    found = roles(first_page("Ann Lee, Bo Chen and Cy Diaz"))
    assert found["Losses of Ice on Small Rivers"] == "title"
    assert found["Ann Lee, Bo Chen and Cy Diaz"] == "author"
    assert found["Institute of Ice, University of Norland, 1234 Arden, Norland"] == "affiliation"


@pytest.mark.parametrize("kind", ["Original Article", "RESEARCH ARTICLE", "Review", "ARTICLE INFO"])
def test_the_kind_of_a_paper_is_a_note(kind: str) -> None:
    made = front_lines([(1, lines(first_page("Ann Lee and Bo Chen", kind=kind)))])
    found = label_front(made, SHEET, BODY, NO_METADATA)
    assert kind not in {line.text for line in found.roles}
    assert kind in {line.text for line in found.notes}


def test_titles_of_parts_have_no_role() -> None:
    assert not {"Abstract", "1 Introduction"} & set(roles(first_page("Ann Lee and Bo Chen")))


def test_a_line_of_a_name_and_its_place_is_two_blocks() -> None:
    found = front_groups(lines(words(50, 100, "Ann Lee, Institute of Ice, Norland")), "author")
    assert [(role, " ".join(line.text for line in own)) for role, own in found] == [
        ("author", "Ann Lee,"),
        ("affiliation", "Institute of Ice, Norland"),
    ]


def abstract_of(*rows: tuple[str, float, int]) -> tuple[list[str], list[str]]:
    """The rows that stay an abstract, and those that are notes beside it; a row is text, type size and box."""
    made = [
        FrontLine(lines(words(50, 100 + 12 * n, row, size))[0], 0, 0, box) for n, (row, size, box) in enumerate(rows)
    ]
    roles = {one.line: "abstract" for one in made if "no" not in one.line.text.split()}
    aside = front._drop_text(made, roles)
    return [line.text for line in roles], [one.line.text for one in made if one.line in aside]


def test_an_abstract_lies_in_one_box_or_in_none() -> None:
    rows = [
        ("the ice was thin in may", 10.0, 0),
        ("and was gone in june", 10.0, 0),
        ("strengths of this study", 10.0, 1),
    ]
    assert abstract_of(*rows, ("as the gauges had shown", 10.0, 0)) == (
        ["the ice was thin in may", "and was gone in june", "as the gauges had shown"],
        ["strengths of this study"],
    )


def test_an_abstract_is_set_in_one_size() -> None:
    rows = [("the ice was thin in may", 10.0, 0), ("no interests compete", 8.0, 0), ("funded by the north", 8.0, 0)]
    assert abstract_of(*rows) == (["the ice was thin in may"], ["funded by the north"])


def test_the_heading_of_an_abstract_begins_it_behind_that_of_another_part() -> None:
    rows = ["Introduction", "Abstract", "the ice was thin"]
    made = [FrontLine(lines(words(50, 100 + 30 * n, row))[0], 0, 0) for n, row in enumerate(rows)]
    for own, kept in ((made, True), (made[::2], False)):
        roles = {made[2].line: "abstract"}
        front._drop_text(own, roles)
        assert bool(roles) is kept


def test_a_bold_title_of_another_part_ends_an_abstract() -> None:
    made = [
        FrontLine(lines([*words(50, 100, "Results:", font=BOLD), *words(90, 100, "the ice was thin")])[0], 0, 0),
        FrontLine(lines([*words(50, 112, "Abbreviations:", font=BOLD), *words(120, 112, "GI is an index")])[0], 0, 0),
        FrontLine(lines(words(50, 124, "of the gauges"))[0], 0, 0),
    ]
    roles = {one.line: "abstract" for one in made}
    assert front._drop_text(made, roles) == {made[1].line, made[2].line}
    assert list(roles) == [made[0].line]


def test_lines_know_the_smallest_box_around_them() -> None:
    inside, beside = words(100, 200, "within"), words(400, 200, "beside")
    boxes = [("path", 80.0, 150.0, 300.0, 260.0), ("path", 90.0, 180.0, 250.0, 230.0), ("path", 0.0, 0.0, 600.0, 800.0)]
    drawn = page([*inside, *beside], boxes)
    assert [one.box for one in front_lines([(1, lines([*inside, *beside]))], [drawn])] == [1, 0]


def begin(*rows: tuple[str, str]) -> str:
    """The line with which the text begins; a row is a label and its text, in bold where it is a heading's."""
    made = [
        FrontLine(lines(words(50, 100 + 12 * n, row, font=BOLD if label == "heading" else PLAIN))[0], 0, 0)
        for n, (label, row) in enumerate(rows)
    ]
    found = front._text_start(made, [label for label, _ in rows], {}, BODY)
    return found.text if found else ""


def test_the_text_begins_with_the_introduction() -> None:
    front_rows = [("title", "Losses of ice"), ("body", "Institute of Ice"), ("body", "Norland"), ("body", "Sudland")]
    assert begin(*front_rows, ("heading", "1 Ice on rivers"), ("body", "the ice was thin")) == "1 Ice on rivers"
    labels = [("heading", "Introduction"), ("abstract", "the ice"), ("heading", "Methods"), ("abstract", "gauges")]
    assert begin(*front_rows, *labels, ("heading", "INTRODUCTION"), ("body", "the ice")) == "INTRODUCTION"
    assert begin(*front_rows, ("heading", "2 Methods"), ("body", "the ice was thin")) == "Institute of Ice"


def test_an_item_of_a_list_in_the_type_of_the_text_does_not_begin_it() -> None:
    rows = [FrontLine(line, 0, 0) for line in lines([*text(50, 100, 3), *words(50, 200, "1. Sites of ice")])]
    found = front._text_start(rows, ["body"] * 3 + ["heading"], {}, BODY)
    assert found == rows[0].line


@pytest.mark.parametrize(("size", "role"), [(17, "title"), (12, None)])
def test_a_title_goes_on_in_another_face_of_its_size(size: float, role: str | None) -> None:
    other = SLANTED._replace(bold=True)
    made = lines([*words(50, 90, "Losses of Ice", 17, BOLD), *words(50, 110, "on Rivers", size, other)])
    roles = {made[0]: "title"}
    front._grow([FrontLine(line, 0, 0) for line in made], roles, BODY)
    assert roles.get(made[1]) == role


def test_a_list_of_names_below_the_title_is_the_authors_and_nothing_in_another_size() -> None:
    rows = [
        ("Losses of Ice", 17.0, "title"),
        ("Ann Lee, Bo Chen, Cy Diaz,", 11.0, ""),
        ("Di Eck, Ed Fox, Flo Gray", 11.0, ""),
    ]
    rows += [("Villa Sofia", 8.0, "author"), ("Ann Lee", 11.0, "author")]
    made = [FrontLine(lines(words(50, 100 + 14 * n, row, size))[0], 0, 0) for n, (row, size, _) in enumerate(rows)]
    roles = {one.line: role for one, (_, _, role) in zip(made, rows, strict=True) if role}
    front._set_by_first_list(made, roles)
    assert [roles[one.line] for one in made] == ["title", "author", "author", "affiliation", "author"]


def test_a_long_paragraph_is_no_note_where_an_abstract_is_to_be_found() -> None:
    made = [FrontLine(line, 0, 0) for line in lines([*text(50, 100, 5), *text(50, 300, 1), *text(50, 400, 3)])]
    labels = ["other"] * 5 + ["body"] + ["other"] * 3
    assert list(front._notes(made, labels, all_of=False)) == [one.line for one in made[6:]]
    assert len(list(front._notes(made, labels, all_of=True))) == 8


@pytest.mark.parametrize(
    ("heading", "count", "wide", "expected"),
    [
        ("1 Introduction", 6, 80, 6),
        ("1 Introduction", 2, 80, 0),
        ("1 Introduction", 6, 20, 0),
        ("Ice on rivers", 6, 80, 0),
    ],
)
def test_prose_before_the_introduction_is_an_abstract(heading: str, count: int, wide: int, expected: int) -> None:
    made = [*words(50, 90, "Losses of Ice", 17), *text(50, 190, count, wide), *words(50, 300, heading, 14, BOLD)]
    found = [FrontLine(line, 0, 0) for line in lines(made)]
    prose = front._unheaded_abstract(found, {found[0].line: "title"}, found[-1].line)
    assert len(prose) == expected


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


def test_a_name_below_the_title_of_a_thesis_is_its_author() -> None:
    made = [*words(50, 60, "A Winter of Ice on the Rivers of the North", 20, BOLD), *words(50, 100, "by")]
    made += words(50, 120, "Petra Alder", 14)
    made += [*words(50, 400, "Presented to the Institute of Ice at Arden"), *words(50, 430, "2016")]
    found = roles(made)
    assert found["A Winter of Ice on the Rivers of the North"] == "title"
    assert found["Petra Alder"] == "author"


def test_what_stands_between_an_author_and_an_address_is_of_the_address() -> None:
    made = words(50, 180, "Drinking Water from Frozen Rivers", 24, BOLD)
    made += [*words(150, 330, "Petra Alder", 12), *words(150, 345, "River Commission", 9)]
    found = roles([*made, *words(150, 358, "petra@north.example", 9)])
    assert found["River Commission"] == "affiliation"


def test_without_a_labelled_title_it_is_what_is_set_largest() -> None:
    rows = (
        "Citation: Lee, A.; Chen, B.",
        "Losses of Ice. Rivers 2021, 13.",
        "Received: 3 March 2021",
        "Accepted: 2 May 2021",
    )
    made = [*words(40, 40, "Rivers", 16, BOLD), *words(40, 70, "Article", 10, SLANTED)]
    made += [
        *words(40, 100, "Losses of Ice on Small Rivers", 18, BOLD),
        *words(40, 130, "Ann Lee, Bo Chen and Cy Diaz", 10, BOLD),
    ]
    made += [word for n, row in enumerate(rows) for word in words(40, 160 + 20 * n, row, 7)]
    found = roles([*made, *words(40, 250, "1. Introduction", 10, BOLD), *text(40, 270, 20, 80)])
    assert found["Losses of Ice on Small Rivers"] == "title"
    assert found["Ann Lee, Bo Chen and Cy Diaz"] == "author"
