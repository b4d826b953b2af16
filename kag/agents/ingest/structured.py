"""Structured documents as drafts: workflows, graphs, tables of biology. A file's own faults are told and not mended."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kag.agents.ingest.values import Document, Draft, Drafted
from kag.core.errors import SourceError
from kag.kgrag.domain import Domain
from kag.kgrag.files import GraphFile, check_graph, read_graph
from kag.kgrag.science.tables import PRIMEKG, read_primekg
from kag.retrieval.property_graph.elements import GraphSnapshot, Link
from kag.retrieval.property_graph.issues import Issue

AUTHOR = "rule:{form}"
PRIMEKG_WORDS: Mapping[str, str] = {
    "gene_protein": "Gene", "drug": "Chemical", "disease": "Disease", "pathway": "Pathway",
    "indication": "treats", "disease_protein": "associated_with", "pathway_protein": "involved_in",
}  # fmt: skip
"""What the science domain calls the labels and relations of PrimeKG that are the same thing."""


def read_structured(document: Document, domain: Domain, rules: str) -> Drafted:
    """The draft of a structured file; `rules` is how its domain was named. Raises `SourceError`."""
    read = _read(document, domain, rules)
    author = AUTHOR.format(form=read.format)
    draft = Draft(document, author)
    lines = _lines(document.text)
    for node in read.snapshot.nodes:
        draft.node(node.label, "", _line(lines, read.lines.get(node.id, 0)), node.props, _own(document, node.id))
    for edge in read.snapshot.edges:
        place = read.lines.get(edge.id) or read.lines.get(edge.source, 0)
        ends = _own(document, edge.source), _own(document, edge.target)
        draft.edge(edge.label, *ends, _line(lines, place), edge.props, _own(document, edge.id))
    issues = tuple(_named(document, one) for one in check_graph(read, rules).issues)
    return Drafted(draft.said, issues=issues)


def _own(document: Document, id: str) -> str:
    return f"{document.name}/{id}"


def _named(document: Document, issue: Issue) -> Issue:
    """An issue about the ids that the draft has; its file is the document."""
    nodes, edges = (tuple(_own(document, one) for one in ids) for ids in (issue.nodes, issue.edges))
    return replace(issue, nodes=nodes, edges=edges, file=document.name)


def _read(document: Document, domain: Domain, rules: str) -> GraphFile:
    if document.form == "csv":
        return _table(document)
    return read_graph(document.path, "" if domain.name == "workflow" else rules)


def _table(document: Document) -> GraphFile:
    """A table of edges in the form of PrimeKG's, its words put into those of the science domain."""
    head = next(csv.reader(io.StringIO(document.text[:10_000])), [])
    if not set(PRIMEKG) <= set(head):
        message, hint = f"{document.name}: is no table of edges that is known", f"Give columns {', '.join(PRIMEKG)}."
        raise SourceError(message, hint=hint)
    found = read_primekg(Path(document.path))
    nodes = tuple(replace(one, label=PRIMEKG_WORDS.get(one.label, one.label)) for one in found.nodes)
    labels = {one.id: one.label for one in nodes}
    return GraphFile("primekg", GraphSnapshot(nodes, tuple(_turned(one, labels) for one in found.edges)), "science")


def _turned(edge: Link, labels: Mapping[str, str]) -> Link:
    """An edge in the words and direction of the science domain: the thing before its disease or pathway."""
    label = PRIMEKG_WORDS.get(edge.label, edge.label)
    swap = labels[edge.source] in ("Disease", "Pathway") and labels[edge.target] not in ("Disease", "Pathway")
    ends = (edge.target, edge.source) if swap and label != edge.label else (edge.source, edge.target)
    return Link(edge.id, label, *ends, edge.props)


def _lines(text: str) -> list[int]:
    """The character at which each line begins; the first line is 1."""
    starts = [0, 0]
    for at, sign in enumerate(text):
        if sign == "\n":
            starts.append(at + 1)
    return [*starts, len(text) + 1]


def _line(starts: list[int], line: int) -> tuple[int, int]:
    """The characters of a line; of the whole text where no line is known."""
    if 0 < line < len(starts) - 1:
        return starts[line], starts[line + 1] - 1
    return 0, starts[-1] - 1
