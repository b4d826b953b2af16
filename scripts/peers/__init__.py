"""Other programs' retrieval, for `scripts/bench_peers.py`: chunks and their vectors in, a search by question out.

All are given the same texts (title, topic and text, as kag's own word index is) and the same vectors; none asks a
model.
"""

from __future__ import annotations

from peers.flat import DEEP, bm25s, haystack, lancedb, llama_index, rank_bm25
from peers.graphs import lightrag
from peers.peer import Peer

__all__ = ["PEERS"]

PEERS = (  # the slow ones last, so that a run that is stopped has the others
    Peer("bm25s", ("bm25s", "PyStemmer"), ("bm25s", "Stemmer"), bm25s, "k1 1.5, b 0.75, its English stop words"),
    Peer("LanceDB", ("lancedb",), ("lancedb", "pyarrow"), lancedb, f"stems and stop words; RRF over {DEEP} hits"),
    Peer("rank_bm25", ("rank-bm25",), ("rank_bm25", "bm25s", "Stemmer"), rank_bm25, "BM25Okapi, k1 1.5, b 0.75"),
    Peer(
        "LlamaIndex",
        ("llama-index-core", "llama-index-retrievers-bm25"),
        ("llama_index.core", "llama_index.retrievers.bm25", "Stemmer"),
        llama_index,
        f"one query, no model; fusions over {DEEP} hits of each",
    ),
    Peer("Haystack", ("haystack-ai",), ("haystack",), haystack, f"memory store, cosine; RRF over {DEEP} hits of each"),
    Peer("LightRAG", ("lightrag-hku",), ("lightrag",), lightrag, "names by kag's rules, its defaults otherwise"),
)
