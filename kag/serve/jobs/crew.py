"""`Crew`: does the jobs of a journal, some at a time, each in a process of its own that can be ended at any moment.

When the server stops, or is killed, jobs that were under way are begun again by the next one. A process that outlived
its server holds the lock of its job until it is done, so that no job is done twice at a time.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kag.serve.bounds import Bounds
from kag.serve.jobs.journal import ATTEMPTS, Job, Journal, Kind, last_stage, new_id, now, outcome
from kag.serve.problems import Refusal

_STEP = 0.05  # seconds between looks at a process
_OUTPUT = 2000  # characters of what a process that died said last


class Crew:
    """The jobs of one server; threads may call everything here."""

    def __init__(self, root: Path, journal: Journal, bounds: Bounds, *, reads_only: bool = False) -> None:
        self.reads_only = reads_only
        self._root, self._journal, self._bounds = root, journal, bounds
        self._lock = threading.RLock()
        self._more = threading.Condition(self._lock)
        self._queue: deque[str] = deque()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._threads: list[threading.Thread] = []
        self._stopped = False

    def start(self) -> None:
        """Take up what is not done, then whatever comes."""
        with self._lock:
            for job in reversed(self._journal.jobs()):
                if job.open:
                    self._take_up(job)
        for number in range(self._bounds.workers):
            thread = threading.Thread(target=self._work, name=f"job-{number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _take_up(self, job: Job) -> None:
        if job.attempts >= ATTEMPTS:
            words = f"the server ended {job.attempts} times while it did this"
            self._journal.write(replace(job, state="failed", ended=now(), message=words, hint="Try it alone."))
            return
        self._journal.write(replace(job, state="queued", stage="waiting"))
        self._queue.append(job.id)

    def stop(self) -> None:
        """End in order: what is under way is left for the next start."""
        with self._more:
            self._stopped = True
            for process in self._running.values():
                _end(process)
            self._more.notify_all()
        for thread in self._threads:
            thread.join(10)

    # for requests -----------------------------------------------------------------------------

    def submit(
        self,
        kind: Kind,
        what: str,
        given: Mapping[str, Any] | None = None,
        *,
        paper: str = "",
        client: str = "",
        key: str = "",
        name: str = "",
    ) -> Job:
        """Put a job on record; it is done in its turn. `given` is what its process needs to know, `name` the id that
        its input is kept under already.

        Raises `Refusal` 429 where a client has too many jobs that are not done, 403 where the corpus is only read.
        """
        with self._more:
            self.require_room(client, kind)
            about = Job(name or new_id(), kind, what[:200], created=now(), given=dict(given or {}))
            job = replace(about, paper=paper, client=client, key=key)
            self._journal.write(job)
            self._queue.append(job.id)
            self._more.notify()
        return job

    def require_room(self, client: str, kind: Kind = "add") -> None:
        """Raise `Refusal` 429 where a client has as many jobs under way as it may, 403 for what would write here."""
        if self.reads_only and kind != "ask":
            hint = "Send it to the server that writes this corpus, or give `kag corpus` where it is kept."
            raise Refusal(403, "this server only reads its corpus", hint)
        waiting = sum(job.open and job.client == client for job in self._journal.jobs())
        if waiting >= self._bounds.jobs:
            hint = "Wait until some of them are done, or cancel them."
            raise Refusal(429, f"{waiting} jobs are not done yet", hint, {"Retry-After": "10"})

    def cancel(self, name: str) -> Job:
        """End a job, whatever it does; one that is done stays as it is."""
        with self._lock:
            job = self._journal.get(name)
            if not job.open:
                return job
            job = self._journal.write(replace(job, state="cancelled", stage="cancelled", ended=now()))
            if name in self._running:
                _end(self._running[name])
            return job

    def again(self, name: str) -> Job:
        """Begin a job anew that failed or was cancelled; raises `Refusal` 409 for any other."""
        with self._more:
            job = self._journal.get(name)
            if job.state not in ("failed", "cancelled") or name in self._running:
                raise Refusal(409, f"this job is {job.state}", "Only what failed or was cancelled is begun again.")
            for file in ("outcome.json", "events.jsonl"):
                (self._journal.folder(job) / file).unlink(missing_ok=True)
            fresh = replace(job, state="queued", stage="waiting", ended="", message="", hint="", attempts=0, result={})
            self._journal.write(fresh)
            self._queue.append(name)
            self._more.notify()
            return fresh

    def look(self, name: str) -> Job:
        """A job as it is now, its stage as its process told it last."""
        job = self._journal.get(name)
        if job.state != "running":
            return job
        return replace(job, stage=last_stage(self._journal.events(job)) or job.stage)

    # in the threads ---------------------------------------------------------------------------

    def _work(self) -> None:
        while (name := self._next()) is not None:
            self._do(self._journal.get(name))

    def _next(self) -> str | None:
        """The next job that is still wanted; None when the crew stops."""
        with self._more:
            while not self._stopped:
                while self._queue:
                    name = self._queue.popleft()
                    if self._journal.get(name).state == "queued":
                        return name
                self._more.wait()
        return None

    def _do(self, job: Job) -> None:
        folder = self._journal.folder(job)
        with self._lock:
            if self._stopped or self._journal.get(job.id).state != "queued":
                return
            started = replace(job, state="running", stage="beginning", started=now(), attempts=job.attempts + 1)
            self._journal.write(started)
            process = _begin(self._root, folder)
            self._running[job.id] = process
        late = self._wait(process)
        with self._lock:
            self._running.pop(job.id, None)
            if self._stopped or self._journal.get(job.id).state != "running":
                return
            self._journal.write(replace(started, ended=now(), **_become(folder, process, late)))
            self._journal.forget_oldest()

    def _wait(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait until a process is gone; True where it took too long and was ended."""
        deadline = time.monotonic() + self._bounds.job
        while process.poll() is None:
            if time.monotonic() > deadline:
                _end(process)
                process.wait()
                return True
            time.sleep(_STEP)
        return False


def _begin(root: Path, folder: Path) -> subprocess.Popen[bytes]:
    """A process for a job; it is the leader of a group, so that what it starts ends with it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "output.txt").open("wb") as output:
        command = [sys.executable, "-m", "kag.serve.jobs.work", str(root.absolute()), str(folder.absolute())]
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            cwd=folder,
            env=_env(),
        )


def _env() -> dict[str, str]:
    """The environment of a job: that of the server, and where kag lies."""
    package = str(Path(__file__).resolve().parents[3])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))}


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except (ProcessLookupError, PermissionError):
        pass


def _become(folder: Path, process: subprocess.Popen[bytes], late: bool) -> Mapping[str, Any]:
    """What a job is after its process ended."""
    found = outcome(folder)
    if found:
        told = {name: str(found.get(name, "")) for name in ("message", "hint")}
        paper = {"paper": str(found["result"]["paper"])} if found["result"].get("paper") else {}
        return {"state": found["state"], "stage": found["state"], "result": found["result"], **told, **paper}
    words = "it took too long and was stopped" if late else f"its process died ({process.returncode}){_said(folder)}"
    return {"state": "failed", "stage": "failed", "message": words, "hint": "Try again; report it if it stays so."}


def _said(folder: Path) -> str:
    """The last line that a process said before it died."""
    try:
        lines = (folder / "output.txt").read_text("utf-8", "replace")[-_OUTPUT:].strip().splitlines()
    except OSError:
        return ""
    return f": {lines[-1]}" if lines else ""
