"""A throw-away copy of the project, in which tests run against one fault after another, each in a forked process.

A process ends after its time, with all that it started. It has a home and a folder for temporary files inside the
copy; it may write files of at most 64 MB.
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
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FILE_BYTES = 64 << 20
PLUGINS = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:playwright", "--hypothesis-seed=0")


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


@dataclass(slots=True)
class Running:
    """A process that tests; `outcome` is None as long as it runs."""

    pid: int
    ends: float
    scratch: Path

    def outcome(self) -> str | None:
        """`passed`, `failed` (also: died, or could not be imported), `time`, or `broken`; None while it runs."""
        done, status = os.waitpid(self.pid, os.WNOHANG)
        if not done:
            if time.monotonic() < self.ends:
                return None
            self.end()
            return self._over("time")
        code = os.waitstatus_to_exitcode(status)
        self._kill_group()  # what it started and left behind
        return self._over("passed" if code == 0 else "failed" if code in (1, 2, 4) or code < 0 else f"broken {code}")

    def end(self) -> None:
        """Kill it, whatever it does."""
        self._kill_group()
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def _over(self, outcome: str) -> str:
        shutil.rmtree(self.scratch, ignore_errors=True)
        return outcome

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


def start(copy: Path, tests: Sequence[str], seconds: float, plugins: Sequence[object] = ()) -> Running:
    """Run tests in a copy, in a process of their own that ends at the first failure."""
    scratch = copy / "scratch"
    scratch.mkdir(exist_ok=True)
    pid = os.fork()
    if pid == 0:
        code = 3
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            code = _run_tests(copy, scratch, tests, plugins)
        finally:
            os._exit(code)
    return Running(pid, time.monotonic() + seconds, scratch)


def _run_tests(copy: Path, scratch: Path, tests: Sequence[str], plugins: Sequence[object]) -> int:
    import pytest

    os.setsid()
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    os.chdir(copy)
    home = scratch / "home"
    home.mkdir()
    os.environ.update(
        HOME=str(home),
        TMPDIR=str(scratch),
        PYTHONPATH=str(copy),
        HYPOTHESIS_STORAGE_DIRECTORY=str(scratch / "examples"),
    )
    sys.dont_write_bytecode = not plugins  # a fault has the time and often the size of what stood there
    if not plugins:
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.path[:] = [str(copy), *(path for path in sys.path if not (Path(path or ".") / "kag/__init__.py").is_file())]
    log = os.open(scratch.parent / "last.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(log, stream)
    options = [*PLUGINS, f"--basetemp={scratch / 'pytest'}", f"--rootdir={copy}"]
    return int(pytest.main([*options, *(() if plugins else ("-x",)), *tests], plugins=plugins))


def touched(copy: Path, modules: Sequence[str], tests: Sequence[str], seconds: float) -> dict[str, dict[str, object]]:
    """What each test runs, by its id; raises `RuntimeError` where a test fails without any fault."""
    from scripts.mutation.touched import Touched

    out = copy / "touched.json"
    running = start(copy, tests, seconds, [Touched(copy, list(modules), out)])
    while (outcome := running.outcome()) is None:
        time.sleep(0.05)
    if outcome != "passed":
        raise RuntimeError(f"the tests {outcome} before any fault was made:\n{(copy / 'last.log').read_text()[-3000:]}")
    return json.loads(out.read_text(encoding="utf-8"))
