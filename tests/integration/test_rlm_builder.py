"""`kag index` with an agent: which builder is chosen, what a killed run comes back to, what a replay needs."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest

from kag.cli.main import main
from kag.indexing.audit import audit
from kag.indexing.run import load_run
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.pyshacl_validator import referee
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper

ROOT = Path(__file__).parents[2]

# The offline policy, as an engine of the user's own that ends its process before the reply number KILL_AT, and
# counts the replies it was asked for.
KILLED = """
import os
import signal
from pathlib import Path

from kag.agents.offline_policy import OfflinePolicy


class Engine(OfflinePolicy):
    asked = 0

    def complete(self, request):
        Engine.asked += 1
        prompt = "".join(part.text for message in request.messages for part in message.parts)
        number = prompt.count("=== Step ") + 1
        if number == int(os.environ.get("KILL_AT", "0")):
            os.kill(os.getpid(), signal.SIGKILL)
        with Path(os.environ["ASKED"]).open("a") as log:
            log.write(f"{number}\\n")
        return super().complete(request)


def engine():
    return Engine()


engine.priced = "policy"
"""


def kag(*arguments: Any, **environment: str) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("KAG_")}
    return subprocess.run(
        [sys.executable, "-m", "kag", *map(str, arguments)],
        cwd=ROOT,
        env={**own, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def here(*arguments: Any, **environment: str) -> tuple[int, str]:
    """The same in this process, which need not import everything again: exit code and standard error."""
    told = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(told):
        patch.chdir(ROOT)
        for name in [name for name in os.environ if name.startswith("KAG_")]:
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
    return int(ended.value.code or 0), told.getvalue()


def only_run(out_dir: Path) -> tuple[Path, dict[str, Any]]:
    runs = [path for path in out_dir.iterdir() if not path.name.startswith(".")]
    assert len(runs) == 1
    return runs[0], json.loads((runs[0] / "summary.json").read_text())["builder"]


def sound(run: Path, paper: Path) -> bool:
    """Whether the reference engine validates the graph, and no block of the paper was lost."""
    written = load_run(run)
    return (
        not referee(written.graph, load_shapes(DOC)).issues
        and not audit(written, read_document(paper, paper_id=written.summary["paper"])).issues
    )


def graph(run: Path) -> str:
    return (run / "knowledge_graph.ttl").read_text()


# choosing -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "environment", "name", "why"),
    [
        ([], {}, "baseline", "no model configured"),
        (["--lm", "offline"], {}, "rlm", "a model is configured: offline"),
        ([], {"KAG_LM": "offline"}, "rlm", "a model is configured: offline"),
        (["--lm", "offline", "--builder", "review"], {}, "review", "asked for"),
        (["--lm", "offline", "--builder", "hybrid"], {}, "review", "asked for"),  # its earlier name
        (["--builder", "baseline"], {"KAG_LM": "offline"}, "baseline", "asked for"),
        (["--builder", "rlm", "--lm", "offline"], {}, "rlm", "asked for"),
    ],
)
def test_the_summary_says_which_builder_and_why(
    paper: Path, tmp_path: Path, arguments: list[str], environment: dict[str, str], name: str, why: str
) -> None:
    code, stderr = here("index", paper, "--out-dir", tmp_path / "runs", *arguments, **environment)
    assert code == 0, stderr
    run, told = only_run(tmp_path / "runs")
    assert (told["name"], told["why"]) == (name, why)
    assert told.get("model", "") == ("" if name == "baseline" else "offline-policy/1")
    assert sound(run, paper)
    assert not (tmp_path / "runs" / ".work-ice").exists()
    _, stderr = here("index", paper, "--out-dir", tmp_path / "runs", *arguments, **environment)
    assert "up to date" in stderr


def test_the_baseline_needs_no_dspy(paper: Path, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom kag.cli.main import cli\n"
        f"cli.main(['index', {str(paper)!r}, '--out-dir', {str(tmp_path / 'runs')!r}], standalone_mode=False)\n"
        "print(sorted({'dspy', 'pydantic_monty', 'anthropic'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# stopping and going on ------------------------------------------------------------------------------------------------


def test_a_run_killed_at_every_iteration_ends_with_the_same_graph(paper: Path, tmp_path: Path) -> None:
    module = tmp_path / "engines" / "killed.py"
    module.parent.mkdir()
    module.write_text(KILLED)
    asked = tmp_path / "asked"
    out, steps = tmp_path / "runs", tmp_path / "runs" / ".work-ice" / "trajectory.jsonl"
    given = {"PYTHONPATH": str(module.parent), "ASKED": str(asked)}
    arguments = ["index", paper, "--out-dir", out, "--builder", "rlm", "--lm", "killed:engine", "--workers", 1]
    arguments += ["--paper-mb", 0]  # without any limit this process does the work, and is killed itself
    for iteration in range(1, 4):
        done = kag(*arguments, **given, KILL_AT=str(iteration))
        assert done.returncode == -signal.SIGKILL, done.stderr
        rows = [json.loads(line) for line in steps.read_text().splitlines()]
        assert sum(row["name"] == "outcome" for row in rows) == iteration - 1, "each step was on disk when it was done"
        assert [path for path in out.iterdir() if not path.name.startswith(".")] == []
    done = kag(*arguments, **given)
    assert done.returncode == 0, done.stderr
    run, told = only_run(out)
    assert asked.read_text().split() == ["1", "2", "3"], "no reply was asked for twice"
    assert told["usage"]["replayed"] == 2
    assert here("index", paper, "--out-dir", tmp_path / "straight", "--builder", "rlm", "--lm", "offline")[0] == 0
    assert graph(run) == graph(only_run(tmp_path / "straight")[0])


def test_a_stopped_run_is_labelled_whole_and_goes_on(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    arguments = ["index", paper, "--out-dir", out, "--builder", "rlm", "--lm", "offline"]
    code, stderr = here(*arguments, "--max-iters", 2)
    assert code == 0
    assert "the agent was stopped" in stderr
    run, told = only_run(out)
    assert told["cause"] == "iterations"
    assert told["completed_by"]["name"] == "baseline"
    assert sound(run, paper)
    assert (out / ".work-ice" / "trajectory.jsonl").is_file()
    assert here(*arguments)[0] == 0
    last = max(path for path in out.iterdir() if not path.name.startswith("."))
    assert "stopped" not in json.loads((last / "summary.json").read_text())["builder"]
    assert not (out / ".work-ice").exists()


def test_a_recorded_run_is_replayed_without_the_engine(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "engines" / "killed.py"
    module.parent.mkdir()
    module.write_text(KILLED)
    tape, asked = tmp_path / "tape.jsonl", tmp_path / "asked"
    common = ["index", paper, "--builder", "rlm", "--lm", "killed:engine"]
    monkeypatch.syspath_prepend(module.parent)
    assert here(*common, "--out-dir", tmp_path / "one", "--record", tape, ASKED=str(asked))[0] == 0
    assert len(tape.read_text().splitlines()) == 3
    assert here(*common, "--out-dir", tmp_path / "two", "--replay", tape, ASKED=str(asked))[0] == 0
    assert len(asked.read_text().split()) == 3, "the replay asked for nothing"
    one, two = only_run(tmp_path / "one")[0], only_run(tmp_path / "two")[0]
    for name in ("knowledge_graph.ttl", "content_store.jsonl", "skipped.jsonl"):
        assert (one / name).read_bytes() == (two / name).read_bytes()
    other = write_paper(tmp_path / "snow" / "ice", [[("text", "[[100, 100, 900, 200]]", "Another paper.")]])
    code, stderr = here(
        "index", other, *common[2:], "--out-dir", tmp_path / "three", "--replay", tape, ASKED=str(asked)
    )
    assert code == 3
    assert "was not recorded" in stderr
