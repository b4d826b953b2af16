"""Workflow Run RO-Crates: each `CreateAction` is a task that read its objects and wrote its results.

Several runs may write one path, so that two producers are no fault here. Contexts are not fetched: the names of the
RO-Crate context are read as they stand.
"""

from __future__ import annotations

from typing import Any

from kag.kgrag.workflow.draft import Draft, WorkflowFile
from kag.kgrag.yaml_with_positions import Lined, lined, listed, text_of


def is_ro_crate(value: Any) -> bool:
    """Whether a file looks like one."""
    graph = [lined(one) for one in listed(lined(value).get("@graph"))]
    return any("CreateAction" in listed(one.get("@type")) for one in graph) or any(
        "ro/crate" in text_of(lined(one.get("conformsTo")).get("@id")) for one in graph
    )


def read_ro_crate(value: Any, file: str) -> WorkflowFile:
    """The actions of a crate as tasks."""
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
        said = {"name": text_of(about.get("name")) or name, "description": text_of(about.get("description")) or None}
        task = draft.add("task", name, about.line, **said)
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
