"""Runs and answers that somebody else made or damaged, given to every command that reads them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from scripts.attacks.case import Case
from scripts.attacks.mutations import damage
from scripts.attacks.served import PAPERS, paper, run_of, serve

KIND = "damaged runs and answers given to every command"
CASES = 1000

READERS: tuple[Callable[[Path, Path], list[str]], ...] = (
    lambda run, out: ["validate", str(run)],
    lambda run, out: ["audit", str(run)],
    lambda run, out: ["audit", str(run), "--ocr-dir", str(PAPERS / paper(0))],
    lambda run, out: ["report", str(run), "--out", str(out / "report.html")],
    lambda run, out: ["export", str(run), "--format", "bibtex"],
    lambda run, out: ["export", str(run), "--format", "ris"],
    lambda run, out: ["export", str(run), "--format", "csl-json"],
    lambda run, out: ["export", str(run), "--format", "jsonld"],
    lambda run, out: ["verify", str(run / "qa"), "--graph-dir", str(run)],
    lambda run, out: ["qa", "--graph-dir", str(run), "--question", "Which references does the Introduction cite?",
                      "--out-dir", str(out / "qa")],
    lambda run, out: ["qa", "--graph-dir", str(run), "--question", "How deep were the sensors?", "--out-dir",
                      str(run / "qa")],
    lambda run, out: ["search", "sensors under ice", "--graph-dir", str(run)],
    lambda run, out: ["corpus", "add", str(run), "--corpus", str(out / "corpus")],
    lambda run, out: ["index", str(PAPERS / paper(0)), "--out-dir", str(run.parent)],
)  # fmt: skip


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Damage one or two files of a run with answers in it, then let a command read it."""
    with serve(work / "said") as server:
        ready, runs, out = work / "ready", work / "runs", work / "out"
        server.must(["index", str(PAPERS / paper(0)), "--out-dir", str(ready)])
        run = run_of(ready, paper(0))
        questions = ["--question", "Which references does the Introduction cite?", "--question", "How many figures?"]
        server.must(["qa", "--graph-dir", str(run), *questions])
        for number in range(cases):
            for folder in (runs, out):
                shutil.rmtree(folder, ignore_errors=True)
            out.mkdir()
            shutil.copytree(ready, runs)
            there = run_of(runs, paper(0))
            done = [_one(there, random) for _ in range(random.choice((1, 1, 2)))]
            arguments = READERS[number % len(READERS)](there, out)
            ended = server.run(arguments)
            wrong = ended.wrong(0, 1, 2) or _partial(work)
            yield Case(f"{number} {' '.join(arguments[:1])} {arguments[-1]}: {'; '.join(done)}", wrong)


def _one(run: Path, random: Random) -> str:
    files = sorted(path for path in run.rglob("*") if path.is_file() and not path.is_symlink())
    return damage(random.choice(files), random)


def _partial(work: Path) -> str:
    left = [path.name for path in work.rglob(".partial-*")]
    return f"left half-written: {left}" if left else ""
