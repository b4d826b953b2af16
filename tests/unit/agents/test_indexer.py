"""The agent loop: what the agent sees, when SUBMIT is refused, and how each kind of end is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dspy.lm15 import Message, Request, Response, TextPart, Usage

from kag.agents.build.prompts import (
    BOXES,
    INDEX_TASK,
    LONGEST,
    MAX_PREVIEW,
    WRITE,
    blocks_preview,
    repl_blocks,
)
from kag.agents.model.budget import Limits
from kag.agents.offline_policy import EXPLORE
from kag.indexing.pipeline import index_paper
from kag.indexing.structure.page_layout import reading_positions
from kag.rdf.namespaces import PREFIXES
from kag.rdf.profile import CONTENT
from kag.sources.ocr.folder import read_document
from tests.papers import PAGES, write_paper
from tests.unit.agents.runs import BUILD, run
from tests.unit.agents.scripted import ScriptedEngine

FINISH = 'print(finalize_graph("built")["status"])'
SUBMIT = 'SUBMIT("built")'


class Replies:
    """An engine that gives its replies word for word."""

    def __init__(self, *replies: str, finish: str = "stop") -> None:
        self.replies, self.finish, self.requests = list(replies), finish, []

    def complete(self, request: Request) -> Response:
        self.requests.append(request)
        text = self.replies[min(len(self.requests), len(self.replies)) - 1]
        usage = Usage(input_tokens=1000, output_tokens=100, total_tokens=1100)
        message = Message.assistant([TextPart(text)])
        return Response(id=None, model="replies", message=message, finish_reason=self.finish, usage=usage)


def reply(code: str) -> str:
    return f"[[ ## reasoning ## ]]\nnext\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"


def prompt(request: Request) -> str:
    return "".join(part.text for message in request.messages for part in message.parts)


# what the agent sees --------------------------------------------------------------------------------------------------


def test_blocks_are_whole_and_in_reading_order(tmp_path: Path) -> None:
    long = ("text", str([[100, 100 + n, 900, 101 + n] for n in range(40)]), "word " * 6000)
    document = read_document(write_paper(tmp_path / "long", (*PAGES, (long,))))
    blocks = repl_blocks(document)
    texts = {block.id: block.text[:LONGEST] for block in document.blocks}
    assert [row["id"] for row in blocks] == sorted(texts, key=reading_positions(document).__getitem__)
    assert all(row["text"] == texts[row["id"]] for row in blocks)
    assert max(len(row["boxes"]) for row in blocks) == BOXES


def test_the_preview_has_a_line_for_what_is_more_than_text_and_is_bounded(paper: Path, tmp_path: Path) -> None:
    document = read_document(paper)
    view = blocks_preview(document)
    assert "b_p001_0005 sub_title: 1 Introduction" in view
    assert "Fig. 1. Sensors lost in each month." in view
    assert len(view) < 60 * len(document.blocks) + 200
    many = [("sub_title", "[[100, 100, 900, 120]]", f"## Heading {n} " + "of words " * 10) for n in range(400)]
    large = blocks_preview(read_document(write_paper(tmp_path / "large", (many,))))
    assert len(large) < MAX_PREVIEW + 200
    assert "is in `blocks`" in large.splitlines()[-1]


def test_the_task_names_classes_that_exist() -> None:
    for cls in CONTENT:
        prefix = next(name for name, base in PREFIXES.items() if str(cls).startswith(str(base)))
        curie = f"{prefix}:{str(cls).rpartition('/')[2]}"
        assert curie in INDEX_TASK, f"the task does not say what {curie} is for"


def test_the_task_is_in_the_system_prompt_and_the_paper_is_not_in_the_prompt(paper: Path) -> None:
    engine = ScriptedEngine(BUILD, FINISH, SUBMIT)
    run(paper, engine)
    first = engine.requests[0]
    system = first.system if isinstance(first.system, str) else "".join(part.text for part in first.system)
    assert INDEX_TASK.splitlines()[0] in system
    assert "river ice thickens" not in prompt(first) + system  # whole texts are in the sandbox
    assert "Sensors under river ice" in prompt(first)  # in the previews
    assert len(INDEX_TASK) <= 4 * 1_200


# SUBMIT ---------------------------------------------------------------------------------------------------------------


def test_the_gate_opens_only_behind_a_graph_that_is_ready(paper: Path) -> None:
    not_yet = "try:\n    SUBMIT('early')\nexcept RuntimeError as error:\n    print(error)"
    engine = ScriptedEngine(
        BUILD, not_yet, FINISH, 'op_remove_node("ex:b_p002_0004")\n' + not_yet, FINISH + "\n" + not_yet
    )
    done = run(paper, engine, max_iters=5)
    assert [("SUBMIT refused" in output) for output in done.outputs] == [False, True, False, True, True]
    assert done.outputs[2] == "READY\n"
    assert done.indexed.facts["cause"] == "iterations"


def test_reading_does_not_close_the_gate(paper: Path) -> None:
    looks = 'validate_graph()\nrecall(0)\nread_window("b_p001_0004")\nop_create_node("b_p077_0001", "doco:Paragraph")'
    done = run(paper, ScriptedEngine(BUILD, FINISH, looks, SUBMIT))
    assert done.indexed.facts["answer"] == "built"


def test_a_heading_that_runs_into_its_text_is_written_as_two_parts_and_is_no_loss(paper: Path) -> None:
    split = """row = plan.pop("b_p002_0004")
