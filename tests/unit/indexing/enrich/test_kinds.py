"""What paragraphs are besides running text."""

import pytest

from kag.core.types import Document
from kag.indexing.enrich.sections import Kind, numbered_items, run_in_heading, text_kind, type_texts
from kag.rdf.namespaces import DOCO, KAG, RDF
from kag.rdf.workspace import Workspace
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
