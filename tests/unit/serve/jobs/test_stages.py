"""How far a job is, for people."""

from __future__ import annotations

from dataclasses import replace

from kag.serve.jobs.journal import Job, job_row

DONE = Job(
    "20260101000000-00000000", "add", "a.pdf", "done", started="2026-01-01T00:00:00Z", ended="2026-01-01T00:00:40Z"
)
RUNNING = replace(DONE, id="20260101000100-00000000", state="running", stage="reading", ended="", client="10.0.0.1")
NOW = 1767225600.0 + 10  # ten seconds after it began


def test_the_time_left_is_that_of_earlier_jobs_of_its_kind() -> None:
    row = job_row(RUNNING, [RUNNING, DONE], NOW)
    assert (row["stage_text"], row["progress"], row["seconds_left"]) == ("Reading the pages", 0.3, 28)
    assert job_row(RUNNING, [replace(DONE, kind="ask")], NOW)["seconds_left"] == 23  # by the time spent


def test_a_job_that_waits_or_has_ended_has_no_time_left() -> None:
    assert job_row(replace(RUNNING, state="queued", stage="waiting"), [DONE], NOW)["seconds_left"] == 0
    row = job_row(DONE, [DONE], NOW)
    assert (row["open"], row["progress"], row["outcome_text"], row["seconds_left"]) == (False, 1.0, "Added", 0)


def test_who_asked_and_with_what_stays_inside() -> None:
    assert not {"client", "key", "given"} & job_row(RUNNING, [], NOW).keys()
