"""Facts added to a finished document graph without a model: one pass a file, each done twice is done once.

The order matters: call-outs are matched against a parsed reference list.
"""

from __future__ import annotations

from collections.abc import Callable

from kag.enrich import bibliography, citations, crossrefs, formulas, front_record, kinds, quantities, sections, works
from kag.enrich.paper import front_matter
from kag.rdf.workspace import Workspace

PASSES: tuple[tuple[str, Callable[[Workspace], int]], ...] = (
    ("front matter", front_matter),
    ("front record", front_record.apply),
    ("sections", sections.apply),
    ("formulas", formulas.apply),
    ("text kinds", kinds.apply),
    ("bibliography", bibliography.apply),
    ("works", works.apply),
    ("cross-references", crossrefs.apply),
    ("citations", citations.apply),
    ("quantities", quantities.apply),
)


def enrich(workspace: Workspace) -> dict[str, int]:
    """Run all passes in order; returns for each the number of facts it added."""
    return {name: apply(workspace) for name, apply in PASSES}
