"""A disk that is full or breaks at the n-th change, for n from 1 on, in every command that writes.

Each case runs a command with one change to files failing (`faults.c`), either that one alone or all behind it too. It
must end in a message and an exit code, leave what was there before (or what shall be there) and nothing half-written;
and given again, the command must bring the same bytes as without a fault.
"""

from __future__ import annotations

import hashlib
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
from scripts.attacks.served import PAPERS, Ended, Server, paper, run_of, serve

KIND = "disk full or broken at the n-th write, rename or fsync"
CASES = 1600

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
    with _disk(work) as disk:
        _prepare(disk)
        for command in COMMANDS:
            yield from _points(disk, command, random, cases // len(COMMANDS))


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk that can be made to fail: the server that runs commands on it, and the numbers it shares with the shim."""

    server: Server
    numbers: Path
    root: Path
    ready: Path

    def run(self, arguments: Sequence[str], fails: int = 0, *, from_then: bool = False) -> Ended:
        """Run a command of which one change fails (none: 0)."""
        self.numbers.write_bytes(_STATE.pack(0, fails, from_then, 0))
        return self.server.run(arguments)

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
def _disk(work: Path) -> Iterator[Disk]:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not sys.platform.startswith("linux") or compiler is None:
        raise Unavailable("faults are planted by a small C library, which needs Linux and a C compiler (cc)")
    shim, numbers, source = work / "faults.so", work / "numbers", Path(__file__).with_suffix(".c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"], check=True)
    numbers.write_bytes(_STATE.pack(0, 0, 0, 0))
    shared = {"LD_PRELOAD": str(shim), "KAG_FAULT_STATE": str(numbers), "KAG_FAULT_ROOT": str(work / "disk")}
    with serve(work / "said", shared) as server:
        yield Disk(server, numbers, work / "disk", work / "ready")


def _prepare(disk: Disk) -> None:
    """Runs of the bundled papers, and a corpus of two of them with its search index."""
    disk.ready.mkdir()
    runs, corpus = disk.ready / "runs", disk.ready / "corpus"
    disk.server.must(["index", str(PAPERS), "--out-dir", str(runs), "--workers", "1"])
    papers = [str(run_of(runs, paper(number))) for number in (0, 1)]
    disk.server.must(["corpus", "add", *papers, "--corpus", str(corpus)])
    disk.server.must(["corpus", "index", "--graph", "--corpus", str(corpus)])
    _prepare_changed(disk)


def _prepare_changed(disk: Disk) -> None:
    """A run of a paper of the corpus whose page says one sentence more than it did."""
    pages = disk.ready / "pages" / paper(0)
    shutil.copytree(PAPERS / paper(0), pages)
    for page in sorted(pages.glob("*.md"))[:1]:
        with page.open("a", encoding="utf-8") as lines:
            lines.write("\n\nOne sentence more stands on this page now.\n")
    disk.server.must(["index", str(pages), "--out-dir", str(disk.ready / "changed")])


def _points(disk: Disk, command: Command, random: Random, cases: int) -> Iterator[Case]:
    disk.reset(command)
    arguments = command.arguments(disk.ready, disk.root)
    ended = disk.run(arguments)
    wanted, points = dict(command.state(disk.root)), disk.counted()
    if ended.code or not points or command.sound(disk.root):
        yield Case(f"{command.name}, no fault", f"{ended}, {points} changes, {command.sound(disk.root)}")
        return
    every = [(at, from_then) for at in range(1, points + 1) for from_then in (False, True)]
    for at, from_then in sorted(random.sample(every, min(max(cases, 1), len(every)))):
        disk.reset(command)
        name = f"{command.name}, change {at} of {points}{' and all behind it' if from_then else ''}"
        yield Case(name, _failure(disk, command, arguments, (at, from_then), wanted))


def _failure(
    disk: Disk, command: Command, arguments: Sequence[str], fault: tuple[int, bool], wanted: Mapping[str, str]
) -> str:
    """What is wrong with how a command took a fault; empty when nothing is."""
    ended = disk.run(arguments, fault[0], from_then=fault[1])
    if wrong := ended.wrong(0, 2, 3):
        return wrong
    if ended.code == 0 and (now := dict(command.state(disk.root))) != wanted:
        return f"told as done, and is not: {_difference(now, wanted)}; {ended.said[-300:]}"
    if left := _half_written(disk.root):
        return f"left half-written: {left}"
    if broken := command.sound(disk.root):
        return f"broken behind the fault: {broken}"
    ended = disk.run(arguments)
    if ended.code and not (command.told_again and command.told_again in ended.said):
        return f"given again: {ended}"
    if (now := dict(command.state(disk.root))) != wanted:
        return f"given again, not the same: {_difference(now, wanted)}"
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
    from kag.corpus import catalogue, graphs
    from kag.corpus.search_index import open_index
    from kag.corpus.store import open_corpus

    if not any(root.glob("graph/snapshots/[0-9]*")):
        return {}  # made a moment ago, and no paper is in it yet
    corpus = open_corpus(root)
    quads = "".join(graphs.nquads(graphs.open_snapshot(corpus.layout)))
    with catalogue.open_tables(corpus.layout.tables) as rows:
        listed = repr(list(catalogue.dump(rows)))
    found = {"quads": hashlib.sha256(quads.encode()).hexdigest(), "tables": listed}
    return found | ({"passages": repr(sorted(open_index(root).chunks))} if corpus.layout.search.exists() else {})


def _sound_runs(root: Path) -> str:
    """What is wrong with the run folders: each that is there is whole and conserved."""
    from kag.values.errors import KagError
    from kag.write.audit import audit
    from kag.write.run import load_run

    try:
        issues = [str(issue) for path in sorted(root.glob("runs/[!.]*")) for issue in audit(load_run(path)).issues]
    except KagError as error:
        return error.message
    return "; ".join(issues)


def _sound_corpus(root: Path) -> str:
    """What is wrong with a corpus beyond a change that is begun, which the next command finishes."""
    from kag.corpus.check import check_corpus
    from kag.values.errors import KagError

    try:
        if not _graphs(root):  # a reader finishes what was begun
            return ""
        issues = [f"{issue.component} {issue.focus}" for issue in check_corpus(root).issues]
    except KagError as error:
        return f"{error.message} ({error.hint})"
    return "; ".join(issues)


COMMANDS = (
    Command(
        "index",
        lambda ready, root: ["index", str(PAPERS / paper(0)), "--out-dir", str(root / "runs")],
        _files,
        _sound_runs,
    ),
    Command(
        "qa",
        lambda ready, root: (
            *("qa", "--graph-dir", str(run_of(ready / "runs", paper(0))), "--out-dir", str(root / "qa")),
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
        lambda ready, root: ["report", str(run_of(ready / "runs", paper(0))), "--out", str(root / "report.html")],
        _files,
    ),
    Command(
        "export",
        lambda ready, root: (
            *("export", str(run_of(ready / "runs", paper(0))), "--format", "bibtex", "--out", str(root / "list.bib")),
        ),
        _files,
    ),
    Command(
        "corpus add",
        lambda ready, root: ["corpus", "add", str(run_of(ready / "runs", paper(2))), "--corpus", str(root)],
        _graphs,
        _sound_corpus,
        "corpus",
    ),
    Command(
        "corpus add (the first)",
        lambda ready, root: ["corpus", "add", str(run_of(ready / "runs", paper(2))), "--corpus", str(root / "new")],
        lambda root: _graphs(root / "new"),
        lambda root: _sound_corpus(root / "new"),
    ),
    Command(
        "corpus update",
        lambda ready, root: ["corpus", "update", str(run_of(ready / "changed", paper(0))), "--corpus", str(root)],
        _graphs,
        _sound_corpus,
        "corpus",
    ),
    Command(
        "corpus remove",
        lambda ready, root: ["corpus", "remove", paper(0), "--corpus", str(root)],
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
