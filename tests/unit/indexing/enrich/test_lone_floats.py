"""The only figure or table of a paper, called out without a number."""

import pytest

from kag.indexing.enrich.crossrefs import link_lone_floats
from kag.rdf.namespaces import DEO, DOCO, KAG
from tests.unit.indexing.enrich.made import named, workspace_of


def paper(text: str, *captions: str):
    """A paper with a text and tables under captions; numbers are those printed."""
    nodes = [(f"c{n}", DEO.Caption, caption) for n, caption in enumerate(captions)]
    tables = [(f"t{n}", DOCO.Table, "a") for n in range(len(captions))]
    workspace = workspace_of(("p1", DOCO.Paragraph, text), *nodes, *tables)
    for n, caption in enumerate(captions):
        workspace.add(workspace.node(f"c{n}"), KAG.describes, workspace.node(f"t{n}"))
        if number := caption.split(".")[0].partition(" ")[2]:
            workspace.put(workspace.node(f"t{n}"), KAG.floatNumber, number)
    return workspace


@pytest.mark.parametrize(("text", "linked"), [
    ("Losses were high (Table).", True),
    ("Losses were high (see Table).", True),
    ("As the Table shows, losses were high.", True),
    ("Losses are in the Table.", True),
    ("Losses (Table, A and B) were high.", True),
    ("See the Table of Contents.", False),
    ("The periodic Table Mountain is high.", False),
    ("Losses were high (Table 1).", False),
    ("Losses were high (Table S1).", False),
    ("A Timetable is a table.", False),
])  # fmt: skip
def test_the_only_table(text: str, linked: bool) -> None:
    workspace = paper(text, "Table. Losses.")
    link_lone_floats(workspace)
    assert named(workspace.links(workspace.node("p1"), KAG.refersTo)) == (["t0"] if linked else [])
    assert link_lone_floats(workspace) == 0


@pytest.mark.parametrize("captions", [
    ("Table 1. Losses.",), ("Table. Losses.", "Table. Gains."), ("Losses.",), (),
])  # fmt: skip
def test_others_are_called_out_by_number(captions: tuple[str, ...]) -> None:
    assert link_lone_floats(paper("Losses were high (Table).", *captions)) == 0


def test_tables_of_a_supplement_are_no_other() -> None:
    assert link_lone_floats(paper("Losses were high (Table).", "Table. Losses.", "Table S1. More.")) > 0
