"""Doubts: found where rules end, shown with what stands around them, decided only by their candidates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kag.agents.build.amend import amend
from kag.agents.build.doubts import Doubt, find_doubts
from kag.agents.build.hybrid import Decisions
from kag.agents.build.view import doubts_view
from kag.agents.model.options import HYBRID_TOKENS, AgentOptions
from kag.agents.offline.policy import OfflinePolicy
from kag.sources.ocr.folder import read_document
from kag.values.trajectory import Trajectory
from kag.write.build_plan import plan_sections
from kag.write.story import index_document, index_paper
from tests.papers import write_paper
from tests.unit.agents.runs import run
from tests.unit.agents.scripted import ScriptedEngine


def block(label: str, top: int, words: str) -> tuple[str, str, str]:
    return label, f"[[100, {top}, 900, {top + 30}]]", words


TITLE = block("title", 80, "# Frost on lakes")
DOUBTFUL = {
    "describes": (
        (TITLE, block("sub_title", 150, "## Results"), block("image", 200, ""), block("text", 240, "One."),
         block("text", 280, "Two."), block("text", 320, "Three."), block("text", 360, "Four."),
         block("figure_title", 400, "Fig. 1. Frost in May.")),
        (block("image", 100, ""),),
    ),
    "caption": (
        (TITLE, block("sub_title", 150, "## Results"), block("text", 200, "Frost came early in all the lakes."),
         block("image", 300, "")),
    ),
    "continues": (
        (TITLE, block("sub_title", 150, "## Results"), block("text", 800, "Frost was measured in this way:")),
        (block("text", 100, "d(f)=4 in all the lakes of Upper Bavaria."),),
    ),
    "class": (
        (TITLE, block("text", 120, "A report, 3 May."), block("sub_title", 150, "## Results"),
         block("text", 200, "One.")),
    ),
    "entry": (
        (TITLE, block("sub_title", 150, "## References"), block("text", 200, "Lima A, Berg J (1999) Ice on rivers and"),
         block("text", 240, "on lakes. Rivers 3:1-9."), block("text", 280, "Roe E (2000) Snow. Rivers 4:1-2.")),
    ),
}  # fmt: skip


@pytest.fixture(params=list(DOUBTFUL))
def question(request) -> str:
    return request.param


@pytest.fixture
def doubtful(question: str, tmp_path: Path) -> Path:
    return write_paper(tmp_path / "frost", DOUBTFUL[question])


def test_each_kind_of_doubt_is_found_with_the_baseline_s_choice_first(question: str, doubtful: Path) -> None:
    document = read_document(doubtful)
    plan = plan_sections(document)
    doubts = [doubt for doubt in find_doubts(document, plan) if doubt.question == question]
    assert len(doubts) == 1
    assert len(set(doubts[0].candidates)) == len(doubts[0].candidates) >= 2
    assert doubts[0].reason
    assert amend(plan, {doubts[0]: doubts[0].candidates[0]}) == plan, "its own choice changes nothing"


def test_every_answer_to_every_doubt_gives_a_graph_that_conforms(question: str, doubtful: Path) -> None:
    document = read_document(doubtful)
    before = index_document(document).files["knowledge_graph.ttl"]
    doubts = find_doubts(document, plan_sections(document))
    place = next(n for n, doubt in enumerate(doubts, start=1) if doubt.question == question)
    for answer in doubts[place - 1].candidates[1:]:
        decide = f'print(decide("d{place}", "{answer}"))\nSUBMIT("decided")'
        done = run(doubtful, ScriptedEngine(decide), hybrid=True)
        assert "stopped" not in done.indexed.facts
        assert done.indexed.facts["changed"] == 1
        assert done.indexed.files["knowledge_graph.ttl"] != before


def test_a_plan_is_amended_in_a_copy(doubtful: Path) -> None:
    document = read_document(doubtful)
    plan, same = plan_sections(document), plan_sections(document)
    for doubt in find_doubts(document, plan):
        for answer in doubt.candidates:
            amend(plan, {doubt: answer})
    assert plan == same


def test_no_doubts_no_calls(paper: Path) -> None:
    engine = ScriptedEngine()
    done = run(paper, engine, hybrid=True)
    assert engine.requests == []
    assert done.indexed.facts == {"doubts": {}, "changed": 0, "changes": []}
    assert done.indexed.files["knowledge_graph.ttl"] == index_paper(paper).files["knowledge_graph.ttl"]


def test_the_policy_keeps_the_first_candidates(doubtful: Path) -> None:
    done = run(doubtful, OfflinePolicy(), hybrid=True)
    assert done.indexed.facts["iterations"] == 1
    assert done.indexed.facts["changed"] == 0
    assert done.indexed.files["knowledge_graph.ttl"] == index_paper(doubtful).files["knowledge_graph.ttl"]


def test_other_answers_are_refused_as_data(tmp_path: Path) -> None:
    paper = write_paper(tmp_path / "frost", DOUBTFUL["entry"])
    wrong = 'print(decide("d1", "ex:s_p009_0001"))\nprint(decide("d7", "none"))\nSUBMIT("guessed")'
    right = 'print(decide("d1", "apart"))\nSUBMIT("decided")'
    done = run(paper, ScriptedEngine(wrong, right), hybrid=True)
    assert "is no answer to d1" in done.outputs[0]
    assert "SUBMIT refused: 'ex:s_p009_0001' is no answer to d1" in done.outputs[0]
    assert "there is no doubt 'd7'" in done.outputs[0]
    assert done.indexed.facts["changed"] == 1
    told = json.loads(done.indexed.files["summary.json"])["builder"]["changes"]
    assert told == [{"block": "b_p001_0004", "kind": "with", "from": "b_p001_0003", "to": "b_p001_0004"}]
    assert [step.ok for step in done.calls("decide")] == [False, False, True]


def test_a_call_that_does_not_fit_is_data_and_on_record(tmp_path: Path) -> None:
    paper = write_paper(tmp_path / "frost", DOUBTFUL["entry"])
    wrong = 'print(decide(doubt="d1", value="apart"))\nprint(decide("d1", 3))'
    done = run(paper, ScriptedEngine(wrong, 'SUBMIT("nothing")'), hybrid=True)
    assert done.outputs[0].count("'code': 'bad_call'") == 2
    assert [(step.ok, step.data["code"]) for step in done.calls("decide")] == [(False, "bad_call")] * 2
    assert done.indexed.facts["answer"] == "nothing"


def test_a_stopped_agent_leaves_the_baseline_s_choices(tmp_path: Path) -> None:
    paper = write_paper(tmp_path / "frost", DOUBTFUL["entry"])
    done = run(paper, ScriptedEngine("print(len(doubts))"), hybrid=True, max_iters=1)
    assert done.indexed.facts["cause"] == "iterations"
    assert done.indexed.files["knowledge_graph.ttl"] == index_paper(paper).files["knowledge_graph.ttl"]


def test_only_what_is_in_doubt_is_shown_and_that_once(tmp_path: Path) -> None:
    pages = (*DOUBTFUL["continues"], (block("text", 100, "But why? " * 30 + "No one knows."),))
    document = read_document(write_paper(tmp_path / "frost", pages))
    plan = plan_sections(document)
    doubts = Decisions(plan, find_doubts(document, plan), Trajectory()).doubts
    view = doubts_view(document, plan, doubts, "")
    assert view.count("Frost was measured") == 1
    assert view.count("d(f)=4 in all the lakes") == 1
    assert "No one knows" not in view
    assert "Outline" not in view


def test_doubts_are_rare_on_real_papers(shared: Path) -> None:
    found: list[Doubt] = []
    blocks = 0
    for name in ("elife-00666", "jose.00240", "mdpi_1", "plos_2", "peerj_1", "journal.pone.0118342"):
        document = read_document(shared / "data" / "jats_gold" / name)
        blocks += len(document.blocks)
        found += find_doubts(document, plan_sections(document))
    assert 0 < len(found) < 0.01 * blocks


def test_questions_are_worth_asking_and_the_right_answer_is_offered(shared: Path) -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "scripts.benchmarks.measure_doubts", str(shared / "data" / "jats_gold")]
    own = {**os.environ, "PYTHONPATH": str(root)}
    rows = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=120, env=own, cwd=root
    ).stdout.splitlines()
    told = {row.split()[0]: row.split("  ") for row in rows[1:] if "%" in row}
    _, _, offered, needless = [cell.strip().removesuffix(" %") for cell in told["all"][1:] if cell.strip()]
    assert int(offered) >= 90
    assert int(needless) <= 25


def test_deciding_doubts_has_a_token_limit_of_its_own() -> None:
    assert AgentOptions("hybrid", "a/b").token_limit == HYBRID_TOKENS
    assert AgentOptions("hybrid", "a/b", max_tokens=5).token_limit == 5
    assert AgentOptions("rlm", "a/b").token_limit is None
