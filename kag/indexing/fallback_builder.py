"""What becomes of a paper that the rules build wrongly: the nodes that break the graph are kept as paragraphs.

Where that does not lead to a graph that conforms, all blocks are, in one section. Each use is a fault of kag, which
`kag.core.rescue` tells or raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kag.core.errors import NotConforming
from kag.core.rescue import Rescued, rescued
from kag.core.types import Document, Skipped
from kag.indexing.baseline import write_node, write_plan
from kag.indexing.build_plan import Plan, PlannedNode, PlannedSection
from kag.indexing.completion import clear
from kag.rdf.namespaces import DOCO
from kag.rdf.workspace import Workspace

Tools = Mapping[str, Callable[..., Any]]
ROUNDS = 10  # of making paragraphs of what a report names


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
    told = write_plan(document, Plan((section,) if printed else (), empty), tools)
    return [lost, *told.get("rescued", ())]


def conform(
    document: Document, workspace: Workspace, tools: Tools, outcome: Mapping[str, Any]
) -> tuple[Mapping[str, Any], list[Rescued]]:
    """The outcome of `finalize_graph` once nodes that break the shapes are paragraphs, and what was lost by that."""
    lost: list[Rescued] = []
    for _ in range(ROUNDS):
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
