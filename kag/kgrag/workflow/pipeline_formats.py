"""Readers of other pipelines: GitHub Actions, dbt manifests, OpenLineage events and Workflow Run RO-Crates."""

from __future__ import annotations

import json
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
    """Read the jobs of a workflow as tasks, with `needs`, `if`, `schedule.cron` and artifacts.

    An artifact whose name holds `${{ }}` is known only at run time: it is neither made nor missing.
    """
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
    """Steps that use any version of an action."""
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


MAKES_NOTHING = ("test", "unit_test", "analysis", "operation", "sql_operation", "rpc", "exposure")


def is_dbt(value: Any) -> bool:
    """Whether a file looks like one."""
    about = lined(lined(value).get("metadata"))
    return isinstance(lined(value).get("nodes"), Lined) and "dbt_schema_version" in about


def read_dbt(value: Any, file: str) -> WorkflowFile:
    """Read models, seeds, snapshots and tests as tasks, their relations as data, sources as external data.

    A manifest that lacks what it names was cut afterwards, which is a warning.
    """
    draft, nodes = Draft("dbt", file), lined(lined(value).get("nodes"))
    for key, source in lined(lined(value).get("sources")).items():
        about = lined(source)
        draft.add("data", key, about.line, name=_relation(about, key), external=True)
    for key, line in nodes.again:
        draft.twice(key, line)
    for key, node in nodes.items():
        about, kind = lined(node), text_of(lined(node).get("resource_type"))
        described = text_of(about.get("description")) or None
        task = draft.add(
            "task", key, about.line, name=text_of(about.get("name")) or key, runtime=kind, description=described
        )
        if kind not in MAKES_NOTHING and not _ephemeral(about):
            data = draft.add("data", f"relation:{key}", about.line, name=_relation(about, key), external=False)
            draft.link("produces", task, data)
    for key, node in nodes.items():
        _depends(draft, key, lined(node), nodes)
    return draft.done()


def _relation(about: Lined, key: str) -> str:
    name = text_of(about.get("alias") or about.get("identifier") or about.get("name")) or key
    schema = text_of(about.get("schema"))
    return f"{schema}.{name}" if schema else name


def _ephemeral(about: Lined) -> bool:
    """Whether a model is only a part of others' SQL."""
    return lined(about.get("config")).get("materialized") == "ephemeral"


def _depends(draft: Draft, key: str, about: Lined, nodes: Lined) -> None:
    task, wanted = f"task:{key}", lined(about.get("depends_on"))
    for one in listed(wanted.get("nodes")):
        other = text_of(one)
        if other in nodes:
            draft.link("depends_on", task, f"task:{other}")
            draft.link("consumes", task, f"data:relation:{other}")
        elif f"data:{other}" in draft:
            draft.link("consumes", task, f"data:{other}")
        elif other.partition(".")[0] not in ("metric", "semantic_model", "exposure", "saved_query"):
            draft.missing(task, other, wanted.lines["nodes"], warn=True)


def is_openlineage(value: Any) -> bool:
    """Whether a file looks like one event, or a list of events."""
    first = lined(next(iter(listed(value)), None))
    return "job" in first and ("run" in first or "eventType" in first)


def read_openlineage(value: Any, file: str) -> WorkflowFile:
    """Read the jobs of all events as tasks. A `parent` facet contains a job; it is no dependency."""
    draft, events = Draft("openlineage", file), [lined(one) for one in listed(value)]
    made = {_name(one) for event in events for one in listed(event.get("outputs"))}
    for event in events:
        job = lined(event.get("job"))
        if not job.get("name"):
            continue
        task = draft.add("task", _name(job), job.line, name=text_of(job["name"]))
        for key, label in (("inputs", "consumes"), ("outputs", "produces")):
            for one in listed(event.get(key)):
                data = _name(one)
                about = lined(one)
                node = draft.add("data", data, about.line, name=text_of(about.get("name")), external=data not in made)
                draft.link(label, task, node)
    for event in events:
        _parent(draft, event)
    return draft.done()


def _name(given: Any) -> str:
    about = lined(given)
    return f"{text_of(about.get('namespace'))}:{text_of(about.get('name'))}"


def _parent(draft: Draft, event: Lined) -> None:
    facet = lined(lined(lined(event.get("run")).get("facets")).get("parent"))
    parent, job = lined(facet.get("job")), lined(event.get("job"))
    if parent.get("name") and job.get("name") and _name(parent) != _name(job):
        draft.add("task", _name(parent), parent.line, name=text_of(parent["name"]))
        draft.link("part_of", f"task:{_name(job)}", f"task:{_name(parent)}")


def join_lines(text: str) -> str:
    """Events a line, as most collectors write them, as one list; other text as it is."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines):
        try:
            json.loads(lines[0])
        except (ValueError, RecursionError):
            return text
        return "[" + ",\n".join(lines) + "]"
    return text


def is_ro_crate(value: Any) -> bool:
    """Whether a file looks like one."""
    graph = [lined(one) for one in listed(lined(value).get("@graph"))]
    return any("CreateAction" in listed(one.get("@type")) for one in graph) or any(
        "ro/crate" in text_of(lined(one.get("conformsTo")).get("@id")) for one in graph
    )


def read_ro_crate(value: Any, file: str) -> WorkflowFile:
    """Read each `CreateAction` as a task that read its objects and wrote its results; contexts are not fetched."""
    draft, things = Draft("wfrun_rocrate", file), dict[str, Lined]()
    for one in listed(lined(value).get("@graph")):
        about = lined(one)
        name = text_of(about.get("@id"))
        if name in things:
            draft.twice(name, about.line, "task" if _is_action(about) else "data")
        elif name:
            things[name] = about
    actions = {name: about for name, about in things.items() if _is_action(about)}
    made = {text_of(lined(one).get("@id")) for about in actions.values() for one in listed(about.get("result"))}
    for name, about in actions.items():
        properties = {
            "name": text_of(about.get("name")) or name,
            "description": text_of(about.get("description")) or None,
        }
        task = draft.add("task", name, about.line, **properties)
        for key, label in (("object", "consumes"), ("result", "produces")):
            for one in listed(about.get(key)):
                data = text_of(lined(one).get("@id"))
                if data:
                    called = text_of(things.get(data, Lined()).get("name")) or data
                    node = draft.add("data", data, about.lines[key], name=called, external=data not in made)
                    draft.link(label, task, node)
    return draft.done()


def _is_action(about: Lined) -> bool:
    return "CreateAction" in listed(about.get("@type"))
