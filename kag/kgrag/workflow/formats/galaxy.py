"""Galaxy's `.ga`: steps, typed connections, `when`. Input steps are external data; a nested workflow is one task.

A step may lack its list of outputs, as nested workflows do: an output that another step reads is one, then. Which
inputs a tool needs and of what types is planemo's to check.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kag.kgrag.workflow.draft import Draft, WorkflowFile
from kag.kgrag.yaml_with_positions import Lined, lined, listed, text_of

INPUTS = ("data_input", "data_collection_input", "parameter_input")


def is_galaxy(value: Any) -> bool:
    """Whether a file looks like one."""
    return isinstance(value, Lined) and "a_galaxy_workflow" in value and isinstance(value.get("steps"), Lined)


def read_galaxy(value: Any, file: str) -> WorkflowFile:
    """The steps of a workflow as tasks and data."""
    draft, steps = Draft("galaxy", file), lined(lined(value).get("steps"))
    read: dict[str, Lined] = {}
    ids: set[str] = set()
    for key, line in steps.again:
        draft.twice(key, line)
    for key, step in steps.items():
        about = lined(step)
        given = text_of(about.get("id", key))
        if given in ids:
            draft.twice(given, about.line, "data" if f"data:input:{given}" in draft else "task")
        ids.add(given)
        number = key if given in steps else given  # where they differ, others know the step by its key
        read[number] = about
        _step(draft, number, about)
    for number, about in read.items():
        _connections(draft, number, about, read)
    return draft.done()


def _step(draft: Draft, number: str, step: Lined) -> None:
    """A step itself, what it makes, and when it runs."""
    kind, name = text_of(step.get("type")), text_of(step.get("label")) or text_of(step.get("name")) or number
    if kind in INPUTS:
        draft.add("data", f"input:{number}", step.line, name=name, external=True, format=kind)
        return
    tool = step.get("tool_id")
    task = draft.add("task", number, step.line, name=name, runtime=tool if isinstance(tool, str) else None)
    for output in listed(step.get("outputs")):
        _output(draft, number, text_of(lined(output).get("name")), step.line)
    if step.get("when") is not None:
        condition = draft.add("condition", f"when:{number}", step.lines["when"], expression=text_of(step["when"]))
        draft.link("enables", condition, task)


def _output(draft: Draft, number: str, name: str, line: int) -> str:
    data = draft.add("data", f"{number}/{name}", line, name=f"{number}/{name}", external=False)
    draft.link("produces", f"task:{number}", data)
    return data


def _wanted(step: Lined) -> Iterator[tuple[str, str]]:
    """The steps and their outputs that a step is connected to."""
    for connection in lined(step.get("input_connections")).values():
        for one in listed(connection):
            about = lined(one)
            if "id" in about:
                yield text_of(about["id"]), text_of(about.get("output_name"))


def _connections(draft: Draft, number: str, step: Lined, steps: dict[str, Lined]) -> None:
    """What a step reads, and whom it therefore waits for."""
    task = f"task:{number}"
    line = step.lines.get("input_connections", step.line)
    for source, name in _wanted(step):
        if f"data:input:{source}" in draft:
            draft.link("consumes", task, f"data:input:{source}")
        elif source not in steps:
            draft.missing(task, source, line)
        else:
            draft.link("depends_on", task, f"task:{source}")
            data = f"data:{source}/{name}"
            if data not in draft and _unlisted(steps[source], name):
                _output(draft, source, name, steps[source].line)
            if data in draft:
                draft.link("consumes", task, data)
            else:
                draft.unmade(task, f"{source}/{name}", line)


def _unlisted(step: Lined, name: str) -> bool:
    """Whether a step has the output although it does not list it among its outputs."""
    if text_of(step.get("type")) == "subworkflow" or not listed(step.get("outputs")):
        return True
    shown = [text_of(lined(one).get("output_name")) for one in listed(step.get("workflow_outputs"))]
    actions = [text_of(lined(one).get("output_name")) for one in lined(step.get("post_job_actions")).values()]
    return name in shown or name in actions
