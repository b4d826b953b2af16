"""`WorkerPool`: does the jobs of a journal, some at a time, each in a process that can be killed at any moment.

Jobs that write one paper are done one after another, in the order in which they came. When the server stops, or is
killed, jobs that were under way are begun again by the next one. A process that outlived its server holds the lock of
its job until it is done, so that no job is done twice at a time.

One thread begins processes and looks at them. A job that a fault of the system interrupted (a full disk, no file
descriptors) waits and is begun again, or fails with that reason.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kag.serve.bounds import Bounds
from kag.serve.jobs.journal import ATTEMPTS, WRITES, Job, Journal, Kind, last_stage, now, outcome
from kag.serve.problems import Refusal

_STEP = 0.05  # seconds between looks at a process
_WATCH = 1.0  # seconds between looks for jobs where no process runs
_DELAY = 2.0  # seconds that a job waits after its first fault; twice as long after each further one
_OUTPUT = 2000  # characters kept of the output of a process that died


@dataclass(slots=True)
class _Run:
    """A job with its process; `late` once it has taken longer than it may."""

    job: Job
    process: subprocess.Popen[bytes]
    deadline: float
    late: bool = False


class WorkerPool:
    """The jobs of one server; threads may call everything here."""

    def __init__(self, root: Path, journal: Journal, bounds: Bounds, *, reads_only: bool = False) -> None:
        self.reads_only = reads_only
        self._root, self._journal, self._bounds = root, journal, bounds
        self._lock = threading.RLock()
        self._wake = threading.Event()
        self._running: dict[str, _Run] = {}
        self._delayed: dict[str, float] = {}  # until when a job waits after a fault
        self._thread = threading.Thread(target=self._work, name="jobs", daemon=True)
        self._fault = ""
        self._stopped = False

    def start(self) -> None:
        """Resume open jobs, then accept new ones."""
        with self._lock:
            for job in self._open_jobs():
                self._return(job, f"the server ended {job.attempts} times while it did this", "Try it alone.")
            self._delayed.clear()
        self._thread.start()

    def stop(self) -> None:
        """End in order: what is under way is left for the next start."""
        with self._lock:
            self._stopped = True
            for run in self._running.values():
                _end(run.process)
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(10)

    def _open_jobs(self) -> list[Job]:
        """The jobs that are not done, the oldest first."""
        return [job for job in reversed(self._journal.jobs()) if job.open]

    @property
    def trouble(self) -> str:
        """Describe why jobs cannot run; "" if they can."""
        with self._lock:
            if not self._stopped and self._thread.ident and not self._thread.is_alive():
                return "no thread does jobs"
            if self._journal.unsaved:
                return "the journal of jobs cannot be written"
            return self._fault if self._delayed else ""

    # for requests -----------------------------------------------------------------------------

    def submit(self, jobs: Sequence[Job], check: Callable[[], object] | None = None) -> list[Job]:
        """Put new jobs on record, all or none; they are done in their turn.

        A job whose client used its idempotency key before is the one that was made then. `check` may raise: nothing
        else is submitted meanwhile. Raises `Refusal` 429 where a client has too many jobs that are not done, 403 where
        the corpus is only read.
        """
        with self._lock:
            before = [self._journal.with_key(job.client, job.key) for job in jobs]
            fresh = [job for job, known in zip(jobs, before, strict=True) if known is None]
            if fresh and check:
                check()
            for job in fresh[:1]:
                self.require_room(job.client, job.kind, len(fresh))
            self._write_all(fresh)
        self._wake.set()
        return [known or job for job, known in zip(jobs, before, strict=True)]

    def _write_all(self, jobs: Sequence[Job]) -> None:
        written = []
        try:
            for job in jobs:
                written.append(job)
                self._journal.write(job)
        except OSError:
            for job in written:
                self._journal.forget(job)
            raise

    def writing(self, paper: str) -> Job | None:
        """The job under way that writes a paper, or is going to."""
        return next((job for job in self._journal.jobs() if job.open and _paper_of(job) == paper), None)

    def require_room(self, client: str, kind: Kind = "add", more: int = 1) -> None:
        """Raise `Refusal` 429 where a client has as many jobs under way as it may, 403 for what would write here."""
        if self.reads_only and kind != "ask":
            hint = "Send it to the server that writes this corpus, or give `kag corpus` where it is kept."
            raise Refusal(403, "this server only reads its corpus", hint)
        waiting = sum(job.open and job.client == client for job in self._journal.jobs())
        if waiting + more > self._bounds.jobs:
            hint = "Wait until some of them are done, or cancel them."
            raise Refusal(429, f"{waiting} jobs are not done yet", hint, {"Retry-After": "10"})

    def cancel(self, name: str) -> Job:
        """Cancel a job in any state but done."""
        with self._lock:
            job = self._journal.get(name)
            if not job.open:
                return job
            self._journal.keep(replace(job, state="cancelled", stage="cancelled", ended=now()))
            if name in self._running:
                _end(self._running[name].process)
            return self._journal.get(name)

    def again(self, name: str) -> Job:
        """Begin a job anew that failed or was cancelled; raises `Refusal` 409 for any other."""
        with self._lock:
            job = self._journal.get(name)
            if job.state not in ("failed", "cancelled") or name in self._running:
                raise Refusal(409, f"this job is {job.state}", "Only what failed or was cancelled is begun again.")
            for file in ("outcome.json", "events.jsonl"):
                (self._journal.folder(job) / file).unlink(missing_ok=True)
            fresh = replace(job, state="queued", stage="waiting", ended="", message="", hint="", attempts=0, result={})
            self._journal.write(fresh)
        self._wake.set()
        return fresh

    def look(self, name: str) -> Job:
        """Return a job as it is now, with its process's last stage."""
        job = self._journal.get(name)
        if job.state != "running":
            return job
        return replace(job, stage=last_stage(self._journal.events(job)) or job.stage)

    # in the thread ----------------------------------------------------------------------------

    def _work(self) -> None:
        while not self._stopped:
            self._guarded(self._journal.save_again)
            for run in tuple(self._running.values()):
                self._guarded(self._look_at, run)
            self._guarded(self._begin_more)
            self._wake.wait(_STEP if self._running else _WATCH)
            self._wake.clear()

    def _guarded(self, step: Callable[..., object], *given: Any) -> None:
        """Take a step; what the system refuses now is tried again in the next round."""
        try:
            with self._lock:
                if not self._stopped:
                    step(*given)
        except Exception as error:  # it must go on
            self._fault = _words(error)

    def _begin_more(self) -> None:
        """Begin the jobs that are wanted, whose paper nobody writes, and that have waited long enough."""
        jobs = self._open_jobs()
        self._delayed = {job.id: self._delayed[job.id] for job in jobs if job.id in self._delayed}
        busy = {_paper_of(run.job) for run in self._running.values()} - {""}
        for job in jobs:
            if len(self._running) >= self._bounds.workers:
                return
            if job.state != "queued" or job.id in self._running:
                continue
            if _paper_of(job) not in busy and self._delayed.get(job.id, 0.0) <= time.monotonic():
                self._begin(job)
            busy |= {_paper_of(job)} - {""}  # those behind it keep their order

    def _begin(self, job: Job) -> None:
        self._delayed.pop(job.id, None)
        started = replace(job, state="running", stage="beginning", started=now(), attempts=job.attempts + 1)
        self._journal.keep(started)
        try:
            process = _begin(self._root, self._journal.folder(job))
        except Exception as error:
            self._fault = _words(error)
            why = f"it was interrupted {started.attempts} times: {self._fault}"
            self._return(started, why, "Begin it again when there is room.")
            return
        self._running[job.id] = _Run(started, process, time.monotonic() + self._bounds.job)

    def _look_at(self, run: _Run) -> None:
        """Put on record what became of a job whose process has ended; end a process that takes too long."""
        if run.process.poll() is None:
            if time.monotonic() > run.deadline:
                run.late = True
                _end(run.process)
            return
        if self._journal.get(run.job.id).state == "running":
            folder = self._journal.folder(run.job)
            self._journal.keep(replace(run.job, ended=now(), **_become(folder, run.process, run.late)))
            self._journal.forget_oldest()
        self._running.pop(run.job.id)
        _end(run.process)

    def _return(self, job: Job, why: str, hint: str) -> None:
        """Put an interrupted job back in its turn, or give it up with the reason."""
        if job.attempts >= ATTEMPTS:
            self._journal.keep(replace(job, state="failed", stage="failed", ended=now(), message=why, hint=hint))
            return
        self._journal.keep(replace(job, state="queued", stage="waiting"))
        self._delayed[job.id] = time.monotonic() + _DELAY * 2**job.attempts


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


