"""Texts as passages: cut where what is said changes, with the ids of the nodes that each names as its metadata."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kag.core.errors import BadValue, SourceError
from kag.core.files import about, hint_for, parse_json, read_regular, shown
from kag.kgrag.context.passage import Metadata, Passage, checked_passage
from kag.kgrag.facade import DomainGraph
from kag.retrieval.plain_texts import text_chunks

FORM = 'Give a line for each passage: {"id": "p1", "text": "...", "metadata": {"eventIds": ["e1"]}}'
DOCUMENT, PROJECT = "document", "projectId"


def read_passages(path: Path, graph: DomainGraph, project: str) -> tuple[Passage, ...]:
    """The passages in a .jsonl file, without those of other projects; or of texts, tagged. Raises `SourceError`."""
    if path.suffix.lower() == ".jsonl":
        return tuple(_rows(path, project))
    return tuple(passages_of(((f"{chunk.id}", chunk.text, chunk.document) for chunk in text_chunks(path)), graph))


def passages_of(texts: Iterable[tuple[str, str, str]], graph: DomainGraph) -> Iterator[Passage]:
    """Passages from (id, text, document), each with the ids of the nodes that it names."""
    for name, text, document in texts:
        yield Passage(name, text, {DOCUMENT: (document,), **named_in(text, graph)})


def named_in(text: str, graph: DomainGraph) -> Metadata:
    """The nodes that a text names, under the keys by which their labels are filtered."""
    found: dict[str, dict[str, None]] = {}
    for nodes in graph.asking.names.find(text):
        for node in nodes:
            key = graph.domain.metadata.get(graph.graph.node(node).label)
            if key:
                found.setdefault(key, {})[node] = None
    return {key: tuple(ids) for key, ids in sorted(found.items())}


def _rows(path: Path, project: str) -> Iterator[Passage]:
    try:
        lines = read_regular(path).decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        hint = hint_for(error) if isinstance(error, OSError) else "Save it as UTF-8."
        why = about(path, error) if isinstance(error, OSError) else f"{shown(path)}: is no UTF-8"
        raise SourceError(why, hint=hint) from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                passage = _passage(parse_json(line))
            except (BadValue, ValueError, RecursionError) as error:
                raise SourceError(f"{shown(path)}:{number}: {str(error)[:200]}", hint=FORM) from error
            if passage.metadata.get(PROJECT, (project,)) == (project,):
                yield passage


def _passage(row: Any) -> Passage:
    if not isinstance(row, dict) or not isinstance(row.get("metadata", {}), dict):
        raise BadValue("is no passage", hint=FORM)
    return checked_passage(Passage(row.get("id", ""), row.get("text", ""), row.get("metadata", {})))
