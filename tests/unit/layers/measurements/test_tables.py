"""Tables as measurements: which header is the property, which the entity, and which unit holds."""

from __future__ import annotations

import pytest

from kag.core.types import Cell, Table
from kag.layers.measurements.tables import leading, measurements_of_table
from kag.layers.values import Measurement, Passage


def table(*lines: str) -> Table:
    """A table with a line a row; "=" goes on the cell to its left."""
    cells: list[Cell] = []
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            if text != "=":
                span = next((n for n, other in enumerate(row[column + 1 :]) if other != "="), len(row) - column - 1)
                cells.append(Cell(text, number, column, 1, 1 + span))
    return Table(tuple(cells), len(rows), max(map(len, rows)))


def printed(one: Table) -> str:
    return "\n".join(" | ".join(cell.text for cell in one.cells if cell.row == row) for row in range(one.rows))


def found(*lines: str, caption: str = "") -> list[tuple[str, ...]]:
    """Value, unit, property, entity and conditions of each measurement."""
    return [told(one) for one in measured(*lines, caption=caption)]


def measured(*lines: str, caption: str = "") -> tuple[Measurement, ...]:
    one = table(*lines)
    text = printed(one)
    passage = Passage("t", text, "table")
    result = measurements_of_table(one, passage, Passage("c", caption, "caption") if caption else None)
    for each in result:
        for mention in (each.mention, each.measured, each.entity, *each.conditions):
            if mention:
                assert mention.text == {"t": text, "c": caption}[mention.node][mention.start : mention.end]
    return result


def told(one: Measurement) -> tuple[str, ...]:
    value = one.value
    number = f"{value.value:g}" if value.value is not None else f"{value.low:g}-{value.high:g}"
    named = (one.measured, one.entity, *one.conditions)
    return (f"{value.bound}{number}", value.unit, *(mention.text if mention else "" for mention in named))


def test_columns_are_properties() -> None:
    rows = ("Lake | Area (km \\( ^{2} \\) ) | Depth, m | Sites", "Arden | 3.8 | 31 | 60", "Brunn | 1.6 | <22 | 44")
    assert found(*rows) == [
        ("3.8", "km2", "Area", "Arden"),
        ("31", "m", "Depth", "Arden"),
        ("60", "", "Sites", "Arden"),
        ("1.6", "km2", "Area", "Brunn"),
        ("<22", "m", "Depth", "Brunn"),
        ("44", "", "Sites", "Brunn"),
    ]
    assert [one.counted for one in measured(*rows)] == ["", "", "Sites"] * 2


def test_rows_are_properties() -> None:
    assert found(" | Tracer | Carrier", "Dose | 225 MBq | 341 MBq", "Body weight | 5.1 kg | 5.4 kg") == [
        ("225", "MBq", "Dose", "Tracer"),
        ("341", "MBq", "Dose", "Carrier"),
        ("5.1", "kg", "Body weight", "Tracer"),
        ("5.4", "kg", "Body weight", "Carrier"),
    ]
    told = measured("Assembler | IDBA | ABySS", "Size (bp) | 5,000 | 7,100", "Number of contigs | 47 | 34")
    assert [(one.value.unit, one.counted) for one in told] == [("bp", ""), ("bp", ""), ("", "contigs"), ("", "contigs")]
    assert [one.entity.text for one in told if one.entity] == ["IDBA", "ABySS"] * 2


def test_the_caption_is_the_property() -> None:
    rows = ("Tissue | A, 4 h | B, 4 h", "Blood | 4.1 ± 0.5 | 1.2 ± 0.2", "Liver | 3.6 ± 0.4 | 2.9 ± 0.3")
    first = found(*rows, caption="Table 2. Uptake of the tracers in mice (%IA/g, mean ± standard deviation).")[0]
    assert first == ("4.1", "%IA/g", "Uptake", "Blood", "A, 4 h")
    assert found(*rows)[0] == ("4.1", "", "A, 4 h", "Blood")
    plasma = "PK analysis of samples (Plasma \\( \\mu \\) g/mL) of two animals."
    assert found("Time | One | Two", "24 h | 4.1 | 1.2", "96 h | 3.6 | 2.9", caption=plasma)[0] == (
        "4.1", "ug/mL", "PK analysis", "One", "24 h",
    )  # fmt: skip


