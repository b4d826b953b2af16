"""CWL workflows: inputs are external data, `source: step/out` is data that is read and a task that is waited for.

`in` is a map or a list, and a source a text, a list or an object; ids may begin with `#` and the workflow's name. What
a tool in `run` does, and types, is cwltool's to check.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kag.kgrag.workflow.draft import Draft, WorkflowFile
from kag.kgrag.yaml_with_positions import Lined, lined, listed, text_of


def is_cwl(value: Any) -> bool:
    """Whether a file looks like one."""
    return isinstance(value, Lined) and bool(_workflow(value))


def _workflow(value: Lined) -> Lined:
    """The workflow in a file: itself, or `main` of a packed one."""
    if text_of(value.get("class")) == "Workflow":
        return value
    packed = [lined(one) for one in listed(value.get("$graph")) if lined(one).get("class") == "Workflow"]
    return next((one for one in packed if text_of(one.get("id")).strip("#") == "main"), (packed or [Lined()])[0])


def read_cwl(value: Any, file: str) -> WorkflowFile:
    """The steps of a workflow as tasks."""
    draft, workflow = Draft("cwl", file), _workflow(lined(value))
    own = text_of(workflow.get("id")).strip("#")
    inputs = list(_entries(draft, workflow.get("inputs"), own, "data"))
    for name, about, line in inputs:
        label = text_of(lined(about).get("label"))
        draft.add("data", name, line, name=label or name, external=True)
    steps = list(_entries(draft, workflow.get("steps"), own, "task"))
    for name, about, line in steps:
        _step(draft, name, lined(about), line, own)
    for name, about, line in steps:
        _reads(draft, name, lined(about), line, own)
    return draft.done()


def _name(text: Any, *prefixes: str) -> str:
    """An id without `#` and the names before it."""
    name = text_of(text).partition("#")[2] or text_of(text)
    for prefix in prefixes:
        if prefix:
            name = name.removeprefix(f"{prefix}/")
    return name


def _entries(draft: Draft, given: Any, own: str, kind: str) -> Iterator[tuple[str, Any, int]]:
    """The entries of a map, or of a list of objects with ids: name, what is said of it, line. Each name once."""
    if isinstance(given, Lined):
        for key, line in given.again:
            draft.twice(_name(key, own), line, kind)
        yield from ((_name(key, own), about, given.lines[key]) for key, about in given.items())
        return
    seen: set[str] = set()
    for one in listed(given):
        about = lined(one)
        name = _name(about.get("id") if about else one, own)
        if name in seen:
            draft.twice(name, about.line, kind)
        elif name:
            seen.add(name)
            yield name, about, about.line


def _step(draft: Draft, name: str, step: Lined, line: int, own: str) -> None:
    """A step, what it makes, and when it runs."""
    run, label = step.get("run"), text_of(step.get("label"))
    task = draft.add("task", name, line, name=label or name, runtime=run if isinstance(run, str) else None)
    for output in listed(step.get("out")):
        about = lined(output)
        made = f"{name}/{_name(about.get('id') if about else output, own, name)}"
        data = draft.add("data", made, step.lines.get("out", line), name=made, external=False)
        draft.link("produces", task, data)
    if step.get("when") is not None:
        condition = draft.add("condition", f"when:{name}", step.lines["when"], expression=text_of(step["when"]))
        draft.link("enables", condition, task)


def _reads(draft: Draft, name: str, step: Lined, line: int, own: str) -> None:
    """What a step reads, and whom it therefore waits for."""
    task = f"task:{name}"
    for source, at in _sources(step.get("in"), line):
        wanted = _name(source, own)
        if f"data:{wanted}" in draft:
            draft.link("consumes", task, f"data:{wanted}")
        step_of = wanted.rpartition("/")[0]
        if f"task:{step_of}" in draft:
            draft.link("depends_on", task, f"task:{step_of}")
            if f"data:{wanted}" not in draft:
                draft.unmade(task, wanted, at)
        elif step_of:
            draft.missing(task, step_of, at)
        elif f"data:{wanted}" not in draft:
            draft.unmade(task, wanted, at)


def _sources(given: Any, line: int) -> Iterator[tuple[str, int]]:
    """The sources of a step's inputs in all spellings, each with its line."""
    if isinstance(given, Lined):
        for key, about in given.items():
            found = about.get("source") if isinstance(about, Lined) else about
            yield from ((text_of(one), given.lines[key]) for one in listed(found) if isinstance(one, str))
        return
    for one in listed(given):
        about = lined(one)
        for source in listed(about.get("source")):
            if isinstance(source, str):
                yield source, about.lines["source"]
