"""Run 0: the paper's structure without a model, written through the same tools an agent uses.

First a plan is made from the blocks alone (`kag.indexing.build_plan`), then the tools carry it out
(`build_baseline`). The graph conforms whatever the input: what cannot be written as planned is kept as a paragraph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rdflib import URIRef

from kag.core.errors import NotConforming, Rescued, SourceError, rescued
from kag.core.types import Document, Skipped
from kag.indexing.build_plan import FRONT, Plan, PlannedNode, PlannedSection, plan_sections
from kag.rdf.namespaces import DEO, DOCO, KAG, RDF
from kag.rdf.workspace import Workspace

Call = Callable[..., Any]


def build_baseline(document: Document, tools: Mapping[str, Call]) -> dict[str, Any]:
    """Plan the paper and write the plan through the tools (by name); `finalize_graph` is the caller's.

    Returns facts for the summary, see `write_plan`. Raises `SourceError` when the pages hold nothing that could go
    into a graph.
    """
    return write_plan(document, plan_sections(document), tools)


def write_plan(document: Document, plan: Plan, tools: Mapping[str, Call]) -> dict[str, Any]:
    """Write a plan through the tools; raises `SourceError` when there is nothing in it.

    Returns {}, or {"rescued": [...]} with what writing failed on.
    """
    if not plan.sections:
        raise SourceError(
            f"{document.paper_id}: nothing on the pages but running heads, page numbers and empty blocks",
            hint="Check that the folder holds the OCR of a whole paper.",
        )
    for skipped in plan.skipped.values():
        _must(tools["op_skip_block"](skipped.block, skipped.reason))
    _must(tools["op_assert_type"]("ex:document", "doco:Document"))
    _must(tools["op_assert_type"]("ex:document", "fabio:ResearchPaper"))
    _must(tools["op_set_single_literal"]("ex:document", "dcterms:identifier", document.paper_id))
    names = [begin_section(section, tools) for section in plan.sections]
    links: list[tuple[str, str, str]] = []
    lost: list[Rescued] = []
    parents = {section.parent for section in plan.sections}
    for place, (name, section) in enumerate(zip(names, plan.sections, strict=True)):
        parent = "ex:document" if section.parent is None else names[section.parent]
        _must(tools["op_add_iri_link"](parent, "kag:contains", name))
        for node in section.nodes:
            try:
                links.extend(write_node(node, name, tools))
            except Exception as error:
                lost.append(rescued(node.blocks[0].id, "write", error))
                _write_paragraphs(node, name, tools)
        if section.heading and not section.nodes and place not in parents:
            # Nothing is printed under this heading: the section holds its title alone.
            _must(tools["op_add_iri_link"](name, "kag:contains", f"ex:{section.heading.block.id}"))
    for link in links:
        try:
            _must(tools["op_add_iri_link"](*link))
        except Exception as error:
            lost.append(rescued(link[0].removeprefix("ex:"), "link", error))
    return {"rescued": lost} if lost else {}


def begin_section(section: PlannedSection, tools: Mapping[str, Call]) -> str:
    """A section with its title; returns the section's name."""
    name = section.name
    if section.heading:
        block = section.heading.block
        title, page = f"ex:{block.id}", block.page
        _must(tools["op_create_node"](block.id, "doco:SectionTitle"))
    else:
        title, page = f"{name}_title", section.nodes[0].blocks[0].page
        _must(tools["op_assert_type"](title, "doco:SectionTitle"))
        for key in ("kag:fullText", "kag:mainText"):
            _must(tools["op_set_single_literal"](title, key, section.title))
        _must(tools["op_set_single_literal"](title, "kag:isSynthetic", True))
    _must(tools["op_assert_type"](name, "doco:Section"))
    if not section.heading and section.title == FRONT:
        _must(tools["op_assert_type"](name, "doco:FrontMatter"))
    _must(tools["op_add_iri_link"](name, "kag:containsAsHeader", title))
    _must(tools["op_set_single_literal"](name, "kag:pageNumber", page))
    _must(tools["op_set_single_literal"](name, "kag:depth", section.depth))
    if section.heading and section.heading.number:
        _must(tools["op_set_single_literal"](name, "kag:sectionNumber", section.heading.number))
    return name


def write_node(node: PlannedNode, section: str, tools: Mapping[str, Call]) -> list[tuple[str, str, str]]:
    """Create a node in its section; returns the links that can only be made when all nodes exist."""
    cls = "deo:" if node.cls in DEO else "doco:"
    cls += node.cls.rpartition("/")[2]
    ids = [block.id for block in node.blocks]
    given: dict[str, Any] = {}
    if node.start is not None:
        given = {"start": node.start, "end": node.end}
    if len(ids) > 1:
        given["more_blocks"] = ids[1:]
    name = _must(tools["op_create_node"](ids[0], cls, **given))["node"]
    _must(tools["op_add_iri_link"](section, "kag:contains", name))
    if node.label:
        _must(tools["op_set_single_literal"](name, "kag:floatNumber", node.label.number))
        _must(tools["op_set_single_literal"](name, "kag:floatLabel", node.label.label))
    links = []
    if node.describes:
        links.append((name, "kag:describes", f"ex:{node.describes}"))
    if node.continues:
        links.append((name, "kag:continues", f"ex:{node.continues}"))
    return links