def test_headers_over_several_columns() -> None:
    rows = (
        "Method | Temperature (°C) | = | Oxygen (mg/L) | =",
        " | Arden | Brunn | Arden | Brunn",
        "MI | 1 | 2 | 3 | 4",
    )
    assert found(*rows, caption="Root mean square error at sites") == [
        ("1", "°C", "Temperature", "MI", "Arden", "Root mean square error"),
        ("2", "°C", "Temperature", "MI", "Brunn", "Root mean square error"),
        ("3", "mg/L", "Oxygen", "MI", "Arden", "Root mean square error"),
        ("4", "mg/L", "Oxygen", "MI", "Brunn", "Root mean square error"),
    ]


def test_times_beside_are_conditions() -> None:
    head = (" | Tracer | Carrier | ", "Time | SUV | SUV | % change")
    rows = (*head, "24 h | 11.4 | 2.6 | −75%", "96 h | 16.7 | 3.1 | −83%", "Before | 1.2 | 1.1 | 0%")
    assert found(*rows)[2] == ("-75", "%", "% change", "Carrier", "24 h")
    assert found(*rows)[-3] == ("1.2", "", "SUV", "Tracer", "Before")


def test_values_with_something_in_brackets() -> None:
    [one] = measured("Site | Height (cm)", "Park | 22 (8)", caption="Means; standard deviation in brackets.")
    assert (one.value.value, one.value.uncertainty, one.value.uncertainty_kind) == (22, 8, "sd")
    [one] = measured("Factor | RR (95% CI)", "Age | 2.38 (0.96–5.90)")
    assert (one.value.value, one.value.low, one.value.high, one.value.uncertainty_kind) == (2.38, 0.96, 5.9, "ci")
    assert found(" | Low | High", "Product (RCY) | 225 MBq (44%) | 341 MBq (53%)", "Mass | 2 mg | 3 mg")[:2] == [
        ("225", "MBq", "Product", "Low"),
        ("44", "%", "RCY", "Low"),
    ]


def test_the_caption_gives_one_column_its_unit() -> None:
    rows = ("Ligand | Rate constant | Yield (%)", "A | 0.42 ± 0.03 | 53", "B | 1.05 | 84")
    told = measured(*rows, caption="Labelling. Rate constants in 10 \\( ^{2} \\)  M \\( ^{-1} \\)  s \\( ^{-1} \\) .")
    assert [one.value.value for one in told] == [42, 53, 105, 84]
    assert told[0].value.unit_iri.endswith("/L-PER-MOL-SEC")


def test_rows_of_one_name_are_told_apart() -> None:
    told = found("Ligand | Temperature (°C) | Yield (%)", "A | 25 | 53", "A | 37 | 84", "B | 37 | 47")
    assert told[1] == ("53", "%", "Yield", "A", "25")
    assert told[-1] == ("47", "%", "Yield", "B")


def test_a_column_of_values_only_is_named_by_its_row() -> None:
    rows = ("Symbol | Meaning | Value", "\\( E_{s} \\) | Sampling, per day | 915 J", "B | Budget | 1020 J")
    assert found(*rows)[0] == ("915", "J", "Sampling, per day", "\\( E_{s} \\)")


@pytest.mark.parametrize(
    "rows",
    [
        ("Entry | Name", "1 | ice", "2 | snow"),
        ("Site | Year", "A | 1999", "B | 2003"),
        (
            "Site | Visit | Remark",
            "A | 1 | none",
            "B | 2 | 5 cm of snow fell on this and the other side",
            "C | 3 | none",
        ),
        ("Site | Reference", "A | 12", "B | 14"),
        ("", ""),
        ("only words",),
    ],
)
def test_what_measures_nothing(rows: tuple[str, ...]) -> None:
    assert found(*rows) == []


def test_a_table_of_another_text_has_no_places() -> None:
    one = table("Lake | Depth (m)", "Arden | 31")
    assert measurements_of_table(one, Passage("t", "something else", "table")) == ()


def test_words_behind_a_value() -> None:
    one = leading("0.05 mg/kg NHP")
    assert one
    assert (one.value, one.unit) == (0.05, "mg/kg")
    assert leading("5 of 12") is None
    assert leading("NHP 0.05 mg/kg") is None
