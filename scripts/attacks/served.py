"""Commands of kag for attacks: run fast and many, in forks of one process, and judged by how they end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.attacks.case import Unavailable

SECONDS = 60.0  # of one command
PAPERS = Path(__file__).parents[2] / "test_data"
"""Three papers of our own."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: exit code (-1: it had to be killed), what it printed, and what it said on the way."""

    code: int
    out: str
    said: str

    def wrong(self, *codes: int) -> str:
        """What is wrong with that; empty when it left with one of the codes and, where it failed, with a message."""
        if self.code not in codes:
            return f"exit code {self.code}: {self.said[-600:]}"
        if "Traceback" in self.said or "panicked" in self.said or "Exception ignored" in self.said:
            return f"a traceback: {self.said[-600:]}"
        if self.code > 1 and "rror:" not in self.said:
            return f"exit code {self.code} without a message: {self.said[-300:]}"
        unseen = [c for c in self.out + self.said if unicodedata.category(c) == "Cc" and c not in "\n\t"]
        return f"what a terminal obeys: {unseen[:5]!r}" if unseen else ""


@dataclass(frozen=True, slots=True)
class Server:
    """A process that has imported kag and runs its commands; made by `serve`."""

    process: subprocess.Popen[str]
    scratch: Path

    def run(self, arguments: Sequence[str], limits: Mapping[str, int] | None = None) -> Ended:
        """Run a command within limits of the system (names as in `resource`: FSIZE, NOFILE, AS), or as another USER."""
        out, err = self.scratch / "stdout", self.scratch / "stderr"
        request = {"arguments": list(arguments), "stdout": str(out), "stderr": str(err), "seconds": SECONDS}
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({**request, "limits": limits or {}}) + "\n")
        self.process.stdin.flush()
        code = json.loads(self.process.stdout.readline())["code"]
        printed, said = (path.read_bytes().decode("utf-8", "replace") for path in (out, err))
        return Ended(code, printed, said)

    def must(self, arguments: Sequence[str]) -> None:
        """Run a command that an attack needs done."""
        ended = self.run(arguments)
        if ended.code:
            raise AssertionError(f"{arguments}: {ended.said}")


@contextmanager
def serve(scratch: Path, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server that writes what commands say into a folder; raises `Unavailable` where processes cannot fork."""
    if not hasattr(os, "fork"):
        raise Unavailable("commands are run in forks, which this system does not have")
    scratch.mkdir(parents=True, exist_ok=True)
    settings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", **(environment or {})}
    command = [sys.executable, "-m", "scripts.attacks.command_server"]
    with subprocess.Popen(
        command, env=settings, cwd=PAPERS.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            if process.stdout.readline() != "ready\n":
                raise AssertionError("the server did not start")
            yield Server(process, scratch)
        finally:
            process.kill()


def paper(number: int) -> str:
    """The name of one of our own papers, from 0."""
    return sorted(path.parent.name for path in PAPERS.glob("*/questions.json"))[number]


def run_of(runs: Path, name: str) -> Path:
    """The run of a paper in a folder of runs."""
    return next(runs.glob(f"{name}_*"))
