"""Progress of a job for display: its stage in words, its share that is done, and the seconds left."""

from __future__ import annotations

import time
from calendar import timegm
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from statistics import median
from typing import Any

from kag.serve.jobs.journal import Job

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
