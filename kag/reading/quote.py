"""From words to evidence: find a quote in a node's text, and say where it is printed."""

from __future__ import annotations

from kag.evidence import Evidence, text_hash
from kag.reading.paper import Paper
from kag.search_text import search_text

SHORT = 240  # characters of a node's text that stand for the whole where no passage is meant


def evidence(paper: Paper, iri: str, start: int = 0, end: int | None = None) -> Evidence:
    """The evidence for the characters `start` to `end` of a node's text; all of the text without `end`."""
    node = paper.nodes[iri]
    end = len(node.text) if end is None else end
    return Evidence(paper.id, iri, node.page, node.boxes, node.text[start:end], start, end, text_hash(node.text))


def beginning(paper: Paper, iri: str) -> Evidence:
    """Evidence by a node's first words: for an entry, a caption or a title as a whole."""
    text = paper.nodes[iri].text
    end = len(text) if len(text) <= SHORT else text.rfind(" ", 1, SHORT) if " " in text[1:SHORT] else SHORT
    return evidence(paper, iri, 0, end)


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands in a text: exactly, or but for case, blanks, LaTeX and Unicode spelling; else None.

    The span given back is verbatim: quote the text, not the words that were looked for.
    """
    wanted = quote.strip().strip("\"'“”‘’")
    if not wanted:
        return None
    at = text.find(wanted)
    if at >= 0:
        return at, at + len(wanted)
    folded = search_text(text)
    needle = search_text(wanted).text.strip()
    at = folded.text.find(needle) if needle else -1
    return folded.span(at, at + len(needle)) if at >= 0 else None
