"""Killed at any moment, a run leaves nothing half-written behind, and the next one completes it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kag.audit import audit
from kag.batch import Job, index_all
from kag.run import load_run
from tests.papers import PAGES, write_paper

KILLS = 20
PAPERS = 12


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Papers long enough that a kill meets one of them half done."""
    for number in range(PAPERS):
        write_paper(tmp_path / "papers" / f"paper{number:02d}", PAGES * 20)
    return tmp_path / "papers"


def start(papers: Path, out: Path, workers: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "kag", "index", str(papers), "--out-dir", str(out), "--workers", str(workers)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def runs(out: Path) -> list[Path]:
    return sorted(path for path in out.glob("*") if not path.name.startswith("."))


def test_killed_twenty_times_then_done(papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    pick = random.Random(20)
    for kill in range(KILLS):
        process = start(papers, out, workers=1 + kill % 2)
        time.sleep(pick.uniform(0.4, 1.8))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for run in runs(out):
            assert audit(load_run(run)).issues == (), run
    process = start(papers, out, workers=2)
    assert process.wait(timeout=300) == 0
    assert sorted({run.name.partition("_")[0] for run in runs(out)}) == [f"paper{n:02d}" for n in range(PAPERS)]
    assert len(runs(out)) == PAPERS, "what was done before a kill is not done again"
    assert list(out.glob(".partial-*")) == []


def test_workers_die_with_their_parent(papers: Path, tmp_path: Path) -> None:
    process = start(papers, tmp_path / "runs", workers=2)
    time.sleep(1.5)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and group_members(process.pid):
        time.sleep(0.1)
    assert not group_members(process.pid)


def group_members(group: int) -> list[int]:
    """Processes of a group that are alive (not zombies), from /proc."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("no /proc on this system to look processes up in")
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[2] == str(group) and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def test_a_dead_worker_costs_only_its_own_paper(papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A paper whose process dies each time is reported; the others are indexed."""
    deadly = tmp_path / "papers" / "paper03" / "page_001.md"
    monkeypatch.setenv("PYTHONPATH", str(plant_killer(tmp_path, deadly)))
    jobs = [Job(papers / f"paper{n:02d}", f"paper{n:02d}", tmp_path / "runs") for n in range(6)]
    outcomes = {outcome.job.name: outcome.state for outcome in index_all(jobs, workers=2)}
    assert outcomes.pop("paper03") == "failed"
    assert set(outcomes.values()) == {"indexed"}


def plant_killer(tmp_path: Path, deadly: Path) -> Path:
    """A sitecustomize by which a worker kills itself when it opens the deadly page, as running out of memory would."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "def watch(event, args):\n"
        f"    if event == 'open' and str(args[0]) == {str(deadly)!r}:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.addaudithook(watch)\n"
    )
    return folder
