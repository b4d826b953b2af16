"""Run 0: the paper's structure without a model, written through the same tools an agent uses.

First a plan is made from the blocks alone (`kag.indexing.build_plan`), then the tools carry it out
(`build_baseline`). The graph conforms whatever the input: what cannot be written as planned is kept as a paragraph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kag.core.errors import SourceError
from kag.core.rescue import rescued
from kag.core.types import Document
from kag.indexing.build_plan import FRONT, Plan, PlannedNode, PlannedSection, plan_sections
from kag.rdf.namespaces import DEO, DOCO

Call = Callable[..., Any]


def build_baseline(document: Document, tools: Mapping[str, Call]) -> dict[str, Any]:
    """Plan the paper and write the plan through the tools (by name); `finalize_graph` is the caller's.

    Returns facts for the summary, see `write_plan`. Raises `SourceError` when the pages hold nothing that could go
    into a graph.
    """
    return write_plan(document, plan_sections(document), tools)


def write_plan(document: Document, plan: Plan, tools: Mapping[str, Call]) -> dict[str, Any]:
    """Write a plan through the tools; raises `SourceError` when there is nothing in it.

    Returns {}, or {"rescued": [...]} with what planning or writing failed on.
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
    lost = list(plan.rescued)
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
