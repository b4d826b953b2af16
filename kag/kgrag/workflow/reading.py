"""Recognise the format of a workflow file, read it, and check the workflow as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kag.core.errors import SourceError
from kag.core.files import shown
from kag.kgrag.domain import Domain, given_domain
from kag.kgrag.workflow.draft import WorkflowFile
from kag.kgrag.workflow.pipeline_formats import (
    is_dbt,
    is_github_actions,
    is_openlineage,
    is_ro_crate,
    join_lines,
    read_dbt,
    read_github_actions,
    read_openlineage,
    read_ro_crate,
)
from kag.kgrag.workflow.scientific_formats import is_cwl, is_galaxy, is_wfformat, read_cwl, read_galaxy, read_wfformat
from kag.kgrag.yaml_with_positions import parse_marked
from kag.retrieval.property_graph.schema import Checked, in_file

Reader = Callable[[Any, str], WorkflowFile]
FORMATS: dict[str, tuple[Callable[[Any], bool], Reader]] = {
    "wfformat": (is_wfformat, read_wfformat),
    "galaxy": (is_galaxy, read_galaxy),
    "cwl": (is_cwl, read_cwl),
    "dbt": (is_dbt, read_dbt),
    "openlineage": (is_openlineage, read_openlineage),
    "wfrun_rocrate": (is_ro_crate, read_ro_crate),
    "github_actions": (is_github_actions, read_github_actions),
}
"""How each format is told, and its reader; the first that fits is taken."""

RUNS = ("openlineage", "wfrun_rocrate")
"""Formats that tell what ran: one path may be written by several runs."""


def parse_workflow(text: str, file: str = "text", format: str = "") -> WorkflowFile:
    """Parse a workflow in the named format, or in the detected one; raises `SourceError`."""
    value = parse_marked(join_lines(text), file)
    name = format or next((name for name, (fits, _) in FORMATS.items() if fits(value)), "")
    if name not in FORMATS:
        raise SourceError(
            f"{shown(file)} is not a workflow in a supported format", hint=f"Formats are: {', '.join(FORMATS)}."
        )
    return FORMATS[name][1](value, file)


def check_workflow(read: WorkflowFile, domain: Domain | None = None) -> Checked:
    """Return the issues that the reader and the domain's rules find, with file and line."""
    domain = domain or given_domain("workflow")
    if read.format in RUNS:
        rules = [replace(r, severity="warning") if r.name == "two_producers" else r for r in domain.rules]  # type: ignore[type-var]
        domain = replace(domain, rules=tuple(rules))
    found = domain.validate(read.snapshot).issues
    return Checked((*read.issues, *in_file(found, read.file, dict(read.lines))))
