"""The text and vector index of a corpus: the chunks of all its papers, each with the version it was cut from.

The index itself says what it lacks. It follows the corpus and is never part of a change: a writer updates it when its
changes are safe, or the next reader does where that writer was killed. A graph over the chunks is updated with it where
one was made: new chunks have their own links at once, edges of similarity later. Vectors come from a network on this
machine or from an endpoint that the user states.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kag.core import checksums
from kag.core.display import Progress, quiet
from kag.core.errors import CorpusBusy, CorpusError, CorpusReadOnly, ModelError, RunError
from kag.core.files import own_file, read_regular
from kag.corpus import catalogue, shared_works
from kag.corpus.layout import Layout, file_errors
from kag.corpus.transaction import Writer, open_writer
from kag.indexing.run import layers_of
from kag.qa.chunks import chunks
from kag.qa.faceted_chunks import faceted_chunks
from kag.qa.paper import PaperGraph
from kag.retrieval import embedders
from kag.retrieval.embedders import STATED, Endpoint, endpoint_of
from kag.retrieval.engines.moving import lost, place
from kag.retrieval.facets import LAYERS
from kag.retrieval.graph.build import Citation, chunk_graph, followed, waiting
from kag.retrieval.graph.entities import entities
from kag.retrieval.hits_json_ld import Article
from kag.retrieval.index import CURRENT, Index, current
from kag.retrieval.vectors import Embedder, VectorIndex

if TYPE_CHECKING:
    from kag.retrieval.chunking import Chunk
    from kag.retrieval.vectors import Vectors

LOCAL = "bge-small"
"""How the user names the network of this machine, which `--vectors` takes."""


@cache
def local_network() -> embedders.BgeSmall:
    """The network of this machine; raises `MissingExtra`."""
    return embedders.BgeSmall()


def embedder_named(words: str) -> embedders.BgeSmall | Endpoint:
    """Return the embedder that the user names: this machine's network, or URL#MODEL; raises `MissingExtra`,
    `ModelError`."""
    if words == LOCAL:
        return local_network()
    if "#" not in words:
        raise ModelError(f"{words!r} makes no vectors", hint=f"Give {LOCAL}, or URL#MODEL for a server.")
    return endpoint_of(words)


def embedder_of(model: str) -> Embedder:
    """Return the embedder of an index's vectors; it is opened when first needed, never by a word search."""
    return (lambda texts: local_network()(texts)) if is_local(model) else _by_endpoint(model)


def is_local(model: str) -> bool:
    """Whether this machine's network made the vectors of a model."""
    return model.startswith(embedders.BGE)


def _by_endpoint(model: str) -> Embedder:
    """The endpoint that made an index's vectors, if it is the one that the user states; asked when first needed."""

    def embedded(texts: Sequence[str]) -> Vectors:
        stated = os.environ.get(STATED, "")
        endpoint = endpoint_of(stated) if stated and stated != LOCAL else None
        if endpoint is None or endpoint.id != model:
            hint = f"State it as URL#MODEL in {STATED}, make them again (--embeddings {LOCAL}), or take plan bm25."
            raise ModelError(f"the vectors of this corpus are by {model}", hint=hint)
        return endpoint(texts)

    return embedded


VERSION, DESCRIBED = "version", "described"
"""Keys of a chunk's metadata: the version of the paper that it was cut from, and who named what is in it."""

_REPAIR = "Run `kag corpus check --repair`, which makes it again from the papers."
REPLIES = "replies.jsonl"
"""File in the index's folder with what a describer wrote, until all of it is in the index."""


@dataclass(frozen=True, slots=True)
class Describer:
    """An annotator of names in chunks, in place of rules: a `name`, and a function of a paper's chunks.

    It gives None when it can do no more: what was there stays, and the paper is up for the next one.
    """

    name: str
    describe: Callable[[Sequence[Chunk]], Sequence[Chunk] | None]


@dataclass(frozen=True, slots=True)
class Step:
    """Work needed to update an index: the changed `papers`, and the number of chunks that wait for likeness."""

    papers: tuple[str, ...]
    chunks: int
    waiting: int = 0


