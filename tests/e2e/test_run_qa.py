"""`kag qa`, `scripts/run_qa.py` and `kag verify` from the outside: files, exit codes, and words."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kag.values.evidence import read_answer
from tests.unit.agents.readings import batteries

ROOT = Path(__file__).resolve().parent.parent.parent
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


def run(*arguments: object, script: bool = False) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts" / "run_qa.py"] if script else [sys.executable, "-m", "kag"]
    return subprocess.run([*map(str, command), *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)


def test_answers_without_a_model(runs: Path, questions: Path, tmp_path: Path) -> None:
    (one,) = runs.glob("batteries_*")
    out = tmp_path / "out"
    done = run("--graph-dir", one, "--questions", questions, "--out-dir", out, script=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(out)
    assert "1 of 3 questions are about other papers" in done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["answers", "answers.md", "summary.json", "trajectories"]
    answer, _ = read_answer(out / "answers" / "sections.json")
    assert (answer.mode, answer.label) == ("extractive", "offline, no model")
    assert isinstance(answer.value, list)
    assert [title.split()[-1] for title in map(str, answer.value)] == ["Methods", "Results"]
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in summary["questions"]] == ["sections", "../x"]
    assert all((out / row["file"]).is_file() for row in summary["questions"])
    assert "## What are the top-level sections" in (out / "answers.md").read_text(encoding="utf-8")

    checked = run("verify", out, "--graph-dir", runs)
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout.count("1 supported (by rules)") == 2

    before = {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()}
    again = run("qa", "--graph-dir", one, "--questions", questions, "--out-dir", out)
    assert again.stderr.count("kept") == 2
    assert {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()} == before


def test_answers_go_beside_the_graph_by_default(runs: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(next(runs.glob("batteries_*")), tmp_path / "run")
    done = run("qa", "--graph-dir", copy, "--question", "How many figures are there?")
    assert done.returncode == 0, done.stderr
    assert (copy / "qa" / "answers" / "q1.json").is_file()


def test_the_offline_policy_drives_the_real_loop(runs: Path, tmp_path: Path) -> None:
    asked = "How much charge did lithium cells lose?"
    arguments = ("qa", "--graph-dir", runs, "--paper", "batteries", "--question", asked, "--out-dir", tmp_path)
    done = run(*arguments, "--lm", "offline")
    assert done.returncode == 0, done.stderr
    answer, _ = read_answer(tmp_path / "answers" / "q1.json")
    assert (answer.mode, answer.label, answer.usage["usd"]) == ("agent", "offline-policy/1", 0)
    assert any("31 %" in claim.text for claim in answer.claims)
    report = subprocess.run(
        [sys.executable, ROOT / "scripts" / "dump_trajectory.py", tmp_path / "trajectories" / "q1.jsonl"],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
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


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--question", "x", "--questions", "y"], 2, "Give --questions FILE or --question TEXT"),
        ([], 2, "Give --questions FILE or --question TEXT"),
        (["--questions", "none.json"], 2, "none.json cannot be read"),
        (["--question", "x", "--mode", "agent"], 3, "none is configured"),
        (["--question", "x", "--mode", "single", "--lm", "offline"], 3, "mode agent"),
        (["--question", "x", "--lm", "offline", "--vision", "m"], 2, "--ocr-dir"),
        (["--question", "x", "--lm", "offline", "--record", "a", "--replay", "b"], 2, "exclude each other"),
        (["--question", "x", "--lm", "offline", "--mode", "agent", "--replay", "none"], 2, "no such cassette"),
    ],
)
def test_what_is_wrong_is_told(runs: Path, tmp_path: Path, arguments: list[str], code: int, words: str) -> None:
    done = run("qa", "--graph-dir", runs, "--out-dir", tmp_path, *arguments)
    assert (done.returncode, words in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr


def test_bad_files_and_folders(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"format": "x"}')
    for arguments in (
        ("verify", tmp_path / "bad.json", "--graph-dir", runs),
        ("verify", tmp_path / "none.json", "--graph-dir", runs),
        ("verify", tmp_path, "--graph-dir", tmp_path),
        ("qa", "--graph-dir", tmp_path, "--question", "x"),
    ):
        done = run(*arguments)
        assert done.returncode == 2, arguments
        assert "Traceback" not in done.stderr
