"""Limits of the system: small files only, few open files, little memory, no rights, paths that cannot be."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from scripts.attacks.case import Case
from scripts.attacks.served import PAPERS, Ended, Server, paper, run_of, serve

KIND = "limits of the system: file size, open files, memory, rights, odd paths"
CASES = 400
NOBODY = 65534
_MIB = 1024 * 1024


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Run commands within a limit; then, without it, what is there must be whole, and one can go on with it."""
    with serve(work / "said") as server:
        ready = work / "ready"
        server.must(["index", str(PAPERS), "--out-dir", str(ready / "runs"), "--workers", "1"])
        papers = [str(run_of(ready / "runs", paper(number))) for number in (0, 1)]
        server.must(["corpus", "add", *papers, "--corpus", str(ready / "corpus")])
        server.must(["corpus", "index", "--corpus", str(ready / "corpus")])
        for number in range(cases):
            disk = work / "disk"
            shutil.rmtree(disk, ignore_errors=True)
            disk.mkdir()
            shutil.copytree(ready / "corpus", disk / "corpus")
            limits = _limits(random, disk)
            name, arguments = _command(random, ready, disk)
            ended = server.run(arguments, limits)
            yield Case(f"{number} {name} {limits}", _wrong(server, ended, limits, disk))


def _limits(random: Random, disk: Path) -> Mapping[str, int]:
    kinds = ["FSIZE", "NOFILE", "AS", *(("USER",) if os.getuid() == 0 else ())]
    kind = random.choice(kinds)
    if kind == "USER":
        os.chmod(disk, random.choice((0o755, 0o555)))
    sizes = {
        "FSIZE": (4096, 50_000, _MIB),  # the words of the command need a file too
        "NOFILE": (8, 16, 24, 40),
        "USER": (NOBODY,),
    }
    return {kind: random.choice(sizes.get(kind, (300 * _MIB, 450 * _MIB, 600 * _MIB)))}


def _command(random: Random, ready: Path, disk: Path) -> tuple[str, list[str]]:
    run = run_of(ready / "runs", paper(2))
    (disk / "file").write_text("no folder")
    out = random.choice((disk / "out", disk / "file" / "out", disk / ("long" * 62), disk / "nowhere" / "out"))
    commands = {
        "index": ["index", str(PAPERS / paper(0)), "--out-dir", str(out)],
        "qa": ["qa", "--graph-dir", str(run), "--question", "How many figures are there?", "--out-dir", str(out)],
        "report": ["report", str(run), "--out", str(out)],
        "export": ["export", str(run), "--format", "ris", "--out", str(out)],
        "corpus add": ["corpus", "add", str(run), "--corpus", str(disk / "corpus")],
        "corpus new": ["corpus", "add", str(run), "--corpus", str(out)],
        "corpus remove": ["corpus", "remove", paper(0), "--corpus", str(disk / "corpus")],
        "corpus index": ["corpus", "index", "--graph", "--corpus", str(disk / "corpus")],
        "corpus list": ["corpus", "list", "--corpus", str(disk / "corpus")],
        "search": ["search", "sensors", "--corpus", str(disk / "corpus")],
    }
    name = random.choice(sorted(commands))
    return f"{name} {out.name[:9]}", commands[name]


def _wrong(server: Server, ended: Ended, limits: Mapping[str, int], disk: Path) -> str:
    """What is wrong with how a command ended, and with what it left.

    Without memory the graph store's engine ends the process itself; what is on the disk must be sound all the same.
    """
    aborted = "AS" in limits and ended.code in (-signal.SIGABRT, -signal.SIGSEGV, -signal.SIGBUS)
    if not aborted and (wrong := ended.wrong(0, 1, 2)):
        return wrong
    if left := [path.name for path in disk.rglob(".partial-*")]:
        return f"left half-written: {left}"
    checked = server.run(["corpus", "check", "--corpus", str(disk / "corpus")])
    if checked.code and "begun and not finished" not in checked.out:
        return f"the corpus behind it: {checked}"
    return server.run(["corpus", "list", "--corpus", str(disk / "corpus")]).wrong(0)
