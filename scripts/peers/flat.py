"""Peers that search by words, by vectors and by both.

Where a default differs from the setting that the peer's documents recommend, both are methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from peers.peer import Method, Pool, Search

DEEP = 100  # of each ranking that a fusion looks at, at least; kag's own fusions look as deep


def bm25s(pool: Pool, folder: Path) -> Iterator[Method]:
    """bm25s with its defaults, and with the stemmer of its README."""
    import bm25s
    import Stemmer

    ids = pool.ids
    settings: Mapping[str, dict[str, Any]] = {
        "bm25s, default": {"stopwords": "english"},
        "bm25s, stems": {"stopwords": "en", "stemmer": Stemmer.Stemmer("english")},
    }

    def words(texts: Sequence[str], name: str) -> Any:
        return bm25s.tokenize(list(texts), show_progress=False, **settings[name])

    for name in settings:
        engine = bm25s.BM25()
        engine.index(words(pool.texts, name), show_progress=False)
        engine.save(folder / name)

        def search(text: str, k: int, engine: Any = engine, name: str = name) -> list[str]:
            found = engine.retrieve(words([text], name), k=min(k, len(ids)), show_progress=False)
            return [ids[place] for place in found.documents[0]]

        yield Method(name, search, "bm25")


def rank_bm25(pool: Pool, folder: Path) -> Iterator[Method]:
    """rank_bm25 as its README has it (blanks part words), and with words in lower case, without stop words, stemmed."""
    import bm25s
    import numpy as np
    import rank_bm25
    import Stemmer

    ids, stemmer = pool.ids, Stemmer.Stemmer("english")

    def stems(text: str) -> list[str]:
        found = bm25s.tokenize([text], stopwords="en", stemmer=stemmer, return_ids=False, show_progress=False)
        return list(found[0])

    for name, words in (("rank_bm25, default", str.split), ("rank_bm25, stems", stems)):
        engine = rank_bm25.BM25Okapi([words(text) for text in pool.texts])

        def search(text: str, k: int, engine: Any = engine, words: Any = words) -> list[str]:
            return [ids[place] for place in np.argsort(-engine.get_scores(words(text)), kind="stable")[:k]]

        yield Method(name, search, "bm25")


def llama_index(pool: Pool, folder: Path) -> Iterator[Method]:
    """LlamaIndex: BM25Retriever (its stemmer), VectorStoreIndex with our vectors, QueryFusionRetriever over both."""
    import Stemmer
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.core.schema import QueryBundle, TextNode
    from llama_index.retrievers.bm25 import BM25Retriever

    model = MockEmbedding(embed_dim=pool.vectors.shape[1])  # never asked: chunks and questions come with vectors
    nodes = [
        TextNode(id_=chunk.id, text=text, embedding=vector.tolist())
        for chunk, text, vector in zip(pool.chunks, pool.texts, pool.vectors, strict=True)
    ]

    def asked(text: str) -> Any:
        return QueryBundle(text, embedding=pool.embed([text])[0].tolist())

    def search(make: Callable[[int], Any]) -> Search:
        made: dict[int, Any] = {}

        def by(text: str, k: int) -> list[str]:
            if k not in made:
                made[k] = make(k)
            return [found.node.node_id for found in made[k].retrieve(asked(text))][:k]

        return by

    words = BM25Retriever.from_defaults(
        nodes=nodes, similarity_top_k=min(DEEP, len(nodes)), stemmer=Stemmer.Stemmer("english"), language="english"
    )
    words.persist(str(folder / "bm25"))
    yield Method("LlamaIndex, BM25", search(lambda k: words), "bm25")
    index = VectorStoreIndex(nodes, embed_model=model)
    index.storage_context.persist(str(folder / "vectors"))
    yield Method(
        "LlamaIndex, vectors", search(lambda k: index.as_retriever(similarity_top_k=k, embed_model=model)), "dense"
    )
    deep = index.as_retriever(similarity_top_k=DEEP, embed_model=model)
    for name, mode in (("RRF", "reciprocal_rerank"), ("relative score", "relative_score")):

        def fused(k: int, mode: str = mode) -> Any:
            return QueryFusionRetriever(
                [deep, words], llm=MockLLM(), mode=mode, similarity_top_k=k, num_queries=1, use_async=False
            )

        yield Method(f"LlamaIndex, fusion by {name}", search(fused), "hybrid")


def haystack(pool: Pool, folder: Path) -> Iterator[Method]:
    """Haystack's memory store: BM25 (BM25L, its default, and BM25Okapi), vectors, DocumentJoiner's RRF over both."""
    from haystack import Document
    from haystack.components.joiners import DocumentJoiner
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    def store(algorithm: str) -> Any:
        made = InMemoryDocumentStore(bm25_algorithm=algorithm, embedding_similarity_function="cosine")
        made.write_documents(
            [
                Document(id=chunk.id, content=text, embedding=vector.tolist())
                for chunk, text, vector in zip(pool.chunks, pool.texts, pool.vectors, strict=True)
            ]
        )
        return made

    def by_words(retriever: Any) -> Search:
        return lambda text, k: [one.id for one in retriever.run(query=text, top_k=k)["documents"]]

    okapi = store("BM25Okapi")
    yield Method("Haystack, BM25Okapi", by_words(InMemoryBM25Retriever(okapi)), "bm25")
    usual = store("BM25L")
    usual.save_to_disk(str(folder / "store.json"))
    words, vectors = InMemoryBM25Retriever(usual), InMemoryEmbeddingRetriever(usual)
    yield Method("Haystack, BM25L (default)", by_words(words), "bm25")

    def near(text: str, k: int) -> list[Any]:
        return list(vectors.run(query_embedding=pool.embed([text])[0].tolist(), top_k=k)["documents"])

    yield Method("Haystack, vectors", lambda text, k: [one.id for one in near(text, k)], "dense")
    joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion")

    def both(text: str, k: int) -> list[str]:
        found = [words.run(query=text, top_k=max(k, DEEP))["documents"], near(text, max(k, DEEP))]
        return [one.id for one in joiner.run(documents=found, top_k=k)["documents"]]

    yield Method("Haystack, RRF", both, "hybrid")


def lancedb(pool: Pool, folder: Path) -> Iterator[Method]:
    """LanceDB on disk: its text index, vectors compared exactly, and both by its RRF reranker."""
    import lancedb
    import pyarrow
    from lancedb.index import FTS
    from lancedb.rerankers import RRFReranker

    size = pool.vectors.shape[1]
    rows = pyarrow.table(
        {
            "id": pool.ids,
            "text": list(pool.texts),
            "vector": pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(pool.vectors.ravel()), size),
        }
    )
    table = lancedb.connect(str(folder)).create_table("chunks", rows)
    table.create_index("text", config=FTS())
    table.wait_for_index(["text_idx"])

    def ids(found: Any, k: int, *columns: str) -> list[str]:
        return list(found.limit(k).select(["id", *columns]).to_arrow()["id"].to_pylist())

    def words(text: str, k: int) -> list[str]:
        return ids(table.search(_plain(text), query_type="fts"), k, "_score")

    def near(text: str, k: int) -> list[str]:
        return ids(table.search(pool.embed([text])[0]).distance_type("cosine"), k, "_distance")

    def both(text: str, k: int) -> list[str]:
        found = table.search(query_type="hybrid").vector(pool.embed([text])[0]).text(_plain(text))
        return ids(found.distance_type("cosine").rerank(RRFReranker()), max(k, DEEP))[:k]

    yield Method("LanceDB, text", words, "bm25")
    yield Method("LanceDB, vectors", near, "dense")
    yield Method("LanceDB, hybrid", both, "hybrid")


def _plain(text: str) -> str:
    """A question without the marks that a query language could read."""
    return "".join(char if char.isalnum() else " " for char in text)