def make_index(
    writer: Writer,
    *,
    vectors: bool = False,
    graph: bool = False,
    embedder: str = "",
    describer: Describer | None = None,
    engines: Sequence[str] = (),
    progress: Progress = quiet,
) -> Step:
    """Bring the index into step, making it when there is none.

    Vectors are made when requested, and from then on: by a network on this machine, or by
    `embedder` (`embedder_named`), which makes all of them again where another model made them. So is a graph, but
    what all chunks are compared for is made only when requested. A `describer` is given the chunks that it has not
    described; `progress` is called after each paper. Raises `MissingExtra` and `ModelError`.
    """
    layout = writer.layout
    index = read_index(layout) if has_index(layout) else Index.build(())
    if embedder:
        model = embedder_named(embedder)
        if index.vectors is None or index.model != model.id:
            index = _with_vectors(index, model)
        index.embed = model
    elif vectors and index.vectors is None:
        index = _with_vectors(index, embedder_named(LOCAL))
    behind = out_of_step(layout, index)
    requested = bool(embedder or vectors or graph or engines or not has_index(layout))
    if behind or requested or describer:
        _require_sound(layout)
    done, gone = _followed(layout, index, behind, progress)
    named = _named(layout, index, describer, progress) if describer else {}
    for paper, described in named.items():
        gone.update(_put(index, paper, described))
    if graph:
        index.edges = chunk_graph(index, citations_of(layout))
    elif gone.union(done) and index.edges is not None:
        index.edges = followed(index.edges, index, gone, citations_of(layout))
    if requested:
        place(index, engines)
    if done or named or requested:
        with file_errors(layout.search):
            index.save(layout.search)
    return Step(done, len(index.chunks), waiting(index.edges) if index.edges is not None else 0)


def _followed(
    layout: Layout, index: Index, behind: Mapping[str, str | None], progress: Progress
) -> tuple[tuple[str, ...], set[str]]:
    """Bring papers into step; gives those that are, and the chunks that went.

    One whose files are damaged stays as it is; `kag.corpus.check` names it.
    """
    done: list[str] = []
    gone: set[str] = set()
    for number, (paper, version) in enumerate(behind.items(), start=1):
        with suppress(RunError):
            gone.update(_put(index, paper, _chunks(layout, paper, version) if version else ()))
            done.append(paper)
        progress("papers cut into chunks", number, len(behind))
    return tuple(done), gone


def _put(index: Index, paper: str, fresh: Sequence[Chunk]) -> tuple[str, ...]:
    """Give a paper these chunks in place of those that it had, which are returned."""
    old = index.of_document(paper)
    index.delete(old)
    index.add(fresh)
    return old


def has_index(layout: Layout) -> bool:
    """Whether the corpus has an index."""
    return own_file(layout.search / CURRENT)


def indexed(root: Path) -> bytes:
    """The name of the current search index of a corpus; empty if there is none."""
    layout = Layout(root)
    return read_regular(layout.search / CURRENT, 100) or b"-" if has_index(layout) else b""


def _require_sound(layout: Layout) -> None:
    """Raise `CorpusError` where the index is damaged: what is written anew would have checksums of the damage."""
    bad = damage(layout) if has_index(layout) else ()
    if bad:
        raise CorpusError(f"{layout.search / bad[0]} of the search index is damaged", hint=_REPAIR)


def damage(layout: Layout) -> tuple[str, ...]:
    """The files of the index that are not as they were written, by all their bytes; raises `CorpusError`."""
    with _index_errors(layout):
        name = current(layout.search)
    return tuple(f"{name}/{file}" for file in checksums.damaged(layout.search / name))


def open_index(root: Path) -> Index:
    """The index for searching, in step unless a writer is at work; raises `CorpusError` when there is none."""
    layout = Layout(root)
    layout.require()
    if not indexed(root):
        hint = "Make it: `kag corpus index --corpus DIR`, in Python `Corpus.index`."
        raise CorpusError(f"{root} has no search index", hint=hint)
    index = read_index(layout)
    if not out_of_step(layout, index):
        return index
    try:
        with open_writer(root) as writer:
            make_index(writer)
    except CorpusBusy:
        return index  # somebody is writing, and will bring it into step
    except CorpusReadOnly:
        return index  # nobody can
    return read_index(layout)


