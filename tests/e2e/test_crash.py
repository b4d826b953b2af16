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

from kag.indexing.audit import audit
from kag.indexing.run import load_run
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
    whole: set[Path] = set()
    for kill in range(KILLS):
        process = start(papers, out, workers=1 + kill % 2)
        time.sleep(pick.uniform(0.4, 1.8))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for run in set(runs(out)) - whole:
            assert audit(load_run(run)).issues == (), run
            whole.add(run)
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


# What a process does at the page `deadly`: as running out of memory would end it, for ever in a library, too much.
DEEDS = {
    "dies": ("os.kill(os.getpid(), signal.SIGKILL)", "its process died (SIGKILL)", "Check memory"),
    "hangs": ("re.match('(a+)+$', 'a' * 60 + 'b')", "took more than 4.0 s", "--paper-seconds"),
    "eats": ("bytearray(600 * 2**20)", "needs more memory than 500 MB", "--paper-mb"),
}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("deed", DEEDS)
def test_a_paper_that_breaks_its_worker_costs_only_itself(deed: str, workers: int, tmp_path: Path) -> None:
    """It is reported with the way out; the others are indexed, and nothing half-written is left."""
    if deed == "eats" and sys.platform != "linux":
        pytest.skip("only Linux keeps the limit of memory")
    does, said, hint = DEEDS[deed]
    some = [str(write_paper(tmp_path / f"paper{n:02d}")) for n in range(5)]
    site = plant(tmp_path, tmp_path / "paper03" / "page_001.md", does)
    limits = ["--workers", str(workers), "--paper-seconds", "4", "--paper-mb", "500"]
    done = subprocess.run(
        [sys.executable, "-m", "kag", "index", *some, "--out-dir", str(tmp_path / "runs"), *limits],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert f"{tmp_path / 'paper03'}: {said}" in done.stderr
    assert hint in done.stderr
    assert [Path(run).name.partition("_")[0] for run in done.stdout.split()] == [f"paper{n:02d}" for n in (0, 1, 2, 4)]
    assert list((tmp_path / "runs").glob(".partial-*")) == []


def plant(tmp_path: Path, deadly: Path, does: str) -> Path:
    """A sitecustomize by which a process does something when it opens the deadly page."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import os, re, signal, sys\n"
        "def watch(event, args):\n"
        f"    if event == 'open' and str(args[0]) == {str(deadly)!r}:\n"
        f"        {does}\n"
        "sys.addaudithook(watch)\n"
    )
    return folder
