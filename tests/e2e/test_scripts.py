"""The three scripts of the documents: build a graph, answer questions, show what the agents did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / name), *map(str, arguments)]
    own = {key: value for key, value in os.environ.items() if not key.startswith("KAG_")}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=own)


@pytest.fixture(scope="module")
def out_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def graph_dir(out_dir: Path) -> Path:
    done = run("run_index.py", "--ocr-dir", "test_data/reservoir_sensors", "--out-dir", out_dir, "--lm", "offline")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Few stations, placed well")
    return Path(done.stdout.splitlines()[-1])


def test_run_index_builds_with_the_agent_where_a_model_is_named(graph_dir: Path) -> None:
    builder = json.loads((graph_dir / "summary.json").read_text())["builder"]
    assert (builder["name"], builder["model"]) == ("rlm", "offline-policy/1")
    steps = [json.loads(line) for line in (graph_dir / "trajectory.jsonl").read_text().splitlines()]
    assert sum(step["name"] == "op_create_node" for step in steps) > 50
    assert all(step["ok"] for step in steps if step["name"].startswith("op_"))
    outcomes = [step for step in steps if step["name"] == "outcome"]
    assert any(step.get("block_count", 0) > 50 and step["blocks"] for step in outcomes)


def test_run_qa_and_dump_trajectory_use_what_run_index_made(graph_dir: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.json"
    texts = {"tables": "How many tables are there?", "lifetime": "How long did the network last in Arden?"}
    questions.write_text(json.dumps([{"id": name, "question": text} for name, text in texts.items()]))
    done = run("run_qa.py", "--graph-dir", graph_dir, "--questions", questions, "--lm", "offline")
    assert done.returncode == 0, done.stderr
    assert "The paper has 3 tables." in done.stdout
    lines = (graph_dir / "qa" / "trajectories" / "lifetime.jsonl").read_text().splitlines()
    called = {json.loads(line)["name"] for line in lines}
    assert called >= {"g_search", "g_section_content", "g_node_detail", "g_figure_info", "g_node_refs"}

    reports = tmp_path / "reports"
    done = run("dump_trajectory.py", graph_dir, graph_dir / "qa", "--out-dir", reports)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in reports.iterdir()) == [
        "lifetime.md",
        f"{graph_dir.name}.md",
        "tables.md",
    ]
    assert "| Builder | rlm offline-policy/1 |" in (reports / f"{graph_dir.name}.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["run_index.py", "--ocr-dir", "no-such-folder"], 2, "no-such-folder"),
        (["run_index.py", "--ocr-dir", "test_data/reservoir_sensors", "--builder", "rlm"], 3, "none is configured"),
        (["run_qa.py", "--graph-dir", "no-such-run", "--questions", "x.json"], 2, "no-such-run"),
        (["dump_trajectory.py", "no-such-run"], 2, "no-such-run"),
    ],
)
def test_errors_are_one_message_with_an_exit_code(arguments: list[str], code: int, message: str) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