def out_of_step(layout: Layout, index: Index) -> Mapping[str, str | None]:
    """The papers whose chunks are not those of the corpus, or lack its layers; with the version they should have."""
    held, layered = _held(index, VERSION), _held(index, LAYERS)
    with catalogue.open_tables(layout.tables) as rows:
        wanted: dict[str, str | None] = {paper.id: paper.version for paper in catalogue.papers(rows)}

    def bare(name: str) -> bool:
        return layered[name] != _layers(layout, name, held[name] or "")

    names = sorted({*held, *wanted})
    return {name: wanted.get(name) for name in names if held.get(name) != wanted.get(name) or bare(name)}


def _layers(layout: Layout, paper: str, version: str) -> str | None:
    """The layers of a paper as its chunks name them; none where it has none."""
    return " ".join(sorted(layers_of(layout.paper(paper, version)))) or None


def _held(index: Index, key: str) -> Mapping[str, str | None]:
    """Return a key's value of each paper: that of its first chunk."""
    with index.whole():
        return {paper: index.chunks[index.of_document(paper)[0]].metadata.get(key) for paper in index.documents}


def _named(layout: Layout, index: Index, describer: Describer, progress: Progress) -> Mapping[str, Sequence[Chunk]]:
    """The chunks of the papers that a describer has not described yet, as far as it comes."""
    done, versions = _held(index, DESCRIBED), _held(index, VERSION)
    waiting = [paper for paper in index.documents if done[paper] != describer.name]
    found: dict[str, Sequence[Chunk]] = {}
    for number, paper in enumerate(waiting, start=1):
        described = describer.describe(_chunks(layout, paper, versions[paper] or ""))
        if described is None:
            break
        found[paper] = [replace(chunk, metadata={**chunk.metadata, DESCRIBED: describer.name}) for chunk in described]
        progress("papers described", number, len(waiting))
    return found


def citations_of(layout: Layout) -> list[Citation]:
    """Return the citations between papers, with their references."""
    with catalogue.open_tables(layout.tables) as rows:
        return [Citation(*row) for row in shared_works.references(rows)]


def articles(layout: Layout) -> Mapping[str, Article]:
    """Return the metadata of the papers of a corpus by id, for JSON-LD."""
    with catalogue.open_tables(layout.tables) as rows:
        cited: dict[str, set[str]] = {}
        for citing, work in shared_works.citations(rows):
            cited.setdefault(citing, set()).add(work)
        return {
            paper.id: Article(paper.iri, paper.title, paper.year, paper.doi, tuple(sorted(cited.get(paper.iri, ()))))
            for paper in catalogue.papers(rows)
        }


def read_index(layout: Layout) -> Index:
    """The index as it was saved; raises `CorpusError` when it is damaged or was made by another version of kag."""
    with _index_errors(layout):
        index = Index.load(layout.search)
    if index.vectors is not None:
        index.embed = embedder_of(index.model)
    return index


def lost_of(layout: Layout, index: Index) -> tuple[str, ...]:
    """Describe the parts of an index that engines no longer hold; raises `CorpusError`."""
    with _index_errors(layout):
        return lost(index)


@contextmanager
def _index_errors(layout: Layout) -> Iterator[None]:
    try:
        yield
    except RunError as error:
        raise CorpusError(f"the search index cannot be read: {error.message}", hint=_REPAIR) from error


def _with_vectors(index: Index, embed: Embedder) -> Index:
    """The same chunks in an index with the vectors of an embedder."""
    fresh = Index(index.sparse, VectorIndex(), embed)
    fresh.add(index.chunks.values())
    fresh.edges, fresh.edges_at, fresh.engines = index.edges, index.edges_at, index.engines
    return fresh


def _chunks(layout: Layout, paper: str, version: str) -> list[Chunk]:
    graph = PaperGraph.load(layout.paper(paper, version))
    found = faceted_chunks(graph, chunks(graph, entities))
    return [replace(chunk, metadata={**chunk.metadata, VERSION: version}) for chunk in found]
