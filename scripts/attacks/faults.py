"""A disk that is full or breaks at the n-th change, for n from 1 on, in every command that writes.

Each case runs a command with one change to files failing (`faults.c`), either that one alone or all behind it too. It
must end in a message and an exit code, leave what was there before (or what shall be there) and nothing half-written;
and given again, the command must bring the same bytes as without a fault.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from scripts.attacks.case import Case, Unavailable

KIND = "disk full or broken at the n-th write, rename or fsync"
CASES = 4000
SECONDS = 60.0  # of one command

_HERE = Path(__file__).parent
_PAPERS = _HERE.parent.parent / "test_data"
_STATE = struct.Struct("4q")


@dataclass(frozen=True, slots=True)
class Command:
    """A command that writes below a folder: what it is given, what stands there before, what to look at after.

    `before` names the prepared folder that is copied to where it writes; `state` gives what must be equal after the
    same command, for the folder; `sound` what is wrong with what stands there, at any moment.
    """

    name: str
    arguments: Callable[[Path, Path], Sequence[str]]
    state: Callable[[Path], Mapping[str, str]]
    sound: Callable[[Path], str] = field(default=lambda _: "")
    before: str = ""
    told_again: str = ""  # an error that the command given again may end in: a reader finished what was begun


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Fail each change of each command, once alone and once with all behind it; at most `cases` of these."""
    with _server(work) as disk:
        _prepare(disk, work)
        for command in COMMANDS:
            yield from _points(disk, command, random, cases // len(COMMANDS))


@dataclass(slots=True)
class Disk:
    """A disk that can be made to fail: the server that runs commands on it, and the numbers it shares with the shim."""

    server: subprocess.Popen[str]
    numbers: Path
    root: Path
    ready: Path

    def run(self, arguments: Sequence[str], fails: int = 0, *, from_then: bool = False) -> tuple[int, str]:
        """Exit code and standard error of a command of which one change fails (none: 0)."""
        self.numbers.write_bytes(_STATE.pack(0, fails, from_then, 0))
        out, err = self.numbers.with_name("stdout"), self.numbers.with_name("stderr")
        request = {"arguments": list(arguments), "stdout": str(out), "stderr": str(err), "seconds": SECONDS}
        assert self.server.stdin
        assert self.server.stdout
        self.server.stdin.write(json.dumps(request) + "\n")
        self.server.stdin.flush()
        code = json.loads(self.server.stdout.readline())["code"]
        return code, err.read_text(encoding="utf-8", errors="replace")

    def counted(self) -> int:
        """How many changes the last command made, or tried to make."""
        return int(_STATE.unpack(self.numbers.read_bytes())[0])

    def reset(self, command: Command) -> None:
        """Put back what stood there before the command."""
        shutil.rmtree(self.root, ignore_errors=True)
        if command.before:
            shutil.copytree(self.ready / command.before, self.root)
        else:
            self.root.mkdir()


@contextmanager
def _server(work: Path) -> Iterator[Disk]:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not sys.platform.startswith("linux") or compiler is None:
        raise Unavailable("faults are planted by a small C library, which needs Linux and a C compiler (cc)")
    shim, numbers = work / "faults.so", work / "numbers"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, _HERE / "faults.c", "-ldl"], check=True)
    numbers.write_bytes(_STATE.pack(0, 0, 0, 0))
    shared = {"LD_PRELOAD": str(shim), "KAG_FAULT_STATE": str(numbers), "KAG_FAULT_ROOT": str(work / "disk")}
    command = [sys.executable, "-m", "scripts.attacks.fault_server"]
    environment = {**os.environ, **shared, "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        command, env=environment, cwd=_HERE.parent.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        assert server.stdout.readline() == "ready\n"
        try:
            yield Disk(server, numbers, work / "disk", work / "ready")
        finally:
            server.kill()


def _prepare(disk: Disk, work: Path) -> None:
    """Runs of the bundled papers, and a corpus of two of them with its search index."""
    disk.ready.mkdir()
    runs, corpus = disk.ready / "runs", disk.ready / "corpus"
    _well(disk.run(["index", str(_PAPERS), "--out-dir", str(runs), "--workers", "1"]))
    papers = [str(_run(runs, _paper(number))) for number in (0, 1)]
    _well(disk.run(["corpus", "add", *papers, "--corpus", str(corpus)]))
    _well(disk.run(["corpus", "index", "--graph", "--corpus", str(corpus)]))


def _well(done: tuple[int, str]) -> None:
    if done[0]:
        raise AssertionError(done[1])


def _run(runs: Path, name: str) -> Path:
    return next(runs.glob(f"{name}_*"))


def _points(disk: Disk, command: Command, random: Random, cases: int) -> Iterator[Case]:
    disk.reset(command)
    arguments = command.arguments(disk.ready, disk.root)
    code, said = disk.run(arguments)
    wanted, points = dict(command.state(disk.root)), disk.counted()
    if code or not points or command.sound(disk.root):
        yield Case(f"{command.name}, no fault", f"code {code}, {points} changes, {said}{command.sound(disk.root)}")
        return
    every = [(at, from_then) for at in range(1, points + 1) for from_then in (False, True)]
    for at, from_then in sorted(random.sample(every, min(max(cases, 1), len(every)))):
        disk.reset(command)
        name = f"{command.name}, change {at} of {points}{' and all behind it' if from_then else ''}"
        yield Case(name, _failure(disk, command, arguments, at, from_then, wanted))


def _failure(
    disk: Disk, command: Command, arguments: Sequence[str], at: int, from_then: bool, wanted: Mapping[str, str]
) -> str:
    """What is wrong with how a command took a fault; empty when nothing is."""
    code, said = disk.run(arguments, at, from_then=from_then)
    if code not in (0, 2, 3) or "Traceback" in said or "panicked" in said:
        return f"exit code {code}: {said[-600:]}"
    if code and "error:" not in said:
        return f"exit code {code} without a message: {said[-300:]}"
    if code == 0 and (now := dict(command.state(disk.root))) != wanted:
        return f"told as done, and is not: {_difference(now, wanted)}; {said[-300:]}"
    if left := _half_written(disk.root):
        return f"left half-written: {left}"
    if broken := command.sound(disk.root):
        return f"broken behind the fault: {broken}"
    code, said = disk.run(arguments)
    refused = code and not (command.told_again and command.told_again in said)
    if refused or (now := dict(command.state(disk.root))) != wanted:
        return f"given again: code {code}, {said[-300:] if code else _difference(now, wanted)}"
    return f"half-written behind the second: {left}" if (left := _half_written(disk.root)) else ""


def _difference(now: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    return sorted(name for name in {*now, *wanted} if now.get(name) != wanted.get(name))[:5]


def _half_written(root: Path) -> list[str]:
    """Files and folders that look like something under way."""
    return [str(path.relative_to(root)) for path in root.rglob("*") if ".partial-" in path.name]


# what each command leaves ---------------------------------------------------------------------------------------------


def _files(folder: Path) -> dict[str, str]:
    """The hash of each file; time stamps in names of run folders left out."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            parts = [part.split("_20")[0] for part in path.relative_to(folder).parts]
            found["/".join(parts)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def _graphs(root: Path) -> dict[str, str]:
    """A corpus as its canonical N-Quads, its tables, and the passages of its index."""
    from kag.corpus import graphs, tables
    from kag.corpus.search_index import open_index
    from kag.corpus.store import open_corpus

    if not any(root.glob("graph/snapshots/[0-9]*")):
        return {}  # made a moment ago, and no paper is in it yet
    corpus = open_corpus(root)
    quads = "".join(graphs.nquads(graphs.open_snapshot(corpus.layout)))
    with tables.open_tables(corpus.layout.tables) as rows:
        listed = repr(list(tables.dump(rows)))
    found = {"quads": hashlib.sha256(quads.encode()).hexdigest(), "tables": listed}
    return found | ({"passages": repr(sorted(open_index(root).chunks))} if corpus.layout.search.exists() else {})


def _sound_runs(root: Path) -> str:
    """What is wrong with the run folders: each that is there is whole and conserved."""
    from kag.audit import audit
    from kag.errors import KagError
    from kag.run import load_run

    try:
        issues = [str(issue) for path in sorted(root.glob("runs/[!.]*")) for issue in audit(load_run(path)).issues]
    except KagError as error:
        return error.message
    return "; ".join(issues)


def _sound_corpus(root: Path) -> str:
    """What is wrong with a corpus beyond a change that is begun, which the next command finishes."""
    from kag.corpus.check import check_corpus
    from kag.errors import KagError

    try:
        if not _graphs(root):  # a reader finishes what was begun
            return ""
        issues = [f"{issue.component} {issue.focus}" for issue in check_corpus(root).issues]
    except KagError as error:
        return f"{error.message} ({error.hint})"
    return "; ".join(issues)


def _paper(number: int) -> str:
    return sorted(path.name for path in _PAPERS.iterdir() if path.is_dir())[number]


COMMANDS = (
    Command(
        "index",
        lambda ready, root: ["index", str(_PAPERS / _paper(0)), "--out-dir", str(root / "runs")],
        _files,
        _sound_runs,
    ),
    Command(
        "qa",
        lambda ready, root: (
            *("qa", "--graph-dir", str(_run(ready / "runs", _paper(0))), "--out-dir", str(root / "qa")),
            *(
                "--question",
                "Which references does the Introduction cite?",
                "--question",
                "How many figures are there?",
            ),
        ),
        _files,
    ),
    Command(
        "report",
        lambda ready, root: ["report", str(_run(ready / "runs", _paper(0))), "--out", str(root / "report.html")],
        _files,
    ),
    Command(
        "export",
        lambda ready, root: (
            *("export", str(_run(ready / "runs", _paper(0))), "--format", "bibtex", "--out", str(root / "list.bib")),
        ),
        _files,
    ),
    Command(
        "corpus add",
        lambda ready, root: ["corpus", "add", str(_run(ready / "runs", _paper(2))), "--corpus", str(root)],
        _graphs,
        _sound_corpus,
        "corpus",
    ),
    Command(
        "corpus add (the first)",
        lambda ready, root: ["corpus", "add", str(_run(ready / "runs", _paper(2))), "--corpus", str(root / "new")],
        lambda root: _graphs(root / "new"),
        lambda root: _sound_corpus(root / "new"),
    ),
    Command(
        "corpus remove",
        lambda ready, root: ["corpus", "remove", _paper(0), "--corpus", str(root)],
        _graphs,
        _sound_corpus,
        "corpus",
        "is not in the corpus",
    ),
    Command(
        "corpus index",
        lambda ready, root: ["corpus", "index", "--graph", "--corpus", str(root)],
        _graphs,
        _sound_corpus,
        "corpus",
    ),
)
