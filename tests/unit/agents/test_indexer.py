"""The agent loop: what the agent sees, when SUBMIT is refused, and how each kind of end is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dspy.lm15 import Message, Request, Response, TextPart, Usage

from kag.agents.build.draft_view import draft_view
from kag.agents.build.prompts import INDEX_TASK
from kag.agents.build.view import BOXES, LONGEST, blocks_view
from kag.agents.model.budget import Limits
from kag.rdf.namespaces import PREFIXES
from kag.rdf.profile import CONTENT
from kag.sources.ocr.folder import read_document
from kag.write.build_plan import plan_sections
from kag.write.draft import draft_of
from kag.write.story import index_paper
from kag.write.structure.page_layout import reading_positions
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
    blocks = blocks_view(document)
    assert list(blocks) == sorted((b.id for b in document.blocks), key=reading_positions(document).__getitem__)
    assert all(row["text"] == block.text[:LONGEST] for block in document.blocks for row in [blocks[block.id]])
    assert max(len(row["boxes"]) for row in blocks.values()) == BOXES


def test_the_draft_is_shown_with_each_block_at_most_once(paper: Path) -> None:
    document = read_document(paper)
    view = draft_view(document, draft_of(document, plan_sections(document)))
    assert "# b_p001_0005 1 Introduction" in view
    assert "Caption of b_p001_0007: Fig. 1. Sensors lost in each month." in view
    assert "running head" in view
    assert "goes on with b_p001_0006" in view
    assert len(view) < 40 * len(document.blocks) + 200


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
    assert "hides sensors from the sky" not in prompt(first) + system  # the paper's words are in the sandbox
    assert "Sensors under river ice" in prompt(first)  # in the draft


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


def test_code_that_fails_goes_on(paper: Path) -> None:
    broken = ["def broken(:\n  pass", "1 / 0", "import os\nos.remove('x')", "blocks[10**6]", "while True:\n    pass"]
    done = run(paper, ScriptedEngine(*broken[:4], BUILD, FINISH, SUBMIT))
    assert [output.split(":")[0] for output in done.outputs[:4]][:2] == ["SyntaxError", "ZeroDivisionError"]
    assert done.indexed.facts["answer"] == "built"


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


# against the draft ----------------------------------------------------------------------------------------------------

WRITE = 'print(write_graph(draft)["ok"], finalize_graph("")["status"])\n'


def told(done) -> dict:
    return json.loads(done.indexed.files["summary.json"])["builder"]


def test_the_draft_as_it_stands_is_the_baseline_in_one_step(paper: Path) -> None:
    done = run(paper, ScriptedEngine(WRITE + SUBMIT))
    assert done.outputs == ["True READY\n"]
    assert done.indexed.files["knowledge_graph.ttl"] == index_paper(paper).files["knowledge_graph.ttl"]
    assert told(done)["changes"] == []


def test_what_was_mended_is_listed(paper: Path) -> None:
    done = run(paper, ScriptedEngine('draft["sections"]["b_p001_0005"]["depth"] = 2\n' + WRITE + SUBMIT))
    assert told(done)["answer"] == "built"
    assert {"block": "b_p001_0005", "kind": "in", "from": "", "to": "b_p001_0003"} in told(done)["changes"]


def test_a_loss_is_told_once_and_has_to_be_confirmed(paper: Path) -> None:
    lose = 'draft["skipped"]["b_p001_0004"] = "dull"\n'
    done = run(paper, ScriptedEngine(lose + WRITE + SUBMIT, SUBMIT))
    assert 'left out: b_p001_0004 "River ice hides' in done.outputs[0]
    assert told(done)["answer"] == "built"
    assert told(done)["changes"] == [{"block": "b_p001_0004", "kind": "as", "from": "doco:Paragraph", "to": "left out"}]
    refused = [step.data["submit_refused"] for step in done.steps if "submit_refused" in step.data]
    assert len(refused) == 1


def test_another_loss_is_told_again_and_one_that_was_mended_is_not(paper: Path) -> None:
    lose = 'draft["skipped"]["b_p001_0004"] = "dull"\n'
    more = 'draft["sections"]["b_p002_0004"] = {"depth": 2}\n'
    mend = 'draft["skipped"].pop("b_p001_0004"); draft["sections"].pop("b_p002_0004")\n'
    done = run(paper, ScriptedEngine(lose + WRITE + SUBMIT, more + WRITE + SUBMIT, mend + WRITE + SUBMIT))
    assert "left out" in done.outputs[0]
    assert "a heading made of running text: b_p002_0004" in done.outputs[1]
    assert told(done)["changes"] == []
    assert told(done)["iterations"] == 3


def test_rows_that_cannot_be_written_are_data(paper: Path) -> None:
    wrong = 'draft["nodes"]["b_p001_0004"]["class"] = "doco:Poem"\nprint(write_graph(draft))'
    mend = 'draft["nodes"]["b_p001_0004"]["class"] = "doco:Paragraph"\n'
    done = run(paper, ScriptedEngine(wrong, "print(write_graph([]))", mend + WRITE + SUBMIT))
    assert "'doco:Poem' is no class" in done.outputs[0]
    assert "'code': 'bad_call'" in done.outputs[1]
    assert [step.ok for step in done.calls("write_graph")] == [False, False, True]
    assert all(len(str(step.data)) < 2_000 for step in done.calls("write_graph")), "the draft is not put on record"


def test_a_stopped_run_tells_what_it_changed(paper: Path) -> None:
    done = run(paper, ScriptedEngine('draft["skipped"]["b_p001_0004"] = "dull"\nwrite_graph(draft)'), max_iters=1)
    assert complete(done)["changes"][0]["to"] == "left out"
