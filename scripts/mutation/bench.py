"""A throw-away copy of the project, and in it a session of pytest that tries one fault after another.

The session collects its tests once. Each fault is then tried in a process forked from it, that ends after its time
with all that it started; it has a home and a folder for temporary files inside the copy, and may write files of at
most 64 MB.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from scripts.mutation.held import Held, held
from scripts.mutation.mutants import Mutant
from scripts.mutation.swap import swap
from scripts.mutation.touched import Touched

FILE_BYTES = 64 << 20
MAPPING = 1800.0  # seconds for all tests of a session, traced
MARGIN = 5.0  # seconds of computing that tests may take beside ten times their usual time
WAITING = 60.0  # seconds by the clock that they may take beside ten times that: others may use the machine, too
PLUGINS = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:playwright", "--hypothesis-seed=0")


@dataclass(frozen=True, slots=True)
class Tried:
    """A fault and what became of it: `failed` or `time` is caught, `passed` and `unreached` are not."""

    module: str
    mutant: Mutant
    outcome: str
    tests: int

    @property
    def is_caught(self) -> bool:
        return self.outcome in ("failed", "time")


def copied(root: Path, into: Path) -> Path:
    """A copy of what git knows of a tree, and of what it does not know yet but does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (root / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, into / name)
    return into


def entered(copy: Path) -> None:
    """Make a copy the place where everything is imported from and written to."""
    for name in ("home", "scratch"):
        (copy / name).mkdir()
    os.environ.update(HOME=str(copy / "home"), TMPDIR=str(copy / "scratch"), PYTHONPATH=str(copy))
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(copy / "scratch/examples")
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    os.chdir(copy)
    sys.path[:] = [str(copy), *(path for path in sys.path if not (Path(path or ".") / "kag/__init__.py").is_file())]


def run(copy: Path, tests: Sequence[str], work: Sequence[tuple[str, Mutant]], workers: int) -> Iterator[Tried]:
    """Try faults against tests, in a session of its own; raises `RuntimeError` where a test fails without any fault."""
    out = copy / "tried.jsonl"
    out.write_text("")
    session = _Session(copy, work, workers, out)
    child = _Forked(lambda: _collected(copy, tests, sorted({name for name, _ in work}), session), 1e9, copy)
    lines = out.open(encoding="utf-8")
    outcome = None
    try:
        while outcome is None:
            outcome = child.outcome()
            for line in lines:
                place, became, number = json.loads(line)
                yield Tried(*work[place], became, number)
            time.sleep(0.05)
    finally:
        if outcome is None:
            child.end()
    if outcome != "passed":
        raise RuntimeError(f"the session {outcome}\n{(copy / 'last.log').read_text()[-3000:]}")


def _collected(copy: Path, tests: Sequence[str], names: Sequence[str], session: object) -> int:
    """A session of pytest; the modules of the work are imported first.

    Whoever collects doctests imports the package of a module, and then the module once more: one that its package
    imports would be there twice, and its faults in the one that no test runs.
    """
    for name in names:
        import_module(_dotted(name))
    return int(pytest.main([*PLUGINS, f"--rootdir={copy}", *tests], plugins=[session]))


def _dotted(name: str) -> str:
    return name.removesuffix(".py").replace("/", ".")


class _Forked:
    """A process of its own, with all that it starts; it may take as long as so many seconds of tests allow."""

    def __init__(self, task: Callable[[], int], seconds: float, copy: Path) -> None:
        self.pid, self._ends = os.fork(), time.monotonic() + WAITING + 10 * seconds
        if self.pid == 0:
            code = 3
            try:
                os.setsid()
                if seconds < MAPPING:  # the system ends it, however busy the machine is
                    most = int(MARGIN + 10 * seconds)
                    resource.setrlimit(resource.RLIMIT_CPU, (most + 1, most + 2))
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                log = os.open(copy / "last.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
                for stream in (1, 2):
                    os.dup2(log, stream)
                code = task()
            finally:
                os._exit(code)

    def outcome(self) -> str | None:
        """`passed`, `failed` (also: died), or `time`, that it computed or waited for too long; None while it runs."""
        done, status = os.waitpid(self.pid, os.WNOHANG)
        if done:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)  # what it started and left behind
            code = os.waitstatus_to_exitcode(status)
            return "time" if code == -signal.SIGXCPU else "failed" if code else "passed"
        if time.monotonic() < self._ends:
            return None
        self.end()
        return "time"

    def end(self) -> None:
        """Kill it, whatever it does."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class _Session:
    """A pytest plugin that takes the place of running the tests once."""

    def __init__(self, copy: Path, work: Sequence[tuple[str, Mutant]], workers: int, out: Path) -> None:
        self._copy, self._work, self._workers, self._out = copy, work, workers, out

    def pytest_runtestloop(self, session: Any) -> bool:
        if session.testsfailed:
            raise session.Interrupted("tests could not be collected")
        items = {item.nodeid: item for item in session.items}
        known = self._held(session, items)
        waiting = [place for place in range(len(self._work) - 1, -1, -1)]
        running: list[tuple[int, int, _Forked]] = []
        while waiting or running:
            while waiting and len(running) < self._workers:
                place = waiting.pop()
                tests, seconds = known[self._work[place][0]].against(self._work[place][1])
                if tests:
                    task = self._task(place, [items[test] for test in tests])
                    running.append((place, len(tests), _Forked(task, seconds, self._copy)))
                else:
                    self._tell(place, "unreached", 0)
            for one in list(running):
                place, number, process = one
                if (outcome := process.outcome()) is not None:
                    running.remove(one)
                    self._tell(place, outcome, number)
            time.sleep(0.003)
        return True

    def _held(self, session: Any, items: dict[str, Any]) -> dict[str, Held]:
        """What each test runs, found by running them all once, traced."""
        names = sorted({name for name, _ in self._work})
        touched = Touched(self._copy, names, self._copy / "touched.json")

        def task() -> int:
            session.config.pluginmanager.register(touched)
            with touched.tracing():
                return _ran(list(items.values()))

        process = _Forked(task, MAPPING, self._copy)
        while (outcome := process.outcome()) is None:
            time.sleep(0.05)
        if outcome != "passed":
            raise session.Interrupted(f"the tests {outcome} before any fault was made")
        ran = json.loads((self._copy / "touched.json").read_text(encoding="utf-8"))
        return {name: held(self._copy / name, name, ran) for name in names}

    def _task(self, place: int, items: list[Any]) -> Callable[[], int]:
        name, mutant = self._work[place]

        def task() -> int:
            module = import_module(_dotted(name))
            source = mutant.applied((self._copy / name).read_text(encoding="utf-8"))
            swap(module, source, values=not mutant.is_inside)
            return _ran(items)

        return task

    def _tell(self, place: int, outcome: str, tests: int) -> None:
        with self._out.open("a", encoding="utf-8") as file:
            file.write(json.dumps([place, outcome, tests]) + "\n")


def _ran(items: Sequence[Any]) -> int:
    """Run tests one after another until one fails; 1 when one did."""
    session = items[0].session
    for item, following in zip(items, (*items[1:], None), strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return 1
    return 0
