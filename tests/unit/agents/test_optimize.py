"""Optimizing: the search changes our text alone, and a text that helps raises the score."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from dspy.lm15 import Message, Response, TextPart, Usage

from kag.agents.build.builders import review_builder, rlm_builder
from kag.agents.build.prompts import INDEX_TASK, REVIEW_TASK
from kag.agents.model.budget import Budget, Ledger, Limits
from kag.agents.model.engines import Source
from kag.agents.model.models import model_over
from kag.agents.offline_policy import source
from kag.agents.sandbox.sandbox import sandbox_factory
from kag.core.errors import ModelError, RunError, SourceError
from scripts.benchmarks.optimize_agent import Instructions, load_instructions, optimize, save_instructions, trials_of
from tests.unit.agents.runs import BUILD

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
DATA = ROOT / "test_data"
TRAIN, VALID = DATA / "zirconium_tracers", DATA / "urban_pollinators"

LINE = "9. Every caption describes its float."
FORGET = """
for subject, predicate, value in links:
    if predicate == "kag:describes":
        op_remove_node(subject)
        block = subject[3:]
        made = op_create_node(block, "doco:Paragraph")
        op_add_iri_link(section, "kag:contains", subject)
"""
FINISH = '\nprint(finalize_graph("built")["status"])'


class Obedient:
    """An engine that does what its instructions say: captions are forgotten without the line that asks for them.

    Asked for better instructions, it adds that line when the feedback complains of captions.
    """

    def __init__(self) -> None:
        self.systems: list[str] = []
        self.reflections: list[str] = []

    def complete(self, request) -> Response:
        system = request.system if isinstance(request.system, str) else "".join(part.text for part in request.system)
        prompt = "".join(part.text for message in request.messages for part in message.parts)
        if "- op_create_node(" in system:
            self.systems.append(system)
            text = self._act(system, prompt)
        else:
            self.reflections.append(prompt)
            line = LINE if "captions: F1 0.0000" in prompt else ""
            text = json.dumps({"new_instruction": f"{INDEX_TASK}\n{line}"})
        usage = Usage(input_tokens=10, output_tokens=10, total_tokens=20)
        message = Message.assistant([TextPart(text)])
        return Response(id=None, model="obedient", message=message, finish_reason="stop", usage=usage)

    def _act(self, system: str, prompt: str) -> str:
        done = "=== Step 1 ===" in prompt
        code = 'SUBMIT("built")' if done else BUILD + ("" if LINE in system else FORGET) + FINISH
        return f"[[ ## reasoning ## ]]\nnext\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"


def open_trials(engine_source, make=rlm_builder, **limits):
    ledger = Ledger()
    lm = model_over(engine_source, budget=Budget(Limits(**limits)), ledger=ledger, retries=0)
    interpreters = partial(sandbox_factory, "monty")
    return trials_of(make, lm, ledger, interpreters=interpreters, max_iters=6), lm, ledger


def scripted(engine) -> Source:
    return Source("scripted/engine", lambda: engine, tariff="local")


# the search -----------------------------------------------------------------------------------------------------------


def test_gepa_finds_the_line_that_helps_and_changes_nothing_else() -> None:
    engine = Obedient()
    trials, lm, _ = open_trials(scripted(engine))
    found = optimize(trials, lm, builder="rlm", train=[TRAIN], valid=[VALID], runs=6)
    assert found.instructions == f"{INDEX_TASK}\n{LINE}"
    assert found.score_before < 0.9
    assert found.score_after == 1.0
    assert (found.method, found.stopped, found.scored_on) == ("gepa", "", ("urban_pollinators",))
    assert "captions: F1 0.0000" in engine.reflections[0]
    # Around the task every request is the same, byte for byte.
    kinds = set(engine.systems)
    assert len(kinds) == 2
    assert len({"\n".join(row for row in system.split("\n") if row.strip() != LINE) for system in kinds}) == 1
    # What is proposed is the task alone: the loop's rules and the tools are not shown as text to rewrite.
    assert all("`op_create_node(" not in prompt for prompt in engine.reflections)


def test_a_pair_is_tried_once() -> None:
    engine = Obedient()
    trials, _, ledger = open_trials(scripted(engine))
    first = trials.run(INDEX_TASK, VALID)
    calls = len(ledger.rows)
    assert calls == 2
    assert trials.run(f"{INDEX_TASK}\n", VALID) is first
    assert trials.score(INDEX_TASK, [VALID]) == first.score
    assert len(ledger.rows) == calls


def test_a_budget_ends_the_search_with_what_was_found() -> None:
    engine = Obedient()
    trials, lm, ledger = open_trials(scripted(engine), calls=7)  # seed on both papers, reflection, new text on one
    found = optimize(trials, lm, builder="rlm", train=[TRAIN], valid=[VALID], runs=20)
    assert len(ledger.rows) == 7
    assert "limit of 7 calls" in found.stopped
    assert found.instructions == INDEX_TASK
    assert found.score_after == found.score_before > 0


def test_a_run_that_was_stopped_scores_nothing_for_what_the_rules_completed() -> None:
    trials, lm, _ = open_trials(scripted(Obedient()), calls=1)
    trial = trials.run(INDEX_TASK, VALID)
    assert (trial.score, trial.cause) == (0.0, "budget")
    assert trial.feedback.startswith("Stopped (budget)")
    with pytest.raises(ModelError, match="budget"):
        optimize(trials, lm, builder="rlm", train=[VALID], valid=[VALID])


@pytest.mark.parametrize(
    ("builder", "make", "task"), [("rlm", rlm_builder, INDEX_TASK), ("review", review_builder, REVIEW_TASK)]
)
def test_the_policy_is_scored_and_labelled(builder, make, task) -> None:
    trials, lm, ledger = open_trials(source(), make)
    found = optimize(trials, lm, builder=builder, train=[VALID], valid=[VALID])
    assert (found.model, found.method) == ("offline-policy/1", "none: rules follow no instructions")
    assert found.score_before == found.score_after == 1.0
    assert found.instructions == task
    assert {row.priced for row in ledger.rows} <= {"policy"}


def test_a_paper_needs_its_annotation(paper: Path) -> None:
    trials, _, _ = open_trials(source())
    with pytest.raises(SourceError, match=r"gold\.json"):
        trials.run(INDEX_TASK, paper)


# files ----------------------------------------------------------------------------------------------------------------


def test_instructions_come_back_from_their_file(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "found.json"
    save_instructions(Instructions("m", "rlm", "gepa", ("a",), "Do “this”.\n", 0.5, 0.75), file)
    row = json.loads(file.read_text(encoding="utf-8"))
    assert {"kag_version", "model", "instructions", "score_before", "score_after"} <= row.keys()
    assert load_instructions(file, "rlm") == "Do “this”.\n"
    with pytest.raises(RunError, match="review"):
        load_instructions(file, "review")


@pytest.mark.parametrize("text", [None, "{", "[]", "{}", '{"builder": "rlm", "instructions": " "}'])
def test_a_file_without_instructions_says_so(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "found.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match="no instructions"):
        load_instructions(file, "rlm")
