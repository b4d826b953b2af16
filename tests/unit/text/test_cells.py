"""What table cells say: headers above and beside them, units, values, footnote marks, records."""

from __future__ import annotations

import pytest

from kag.sources.tables import parse_pipes, parse_table
from kag.text.cells import Layout, layout, read_body, records, split_note


def table(*rows: str, tag: str = "td"):
    """A table from rows such as "Site|2:Dose": cells parted by "|", "2:" spans two columns, "v2:" two rows."""
    html = ""
    for row in rows:
        html += "<tr>"
        for cell in row.split("|"):
            kind, colon, words = cell.partition(":")
            span = ""
            if colon and kind.isdigit():
                span = f' colspan="{kind}"'
            elif colon and kind[:1] == "v":
                span = f' rowspan="{kind[1:]}"'
            html += f"<{tag}{span}>{words if span else cell}</{tag}>"
        html += "</tr>"
    return parse_table(f"<table>{html}</table>")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("Site|Lost", "Upper|3"), Layout(1, 1)),
        (("|2:Dose (mg/kg)", "Site|low|high", "Upper|3|4"), Layout(2, 1)),
        (("v2:Site|2:Dose", "low|high", "Upper|3|4"), Layout(2, 1)),
        (("|2019|2018", "Sales|5|6"), Layout(1, 1)),
        (("||Year|", "|2019|2018|2017", "Sales|5|6|7"), Layout(2, 1)),
        (("|Ice|Snow", "|(mm)|(mm)", "May|5|6"), Layout(2, 1)),
        (("|Ice|Snow", "|(n = 5)|(n = 6)", "May|5|6"), Layout(2, 1)),
        (("|May|June", "|mean (se)|mean (se)", "Ice|2.1 (0.3)|3.4 (0.2)"), Layout(2, 1)),
        (("2:Data", "Beam|5.2", "2:Model", "Atoms|7"), Layout(0, 1)),
        (("Ice|3|4", "Snow|5|6"), Layout(0, 1)),
        (("Group|Sex|Mass", "v2:Old|male|5", "female|6"), Layout(1, 2)),
        (("Name|Means", "Ice|frozen water", "Fog|water in air"), Layout(1, 1)),
        (("Alone",), Layout(0, 0)),
    ],
)
def test_layout(rows: tuple[str, ...], expected: Layout) -> None:
    assert layout(table(*rows)) == expected


def test_marked_headers_win() -> None:
    marked = parse_table("<table><thead><tr><td>5</td><td>6</td></tr></thead><tr><td>a</td><td>7</td></tr></table>")
    assert layout(marked).header_rows == 1
    pipes = parse_pipes(["| Site | Dose, mg |", "|---|---|", "| Upper | 3 |"])
    assert pipes is not None
    (cell,) = read_body(pipes[2]).cells
    assert (cell.headers, cell.row, cell.unit and cell.unit.canonical) == (("Dose, mg",), ("Upper",), "mg")


def test_header_paths_go_from_the_outside_in() -> None:
    cells = read_body(table("v2:Site|2:Dose (mg/kg)|v2:Time, h", "low|high", "Upper|3|4|5")).cells
    assert [cell.headers for cell in cells] == [("Dose (mg/kg)", "low"), ("Dose (mg/kg)", "high"), ("Time, h",)]
    assert [cell.unit.canonical if cell.unit else "" for cell in cells] == ["mg.kg-1", "mg.kg-1", "h"]
    assert {cell.row for cell in cells} == {("Upper",)}


def test_group_rows_stand_before_the_rows_own_name() -> None:
    cells = read_body(table("|Lost", "2:Winter", "Upper|3", "Lower|4", "2:Summer", "Upper|5")).cells
    assert [(cell.row, cell.words) for cell in cells] == [
        (("Winter", "Upper"), "3"),
        (("Winter", "Lower"), "4"),
        (("Summer", "Upper"), "5"),
    ]


def test_stub_columns_that_span_rows() -> None:
    body = read_body(table("Group|Sex|Mass (g)", "v2:Old|male|5", "female|6"))
    assert [cell.row for cell in body.cells] == [("Old", "male"), ("Old", "female")]
    assert body.columns[2] == ("Mass (g)",)


@pytest.mark.parametrize(
    ("header", "cell", "unit", "value"),
    [
        ("Dose (mg/kg)", "1.5", "mg.kg-1", 1.5),
        ("Dose [mg kg \\( ^{-1} \\) ]", "1.5", "mg.kg-1", 1.5),
        ("Dose", "1.5 mg", "mg", 1.5),
        ("Dose (g)", "1.5 mg", "mg", 1.5),
        ("Time, h", "12", "h", 12),
        ("Time (h) \\( ^{a} \\)", "12", "h", 12),
        ("Loss (%)", "−3", "%", -3),
        ("n (%)", "3 (20)", "", None),
        ("Site (north)", "3", "", 3),
        ("p", "<0.001", "", 0.001),
        ("Temperature ( \\( ^\\circ \\) C)", "165", "°C", 165),
    ],
)
def test_units_and_values(header: str, cell: str, unit: str, value: float | None) -> None:
    (found,) = read_body(table(f"|{header}", f"Upper|{cell}")).cells
    assert (found.unit.canonical if found.unit else "") == unit
    assert (found.quantity.value if found.quantity else None) == value


def test_units_beside_and_in_the_caption() -> None:
    cells = read_body(table("|Upper|Lower", "Mass (kg)|3|4", "Name|x|y"), "Fish. Values are in mm.").cells
    assert [cell.unit.canonical if cell.unit else "" for cell in cells] == ["kg", "kg", "", ""]
    (cell,) = read_body(table("|Upper", "Fish|3"), "Fish. Values are in mm.").cells
    assert cell.unit is not None
    assert cell.unit.canonical == "mm"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("12.3^a", ("12.3", "a")),
        ("12.3 \\( ^{a} \\)", ("12.3", "a")),
        ("12.3 \\( ^{a,b} \\)", ("12.3", "a,b")),
        ("0.5**", ("0.5", "**")),
        ("Fish†", ("Fish", "†")),
        ("*", ("*", "")),
        ("12^2", ("12^2", "")),
        ("", ("", "")),
    ],
)
def test_footnote_marks_are_kept_apart(words: str, expected: tuple[str, str]) -> None:
    assert split_note(words) == expected


def test_a_marked_value_is_a_value() -> None:
    (cell,) = read_body(table("|Loss", "Upper|12.3 ± 0.4 \\( ^{a} \\)")).cells
    assert cell.quantity is not None
    assert (cell.quantity.value, cell.quantity.uncertainty, cell.note) == (12.3, 0.4, "a")


def test_records() -> None:
    assert records(table("v2:Site|2:Dose", "low|high", "3:Winter", "Upper|3|4")) == (
        {"Site": "Winter / Upper", "Dose / low": "3", "Dose / high": "4"},
    )
    assert records(table("|Mean|Mean", "Upper|3|4")) == ({"": "Upper", "Mean": "3", "Mean (2)": "4"},)
    assert records(parse_table("")) == ()
