"""What a plan searches: chunks by id, their words, their vectors, and what else is known of them."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kag.errors import InvalidOperation, MissingExtra, RunError
from kag.graph.property_graph import PropertyGraph
from kag.graph.snapshot import from_lines, to_lines
from kag.retrieve.chunk import Chunk, ChunkKind
from kag.retrieve.similarity import Embedder
from kag.retrieve.sparse import Sparse
from kag.retrieve.vectors import VectorIndex

CURRENT, CHUNKS, SPARSE, VECTORS, MODEL = "current", "chunks.jsonl", "sparse", "vectors", "model"
EDGES = "edges.jsonl"


class Index:
    """Chunks by id, a BM25 index and, where there is an embedder, vectors. `edges` is the graph over them that
    plans expand in, where somebody made one (`kag.retrieve.edges.sage_graph`); it is saved with the index.

    An embedder's `id`, where it has one, names its model: vectors are opened only with the model that made them.
    """

    def __init__(self, sparse: Sparse, vectors: VectorIndex | None = None, embed: Embedder | None = None) -> None:
        self.sparse, self.vectors, self.embed = sparse, vectors, embed
        self.edges: PropertyGraph | None = None
        self._model = ""  # what the vectors were made by, where they were loaded
        self._chunks: dict[str, Chunk] = {}
        self._documents: dict[str, dict[str, None]] = {}

    @classmethod
    def build(cls, chunks: Iterable[Chunk], embed: Embedder | None = None) -> Index:
        """An index over chunks; without an embedder it has no vectors."""
        index = cls(Sparse(), VectorIndex() if embed else None, embed)
        index.add(chunks)
        return index

    @property
    def chunks(self) -> Mapping[str, Chunk]:
        """The chunks by id, in the order in which they were added."""
        return self._chunks

    def of_document(self, document: str) -> tuple[str, ...]:
        """The ids of a document's chunks."""
        return tuple(self._documents.get(document, ()))

    def within(self, documents: Collection[str]) -> frozenset[str] | None:
        """The ids of the chunks of these documents; None, which is all, where none are given."""
        if not documents:
            return None
        return frozenset(name for document in documents for name in self.of_document(document))

    def add(self, chunks: Iterable[Chunk]) -> None:
        """Add chunks; one with an id that is there takes its place."""
        new = {chunk.id: chunk for chunk in chunks}
        self._forget(new)
        self.sparse.add((chunk.id, chunk.document, searched(chunk)) for chunk in new.values())
        if self.vectors is not None and new:
            self.vectors.add(list(new), self.embedder([chunk.text for chunk in new.values()]))
        self._remember(new.values())

    def delete(self, ids: Iterable[str]) -> None:
        """Take chunks out; unknown ids do nothing."""
        gone = [name for name in dict.fromkeys(ids) if name in self._chunks]
        self.sparse.delete(gone)
        if self.vectors is not None:
            self.vectors.delete(gone)
        self._forget(gone)

    @property
    def embedder(self) -> Embedder:
        """The embedder; raises `MissingExtra` where the index was opened without the one its vectors need."""
        if self.embed is None:
            raise MissingExtra(
                "this index has no embedder", hint="Open it with the embedder it was built with, or search by BM25."
            )
        return self.embed

    def save(self, folder: Path) -> None:
        """Write the index into a folder in one step: whoever opens it sees the old one or the new one whole."""
        folder.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix="index-", dir=folder))
        lines = (json.dumps(_as_json(chunk), ensure_ascii=False) + "\n" for chunk in self._chunks.values())
        with (new / CHUNKS).open("w", encoding="utf-8") as file:
            file.writelines(lines)
        self.sparse.save(new / SPARSE)
        if self.vectors is not None:
            self.vectors.save(new / VECTORS)
            (new / VECTORS / MODEL).write_text(self._model or _name(self.embed), encoding="utf-8")
        if self.edges is not None:
            with (new / EDGES).open("w", encoding="utf-8") as file:
                file.writelines(to_lines(self.edges))
        pointer = folder / f".{CURRENT}-{new.name}"
        pointer.write_text(new.name, encoding="utf-8")
        os.replace(pointer, folder / CURRENT)
        for old in folder.glob("index-*"):
            if old != new:
                shutil.rmtree(old, ignore_errors=True)

    @classmethod
    def load(cls, folder: Path, embed: Embedder | None = None) -> Index:
        """Open what `save` wrote; what is changed afterwards is kept by saving again. Raises `RunError`."""
        while True:
            name = _current(folder)
            try:
                return cls._open(folder / name, embed)
            except RunError:
                if _current(folder) == name:  # else it was saved again meanwhile, and the old files are gone
                    raise

    @classmethod
    def _open(cls, here: Path, embed: Embedder | None) -> Index:
        try:
            with (here / CHUNKS).open(encoding="utf-8") as lines:
                chunks = [_from_json(json.loads(line)) for line in lines]
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise RunError(f"{here} holds no index: {error}", hint="Build the index again.") from error
        vectors = VectorIndex.load(here / VECTORS) if (here / VECTORS).is_dir() else None
        index = cls(Sparse.load(here / SPARSE), vectors, embed)
        if vectors is not None:
            index._model = _same_model(here / VECTORS / MODEL, embed)
        index._remember(chunks)
        index.edges = _edges(here / EDGES)
        return index

    def _remember(self, chunks: Iterable[Chunk]) -> None:
        for chunk in chunks:
            self._chunks[chunk.id] = chunk
            self._documents.setdefault(chunk.document, {})[chunk.id] = None

    def _forget(self, ids: Iterable[str]) -> None:
        for name in ids:
            if known := self._chunks.pop(name, None):
                self._documents[known.document].pop(name)
                if not self._documents[known.document]:
                    del self._documents[known.document]


