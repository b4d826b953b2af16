"""Jobs on disk: what is to be done, how far it is, and what became of it. What is written here survives any end.

A job is a folder `jobs/<id>/`: `job.json` is the server's, `events.jsonl` and `outcome.json` are written by the process
that does it, `input/` is what was sent. Ids are made here and sort by age. For people a job has its stage in words, its
share that is done, and the seconds that are left.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import threading
import time
from calendar import timegm
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from statistics import median
from typing import Any, Literal, get_args

from kag.core.errors import UnknownNode
from kag.core.files import append_line, own_folder, read_object, read_regular, write_whole
from kag.core.secrets import hide_secrets

Kind = Literal["add", "correct", "remove", "populate", "ask"]
State = Literal["queued", "running", "done", "failed", "cancelled"]
OPEN: frozenset[State] = frozenset(("queued", "running"))
WRITES: frozenset[Kind] = frozenset(("add", "correct", "remove"))  # kinds that write the paper of their job
ATTEMPTS = 3  # a job during which the server died so often is not begun again
KEPT = 1_000  # jobs that are done and remembered
_ID = re.compile(r"[0-9]{14}-[0-9a-f]{8}")
_LARGE = 1 << 22


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to do; `what` is what a person calls it, `given` what the process needs to know.

    `stage` is how far it is, in words; `created`, `started` and `ended` are UTC to the second, "" before they are.
    `key` is the idempotency key of who asked, `client` who that was.
    """

    id: str
    kind: Kind
    what: str
    state: State = "queued"
    stage: str = "waiting"
    paper: str = ""
    created: str = ""
    started: str = ""
    ended: str = ""
    message: str = ""
    hint: str = ""
    attempts: int = 0
    client: str = ""
    key: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)

    @property
    def open(self) -> bool:
        """Whether it is still to be done."""
        return self.state in OPEN


def now() -> str:
    """The time, UTC."""
    return stamp(time.time())


def stamp(seconds: float) -> str:
    """A time, in seconds since 1970, as jobs have it; later ones sort behind it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


_newest = 0  # microseconds
_naming = threading.Lock()


def new_id() -> str:
    """A name that no job had before; later ones sort behind it."""
    global _newest
    with _naming:
        _newest = max(_newest + 1, time.time_ns() // 1000)
        seconds, micro = divmod(_newest, 1_000_000)
    return f"{time.strftime('%Y%m%d%H%M%S', time.gmtime(seconds))}-{micro:05x}{secrets.token_hex(2)[:3]}"


class Journal:
    """The jobs in a folder. One server writes it; processes that do jobs write into their own folders."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unsaved: set[str] = set()
        self._jobs = {job.id: job for job in self._found()}

    def _found(self) -> Iterator[Job]:
        if not own_folder(self._folder):
            return
        for path in sorted(self._folder.iterdir()):
            if _ID.fullmatch(path.name) and own_folder(path):
                job = _read(path / "job.json")
                if job and job.id == path.name:
                    yield job

    def folder(self, job: Job | str) -> Path:
        """Return the folder of a job."""
        return self._folder / (job if isinstance(job, str) else job.id)

    def jobs(self) -> tuple[Job, ...]:
        """All jobs, the newest first."""
        return tuple(self._jobs[name] for name in sorted(self._jobs, reverse=True))

    def get(self, name: str) -> Job:
        """A job by its id; raises `UnknownNode`."""
        if name not in self._jobs:
            raise UnknownNode(f"there is no job {name[:40]!r}", hint="Use an id from the list of jobs.")
        return self._jobs[name]

    def with_key(self, client: str, key: str) -> Job | None:
        """The job that a client asked for under an idempotency key."""
        return next((job for job in self.jobs() if key and (job.client, job.key) == (client, key)), None)

    def write(self, job: Job) -> Job:
        """Put a job on record as it is now; raises `OSError` where that cannot be written."""
        safe = replace(job, message=hide_secrets(job.message), hint=hide_secrets(job.hint))
        write_whole(self.folder(job) / "job.json", json.dumps(asdict(safe), ensure_ascii=False) + "\n")
        self._jobs[job.id] = safe
        self._unsaved.discard(job.id)
        return safe

    def keep(self, job: Job) -> None:
        """As `write`; on disk errors the line stays in memory until `save_again`."""
        try:
            self.write(job)
        except OSError:
            self._jobs[job.id] = job
            self._unsaved.add(job.id)

    def save_again(self) -> None:
        """Write what the disk did not take before."""
        for name in tuple(self._unsaved):
            self.keep(self._jobs[name])

    @property
    def unsaved(self) -> bool:
        """Whether something is not on the disk yet."""
        return bool(self._unsaved)

    def forget(self, job: Job) -> None:
        """Remove a job with all that was kept for it."""
        shutil.rmtree(self.folder(job), ignore_errors=True)
        self._jobs.pop(job.id, None)
        self._unsaved.discard(job.id)

    def forget_oldest(self, keep: int = KEPT) -> None:
        """Remove the oldest of the jobs that are done, where there are very many."""
        done = [job for job in self.jobs() if not job.open]
        for job in done[keep:]:
            self.forget(job)

    def events(self, job: Job, after: int = 0) -> list[dict[str, Any]]:
        """Return the events of a job's process, each with its number, after `after`."""
        try:
            lines = read_regular(self.folder(job) / "events.jsonl", _LARGE).decode("utf-8", "replace").split("\n")
        except OSError:
            return []
        return [{"number": n, **row} for n, row in enumerate(map(_row, lines[:-1]), start=1) if n > after and row]


