"""Hostile folders of papers: links that lead out, things that never end, sizes and names that nobody expects.

Each case is a folder with a small paper in which something was put that has no business there. Many are indexed by
one command, as a person would index what was downloaded; a few are given to the command themselves. Around them lie
a secret file and a secret in the environment: nothing of either may be found in what was written or said.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from kag.core.errors import KagError
from kag.indexing.audit import audit
from kag.indexing.run import load_run
from kag.sources.names import safe_paper_id
from kag.sources.survey import read_paper
from scripts.attacks.case import Case
from scripts.attacks.folder_plants import ALONE, PLANTS
from scripts.attacks.outside import SECRET, Outside

KIND = "hostile folders of papers"
CASES = 400
TOGETHER = 40  # folders that one command is given
PATIENCE = 120  # seconds for one command: far more than its papers may take
LIMITS = ("--paper-seconds", "20", "--paper-mb", "2048", "--workers", "2")
# a state may be followed by the rate and the remaining time
STATE = re.compile(r"^\[\d+/\d+\] (\S+): (.+?)(?: \([^()]*per (?:second|minute)[^()]*\))?$", re.M)
_UGLY = re.compile(r"Traceback|bug in kag|Warning|Exception ignored|process died|was stopped")


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left behind; `code` is None when it hung."""

    code: int | None
    out: str
    said: str


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Folders inside a given one, and one in ten given itself."""
    outside = Outside.make(work / "outside")
    alone = cases // 10
    for start in range(0, cases - alone, TOGETHER):
        yield from _together(random, min(TOGETHER, cases - alone - start), work / f"some{start}", outside)
    for number in range(alone):
        yield _alone(random, work / f"one{number}", outside)


def _together(random: Random, count: int, work: Path, outside: Outside) -> Iterator[Case]:
    papers = work / "papers"
    papers.mkdir(parents=True)
    planted: list[tuple[str, Path, bool | None]] = []
    for number in range(count):
        plant = random.choice(PLANTS)
        folder, refused = plant(papers / f"paper{number:03d}", random, outside)
        planted.append((plant.__name__, folder, refused))
    done = index_papers([papers], work / "runs", papers)
    states = dict(STATE.findall(done.said))
    whole = _wrong(done, work / "runs", any(state == "failed" for state in states.values()))
    for number, (name, folder, refused) in enumerate(planted):
        state = states.get(safe_paper_id(folder.name), "")
        yield Case(
            f"{name} {folder.name!r}", (whole if number == 0 else "") or _judged(done, folder, state, refused, outside)
        )


def _judged(done: Done, folder: Path, state: str, refused: bool | None, outside: Outside) -> str:
    """What is wrong with what became of one folder; `refused` says whether it must be, None that it is no paper."""
    if refused is None:
        told = any(folder.name[:60] in line for line in done.said.splitlines() if line.startswith("note: "))
        return "" if not state and told else f"no note that it is left out ({state})"
    if not state:
        return "hung" if done.code is None else "nothing was said of it"
    if refused:
        return "" if state == "failed" else f"it was {state}"
    if state != "indexed":
        return f"it {state}: {done.said[-300:]}"
    run = next(line for line in done.out.splitlines() if Path(line).name.startswith(f"{safe_paper_id(folder.name)}_2"))
    try:
        document = read_paper(folder)
        issues = audit(load_run(Path(run)), document).issues
    except KagError as error:
        return f"its run: {error.message}"
    if any(figure.sha256 in outside.hashes for figure in document.figures):
        return "a picture from outside is among its figures"
    return f"its run: {issues[0]}" if issues else ""


def _alone(random: Random, work: Path, outside: Outside) -> Case:
    """A path that is no folder of pages, given itself: bad input, with a way out."""
    work.mkdir(parents=True)
    plant = random.choice(ALONE)
    done = index_papers([plant(work, random, outside)], work / "runs", work)
    failed = _wrong(done, work / "runs", True) or ("" if done.out == "" else "it printed a run")
    return Case(f"alone: {plant.__name__}", failed or ("" if "error: " in done.said else f"no error: {done.said}"))


def _wrong(done: Done, runs: Path, fails: bool) -> str:
    """What is wrong with a command as a whole."""
    if done.code is None:
        return "the command hung"
    if ugly := _UGLY.search(done.said):
        return f"it said {ugly[0]!r}: {done.said[max(0, ugly.start() - 200) : ugly.start() + 300]}"
    if done.code != (2 if fails else 0):
        return f"exit code {done.code}: {done.said[-300:]}"
    if SECRET in done.out + done.said:
        return "a secret was said"
    for path in runs.rglob("*"):
        if ".partial-" in path.name:
            return f"{path.name} was left"
        if path.is_file() and SECRET.encode() in path.read_bytes():
            return f"a secret is in {path}"
    return ""


def index_papers(paths: Sequence[Path], runs: Path, cwd: Path) -> Done:
    """`kag index` with a secret in its environment, ended with all its processes where it hangs."""
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-m", "kag", "index", *paths, "--out-dir", runs, *LIMITS],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(root), "KAG_ATTACK": SECRET},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        out, said = process.communicate(timeout=PATIENCE)
        return Done(process.returncode, out, said)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, said = process.communicate()
        return Done(None, out, said)
