"""The papers of a database that speaks Cypher as an index to search: what `kag push` wrote, read back.

Chunks come with their vectors where they were pushed with `--embed`; SIMILAR and NEXT are the edges that plans walk.
"""

from __future__ import annotations

from collections.abc import Sequence

from kag.core.errors import StoreError
from kag.export.stores.cypher_push import Database
from kag.retrieval.chunk import Chunk, ChunkKind
from kag.retrieval.graph.edges import DOC_DOC
from kag.retrieval.graph.links import NEXT
from kag.retrieval.index import Index
from kag.retrieval.meaning.arrays import Vectors, normalised, np
from kag.retrieval.meaning.similarity import Embedder
from kag.retrieval.property_graph.compact import CompactGraph
from kag.retrieval.property_graph.property_graph import Edge, Node

_CHUNKS = (
    "MATCH (c:Chunk)-[:BELONGS_TO]->(p:Paper) RETURN c.id, c.text, c.section, c.kind, c.pages, p.id, p.title, "
    "c.embedding ORDER BY p.id, c.position"
)
_LINKS = {
    DOC_DOC: "MATCH (a:Chunk)-[r:SIMILAR]->(b:Chunk) RETURN a.id, b.id, r.score ORDER BY a.id, b.id",
    NEXT: "MATCH (a:Chunk)-[:NEXT]->(b:Chunk) RETURN a.id, b.id, 1.0 ORDER BY a.id, b.id",
}


def read_index(database: Database, embed: Embedder) -> Index:
    """An index over the chunks of a database; `embed` makes vectors of questions. Raises `StoreError`."""
    rows = database.ask(_CHUNKS)
    if not rows:
        raise StoreError(f"{database.name} holds no chunks", hint="Put papers there first: kag push URL RUNS --embed.")
    chunks = [_chunk(row) for row in rows]
    vectors = {chunk.text: row[7] for chunk, row in zip(chunks, rows, strict=True) if row[7]}

    def known(texts: Sequence[str]) -> Vectors:
        if all(text in vectors for text in texts):
            return normalised(np.array([vectors[text] for text in texts], dtype=np.float32))
        return embed(texts)

    index = Index.build(chunks, known if len(vectors) == len({chunk.text for chunk in chunks}) else None)
    edges = (Edge(a, b, label, float(score)) for label, text in _LINKS.items() for a, b, score in database.ask(text))
    index.edges = CompactGraph((Node(chunk.id, str(chunk.kind)) for chunk in chunks), edges)
    return index


def _chunk(row: Sequence[object]) -> Chunk:
    id, text, section, kind, pages, paper, title = (str(value or "") for value in row[:7])
    about = {"kind": kind, "pages": pages}
    return Chunk(
        id,
        text,
        ChunkKind.TABLE if kind == "table" else ChunkKind.DOCUMENT,
        document=paper,
        title=title,
        topic=section,
        sources=(id,),
        metadata={key: value for key, value in about.items() if value},
    )
