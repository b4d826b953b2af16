"""The whole paper as one text, each node behind its name and page, for a model that reads it in one call."""

from __future__ import annotations

import json

from kag.read.paper import Node, PaperGraph
from kag.read.quote import find_quote


def whole_text(paper: PaperGraph) -> str:
    """All that is printed, in reading order: a line a node, `[ex:b_p001_0004 p1] text`; titles behind hashes.

    LaTeX and Markdown are reduced to words where a quote of those can be found again. Machine-made descriptions are
    left out: they cannot be quoted.
    """
    depths = {section.header: section.depth for section in paper.sections.values()}
    return "\n".join(_line(node, depths.get(node.iri, 0)) for node in paper.nodes.values() if node.text or node.label)


def text_tokens(text: str) -> int:
    """About how many tokens a text has in a request: 4 characters of its JSON form each."""
    return -(-len(json.dumps(text, ensure_ascii=False)) // 4)


def _line(node: Node, depth: int) -> str:
    shown = f" {node.label}" if node.label and node.kind != "Caption" else ""
    words = node.plain if find_quote(node.text, node.plain) else " ".join(node.text.split())
    return f"[{node.name} p{node.page}{shown}] {'#' * depth}{' ' * bool(depth)}{words}".rstrip()
