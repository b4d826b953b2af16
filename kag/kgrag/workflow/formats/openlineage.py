"""OpenLineage run events: jobs and data sets over all events. A `parent` facet contains a job, and is no dependency.

Events say what happened and not what waits for what, so that data which several jobs wrote is no fault.
"""

from __future__ import annotations

import json
from typing import Any

from kag.kgrag.workflow.draft import Draft, WorkflowFile
from kag.kgrag.yaml_with_positions import Lined, lined, listed, text_of


def is_openlineage(value: Any) -> bool:
    """Whether a file looks like one event, or a list of events."""
    first = lined(next(iter(listed(value)), None))
    return "job" in first and ("run" in first or "eventType" in first)


def read_openlineage(value: Any, file: str) -> WorkflowFile:
    """The jobs of all events as tasks."""
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