def _paper_of(job: Job) -> str:
    """The paper that a job writes; "" where it writes none, or many."""
    return job.paper if job.kind in WRITES else ""


def _words(error: Exception) -> str:
    """A fault in words that hold no path."""
    return (isinstance(error, OSError) and error.strerror) or type(error).__name__


def _env() -> dict[str, str]:
    """Return the environment of a job: the server's, and the path of kag."""
    package = str(Path(__file__).resolve().parents[3])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))}


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started, where it still runs."""
    if process.poll() is not None:
        return
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except (ProcessLookupError, PermissionError):
        pass


def _become(folder: Path, process: subprocess.Popen[bytes], late: bool) -> Mapping[str, Any]:
    """Return a job's state after its process ended."""
    found = outcome(folder)
    if found:
        texts = {name: str(found.get(name, "")) for name in ("message", "hint")}
        paper = {"paper": str(found["result"]["paper"])} if found["result"].get("paper") else {}
        return {"state": found["state"], "stage": found["state"], "result": found["result"], **texts, **paper}
    words = (
        "it took too long and was stopped" if late else f"its process died ({process.returncode}){_last_line(folder)}"
    )
    return {"state": "failed", "stage": "failed", "message": words, "hint": "Try again; report it if it stays so."}


def _last_line(folder: Path) -> str:
    """The last line of output of a process that died."""
    try:
        lines = (folder / "output.txt").read_text("utf-8", "replace")[-_OUTPUT:].strip().splitlines()
    except OSError:
        return ""
    return f": {lines[-1]}" if lines else ""