plan["b_p002_0004-0"] = {"depth": 3, "start": 0, "end": 12}
plan["b_p002_0004-13"] = {"class": "doco:Paragraph", "start": 13, "end": 41}
"""
    done = run(paper, ScriptedEngine(EXPLORE + split + WRITE, FINISH, SUBMIT))
    assert done.indexed.facts["answer"] == "built", "submitted once"
    ttl = done.indexed.files["knowledge_graph.ttl"].decode()
    assert '"Twelve sites"' in ttl
    assert '"were chosen along the river."' in ttl


# ends -----------------------------------------------------------------------------------------------------------------


def complete(done) -> dict:
    """The summary's builder of a run that was stopped; its graph is whole all the same."""
    summary = json.loads(done.indexed.files["summary.json"])
    assert summary["validation"]["conforms"]
    told = summary["builder"]
    assert told["completed_by"]["kept"] + told["completed_by"]["added"] == summary["source"]["blocks"]
    assert [step.data["cause"] for step in done.steps if step.name == "stopped"] == [told["cause"]]
    return told


def test_the_last_iteration_is_no_answer(paper: Path) -> None:
    engine = ScriptedEngine(BUILD, "print(1)", "print(2)")
    told = complete(run(paper, engine, max_iters=3))
    assert (told["cause"], told["iterations"]) == ("iterations", 3)
    assert len(engine.requests) == 3, "no further call asks for an answer"
    assert "answer" not in told
    assert told["completed_by"] == {"name": "baseline", "kept": 20, "added": 0}


def test_a_budget_stops_cleanly_and_what_was_built_stays(paper: Path) -> None:
    half = 'op_assert_type("ex:s_p001_0003", "doco:Section")\nop_create_node("b_p001_0003", "doco:SectionTitle")\n'
    half += 'op_add_iri_link("ex:s_p001_0003", "kag:containsAsHeader", "ex:b_p001_0003")\n'
    half += 'op_create_node("b_p001_0004", "doco:Footnote")\n'
    half += 'op_add_iri_link("ex:s_p001_0003", "kag:contains", "ex:b_p001_0004")'
    done = run(paper, Replies(reply(half)), limits=Limits(calls=2))
    told = complete(done)
    assert told["cause"] == "budget"
    assert "limit of 2 calls" in told["stopped"]
    assert "ex:b_p001_0004 a doco:Footnote" in done.indexed.files["knowledge_graph.ttl"].decode(), (
        "the agent's decision stays"
    )
    assert told["completed_by"]["kept"] == 2
    assert {"block": "b_p001_0004", "kind": "as", "from": "doco:Paragraph", "to": "doco:Footnote"} in told["changes"]


def test_a_graph_that_cannot_be_completed_is_built_anew(paper: Path) -> None:
    mess = 'op_create_node("b_p001_0001", "doco:SectionTitle")\nfor n in range(1, 6):\n'
    mess += '    op_assert_type("ex:s" + str(n), "doco:Section")\n'
    mess += '    op_add_iri_link("ex:s" + str(n), "kag:contains", "ex:s" + str(n % 5 + 1))\n'
    mess += '    op_add_iri_link("ex:s" + str(n), "kag:containsAsHeader", "ex:b_p001_0001")'
    done = run(paper, ScriptedEngine(mess), max_iters=1)
    assert complete(done)["cause"] == "iterations"


def test_a_reply_that_cannot_be_read_is_told_to_the_model(paper: Path) -> None:
    engine = Replies("I would rather chat.", reply(BUILD), "```\nnothing\n```", reply(FINISH), reply(SUBMIT))
    done = run(paper, engine)
    assert "could not be read" in done.outputs[0]
    assert "could not be read" in prompt(engine.requests[1])
    assert done.indexed.facts["answer"] == "built"


def test_a_model_that_never_keeps_to_the_format_is_stopped(paper: Path) -> None:
    engine = Replies("No.")
    told = complete(run(paper, engine))
    assert (told["cause"], len(engine.requests)) == ("model", 3)


@pytest.mark.parametrize(("text", "finish"), [("", "stop"), ("I cannot help with that.", "content_filter")])
def test_a_refusal_is_a_labelled_stop(paper: Path, text: str, finish: str) -> None:
    assert complete(run(paper, Replies(text, finish=finish)))["cause"] == "model"


# on record ------------------------------------------------------------------------------------------------------------


