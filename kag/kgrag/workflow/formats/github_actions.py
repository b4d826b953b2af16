"""GitHub Actions: jobs, `needs`, `if`, `schedule.cron`, and artifacts that are up- and downloaded by a literal name.

A name that holds `${{ }}` is known only at run time: it is neither made nor missed. What runs inside of a step, types
and expressions is actionlint's to check.
"""

from __future__ import annotations

from typing import Any

from kag.kgrag.workflow.draft import Draft, WorkflowFile
from kag.kgrag.yaml_with_positions import Lined, lined, listed, text_of

UPLOAD, DOWNLOAD = "actions/upload-artifact", "actions/download-artifact"
FROM_ELSEWHERE = ("run-id", "repository", "github-token")
DEFAULT_NAME = "artifact"


def is_github_actions(value: Any) -> bool:
    """Whether a file looks like one."""
    return isinstance(value, Lined) and isinstance(value.get("jobs"), Lined) and ("on" in value or "name" in value)


def read_github_actions(value: Any, file: str) -> WorkflowFile:
    """The jobs of a workflow as tasks."""
    draft, jobs = Draft("github_actions", file), lined(lined(value).get("jobs"))
    for key, job in jobs.items():
        name = lined(job).get("name")
        runs_on = lined(job).get("runs-on")
        draft.add("task", key, jobs.lines[key], name=text_of(name) or key, runtime=text_of(runs_on) or None)
    for key, line in jobs.again:
        draft.twice(key, line)
    for key, job in jobs.items():
        _job(draft, key, lined(job))
    for key, job in jobs.items():
        _downloads(draft, key, lined(job))
    _schedules(draft, lined(value), jobs)
    return draft.done()


def _job(draft: Draft, key: str, job: Lined) -> None:
    """What a job waits for, when it runs, what it uploads."""
    task = f"task:{key}"
    for need in listed(job.get("needs")):
        other = text_of(need)
        if f"task:{other}" in draft:
            draft.link("depends_on", task, f"task:{other}")
        elif "${{" not in other:
            draft.missing(task, other, job.lines["needs"])
    if job.get("if") is not None:
        condition = draft.add("condition", f"if:{key}", job.lines["if"], expression=text_of(job["if"]))
        draft.link("enables", condition, task)
    for step in _steps(job, UPLOAD):
        name = _artifact(step)
        if name:
            data = draft.add("data", f"artifact:{name}", step.line, name=name, external=False)
            draft.link("produces", task, data)


def _steps(job: Lined, action: str) -> list[Lined]:
    """The steps that use an action, of whatever version."""
    steps = [lined(step) for step in listed(job.get("steps"))]
    return [step for step in steps if text_of(step.get("uses")).partition("@")[0].strip() == action]


def _artifact(step: Lined) -> str:
    """The name of the artifact, where it is literal."""
    about = lined(step.get("with"))
    name = text_of(about.get("name", DEFAULT_NAME))
    return "" if "${{" in name else name


def _downloads(draft: Draft, key: str, job: Lined) -> None:
    """The artifacts that a job reads. One of another run, or all that match a pattern, cannot be missed."""
    made_at_run_time = [s for s in _steps(job, DOWNLOAD) if "name" not in lined(s.get("with"))]
    for step in _steps(job, DOWNLOAD):
        about = lined(step.get("with"))
        name = _artifact(step)
        if step in made_at_run_time or not name:
            continue
        outside = any(word in about for word in FROM_ELSEWHERE)
        data = draft.add("data", f"artifact:{name}", step.line, name=name, external=outside)
        draft.link("consumes", f"task:{key}", data)


def _schedules(draft: Draft, value: Lined, jobs: Lined) -> None:
    """Each cron line, and the jobs that it starts: those that wait for no other."""
    on = lined(value.get("on", value.get("true")))
    starts = [key for key, job in jobs.items() if not listed(lined(job).get("needs"))] or list(jobs)
    for number, one in enumerate(listed(on.get("schedule"))):
        about = lined(one)
        if "cron" not in about:
            continue
        schedule = draft.add("schedule", f"schedule:{number}", about.lines["cron"], cron=text_of(about["cron"]))
        for key in starts:
            draft.link("triggers", schedule, f"task:{key}")
