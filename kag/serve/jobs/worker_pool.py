"""`WorkerPool`: does the jobs of a journal, some at a time, each in a process that can be killed at any moment.

Jobs that write one paper are done one after another, in the order in which they came. When the server stops, or is
killed, jobs that were under way are begun again by the next one. A process that outlived its server holds the lock of
its job until it is done, so that no job is done twice at a time.

A supervisor compares the journal with the threads: it replaces a thread that ended, and a job that a fault of the
system interrupted (a full disk, no file descriptors) waits and is begun again, or fails with that reason.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kag.serve.bounds import Bounds
from kag.serve.jobs.journal import ATTEMPTS, WRITES, Job, Journal, Kind, last_stage, now, outcome
from kag.serve.problems import Refusal

_STEP = 0.05  # seconds between looks at a process
_WATCH = 1.0  # seconds between looks of the supervisor
_DELAY = 2.0  # seconds that a job waits after its first fault; twice as long after each further one
_OUTPUT = 2000  # characters kept of the output of a process that died


class WorkerPool:
    """The jobs of one server; threads may call everything here."""

    def __init__(self, root: Path, journal: Journal, bounds: Bounds, *, reads_only: bool = False) -> None:
        self.reads_only = reads_only
        self._root, self._journal, self._bounds = root, journal, bounds
        self._lock = threading.RLock()
        self._more = threading.Condition(self._lock)
        self._queue: deque[str] = deque()
        self._active: set[str] = set()  # what a thread has taken
        self._delayed: dict[str, float] = {}  # until when a job waits after a fault
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._threads: list[threading.Thread] = []
        self._supervisor = threading.Thread(target=self._supervise, name="supervisor", daemon=True)
        self._fault = ""
        self._stopped = False

    def start(self) -> None:
        """Take up what is not done, then whatever comes."""
        with self._lock:
            for job in reversed(self._journal.jobs()):
                if job.open:
                    self._return(job, f"the server ended {job.attempts} times while it did this", "Try it alone.")
            self._delayed.clear()
            self._start_threads()
        self._supervisor.start()

    def stop(self) -> None:
        """End in order: what is under way is left for the next start."""
        with self._more:
            self._stopped = True
            for process in self._running.values():
                _end(process)
            self._more.notify_all()
        for thread in (*self._threads, self._supervisor):
            if thread.is_alive():
                thread.join(10)

    @property
    def trouble(self) -> str:
        """Describe why jobs cannot run; "" if they can."""
        with self._lock:
            if not self._stopped and self._threads and not any(thread.is_alive() for thread in self._threads):
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
        with self._more:
            before = [self._journal.with_key(job.client, job.key) for job in jobs]
            fresh = [job for job, known in zip(jobs, before, strict=True) if known is None]
            if fresh and check:
                check()
            for job in fresh[:1]:
                self.require_room(job.client, job.kind, len(fresh))
            self._write_all(fresh)
            self._queue.extend(job.id for job in fresh)
            self._more.notify_all()
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
        """End a job, whatever it does; one that is done stays as it is."""
        with self._lock:
            job = self._journal.get(name)
            if not job.open:
                return job
            self._journal.keep(replace(job, state="cancelled", stage="cancelled", ended=now()))
            if name in self._running:
                _end(self._running[name])
            return self._journal.get(name)

    def again(self, name: str) -> Job:
        """Begin a job anew that failed or was cancelled; raises `Refusal` 409 for any other."""
        with self._more:
            job = self._journal.get(name)
            if job.state not in ("failed", "cancelled") or name in self._active:
                raise Refusal(409, f"this job is {job.state}", "Only what failed or was cancelled is begun again.")
            for file in ("outcome.json", "events.jsonl"):
                (self._journal.folder(job) / file).unlink(missing_ok=True)
            fresh = replace(job, state="queued", stage="waiting", ended="", message="", hint="", attempts=0, result={})
            self._journal.write(fresh)
            self._queue.append(name)
            self._more.notify_all()
            return fresh

    def look(self, name: str) -> Job:
        """Return a job as it is now, with its process's last stage."""
        job = self._journal.get(name)
        if job.state != "running":
            return job
        return replace(job, stage=last_stage(self._journal.events(job)) or job.stage)

    # in the threads ---------------------------------------------------------------------------

    def _start_threads(self) -> None:
        """Replace the threads that ended."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        for number in range(self._bounds.workers - len(self._threads)):
            thread = threading.Thread(target=self._work, name=f"job-{number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                self._do(job)
            except Exception as error:  # a fault of the system: the supervisor takes the job up again
                self._fault = _words(error)
            finally:
                with self._more:
                    self._active.discard(job.id)
                    self._more.notify_all()

    def _next(self) -> Job | None:
        """Return the next job that is not cancelled and whose paper is free; None if the pool stops."""
        with self._more:
            while not self._stopped:
                busy = {_paper_of(self._journal.get(name)) for name in self._active} - {""}
                for name in tuple(self._queue):
                    job = self._journal.get(name)
                    if job.state != "queued":
                        self._queue.remove(name)
                    elif _paper_of(job) not in busy and self._delayed.get(name, 0.0) <= time.monotonic():
                        self._queue.remove(name)
                        self._active.add(name)
                        self._delayed.pop(name, None)
                        return job
                    else:
                        busy |= {_paper_of(job)} - {""}  # those behind it keep their order
                self._more.wait(_WATCH)
        return None

    def _do(self, job: Job) -> None:
        folder = self._journal.folder(job)
        with self._lock:
            if self._stopped or self._journal.get(job.id).state != "queued":
                return
            started = replace(job, state="running", stage="beginning", started=now(), attempts=job.attempts + 1)
            self._journal.keep(started)
            process = _begin(self._root, folder)
            self._running[job.id] = process
        try:
            late = self._wait(process)
        finally:
            with self._lock:
                self._running.pop(job.id, None)
            _end(process)
        with self._lock:
            if self._stopped or self._journal.get(job.id).state != "running":
                return
            self._journal.keep(replace(started, ended=now(), **_become(folder, process, late)))
            self._journal.forget_oldest()

    # in the supervisor ------------------------------------------------------------------------

    def _supervise(self) -> None:
        while not self._stopped:
            time.sleep(_WATCH)
            try:
                with self._more:
                    if self._stopped:
                        return
                    self._journal.save_again()
                    self._start_threads()
                    self._reconcile()
                    self._more.notify_all()
            except Exception as error:  # it must go on
                self._fault = _words(error)

    def _reconcile(self) -> None:
        """Take over open jobs without a process."""
        self._delayed = {name: until for name, until in self._delayed.items() if name in self._queue}
        for job in self._journal.jobs():
            if job.open and job.id not in self._active and job.id not in self._queue:
                why = self._fault or "its thread ended"
                self._return(
                    job, f"it was interrupted {job.attempts} times: {why}", "Begin it again when there is room."
                )

    def _return(self, job: Job, why: str, hint: str) -> None:
        """Put an interrupted job back in its turn, or give it up with the reason."""
        if job.attempts >= ATTEMPTS:
            self._journal.keep(replace(job, state="failed", stage="failed", ended=now(), message=why, hint=hint))
            return
        self._journal.keep(replace(job, state="queued", stage="waiting"))
        self._delayed[job.id] = time.monotonic() + _DELAY * 2**job.attempts
        waiting = sorted((*self._queue, job.id))  # ids sort by age
        self._queue.clear()
        self._queue.extend(waiting)

    # processes --------------------------------------------------------------------------------

    def _wait(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait until a process has ended; True if it took too long and was killed."""
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
