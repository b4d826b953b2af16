"""Readers of scientific workflows: CWL, Galaxy and WfFormat. Types and tools are left to cwltool and planemo."""

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
    """Read the steps of a workflow as tasks.

    Inputs are external data; `source: step/out` is data that is read and a task that is waited for. `in` is a map or a
    list, a source a text, a list or an object, and ids may begin with `#` and the name of the workflow.
    """
    draft, workflow = Draft("cwl", file), _workflow(lined(value))
    own = text_of(workflow.get("id")).strip("#")
    inputs = list(_entries(draft, workflow.get("inputs"), own, "data"))
    for name, about, line in inputs:
        label = text_of(lined(about).get("label"))
        draft.add("data", name, line, name=label or name, external=True)
    steps = list(_entries(draft, workflow.get("steps"), own, "task"))
    for name, about, line in steps:
        _cwl_step(draft, name, lined(about), line, own)
    for name, about, line in steps:
        _cwl_reads(draft, name, lined(about), line, own)
    return draft.done()


def _name(text: Any, *prefixes: str) -> str:
    """An id without `#` and the names before it."""
    name = text_of(text).partition("#")[2] or text_of(text)
    for prefix in prefixes:
        if prefix:
            name = name.removeprefix(f"{prefix}/")
    return name


def _entries(draft: Draft, given: Any, own: str, kind: str) -> Iterator[tuple[str, Any, int]]:
    """Yield the entries of a map, or of a list of objects with ids: name, value, line. Each name once."""
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


def _cwl_step(draft: Draft, name: str, step: Lined, line: int, own: str) -> None:
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


def _cwl_reads(draft: Draft, name: str, step: Lined, line: int, own: str) -> None:
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


INPUTS = ("data_input", "data_collection_input", "parameter_input")


def is_galaxy(value: Any) -> bool:
    """Whether a file looks like one."""
    return isinstance(value, Lined) and "a_galaxy_workflow" in value and isinstance(value.get("steps"), Lined)


def read_galaxy(value: Any, file: str) -> WorkflowFile:
    """Read the steps of a workflow as tasks and data; input steps are external data, a nested workflow is one task.

    A step may lack its list of outputs, as nested workflows do: then what another step reads is one.
    """
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
        _galaxy_step(draft, number, about)
    for number, about in read.items():
        _connections(draft, number, about, read)
    return draft.done()


def _galaxy_step(draft: Draft, number: str, step: Lined) -> None:
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


def is_wfformat(value: Any) -> bool:
    """Whether a file looks like one."""
    specification = lined(lined(lined(value).get("workflow")).get("specification"))
    return isinstance(specification.get("tasks"), list)


def read_wfformat(value: Any, file: str) -> WorkflowFile:
    """Read the tasks and files of an instance.

    Parents and children are both listed and must agree. Data that nobody makes is external: the format has no word for
    it. A parent that hands no file to its child is reported as a missing producer, as a warning.
    """
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
    declared = _declared_files(draft, specification, tasks)
    for name, task in tasks.items():
        _wfformat_links(draft, name, task, tasks)
        _wfformat_files(draft, name, task, declared)
    _handed(draft, tasks)
    return draft.done()


def _declared_files(draft: Draft, specification: Lined, tasks: dict[str, Lined]) -> frozenset[str]:
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


def _wfformat_links(draft: Draft, name: str, task: Lined, tasks: dict[str, Lined]) -> None:
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


def _wfformat_files(draft: Draft, name: str, task: Lined, declared: frozenset[str]) -> None:
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