def searched(chunk: Chunk) -> str:
    """What of a chunk is searched by words: its text, behind title and topic where it does not begin with them."""
    heads = (head for head in (chunk.title, chunk.topic) if head and head not in chunk.text[:400])
    return "\n".join((*heads, chunk.text))


def _current(folder: Path) -> str:
    """The name of the folder that holds the index now; raises `RunError`."""
    try:
        return (folder / CURRENT).read_text(encoding="utf-8")
    except OSError as error:
        raise RunError(f"{folder} holds no index: {error}", hint="Build the index again.") from error


def _name(embed: Embedder | None) -> str:
    """What an embedder calls its model; empty for a plain function."""
    return str(getattr(embed, "id", ""))


def _same_model(file: Path, embed: Embedder | None) -> str:
    """The model that vectors were made by; raises `RunError` where the embedder is another."""
    try:
        model = file.read_text(encoding="utf-8")
    except OSError as error:
        raise RunError(f"{file.parent} does not say whose vectors it holds", hint="Build the index again.") from error
    if embed is not None and _name(embed) != model:
        raise RunError(
            f"{file.parent} holds vectors of {model or 'a nameless model'}, not of {_name(embed) or 'this one'}",
            hint="Give the same model, or build the index again.",
        )
    return model


def _edges(file: Path) -> PropertyGraph | None:
    """The graph that was saved with an index; None where there was none. Raises `RunError`."""
    if not file.is_file():
        return None
    try:
        with file.open(encoding="utf-8") as lines:
            return from_lines(lines)
    except (OSError, ValueError, InvalidOperation) as error:
        raise RunError(f"{file} holds no graph: {error}", hint="Build the index again.") from error


def _as_json(chunk: Chunk) -> dict[str, Any]:
    """A chunk without its empty fields."""
    return {name: value for name, value in asdict(chunk).items() if value}


def _from_json(row: dict[str, Any]) -> Chunk:
    lists = {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
    return Chunk(**{**row, **lists, "kind": ChunkKind(row["kind"])})
