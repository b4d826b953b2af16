"""The pass that keeps measured values beside texts and tables."""

from __future__ import annotations

import json
from pathlib import Path

from kag.indexing.enrich import inferred
from kag.indexing.tools.build_tools import BuildTools
from kag.rdf.namespaces import C4O, DOCO, KAG, QUDT
from kag.rdf.workspace import Workspace
from kag.sources.ocr.folder import read_document
from tests.papers import PAGES, write_paper

TABLE = "<table><tr><td></td><td>Ice (mm)</td></tr><tr><td>Up</td><td>3^a</td></tr></table>"


def workspace(folder: Path) -> Workspace:
    page = (
        ("text", "[[100, 110, 900, 130]]", "We gave 2.5 mg/kg to 12 mice \\( ^{5} \\)."),
        ("text", "[[100, 140, 900, 160]]", "We saw 12 mice in 2019 [3]."),
        ("table", "[[100, 290, 900, 400]]", TABLE),
    )
    return Workspace(read_document(write_paper(folder, (page, PAGES[1]))))


def test_values_are_kept_with_their_places(tmp_path: Path) -> None:
    ws = workspace(tmp_path / "paper")
    tools = BuildTools(ws)
    for block, cls in (
        ("b_p001_0001", "doco:Paragraph"),
        ("b_p001_0002", "doco:Paragraph"),
        ("b_p001_0003", "doco:Table"),
    ):
        tools.op_create_node(block, cls)
    assert inferred.note_quantities(ws) == 2
    first, second, table = (ws.node(f"b_p001_000{n}") for n in (1, 2, 3))
    (row,) = json.loads(ws.content[ws.text(first, KAG.hasQuantities)].text)
    assert ws.text(first)[row["start"] : row["end"]] == row["surface"] == "2.5 mg/kg"
    assert (row["value"], row["unit_canonical"]) == (2.5, "mg.kg-1")
    assert row["unit_iri"] == "http://qudt.org/vocab/unit/MilliGM-PER-KiloGM"
    assert ws.text(second, KAG.hasQuantities) == ""
    assert ws.is_a(table, DOCO.Table)
    cells = ws.content[ws.text(table, KAG.tableCells)]
    assert cells.text == '[["", "Ice (mm)"], ["Up", "3^a"]]'
    assert cells.details == {
        "header_rows": 1,
        "stub_columns": 1,
        "columns": [[], ["Ice (mm)"]],
        "rows": [[], ["Up"]],
        "values": [
            {
                "at": [1, 1],
                "text": "3",
                "note": "a",
                "unit": "mm",
                "unit_iri": "http://qudt.org/vocab/unit/MilliM",
                "value": 3.0,
            }
        ],
    }
    assert inferred.note_quantities(ws) == 0


def test_values_with_a_unit_are_nodes_with_their_ends(tmp_path: Path) -> None:
    page = (
        ("text", "[[100, 110, 900, 130]]", "At least 5 km of ice, 2–3 m thick, 7.0 ± 0.5 °C cold, on 12 lakes."),
        ("text", "[[100, 140, 900, 160]]", "We saw 12 mice in 2019 [3]."),
    )
    ws = Workspace(read_document(write_paper(tmp_path / "paper", (page, PAGES[1]))))
    tools = BuildTools(ws)
    for block in ("b_p001_0001", "b_p001_0002"):
        tools.op_create_node(block, "doco:Paragraph")
    inferred.note_quantities(ws)
    found = {
        ws.text(node, C4O.hasContent): {
            str(p).rpartition("/")[2]: str(o) for _, p, o in ws.graph.triples((node, None, None))
        }
        for node in ws.instances(QUDT.QuantityValue)
    }
    least, range_, spread = (found[words] for words in sorted(found, key=lambda one: "A2 7".find(one[0])))
    assert (least["lowerBound"], "numericValue" in least) == ("5.0E0", False)
    assert (range_["lowerBound"], range_["upperBound"], range_["unit"][-6:]) == ("2.0E0", "3.0E0", "unit/M")
    assert (spread["numericValue"], spread["standardUncertainty"]) == ("7.0E0", "0.5E0")
    assert len(found) == 3, "a count without a unit is none"
