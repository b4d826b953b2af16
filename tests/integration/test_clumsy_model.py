"""A clumsy model: each mistake it makes is answered by a message that names the call which repairs it.

The model here is a script: it builds the paper, makes one mistake, sees the message, makes the call the
message names, and goes on to the end. Everything else is real.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.papers import write_paper
from tests.unit.agents.runs import BUILD, run
from tests.unit.agents.scripted import ScriptedEngine

FINISH = """
result = finalize_graph("built")
for row in result.get("violations", []):
    print(row["count"], row["message"], row["nodes"])
print(result["status"])
"""
LABEL = """
op_set_single_literal("ex:b_p001_0008", "kag:floatNumber", "1")
op_set_single_literal("ex:b_p001_0008", "kag:floatLabel", "Fig. 1")
"""
SUBMIT = 'SUBMIT("built, after a repair")'


@dataclass(frozen=True)
class Mistake:
    """What the model does wrong, a part of the message it gets, the call in it, and how the model makes that call."""

    code: str
    message: str
    call: str
    repair: str


MISTAKES = {
    "a caption that describes a paragraph": Mistake(
        'op_set_single_iri_link("ex:b_p001_0008", "kag:describes", "ex:b_p001_0004")' + FINISH,
        "describes",
        "op_set_single_iri_link",
        'op_set_single_iri_link("ex:b_p001_0008", "kag:describes", "ex:b_p001_0007")',
    ),
    "a phantom node": Mistake(
        'op_assert_type("ex:b_p009_0001", "doco:Paragraph")\n'
        'op_add_iri_link("ex:s_p002_0002", "kag:contains", "ex:b_p009_0001")' + FINISH,
        "comes from no block",
        "op_remove_node(node)",
        'op_remove_node("ex:b_p009_0001")',
    ),
    "an IRI that differs in case": Mistake(
        'op_assert_type("ex:B_P002_0004", "doco:Paragraph")\n'
        'op_set_single_literal("ex:B_P002_0004", "kag:mainText", "Twelve sites")\n'
        'op_add_iri_link("ex:s_p002_0003", "kag:contains", "ex:B_P002_0004")' + FINISH,
        "comes from no block",
        "op_remove_node(node)",
        'op_remove_node("ex:B_P002_0004")',
    ),
    "a literal for a node": Mistake(
        'op_remove_node("ex:b_p001_0008")\nop_create_node("b_p001_0008", "deo:Caption")\n'
        'op_add_iri_link("ex:s_p001_0005", "kag:contains", "ex:b_p001_0008")\n'
        + LABEL
        + 'print(op_set_single_literal("ex:b_p001_0008", "kag:describes", "Figure 1"))'
        + FINISH,
        "kag:describes links nodes",
        "op_add_iri_link",
        'op_add_iri_link("ex:b_p001_0008", "kag:describes", "ex:b_p001_0007")',
    ),
    "no validation before SUBMIT": Mistake(
        'op_set_single_literal("ex:s_p002_0003", "kag:depth", 2)\nSUBMIT("done")',
        "SUBMIT refused",
        "finalize_graph()",
        "",
    ),
    "SUBMIT after a late change": Mistake(
        FINISH + 'op_remove_node("ex:b_p002_0004")\nSUBMIT("done")',
        "nothing was changed since",
        "finalize_graph()",
        'op_create_node("b_p002_0004", "doco:Paragraph")\n'
        'op_add_iri_link("ex:s_p002_0003", "kag:contains", "ex:b_p002_0004")',
    ),
    "an invented predicate": Mistake(
        'op_remove_node("ex:b_p001_0008")\nop_create_node("b_p001_0008", "deo:Caption")\n'
        'op_add_iri_link("ex:s_p001_0005", "kag:contains", "ex:b_p001_0008")\n'
        + LABEL
        + 'print(op_add_iri_link("ex:b_p001_0007", "doco:hasCaption", "ex:b_p001_0008"))'
        + FINISH,
        "doco:hasCaption is not a property of this graph",
        "kag:describes",
        'op_add_iri_link("ex:b_p001_0008", "kag:describes", "ex:b_p001_0007")',
    ),
    "an invented class": Mistake(
        'op_remove_node("ex:b_p002_0004")\nprint(op_create_node("b_p002_0004", "doco:TextBlock"))' + FINISH,
        "doco:TextBlock is not a class of this graph",
        "doco:Paragraph",
        'op_create_node("b_p002_0004", "doco:Paragraph")\n'
        'op_add_iri_link("ex:s_p002_0003", "kag:contains", "ex:b_p002_0004")',
    ),
    "blocks that are nowhere": Mistake(
        'op_remove_node("ex:b_p002_0004")\nop_remove_node("ex:b_p002_0007")' + FINISH,
        "Block is in no node and not skipped",
        "op_create_node(block_id, class_iri)",
        'for name, cls in [("b_p002_0004", "doco:Paragraph"), ("b_p002_0007", "doco:Formula")]:\n'
        '    op_create_node(name, cls)\n    op_add_iri_link("ex:s_p002_0003", "kag:contains", "ex:" + name)',
    ),
    "two parents": Mistake(
        'op_add_iri_link("ex:s_p002_0002", "kag:contains", "ex:b_p002_0004")' + FINISH,
        "more than one parent",
        'op_set_single_iri_link(node, "^kag:contains", section)',
        'op_set_single_iri_link("ex:b_p002_0004", "^kag:contains", "ex:s_p002_0003")',
    ),
    "a section without title": Mistake(
        'op_remove_node("ex:b_p002_0003")' + FINISH,
        "has no title",
        'op_create_node(block_id, "doco:SectionTitle")',
        'op_create_node("b_p002_0003", "doco:SectionTitle")\n'
        'op_set_single_iri_link("ex:s_p002_0003", "kag:containsAsHeader", "ex:b_p002_0003")',
    ),
    "a page that is no number": Mistake(
        'print(op_set_single_literal("ex:s_p002_0003", "kag:pageNumber", "page two"))\n'
        'op_set_single_literal("ex:s_p002_0003", "kag:pageNumber", 0)' + FINISH,
        "page two",
        "op_set_single_literal(node",
        'op_set_single_literal("ex:s_p002_0003", "kag:pageNumber", 2)',
    ),
    "sections that contain each other": Mistake(
        'op_set_single_iri_link("ex:s_p002_0002", "^kag:contains", "ex:s_p002_0003")' + FINISH,
        "contain each other in a circle",
        'op_set_single_iri_link(section, "^kag:contains", "ex:document")',
        'op_set_single_iri_link("ex:s_p002_0002", "^kag:contains", "ex:document")',
    ),
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The graph built without a mistake."""
    paper = write_paper(tmp_path_factory.mktemp("plain") / "ice")
    return run(paper, ScriptedEngine(BUILD + FINISH, SUBMIT)).indexed.files["knowledge_graph.ttl"]


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_repaired_by_what_its_message_says(name: str, paper: Path, plain: bytes) -> None:
    mistake = MISTAKES[name]
    engine = ScriptedEngine(BUILD, mistake.code, mistake.repair + FINISH, SUBMIT)
    done = run(paper, engine)
    assert mistake.message in done.outputs[1]
    assert mistake.call in done.outputs[1]
    assert done.outputs[2].splitlines()[-1] == "READY"
    assert done.indexed.facts["answer"] == "built, after a repair"
    assert "stopped" not in done.indexed.facts
    assert done.indexed.files["knowledge_graph.ttl"] == plain
