"""The sources of `kag search`: a corpus, runs, a database, plain texts or the nodes of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kag.qa.paper import PaperGraph
    from kag.retrieval.chunking import Chunk
    from kag.retrieval.graph.build import Citation
    from kag.retrieval.hits_json_ld import Articles
    from kag.retrieval.index import Index


@dataclass(frozen=True, slots=True)
class Searched:
    """A source to search: an index, the papers that prove its hits, and their metadata."""

    index: Index
    papers: Mapping[str, PaperGraph]
    articles: Articles

    @property
    def years(self) -> Mapping[str, str]:
        """The year of each paper, "" where it is not known."""
        return {name: article.year for name, article in self.articles.items()}


def open_searched(
    corpus: Path | None, graph_dir: Path | None, texts: Path | None, plan: str, database: str, *, layers: bool
) -> Searched:
    """Open the source that the one given option names."""
    if sum(path is not None for path in (corpus, graph_dir, texts, database or None)) != 1:
        raise click.UsageError("Give one of --corpus DIR, --graph-dir RUNS, --texts PATH and --database URL.")
    if database:
        return _of_database(database)
    if corpus:
        return _of_corpus(corpus)
    return _of_runs(graph_dir, plan, layers) if graph_dir else _of_texts(texts or Path(), plan)


def _of_corpus(root: Path) -> Searched:
    from kag.corpus.search_index import articles, open_index
    from kag.corpus.store import open_corpus

    opened = open_corpus(root)
    return Searched(open_index(root), opened.library(), articles(opened.layout))


def _of_runs(path: Path, plan: str, layers: bool) -> Searched:
    """Index the papers of runs for this one search; with `layers` their findings are included."""
    from kag.qa.chunks import articles, chunks, citations
    from kag.qa.faceted_chunks import faceted_chunks
    from kag.qa.library import open_library

    library = open_library(path)
    papers = {name: library[name] for name in library}
    cited = citations(papers.values())
    cut = [faceted_chunks(paper, chunks(paper)) if layers else chunks(paper) for paper in papers.values()]
    index = _index((chunk for found in cut for chunk in found), plan, cited)
    return Searched(index, papers, articles(papers, cited))


def _of_database(url: str) -> Searched:
    from kag.corpus.search_index import LOCAL, embedder_named
    from kag.export.cypher_databases import database_at, read_index

    with database_at(url) as database:
        return Searched(read_index(database, embedder_named(LOCAL)), {}, {})


def _of_texts(path: Path, plan: str) -> Searched:
    """Plain texts, or the nodes of a graph, with an index made for this one search."""
    from kag.retrieval.chunking import text_chunks

    if path.suffix.lower() in (".json", ".graphml"):
        from kag.kgrag.files import record_index

        return Searched(record_index(path), {}, {})

    return Searched(_index(text_chunks(path), plan), {}, {})


def _index(chunks: Iterable[Chunk], plan: str, cited: Sequence[Citation] = ()) -> Index:
    """An index over chunks; a graph only where the plan walks it."""
    from kag.retrieval.graph.build import chunk_graph
    from kag.retrieval.index import Index
    from kag.retrieval.retrieve import WALKING

    index = Index.build(chunks)
    if plan in WALKING:
        index.edges = chunk_graph(index, cited)
    return index
