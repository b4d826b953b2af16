"""All passes in order: call-outs are matched against a parsed list, the file's own links against call-outs."""

from __future__ import annotations

from collections.abc import Callable

from kag.indexing.enrich import (
    bibliography,
    citations,
    crossrefs,
    endnotes,
    formula_callouts,
    formulas,
    front_record,
    inferred,
    kinds,
    links,
    lone_floats,
    printed_quantities,
    sections,
    unlisted_citations,
    work_iris,
)
from kag.indexing.enrich.paper_record import front_matter
from kag.rdf.workspace import Workspace

PASSES: tuple[tuple[str, Callable[[Workspace], int]], ...] = (
    ("front matter", front_matter),
    ("front record", front_record.apply),
    ("sections", sections.apply),
    ("formulas", formulas.apply),
    ("text kinds", kinds.apply),
    ("bibliography", bibliography.apply),
    ("works", work_iris.apply),
    ("cross-references", crossrefs.apply),
    ("lone floats", lone_floats.apply),
    ("endnotes", endnotes.apply),
    ("citations", citations.apply),
    ("unlisted citations", unlisted_citations.apply),
    ("formula call-outs", formula_callouts.apply),
    ("links against rules", links.correct),
    ("links", links.apply),
    ("quantities", printed_quantities.apply),
    ("inferred", inferred.apply),
)


def enrich(workspace: Workspace) -> dict[str, int]:
    """Run all passes in order; returns for each the number of facts it added."""
    return {name: apply(workspace) for name, apply in PASSES}
