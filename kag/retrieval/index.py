"""The index that a plan searches: chunks by id, their words, vectors and metadata."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from secrets import token_hex

from kag.core import checksums
from kag.core.errors import MissingExtra, RunError
from kag.core.files import own_folder, read_regular, remove_inside, write_whole
from kag.retrieval.chunk_store import CHUNKS, PLACES, ChunkStore, Counts
from kag.retrieval.chunking import Chunk
from kag.retrieval.engines.placing import EdgesAt, Engines, open_edges, open_vectors, open_words
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.sparse import Sparse, words_of
from kag.retrieval.vectors import AGAIN, Embedder, VectorIndex

CURRENT, SPARSE, VECTORS, MODEL, EDGES = "current", "sparse", "vectors", "model", "edges"
_NAME = re.compile(r"index-[a-z0-9_]{8}")
BROKEN = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, MemoryError, RecursionError)
ADDED = 20_000  # chunks added at once: so many are in memory


class Index:
    """Chunks by id, a BM25 index and, where there is an embedder, vectors. `edges` is the graph over them that
    plans expand in, where somebody made one (`kag.retrieval.graph.build.sage_graph`); it is saved with the index.

    An embedder's `id`, where it has one, names its model: vectors are opened only with the model that made them.
    """

    def __init__(self, sparse: Sparse, vectors: VectorIndex | None = None, embed: Embedder | None = None) -> None:
        self.sparse, self.vectors, self.embed = sparse, vectors, embed
        self.edges: CompactGraph | None = None
        self.engines: Engines = {}  # who holds which part; files do the others
        self.edges_at: EdgesAt | None = None
        self.changes = 0  # since it was opened: what is made from its chunks holds as long as this is the same
        self._saved: Path | None = None  # the folder that it was opened from or written to
        self._model = ""  # what the vectors were made by, where they were loaded
        self._chunks = ChunkStore()
        self._documents: dict[str, dict[str, None]] = {}

    @classmethod
    def build(cls, chunks: Iterable[Chunk], embed: Embedder | None = None) -> Index:
        """An index over chunks; without an embedder it has no vectors."""
        index = cls(Sparse(), VectorIndex() if embed is not None else None, embed)
        index.add(chunks)
        return index

    @property
    def chunks(self) -> Mapping[str, Chunk]:
        """The chunks by id, in the order in which they were added; each is read from a file when it is asked for."""
        return self._chunks

    def counts(self, name: str) -> Counts:
        """Return the frequency of each word, in the form of `words_of`, in a chunk's searchable text."""
        return self._chunks.counts(name)

    def amounts(self, name: str, words: Sequence[str]) -> tuple[int, list[int]]:
        """Return a chunk's number of words, and the frequency of each of these (`ChunkStore.amounts`)."""
        return self._chunks.amounts(name, words)

    @property
    def documents(self) -> list[str]:
        """The names of all documents, sorted."""
        return sorted(self._documents)

    def of_document(self, document: str) -> tuple[str, ...]:
        """The ids of a document's chunks."""
        return tuple(self._documents.get(document, ()))

    def within(self, documents: Collection[str]) -> frozenset[str] | None:
        """The ids of the chunks of these documents; None, which is all, where none are given."""
        if not documents:
            return None
        return frozenset(name for document in documents for name in self.of_document(document))

    def spans(self, documents: Collection[str]) -> bool:
        """Whether these documents, or all where none are given, are more than one; chunks may be of none."""
        names = documents or self._documents
        return len(names) > 1 or "" in names

    def add(self, chunks: Iterable[Chunk]) -> None:
        """Add chunks, some at a time; one with an id that is there takes its place."""
        left = iter(chunks)
        while new := {chunk.id: chunk for chunk in islice(left, ADDED)}:
            self._forget(new)
            counts: dict[str, Counts] = {}
            self.sparse.add_words(_words(new.values(), counts))
            if self.vectors is not None:
                self.vectors.add(list(new), self.embedder([chunk.text for chunk in new.values()]))
            self._remember(new.values(), counts)

    def delete(self, ids: Iterable[str]) -> None:
        """Take chunks out; unknown ids do nothing."""
        gone = [name for name in dict.fromkeys(ids) if name in self._chunks]
        self.sparse.delete(gone)
        if self.vectors is not None:
            self.vectors.delete(gone)
        self._forget(gone)

    @property
    def model(self) -> str:
        """Return the name of the vectors' model; "" if it has no name or there are no vectors."""
        return self._model or _name(self.embed)

    @property
    def embedder(self) -> Embedder:
        """The embedder; raises `MissingExtra` where the index was opened without the one its vectors need."""
        if self.embed is None:
            raise MissingExtra(
                "this index has no embedder", hint="Open it with the embedder it was built with, or search by BM25."
            )
        return self.embed

    def save(self, folder: Path) -> None:
        """Write the index into a folder atomically: readers see the old one or the new one."""
        folder.mkdir(parents=True, exist_ok=True)
        before = list(folder.glob("index-*"))
        new = folder / f"index-{token_hex(4)}"
        new.mkdir()
        try:
            self._write(new)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        write_whole(folder / CURRENT, new.name)
        self._saved = new
        for old in before:
            if _NAME.fullmatch(old.name):
                with suppress(OSError):  # it is in nobody's way
                    remove_inside(folder, old)

    def _write(self, new: Path) -> None:
        self._chunks.save(new, self._documents)
        self.sparse.save(new / SPARSE)
        if self.vectors is not None:
            self.vectors.save(new / VECTORS)
            (new / VECTORS / MODEL).write_text(self.model, encoding="utf-8")
        if self.edges is not None and self.edges_at is not None:
            self.edges_at.save(self.edges, new / EDGES)
        elif self.edges is not None:
            self.edges.save(new / EDGES)
        checksums.seal(new, self._saved)

    @classmethod
    def load(cls, folder: Path, embed: Embedder | None = None) -> Index:
        """Open what `save` wrote; what is changed afterwards is kept by saving again. Raises `RunError`."""
        while True:
            name = current(folder)
            try:
                return cls._open(folder / name, embed)
            except (RunError, OSError) as error:
                if current(folder) == name:  # else it was saved again meanwhile, and the old files are gone
                    raise error if isinstance(error, RunError) else RunError(str(error), hint=AGAIN) from error

    @classmethod
    def salvage(cls, here: Path, bad: Collection[str]) -> Index:
        """Return the intact part of a saved index of which some files are `bad` (see `kag.core.checksums.damaged`).

        Words are indexed again from the chunks; without whole chunks nothing is kept. Vectors and edges are left out
        where they are damaged. One that has no checksums, from earlier versions, is taken as it is. Raises `RunError`.
        """
        parts = {name.partition("/")[0] for name in bad}
        if parts & {CHUNKS, PLACES} or ((here / checksums.NAME).exists() and checksums.NAME in parts):
            return cls(Sparse())
        chunks, documents = ChunkStore.load(here)
        engines: Engines = {}
        index = cls(Sparse() if SPARSE in parts else open_words(here / SPARSE, engines))
        index._chunks, index._documents, index.engines = chunks, documents, engines
        if SPARSE in parts:
            index.sparse.add_words(_words(chunks.values(), {}))
        if (here / VECTORS).is_dir() and VECTORS not in parts:
            index.vectors = open_vectors(here / VECTORS, engines)
            index._model = _same_model(here / VECTORS / MODEL, None)
        if (here / EDGES).is_dir() and EDGES not in parts:
            index.edges, index.edges_at = open_edges(here / EDGES, engines)
        return index

    @contextmanager
    def whole(self) -> Iterator[None]:
        """For asking an index that was opened: what breaks there is its files; raises `RunError`.

        Files are mapped and read when they are needed, so damage shows late.
        """
        try:
            yield
        except (
            LookupError,
            ValueError,
            TypeError,
            AttributeError,
            ArithmeticError,
            MemoryError,
            RecursionError,
        ) as error:
            if self._saved is None:
                raise
            what = f"{type(error).__name__} {error}".replace("\n", " ")[:200]
            raise RunError(f"{self._saved} is damaged: {what}", hint=AGAIN) from error

    @classmethod
    def _open(cls, here: Path, embed: Embedder | None) -> Index:
        if changed := checksums.changed(here):
            raise RunError(f"{here / changed[0]} is not what was written", hint=AGAIN)
        chunks, documents = ChunkStore.load(here)
        engines: Engines = {}
        vectors = open_vectors(here / VECTORS, engines) if (here / VECTORS).is_dir() else None
        index = cls(open_words(here / SPARSE, engines), vectors, embed)
        if vectors is not None:
            index._model = _same_model(here / VECTORS / MODEL, embed)
        index._chunks, index._documents, index._saved = chunks, documents, here
        if (here / EDGES).is_dir():
            index.edges, index.edges_at = open_edges(here / EDGES, engines)
        index.engines = engines
        if "words" in engines and len(chunks) and not len(index.sparse):
            raise RunError(f"{engines['words'].id} holds none of the {len(chunks)} texts of {here}", hint=AGAIN)
        return index

    def _remember(self, chunks: Collection[Chunk], counts: Mapping[str, Counts]) -> None:
        self.changes += 1
        self._chunks.add(chunks, counts)
        for chunk in chunks:
            self._documents.setdefault(chunk.document, {})[chunk.id] = None

    def _forget(self, ids: Iterable[str]) -> None:
        gone = [name for name in ids if name in self._chunks]
        self.changes += 1
        for name in gone:
            document = self._chunks[name].document
            self._documents[document].pop(name)
            if not self._documents[document]:
                del self._documents[document]
        self._chunks.delete(gone)