def test_every_iteration_is_on_record_around_its_tool_calls(paper: Path) -> None:
    done = run(paper, Replies(reply(BUILD), reply(FINISH), reply(SUBMIT)))
    kinds = [(step.kind, step.name if step.kind == "iteration" else "") for step in done.steps]
    assert kinds[0] == ("iteration", "action")
    assert kinds[-2:] == [("iteration", "outcome"), ("tool", "")], "the writer's own call of finalize_graph is last"
    actions = [step.data for step in done.steps if step.name == "action"]
    outcomes = [step.data for step in done.steps if step.name == "outcome"]
    assert [data["iteration"] for data in actions] == [data["iteration"] for data in outcomes] == [1, 2, 3]
    assert [data["tokens_in"] for data in actions] == [1000] * 3
    assert outcomes[0]["tool_calls"] == sum(1 for step in done.steps[: kinds.index(("iteration", "outcome"))]) - 1
    assert outcomes[2]["submitted"] == {"answer": "built"}
    assert done.indexed.facts["usage"]["tokens_out"] == 300


def test_a_long_output_is_cut_on_record_and_in_the_prompt(paper: Path) -> None:
    engine = ScriptedEngine("print('x' * 100000)", BUILD, FINISH, SUBMIT)
    done = run(paper, engine)
    assert len(done.outputs[0]) < 4_100
    assert len(prompt(engine.requests[1])) < 12_000


def test_old_steps_are_shortened_when_the_history_is_long(paper: Path) -> None:
    filler = [f"number_{n} = {n}\nlong = '{'y' * 6000}'" for n in range(8)]
    engine = ScriptedEngine(*filler, BUILD, FINISH, SUBMIT)
    done = run(paper, engine)
    assert max(len(prompt(request)) for request in engine.requests[:9]) < 24_000
    last = prompt(engine.requests[8])
    assert "number_0 = 0" in last
    assert "number_7 = 7" in last
    assert done.indexed.facts["answer"] == "built"


# against the baseline -------------------------------------------------------------------------------------------------


def summary(done) -> dict:
    return json.loads(done.indexed.files["summary.json"])["builder"]


def test_the_rules_plan_written_by_calls_is_the_baseline(paper: Path) -> None:
    done = run(paper, ScriptedEngine(BUILD, FINISH, SUBMIT))
    assert done.indexed.files["knowledge_graph.ttl"] == index_paper(paper).files["knowledge_graph.ttl"]
    assert summary(done)["changes"] == []
    assert all(step.ok for step in done.calls("op_remove_node"))


def test_what_differs_is_listed(paper: Path) -> None:
    move = 'op_set_single_iri_link("ex:s_p001_0005", "^kag:contains", "ex:s_p001_0003")\n'
    done = run(paper, ScriptedEngine(BUILD + move, FINISH, SUBMIT))
    assert {"block": "b_p001_0005", "kind": "in", "from": "", "to": "b_p001_0003"} in summary(done)["changes"]


LOSE = 'op_remove_node("ex:b_p001_0004")\nop_skip_block("b_p001_0004", "dull")\n'


def test_a_loss_is_reported_once_and_has_to_be_confirmed(paper: Path) -> None:
    done = run(paper, ScriptedEngine(BUILD, LOSE + FINISH + "\n" + SUBMIT, SUBMIT))
    assert 'left out: b_p001_0004 "River ice hides' in done.outputs[1]
    assert summary(done)["answer"] == "built"
    assert summary(done)["changes"] == [
        {"block": "b_p001_0004", "kind": "as", "from": "doco:Paragraph", "to": "left out"}
    ]
    refused = [step.data["submit_refused"] for step in done.steps if "submit_refused" in step.data]
    assert len(refused) == 1


# links ----------------------------------------------------------------------------------------------------------------


def test_a_caption_that_prints_a_number_may_not_be_without_it(paper: Path) -> None:
    wrong = 'op_set_single_literal("ex:b_p001_0007", "kag:floatNumber", "77")\nprint(finalize_graph("")["status"])'
    done = run(paper, ScriptedEngine(BUILD, wrong), max_iters=2)
    assert done.outputs[1] == "NOT_READY\n"


def test_the_documents_keyword_names_are_accepted_beside_the_longer_ones(paper: Path) -> None:
    calls = [
        'op_assert_type(node="ex:document", class_iri="doco:Document")',
        'op_assert_type("ex:s1", "doco:Section")',
        'op_add_iri_link(s="ex:document", p="kag:contains", o="ex:s1")',
        'op_set_single_iri_link(subject_iri="ex:document", predicate_iri="kag:contains", object_iri="ex:s1")',
        'op_set_single_literal(node="ex:s1", prop="kag:depth", value=1)',
        'op_set_single_literal(node_iri="ex:s1", property_iri="kag:depth", value=1)',
    ]
    done = run(paper, ScriptedEngine("\n".join(f"print({call}['ok'])" for call in calls)), max_iters=1)
    assert done.outputs[0] == "True\n" * len(calls)
