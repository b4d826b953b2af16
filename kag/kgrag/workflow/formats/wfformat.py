"""WfFormat (WfCommons): tasks with parents and children, files with sizes, run times and machines.

Parents and children are both listed and have to agree. The format has no word for what comes from outside: data that
nobody makes is external. A parent that hands no file to its child is told as a producer that is missing: in all
published instances that were looked at, every parent hands one over.
"""

from __future__ import annotations

from typing import Any

from kag.kgrag.workflow.draft import Draft, WorkflowFile
from kag.kgrag.yaml_with_positions import Lined, lined, listed, text_of


def is_wfformat(value: Any) -> bool:
    """Whether a file looks like one."""
    specification = lined(lined(lined(value).get("workflow")).get("specification"))
    return isinstance(specification.get("tasks"), list)


def read_wfformat(value: Any, file: str) -> WorkflowFile:
    """The tasks and files of an instance."""
    workflow = lined(lined(value).get("workflow"))
    specification = lined(workflow.get("specification"))
    draft, tasks = Draft("wfformat", file), dict[str, Lined]()
    seconds = {
        text_of(lined(one).get("id")): lined(one).get("runtimeInSeconds")
        for one in listed(lined(workflow.get("execution")).get("tasks"))
    }
    for one in listed(specification.get("tasks")):
        task = lined(one)
        name = text_of(task.get("id")) or text_of(task.get("name"))
        if name in tasks:
            draft.twice(name, task.line)
        elif name:
            tasks[name] = task
            took = seconds.get(name)
            known = took if isinstance(took, int | float) else None
            draft.add("task", name, task.line, name=text_of(task.get("name")) or name, seconds=known)
    declared = _files(draft, specification, tasks)
    for name, task in tasks.items():
        _links(draft, name, task, tasks)
        _reads(draft, name, task, declared)
    _handed(draft, tasks)
    return draft.done()


def _files(draft: Draft, specification: Lined, tasks: dict[str, Lined]) -> frozenset[str]:
    """The files that are declared or made; those that nobody makes are external."""
    made = {text_of(file) for task in tasks.values() for file in listed(task.get("outputFiles"))}
    for one in listed(specification.get("files")):
        about = lined(one)
        name, size = text_of(about.get("id")) or text_of(about.get("name")), about.get("sizeInBytes")
        megabytes = size / 10**6 if isinstance(size, int | float) else None
        if name:
            draft.add("data", name, about.line, name=name, external=name not in made, size_mb=megabytes)
    declared = frozenset(
        text_of(lined(one).get("id") or lined(one).get("name")) for one in listed(specification.get("files"))
    )
    return declared


def _links(draft: Draft, name: str, task: Lined, tasks: dict[str, Lined]) -> None:
    """Whom a task waits for, and whether the other side says so, too."""
    for there, back, waits in (("parents", "children", True), ("children", "parents", False)):
        for one in listed(task.get(there)):
            other = text_of(one)
            if other not in tasks:
                draft.missing(f"task:{name}", other, task.lines.get(there, task.line))
                continue
            ends = (f"task:{name}", f"task:{other}") if waits else (f"task:{other}", f"task:{name}")
            if waits:
                draft.link("depends_on", *ends)
            if name not in {text_of(given) for given in listed(tasks[other].get(back))}:
                child, parent = ends
                message = f"{child!r:.80} and its parent {parent!r:.80} do not both name the other."
                fix = f"Add {name!r:.60} to the {back} of {other!r:.60}, or take the link out."
                draft.tell("one_sided_link", message, fix, (child, parent), task.lines.get(there, task.line))


def _reads(draft: Draft, name: str, task: Lined, declared: frozenset[str]) -> None:
    """What a task reads and writes."""
    for key, label in (("inputFiles", "consumes"), ("outputFiles", "produces")):
        for one in listed(task.get(key)):
            file, line = text_of(one), task.lines[key]
            data = draft.add("data", file, line, name=file, external=label == "consumes")
            draft.link(label, f"task:{name}", data)
            if declared and file not in declared:
                message, fix = f"The file {file!r:.80} is not among the files.", "Declare it, or correct its name."
                draft.tell("undeclared_data", message, fix, (data, f"task:{name}"), line)


def _handed(draft: Draft, tasks: dict[str, Lined]) -> None:
    """Parents that hand nothing over."""
    files = {name: {text_of(f) for f in listed(task.get("outputFiles"))} for name, task in tasks.items()}
    for name, task in tasks.items():
        reads = {text_of(file) for file in listed(task.get("inputFiles"))}
        for one in listed(task.get("parents")):
            parent = text_of(one)
            if parent in tasks and parent != name and not reads & files[parent]:
                message = f"{parent!r:.80} hands no file to {name!r:.80}, which waits for it."
                fix = "Let the parent write what the child reads, or take the link out."
                line = task.lines["parents"]
                draft.tell("missing_producer", message, fix, (f"task:{name}", f"task:{parent}"), line, warn=True)