def searched(chunk: Chunk) -> str:
    """Return the searchable text of a chunk: its text, behind title and topic unless it begins with them."""
    heads = (head for head in (chunk.title, chunk.topic) if head and head not in chunk.text[:400])
    return "\n".join((*heads, chunk.text))


def _words(chunks: Iterable[Chunk], counts: dict[str, Counts]) -> Iterator[tuple[str, str, list[str]]]:
    """Chunks as (id, document, words); what each has of a word is counted in passing."""
    for chunk in chunks:
        words = words_of(searched(chunk))
        counts[chunk.id] = Counter(words)
        yield chunk.id, chunk.document, words


def current(folder: Path) -> str:
    """The name of the folder that holds the index now; raises `RunError`."""
    try:
        name = read_regular(folder / CURRENT, 100).decode("ascii")
    except (OSError, ValueError) as error:
        raise RunError(f"{folder} holds no index: {error}", hint=AGAIN) from error
    if not _NAME.fullmatch(name) or not own_folder(folder / name):
        raise RunError(f"{folder / CURRENT} names no index: {name!r}", hint=AGAIN)
    return name


def _name(embed: Embedder | None) -> str:
    """Return the name of an embedder's model; "" for a plain function."""
    return str(getattr(embed, "id", ""))


def _same_model(file: Path, embed: Embedder | None) -> str:
    """The model that vectors were made by; raises `RunError` where the embedder is another."""
    try:
        model = read_regular(file, 10_000).decode("utf-8")
    except (OSError, ValueError) as error:
        raise RunError(f"{file.parent} does not say whose vectors it holds", hint=AGAIN) from error
    if embed is not None and _name(embed) != model:
        raise RunError(
            f"{file.parent} holds vectors of {model or 'a nameless model'}, not of {_name(embed) or 'this one'}",
            hint="Give the same model, or build the index again.",
        )
    return model
