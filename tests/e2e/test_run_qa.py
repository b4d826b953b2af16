"""`kag qa` and `kag verify` from the outside: files, exit codes, and words."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kag.core.evidence import read_answer
from kag.qa.answer_folder import question_name
from tests.commands import run
from tests.unit.agents.readings import batteries

QUESTIONS = [
    {"id": "sections", "paper": "batteries", "question": "What are the top-level sections of this paper, in order?"},
    {"id": "../x", "paper": "batteries", "question": "How deep was the snow at the pier in March?"},
    {"id": "other", "paper": "gulls", "question": "Why do gulls like buoys?"},
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("batteries")
    batteries(folder)
    return folder / "runs"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(QUESTIONS), encoding="utf-8")
    return path


def test_answers_without_a_model(runs: Path, questions: Path, tmp_path: Path) -> None:
    (one,) = runs.glob("batteries_*")
    out = tmp_path / "out"
    done = run("qa", "--graph-dir", one, "--questions", questions, "--out-dir", out)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(out)
    assert "1 of 3 questions are about other papers" in done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["answers", "answers.md", "summary.json", "trajectories"]
    answer, _ = read_answer(out / "answers" / "sections.json")
    assert (answer.mode, answer.label) == ("exact", "from the graph, no model")
    assert isinstance(answer.value, list)
    assert [title.split()[-1] for title in map(str, answer.value)] == ["Methods", "Results"]
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in summary["questions"]] == ["sections", "../x"]
    assert all((out / row["file"]).is_file() for row in summary["questions"])
    assert "## What are the top-level sections" in (out / "answers.md").read_text(encoding="utf-8")

    checked = run("verify", out, "--graph-dir", runs)
    assert checked.returncode == 0, checked.stdout
    assert "supported by graph" in checked.stdout

    before = {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()}
    again = run("qa", "--graph-dir", one, "--questions", questions, "--out-dir", out)
    assert again.stderr.count("kept") == 2
    assert {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()} == before


def test_answers_go_beside_the_graph_by_default(runs: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(next(runs.glob("batteries_*")), tmp_path / "run")
    asked = "How many figures are there?"
    done = run("qa", "--graph-dir", copy, "--question", asked)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (copy / "qa" / "answers").iterdir()] == [f"{question_name(asked)}.json"]


def test_the_offline_policy_drives_the_real_loop(runs: Path, tmp_path: Path) -> None:
    asked = "How much charge did lithium cells lose?"
    name = question_name(asked, "batteries")
    arguments = ("qa", "--graph-dir", runs, "--paper", "batteries", "--question", asked, "--out-dir", tmp_path)
    done = run(*arguments, "--lm", "offline")
    assert done.returncode == 0, done.stderr
    answer, _ = read_answer(tmp_path / "answers" / f"{name}.json")
    assert (answer.mode, answer.label, answer.usage["usd"]) == ("agent", "offline-policy/1", 0)
    assert any("31 %" in claim.text for claim in answer.claims)
    report = run("trajectory", tmp_path / "trajectories" / f"{name}.jsonl")
    assert report.returncode == 0, report.stderr
    assert asked in report.stdout
    assert "g\\_search" in report.stdout or "g_search" in report.stdout
    assert "**Submitted.**" in report.stdout
    assert "finalize_graph was never called" not in report.stdout


def test_a_changed_answer_is_refuted(runs: Path, questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("qa", "--graph-dir", runs, "--questions", questions, "--paper", "batteries", "--out-dir", out)
    path = out / "answers" / "sections.json"
    row = json.loads(path.read_text(encoding="utf-8"))
    row["claims"][0]["evidence"][0]["page"] = 9
    path.write_text(json.dumps(row), encoding="utf-8")
    checked = run("verify", path, "--graph-dir", runs)
    assert checked.returncode == 1
    assert "page claims[0].evidence[0]: page 9 is said, 1 is right" in checked.stdout


def test_every_question_has_a_name_of_its_own_and_nothing_is_overwritten(runs: Path, tmp_path: Path) -> None:
    asked = ["How many figures are there?", "How many tables are there?"]
    for text in asked:
        assert run("qa", "--graph-dir", runs, "--question", text, "--out-dir", tmp_path).returncode == 0
    kept = {read_answer(path)[0].question for path in (tmp_path / "answers").glob("*.json")}
    assert kept == set(asked)
    listed = (tmp_path / "answers.md").read_text(encoding="utf-8")
    assert "2 questions" in listed
    assert listed.index(asked[1]) < listed.index(asked[0]), "what was asked now comes first"


def test_an_id_that_another_question_has_is_not_taken_from_it(runs: Path, tmp_path: Path) -> None:
    for text in ("How many figures are there?", "How many tables are there?"):
        (tmp_path / "file.json").write_text(json.dumps([{"id": "a", "question": text, "paper": "batteries"}]))
        for _ in range(2):  # the second time the answer is kept
            done = run("qa", "--graph-dir", runs, "--questions", tmp_path / "file.json", "--out-dir", tmp_path / "out")
        assert "kept" in done.stderr
    names = sorted(path.stem for path in (tmp_path / "out" / "answers").iterdir())
    assert (len(names), names[0], names[1][:2]) == (2, "a", "a-")


def test_a_language_that_is_not_read_is_told(runs: Path, tmp_path: Path) -> None:
    asked = "Wie viele Bilder gibt es in der Arbeit?"
    done = run("qa", "--graph-dir", runs, "--question", asked, "--out-dir", tmp_path)
    assert "note: a question is in German; other languages are not supported" in done.stderr
