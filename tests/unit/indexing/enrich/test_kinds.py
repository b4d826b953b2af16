"""What paragraphs are besides running text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.core.types import Document
from kag.indexing.enrich import inferred
from kag.indexing.enrich.sections import Kind, numbered_items, run_in_heading, text_kind, type_texts
from kag.indexing.tools.build_tools import BuildTools
from kag.rdf.namespaces import C4O, DOCO, KAG, QUDT, RDF
from kag.rdf.workspace import Workspace
from kag.sources.ocr.folder import read_document
from tests.papers import PAGES, write_paper
from tests.unit.indexing.structure.blocks import block


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("**Participants.** We asked forty people.", "Participants"),
        ("**Sites**: Twelve lakes.", "Sites"),
        ("_Water samples._ Each week we took one.", "Water samples"),
        ("<b>Ethics.</b> The board agreed.", "Ethics"),
        ("Statistical analysis. — We fitted models.", "Statistical analysis"),
        ("Methods: Forty people were asked.", "Methods"),
        ("Results. We found ice.", "Results"),
        ("**Note** that ice is cold.", ""),
        ("**very** cold ice was found.", ""),
        ("**Only bold.**", ""),
        ("Ice is cold. We found it.", ""),
        ("Rivers: they flow.", ""),
        ("*E. coli* was grown.", ""),
    ],
)
def test_run_in_headings(text: str, heading: str) -> None:
    assert run_in_heading(text) == heading


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Theorem 1. Ice floats.", Kind("theorem", "1")),
        ("**Lemma 2.1** (Archimedes). A body floats.", Kind("lemma", "2.1")),
        ("Definition A.3 (Ice). Water that is frozen.", Kind("definition", "A.3")),
        ("**Hypothesis 1:** Ice floats.", Kind("hypothesis", "1")),
        ("Proof. By weight.", Kind("proof")),
        ("Proof of Theorem 1. By weight.", Kind("proof")),
        ("Algorithm 1: Melting", Kind("algorithm", "1")),
        ("Theorem 1 shows that ice floats.", Kind()),
        ("Proofs are given below.", Kind()),
        ("Example 3 of the list", Kind()),
        ("• Ice is cold", Kind("list item")),
        ("- Ice\n- Snow", Kind("list")),
        ("• Ice • Snow", Kind("list")),
        ("-5 degrees were measured.", Kind()),
        ("```\nmelt(ice)\n```", Kind("code")),
        ("> All is water.", Kind("quotation")),
        ("Plain words.", Kind()),
    ],
)
def test_kinds(text: str, kind: Kind) -> None:
    assert text_kind(block("1.1", text)) == kind


def test_labels_of_the_ocr_say_it_too() -> None:
    assert text_kind(block("1.1", "melt(ice)", "code")) == Kind("code")
    assert text_kind(block("1.1", "Algorithm 2 Melting", "algorithm")) == Kind("algorithm", "2")


def test_numbered_items_are_neighbours() -> None:
    assert numbered_items(["We did:", "1. Ice", "2. Snow", "Then"]) == {1: Kind("list item"), 2: Kind("list item")}
    assert numbered_items(["(i) Ice", "(ii) Snow", "(iii) Fog"]).keys() == {0, 1, 2}
    assert numbered_items(["(a) Ice", "(b) Snow"]).keys() == {0, 1}
    assert numbered_items(["1. Ice\n2. Snow"]) == {0: Kind("list")}
    assert numbered_items(["1. Ice is cold", "Words", "2. Snow", "5. Fog"]) == {}


def test_paragraphs_get_what_they_are_once() -> None:
    blocks = (block("1.1", "**Sites.** Twelve lakes."), block("1.2", "Lemma 4. Ice floats."), block("1.3", "Words."))
    workspace = Workspace(Document("p", blocks, (), (), 1, ""))
    for order, one in enumerate(blocks):
        node = workspace.node(one.id)
        workspace.add(node, RDF.type, DOCO.Paragraph)
        workspace.put(node, KAG.order, order)
        workspace.put(node, KAG.fullText, one.text)
        workspace.put(node, KAG.sourceBlock, one.id)
    assert type_texts(workspace) == 3
    first, second, third = (workspace.node(one.id) for one in blocks)
    assert workspace.text(first, KAG.runInHeading) == "Sites"
    assert workspace.text(second, KAG.textKind) == "lemma"
    assert workspace.text(second, KAG.statementNumber) == "4"
    assert not workspace.text(third, KAG.textKind)
    assert type_texts(workspace) == 0


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
    for name, cls in (
        ("b_p001_0001", "doco:Paragraph"),
        ("b_p001_0002", "doco:Paragraph"),
        ("b_p001_0003", "doco:Table"),
    ):
        tools.op_create_node(name, cls)
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
    for name in ("b_p001_0001", "b_p001_0002"):
        tools.op_create_node(name, "doco:Paragraph")
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
