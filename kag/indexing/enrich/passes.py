"""All passes in order: call-outs are matched against a parsed list, the file's own links against call-outs.

Where one fails, `enrich_sparing` runs the others without it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kag.core.errors import Rescued, rescued
from kag.indexing.enrich import (
    bibliography,
    citations,
    crossrefs,
    endnotes,
    front_record,
    inferred,
    links,
    sections,
    work_iris,
)
from kag.rdf.workspace import Workspace

PASSES: tuple[tuple[str, Callable[[Workspace], int]], ...] = (
    ("front matter", front_record.front_matter),
    ("front record", front_record.front_record),
    ("sections", sections.type_sections),
    ("formulas", crossrefs.number_formulas),
    ("text kinds", sections.type_texts),
    ("bibliography", bibliography.apply),
    ("works", work_iris.link_works),
    ("cross-references", crossrefs.link_crossrefs),
    ("lone floats", crossrefs.link_lone_floats),
    ("endnotes", endnotes.apply),
    ("citations", citations.link_citations),
    ("unlisted citations", citations.link_unlisted),
    ("links against rules", links.correct),
    ("links", links.apply),
    ("quantities", inferred.note_quantities),
    ("inferred", inferred.apply),
)


def enrich(workspace: Workspace) -> dict[str, int]:
    """Run all passes in order; returns for each the number of facts it added."""
    return {name: apply(workspace) for name, apply in PASSES}


def enrich_sparing(workspace: Workspace, check: Callable[[], None]) -> tuple[dict[str, int], list[Rescued]]:
    """Run the passes one by one; returns the number of facts of each, and the failures.

    A pass that fails, or after which `check` raises because the graph breaks its shapes, adds nothing.
    """

    def checked(apply: Callable[[Workspace], int]) -> int:
        added = apply(workspace)
        check()
        return added

    counts: dict[str, int] = {}
    lost: list[Rescued] = []
    for name, apply in PASSES:
        try:
            counts[name] = workspace.attempt(partial(checked, apply))
        except Exception as error:
            counts[name] = 0
            lost.append(rescued("", name, error))
    return counts, lost
