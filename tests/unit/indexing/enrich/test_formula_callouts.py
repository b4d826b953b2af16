"""Formulas named by their numbers alone."""

import pytest

from kag.indexing.enrich.formulas import find_formulas, link_formulas
from kag.rdf.namespaces import C4O, DOCO, KAG, RDF
from tests.growth import linear
from tests.unit.indexing.enrich.made import named, workspace_of

FORMULAS = {number: number for number in ("1", "2", "3", "4", "St0", "1a", "A1")}


@pytest.mark.parametrize(("text", "found"), [
    ("the system (1)–(3) travels", [("(1)–(3)", ["1", "2", "3"])]),
    ("dealing with (1) or (St0) with care", [("(1) or (St0)", ["1", "St0"])]),
    ("given by (St0), it", [("(St0)", ["St0"])]),
    ("Murray’s formulas (2) cannot", [("(2)", ["2"])]),
    ("inserting (3) into (4)", [("(3)", ["3"]), ("(4)", ["4"])]),
    ("by (1), (2), and (A1)", [("(1), (2), and (A1)", ["1", "2", "A1"])]),
    ("Model (1a) fits", [("(1a)", ["1a"])]),
    # lists, counts, years and numbers of no formula
    ("with (1) ice, (2) snow and (3) fog", []),
    ("It consists of (1) ice", []),
    ("found in (9)", []),
    ("in (2010)", []),
    ("seen in (3) mice and (4) rats", []),
    ("see (1–3)", []),
    ("We follow (2) here", []),
    ("from (1)-linked sites", []),
])  # fmt: skip
def test_find(text: str, found: list[tuple[str, list[str]]]) -> None:
    assert [(words, numbers) for _, words, numbers in find_formulas(text, FORMULAS)] == found


def paper(text: str):
    workspace = workspace_of(("p1", DOCO.Paragraph, text), ("e1", DOCO.Formula, ""), ("e2", DOCO.Formula, ""))
    for number in "12":
        workspace.put(workspace.node(f"e{number}"), KAG.floatNumber, number)
    return workspace


def test_apply_links_and_keeps_the_characters() -> None:
    workspace = paper("We start from (1) and (2) again.")
    assert link_formulas(workspace) > 0
    assert named(workspace.links(workspace.node("p1"), KAG.refersTo)) == ["e1", "e2"]
    mention = workspace.node("p1-m14")
    assert (workspace.text(mention, C4O.hasContent), workspace.text(mention, KAG.targetKind)) == (
        "(1) and (2)", "equation",
    )  # fmt: skip
    assert link_formulas(workspace) == 0


def test_a_paper_that_cites_by_such_numbers_has_none() -> None:
    workspace = paper("Shown before (2). We start from (1) again.")
    mention = workspace.node("p1-m13")
    workspace.add(workspace.node("p1"), KAG.hasMention, mention)
    workspace.add(mention, RDF.type, C4O.InTextReferencePointer)
    workspace.put(mention, C4O.hasContent, "(2).")
    assert link_formulas(workspace) == 0


def test_hostile_texts_are_read_quickly() -> None:
    for hostile in ("by (1), (1" * 5000, "by (1)" + ", (1)" * 20000, "with (1) a and " * 3000):
        assert linear(lambda text: list(find_formulas(text, FORMULAS)), hostile)
