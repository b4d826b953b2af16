"""All passes in order: call-outs are matched against a parsed list, the file's own links against call-outs.

Where one fails on a node, or breaks it, `enrich_sparing` leaves that node without that pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from rdflib import URIRef

from kag.core.rescue import Rescued, rescued, spare
from kag.indexing.enrich import (
    bibliography,
    citations,
    crossrefs,
    endnotes,
    front_record,
    inferred,
    links,
    printed_quantities,
    sections,
    work_iris,
)
from kag.rdf.namespaces import RDF
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
    ("quantities", printed_quantities.apply),
    ("inferred", inferred.apply),
)


def enrich(workspace: Workspace) -> dict[str, int]:
    """Run all passes in order; returns for each the number of facts it added."""
    return {name: apply(workspace) for name, apply in PASSES}


Pass = tuple[str, Callable[[Workspace], int]]


class _Rehearsed(Exception):
    """A pass went well, and is to be taken back."""


def enrich_sparing(
    workspace: Workspace, passes: Sequence[Pass], check: Callable[[], None]
) -> tuple[dict[str, int], list[Rescued]]:
    """The number of facts by pass as `enrich` returns it, and what was left out.

    `check` raises when the graph breaks its shapes. A pass that fails whatever is left out adds nothing.
    """
    found: dict[str, int] = {}
    lost: list[Rescued] = []
    nodes = sorted(node for node in set(workspace.graph.subjects(RDF.type)) if isinstance(node, URIRef))
    for name, apply in passes:
        run = partial(_run, workspace, apply, check, nodes)
        try:
            _, aside = spare(partial(_rehearse, workspace, run), nodes)
            left_out = {node for node, _ in aside}
            found[name] = workspace.attempt(partial(run, [node for node in nodes if node not in left_out]))
            lost += [rescued(workspace.curie(node), name, error) for node, error in aside]
        except Exception as error:
            found[name] = 0
            lost.append(rescued("", name, error))
    return found, lost


def _rehearse(workspace: Workspace, run: Callable[[Sequence[URIRef]], int], kept: Sequence[URIRef]) -> None:
    """Run a pass and take back what it did; raises what it raises."""

    def once() -> None:
        run(kept)
        raise _Rehearsed

    with suppress(_Rehearsed):
        workspace.attempt(once)


def _run(
    workspace: Workspace,
    apply: Callable[[Workspace], int],
    check: Callable[[], None],
    nodes: Sequence[URIRef],
    kept: Sequence[URIRef],
) -> int:
    """A pass over a part of the nodes."""
    workspace.hidden = frozenset(nodes).difference(kept)
    try:
        added = apply(workspace)
    finally:
        workspace.hidden = frozenset()
    check()
    return added
