"""Find the documents at some paths and their kind: a text, a structured file, or the run of a paper."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kag.agents.ingest.values import Document
from kag.core.errors import SourceError
from kag.core.files import about, hint_for, own_folder, read_regular, shown
from kag.qa.paper import PaperGraph

TEXTS = (".txt", ".md")
FILES = (".json", ".jsonl", ".yml", ".yaml", ".ga", ".cwl", ".graphml", ".csv")
LARGEST = 64 * 1024**2
"""Bytes of a document."""
LAYERS = ("knowledge_graph.ttl", "entity_graph.ttl", "claim_graph.ttl")
RUN = "run"


def documents_at(paths: Sequence[Path]) -> list[tuple[str, Path]]:
    """The name and path of each document at some paths, in order of the names; raises `SourceError`."""
    found: dict[str, Path] = {}
    for path in paths:
        for name, file in _at(path):
            if name in found and found[name].resolve() != file.resolve():
                message = f"{shown(found[name])} and {shown(file)} would both be {name!r}"
                raise SourceError(message, hint="Rename one of them, or give them to different --out folders.")
            found[name] = file
    if not found:
        kinds = ", ".join((*TEXTS, *FILES))
        raise SourceError(f"no documents at {', '.join(map(shown, paths))}", hint=f"Give files ({kinds}) or runs.")
    return sorted(found.items())


def _at(path: Path, inside: str = "") -> Iterator[tuple[str, Path]]:
    """The documents at a path; those in folders of a folder have the folders' names before their own."""
    if not own_folder(path):
        if not path.exists():
            raise SourceError(f"{shown(path)}: no such file or folder", hint="Check the path.")
        yield name_of(path.name), path
        return
    if (path / LAYERS[0]).is_file():
        yield name_of(re.sub(r"_\d{8}T\d{6}Z?(?:-\d+)?\Z", "", path.name)), path
        return
    for inner in sorted(path.iterdir()):
        if inner.name.startswith("."):
            continue
        if own_folder(inner):
            yield from _at(inner, f"{inside}{inner.name}_")
        elif inner.suffix.lower() in (*TEXTS, *FILES):
            yield name_of(inside + inner.name), inner


def name_of(file: str) -> str:
    """The name of a document: that of its file, of letters, digits and `.-_` only.

    >>> name_of("Chapter 1: a storm.txt")
    'Chapter_1_a_storm.txt'
    """
    return re.sub(r"[^\w.-]+", "_", file).strip("._")[:120] or "document"


def read_document(name: str, path: Path) -> Document:
    """A document that is read; raises `SourceError`."""
    if own_folder(path):
        return _run(name, path)
    data = _bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{shown(path)} is not UTF-8", hint="Save it as UTF-8.") from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    form = "text" if path.suffix.lower() in TEXTS else path.suffix.lower().removeprefix(".") or "text"
    return Document(name, text, _digest([data]), form, path)


def _run(name: str, path: Path) -> Document:
    """A run of a paper: its text is what is printed in it, one piece behind the other."""
    parts = [_bytes(path / layer) for layer in LAYERS if (path / layer).is_file()]
    return Document(name, printed(PaperGraph.load(path))[0], _digest(parts), RUN, path)


def printed(paper: PaperGraph) -> tuple[str, dict[str, tuple[int, int]]]:
    """All that is printed in a paper, and the characters of each node in that text."""
    pieces, places, at = [], dict[str, tuple[int, int]](), 0
    for node in paper.nodes.values():
        if node.text and node.iri not in places:
            pieces.append(node.text)
            places[node.iri] = at, at + len(node.text)
            at += len(node.text) + 2
    return "\n\n".join(pieces), places


def _bytes(path: Path) -> bytes:
    try:
        return read_regular(path, LARGEST)
    except OSError as error:
        raise SourceError(about(path, error), hint=hint_for(error)) from error


def _digest(parts: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(hashlib.sha256(part).digest())
    return found.hexdigest()