def _write_paragraphs(node: PlannedNode, section: str, tools: Mapping[str, Call]) -> None:
    """The blocks of a node that could not be written, a paragraph each; left out where that cannot be either."""
    for block in node.blocks:
        paragraph = PlannedNode(DOCO.Paragraph, (block,), node.start, node.end)
        for name in {block.id, paragraph.name}:
            tools["op_remove_node"](f"ex:{name}")
        try:
            write_node(paragraph, section, tools)
        except Exception as error:
            rescued(block.id, "write", error)
            tools["op_remove_node"](f"ex:{paragraph.name}")
            _must(tools["op_skip_block"](block.id, "could not be written"))


def _must(result: dict[str, Any]) -> dict[str, Any]:
    """A tool's result; a refusal is a bug of the baseline, not of the input."""
    if not result["ok"]:
        raise AssertionError(f"{result['error']} ({result['hint']})")
    return result


# What becomes of a graph whose builder was stopped: its decisions stay, the baseline makes the missing ones ---

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
    """Return the state of each block so far: its node, or the reason for skipping it."""
    placed = {
        str(block): workspace.curie(node)
        for node, block in workspace.graph.subject_objects(KAG.sourceBlock)
        if isinstance(node, URIRef)
    }
    return {**placed, **{skipped.block: skipped.reason for skipped in workspace.skipped.values()}}


def _counts(kept: Mapping[str, str], workspace: Workspace) -> dict[str, int]:
    return {"kept": len(kept), "added": len(_placed(workspace)) - len(kept)}


def _add(document: Document, plan: Plan, workspace: Workspace, tools: Tools) -> int:
    """Place the remaining blocks of the plan in the existing sections; return the number of nodes made."""
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
    section: PlannedSection, parent: str, free: set[str], needed: bool, workspace: Workspace, tools: Tools
) -> str:
    """Return the section for a planned one: the agent's, else a new one, else the parent."""
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


CONFORM_ROUNDS = 10  # of making paragraphs of what a report names


def build_flat(document: Document, workspace: Workspace, tools: Tools, error: Exception) -> list[Rescued]:
    """Build the paper anew as one section of paragraphs, since `error` stopped the rules; returns what was lost.

    Raises what `write_plan` raises.
    """
    lost = rescued("", "build", error)
    clear(workspace)
    section = PlannedSection(None, "Text", 1, None)
    printed = [block for block in document.blocks if block.text.strip()]
    section.nodes.extend(PlannedNode(DOCO.Paragraph, (block,)) for block in printed)
    empty = {block.id: Skipped(block.id, "empty") for block in document.blocks if not block.text.strip()}
    written = write_plan(document, Plan((section,) if printed else (), empty), tools)
    return [lost, *written.get("rescued", ())]


def conform(
    document: Document, workspace: Workspace, tools: Tools, outcome: Mapping[str, Any]
) -> tuple[Mapping[str, Any], list[Rescued]]:
    """The outcome of `finalize_graph` once nodes that break the shapes are paragraphs, and what was lost by that."""
    lost: list[Rescued] = []
    for _ in range(CONFORM_ROUNDS):
        if outcome["ok"]:
            return outcome, lost
        error = NotConforming(outcome["violations"][0]["message"], hint="")
        names = sorted({name for row in outcome["violations"] for name in row["nodes"]})
        changed = [name for name in names if _as_paragraphs(name, workspace, tools)]
        lost += [rescued(name.removeprefix("ex:"), "shapes", error) for name in changed]
        if not changed:
            lost += build_flat(document, workspace, tools, error)
        outcome = tools["finalize_graph"]("built by the last resort")
    return outcome, lost


def _as_paragraphs(name: str, workspace: Workspace, tools: Tools) -> bool:
    """Replace a node of a section by a paragraph a block; False when it is none, or a paragraph already."""
    node = workspace.resolve(name)
    blocks, section = workspace.source_blocks(node), workspace.section_of(node)
    if not blocks or section is None or workspace.is_a(node, DOCO.Paragraph) or workspace.is_a(node, DOCO.SectionTitle):
        return False
    start = name.rpartition("-")[2] if "-" in name else ""
    text = workspace.text(node)
    tools["op_remove_node"](name)
    for block in blocks:
        span = (int(start), int(start) + len(text)) if start.isdigit() else (None, None)
        write_node(PlannedNode(DOCO.Paragraph, (block,), *span), workspace.curie(section), tools)
    return True