def _row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}


def _read(path: Path) -> Job | None:
    """A job from its file; None where that is damaged."""
    try:
        row = read_object(path, _LARGE)
        job = Job(**{one.name: row[one.name] for one in fields(Job) if one.name in row})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return job if job.kind in get_args(Kind) and job.state in get_args(State) else None


# in the process that does a job ---------------------------------------------------------------


def tell(folder: Path, stage: str, **more: Any) -> None:
    """Put on record how far a job is."""
    append_line(folder / "events.jsonl", json.dumps({"at": now(), "stage": stage, **more}, ensure_ascii=False))


def finish(folder: Path, state: State, message: str = "", hint: str = "", **result: Any) -> None:
    """Put on record what became of a job: this ends it."""
    row = {"state": state, "message": hide_secrets(message), "hint": hide_secrets(hint), "result": result}
    write_whole(folder / "outcome.json", json.dumps(row, ensure_ascii=False) + "\n")


def outcome(folder: Path) -> dict[str, Any] | None:
    """Return the outcome of a finished job; raises `OSError` if it cannot be read."""
    try:
        row = read_object(folder / "outcome.json", _LARGE)
    except (FileNotFoundError, ValueError):
        return None
    return row if row.get("state") in get_args(State) and isinstance(row.get("result"), dict) else None


def last_stage(events: Sequence[Mapping[str, Any]]) -> str:
    """Return a job's stage by its process's last report."""
    return next((str(row["stage"]) for row in reversed(events) if "stage" in row), "")


STAGES: Mapping[str, tuple[float, str]] = {
    "waiting": (0.0, "Waiting for its turn"),
    "beginning": (0.02, "Starting"),
    "unpacking": (0.1, "Unpacking the archive"),
    "looking": (0.25, "Checking what it is"),
    "reading": (0.3, "Reading the pages"),
    "read": (0.5, "Building the graph"),
    "pictures": (0.55, "Drawing page pictures"),
    "no pictures": (0.7, "Page pictures cannot be drawn"),
    "adding": (0.75, "Adding it to the library"),
    "layers": (0.8, "Finding entities, measurements and claims"),
    "search index": (0.9, "Updating the search index"),
    "no search index": (0.95, "Finishing without a search index"),
    "removing": (0.5, "Removing it"),
    "asking": (0.3, "Answering"),
}
"""The share of a job that is done when a stage begins, and what the stage is called."""
_OUTCOMES = {"add": "Added", "correct": "Corrected", "remove": "Removed", "populate": "Built", "ask": "Answered"}
_HIDDEN = ("client", "key", "given")
_RECENT = 20  # jobs whose duration says how long the next one takes
_SURE = 0.2  # share from which the time spent alone says how much is left


def job_row(job: Job, finished: Iterable[Job], now: float | None = None) -> dict[str, Any]:
    """A job as anybody may see it, with its progress in words and numbers.

    `finished` are earlier jobs, the newest first; `seconds_left` is estimated from those of the same kind, or from the
    time spent so far, and is 0 where neither says anything.
    """
    progress, words = stage_of(job.stage)
    return {
        **{name: value for name, value in asdict(job).items() if name not in _HIDDEN},
        "open": job.open,
        "stage_text": words,
        "outcome_text": "Stored" if job.result.get("held") else _OUTCOMES[job.kind],
        "progress": progress if job.open else 1.0,
        "seconds_left": _seconds_left(job, progress, finished, time.time() if now is None else now),
    }


def stage_of(stage: str) -> tuple[float, str]:
    """Return the share that is done when a stage begins, and its words; a stage may add words to its name.

    >>> stage_of("pictures"), stage_of("read 2 of 3 papers")
    ((0.55, 'Drawing page pictures'), (0.5, 'Read 2 of 3 papers'))
    """
    name = stage.partition(" ")[0]
    return STAGES.get(stage) or (STAGES[name][0] if name in STAGES else 0.0, stage.capitalize())


def _seconds_left(job: Job, progress: float, finished: Iterable[Job], now: float) -> int:
    if job.state != "running":
        return 0
    spent = max(0.0, now - _seconds(job.started))
    times = [_seconds(one.ended) - _seconds(one.started) for one in finished if one.kind == job.kind and _done(one)]
    if times:
        return max(1, round(median(times[:_RECENT]) * (1 - progress)))
    return max(1, round(spent * (1 - progress) / progress)) if progress >= _SURE else 0


def _done(job: Job) -> bool:
    return job.state == "done" and bool(job.started and job.ended)


def _seconds(stamp: str) -> float:
    return float(timegm(time.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ")))


def duration(seconds: float) -> str:
    """Return a duration for display.

    >>> duration(8), duration(100), duration(4000)
    ('about 8 s', 'about 2 min', 'about 1.1 h')
    """
    if seconds < 90:
        return f"about {round(seconds)} s"
    return f"about {round(seconds / 60)} min" if seconds < 3600 else f"about {seconds / 3600:.1f} h"
