"""The whole paper as text, each node behind its name and page, for a model that reads it in one call.

The reference list stands apart: it is a tenth to a half of a paper, and few questions are about it.
"""

from __future__ import annotations

import json
import re

from kag.read.paper import Node, PaperGraph
from kag.read.quote import find_quote

ENTRY = "BibliographicReference"
FIRST_WORDS = 60  # characters of an entry that tell which work it is
_ON_ENTRIES = re.compile(
    r"\b(?:ref(?:erence)?s?|cit(?:e[sd]?|ing|ations?)|bibliograph\w*|literature|works?|doi|journals?|proceedings|preprints?"
    r"|publish\w*|publications?|authors?|et al|prior|previous(?:ly)?|earlier|originally|introduced|proposed by)\b"
    r"|\[\d+\]|\b(?:1[89]|20)\d\d\b",
    re.I,
)


def whole_text(paper: PaperGraph) -> str:
    """All that is printed but the entries of the reference list, in reading order.

    A line a node, `[ex:b_p001_0004 p1] text`; titles stand behind hashes, a table has a line a row. LaTeX and Markdown
    are reduced to words where a quote of those can be found again. Machine-made descriptions are left out: they cannot
    be quoted.
    """
    depths = {section.header: section.depth for section in paper.sections.values()}
    nodes = (node for node in paper.nodes.values() if (node.text or node.label) and node.kind != ENTRY)
    return "\n".join(_line(node, depths.get(node.iri, 0)) for node in nodes)


def entry_text(paper: PaperGraph, *, whole: bool) -> str:
    """The reference list, a line an entry as in `whole_text`, or the first 60 characters of each; "" where is none."""
    entries = [node for node in paper.of_kind(ENTRY) if node.text]
    return "\n".join(_line(node, 0) if whole else _first_words(node) for node in entries)


def is_on_entries(question: str) -> bool:
    """Whether a question may be about cited works, so that the reference list is needed whole.

    >>> is_on_entries("Who proposed the Kalman filter in 1960?"), is_on_entries("How deep is the lake?")
    (True, False)
    """
    return bool(_ON_ENTRIES.search(question))


def text_tokens(text: str) -> int:
    """About how many tokens a text has in a request: 4 characters of its JSON form each."""
    return -(-len(json.dumps(text, ensure_ascii=False)) // 4)


def _line(node: Node, depth: int) -> str:
    return f"{_head(node)} {'#' * depth}{' ' * bool(depth)}{_words(node)}".rstrip()


def _words(node: Node) -> str:
    """The words of a node, such that each of its lines can be quoted from it."""
    if node.kind == "Table":
        return "\n".join(" ".join(row.split()) for row in node.text.splitlines())
    return node.plain if find_quote(node.text, node.plain) else " ".join(node.text.split())


def _first_words(node: Node) -> str:
    words = " ".join(node.text.split())
    cut = words[: words.rfind(" ", 0, FIRST_WORDS + 1)] if " " in words[:FIRST_WORDS] else words[:FIRST_WORDS]
    return f"{_head(node)} {words if len(words) <= FIRST_WORDS else cut}"


def _head(node: Node) -> str:
    shown = f" {node.label}" if node.label and node.kind != "Caption" else ""
    return f"[{node.name} p{node.page}{shown}]"
