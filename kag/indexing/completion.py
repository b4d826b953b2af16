"""What becomes of a graph whose builder was stopped: its decisions stay, the baseline makes the missing ones.

A node that breaks the shapes is taken away and its blocks are placed anew. Where that does not lead to a
conformant graph, the baseline builds all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rdflib import URIRef

from kag.core.types import Document
from kag.indexing.baseline import begin_section, build_baseline, write_node
from kag.indexing.build_plan import Plan, PlannedNode, PlannedSection, plan_sections
from kag.rdf.namespaces import DOCO, KAG, RDF
from kag.rdf.workspace import Workspace

Tools = Mapping[str, Callable[..., Any]]
ROUNDS = 20  # of repair; each takes away what a report names


def complete(document: Document, workspace: Workspace, tools: Tools) -> dict[str, int]:
    """Make the graph conform, with every block placed; returns how many blocks were `kept` and `added`.

    The gate must be able to say READY afterwards; raises what `build_baseline` raises.
    """
    kept = _placed(workspace)
    plan = plan_sections(document)
    outcome = tools["finalize_graph"]("completed by the baseline")
    if not outcome["ok"]:
        _add(document, plan, workspace, tools)
    for _ in range(ROUNDS):
        outcome = tools["finalize_graph"]("completed by the baseline")
        if outcome["ok"]:
            return _counts(kept, workspace)
        named = {name for row in outcome["violations"] for name in row["nodes"]}
        there = [name for name in sorted(named) if workspace.exists(workspace.resolve(name))]
        removed = [name for name in there if tools["op_remove_node"](name)["ok"]]
        kept = {block: place for block, place in kept.items() if place not in removed}
        added = _add(document, plan, workspace, tools)
        if not (removed or added):
            break
    clear(workspace)
    kept = {}
    build_baseline(document, tools)
    return _counts(kept, workspace)


def _placed(workspace: Workspace) -> dict[str, str]:
    """What became of each block so far: its node, or why it is left out."""
    placed = {
        str(block): workspace.curie(node)
        for node, block in workspace.graph.subject_objects(KAG.sourceBlock)
        if isinstance(node, URIRef)
    }
    return {**placed, **{skipped.block: skipped.reason for skipped in workspace.skipped.values()}}


def _counts(kept: Mapping[str, str], workspace: Workspace) -> dict[str, int]:
    return {"kept": len(kept), "added": len(_placed(workspace)) - len(kept)}


def _add(document: Document, plan: Plan, workspace: Workspace, tools: Tools) -> int:
    """Place what is not placed as the plan says, in the sections there are; returns how many nodes were made."""
    free = {block.id for block in document.blocks} - _placed(workspace).keys()
    for block in sorted(free & plan.skipped.keys()):
        tools["op_skip_block"](block, plan.skipped[block].reason)
    free -= plan.skipped.keys()
    tools["op_assert_type"]("ex:document", "doco:Document")
    tools["op_assert_type"]("ex:document", "fabio:ResearchPaper")
    tools["op_set_single_literal"]("ex:document", "dcterms:identifier", document.paper_id)
    names: list[str] = []
    links: list[tuple[str, str, str]] = []
    made = 0
    for section in plan.sections:
        todo = [part for node in section.nodes for part in _open_parts(node, free)]
        parent = "ex:document" if section.parent is None else names[section.parent]
        name = _section(section, parent, free, bool(todo), workspace, tools)
        names.append(name)
        _mend(section, name, parent, workspace, tools)
        for node in todo:
            links.extend(write_node(node, name, tools))
            made += 1
    for name, section in zip(names, plan.sections, strict=True):
        if section.heading and not workspace.links(workspace.resolve(name), KAG.contains):
            tools["op_add_iri_link"](name, "kag:contains", f"ex:{section.heading.block.id}")
    for link in links:
        tools["op_add_iri_link"](*link)
    return made + len(free & {s.heading.block.id for s in plan.sections if s.heading})


def _mend(section: PlannedSection, name: str, parent: str, workspace: Workspace, tools: Tools) -> None:
    """Give a section of the agent's what it lacks, and take in its nodes that are in no section yet."""
    node = workspace.resolve(name)
    if not workspace.is_a(node, DOCO.Section):
        return
    if not workspace.sources(KAG.contains, node):
        tools["op_set_single_iri_link"](name, "^kag:contains", parent)
    if workspace.number(node, KAG.depth) is None:
        tools["op_set_single_literal"](name, "kag:depth", section.depth)
    if workspace.number(node, KAG.pageNumber) is None and section.heading:
        tools["op_set_single_literal"](name, "kag:pageNumber", section.heading.block.page)
    for planned in section.nodes:
        own = workspace.node(planned.blocks[0].id)
        if (own, RDF.type, None) in workspace.graph and not workspace.sources(KAG.contains, own):
            tools["op_set_single_iri_link"](workspace.curie(own), "^kag:contains", name)


def _open_parts(node: PlannedNode, free: set[str]) -> list[PlannedNode]:
    """The planned node, or what is left of it when some of its blocks have a place already."""
    left = tuple(block for block in node.blocks if block.id in free)
    return [node if len(left) == len(node.blocks) else replace(node, blocks=left)] if left else []


def _section(
    section: PlannedSection,
    parent: str,
    free: set[str],
    needed: bool,
    workspace: Workspace,
    tools: Tools,
) -> str:
    """The section that stands for a planned one: the agent's, else one of its own, else the parent."""
    heading = section.heading.block.id if section.heading else ""
    known = workspace.sources(KAG.containsAsHeader, workspace.node(heading)) if heading else _front(workspace)
    if known:
        return workspace.curie(known[0])
    if heading and heading not in free:
        # The agent made something else of this heading, or left it out: its text goes where the section would be.
        return parent if parent != "ex:document" else _first_section(workspace)
    if not (heading or needed):
        return _first_section(workspace)
    if workspace.exists(workspace.resolve(section.name)):
        tools["op_remove_node"](section.name)
    name = begin_section(section, tools)
    tools["op_set_single_iri_link"](name, "^kag:contains", parent)
    return name


def _front(workspace: Workspace) -> list[URIRef]:
    return [node for node in workspace.of_type(DOCO.FrontMatter) if workspace.is_a(node, DOCO.Section)]


def _first_section(workspace: Workspace) -> str:
    sections = workspace.of_type(DOCO.Section)
    return workspace.curie(sections[0]) if sections else "ex:document"


def clear(workspace: Workspace) -> None:
    """Remove everything, for a fresh start."""
    workspace.skipped.clear()
    for subject, predicate, value in list(workspace.graph):
        workspace.remove(URIRef(str(subject)), URIRef(str(predicate)), value)
