"""LightRAG, which searches a graph of names, over the names that kag's rules find."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kag.search.graph.entities import entities
from peers.peer import Method, Pool


def lightrag(pool: Pool, folder: Path) -> Iterator[Method]:
    """LightRAG over a graph of our names: `ainsert_custom_kg`, then its query modes without a model.

    A chunk's title (else its first name) is related to each other name in the chunk. `ainsert_custom_kg` gives a name
    one chunk only, so all its chunks are written to its node afterwards, as LightRAG's own extraction does. The
    keywords of a question are its names (local) and the question itself (global); no model is asked.
    """
    from lightrag import LightRAG, QueryParam
    from lightrag.utils import EmbeddingFunc, Tokenizer, sanitize_text_for_encoding

    for name in ("lightrag", "nano-vectordb"):
        logging.getLogger(name).setLevel(logging.ERROR)

    async def embed(texts: list[str], **_: Any) -> Any:
        return pool.embed(texts)

    async def no_model(*_: Any, **__: Any) -> str:
        raise RuntimeError("no model is asked")

    asyncio.set_event_loop(loop := asyncio.new_event_loop())
    rag = LightRAG(
        working_dir=str(folder),
        embedding_func=EmbeddingFunc(embedding_dim=pool.vectors.shape[1], func=embed),
        llm_model_func=no_model,
        tokenizer=Tokenizer("words", _Words()),
    )
    loop.run_until_complete(rag.initialize_storages())
    loop.run_until_complete(_insert(rag, pool))
    ids: dict[str, str] = {}
    for chunk in pool.chunks:
        ids.setdefault(sanitize_text_for_encoding(chunk.text), chunk.id)

    def asked(text: str, k: int, mode: str) -> list[str]:
        names = list(entities(text)) or [text]
        how = QueryParam(mode=mode, chunk_top_k=k, enable_rerank=False, ll_keywords=names, hl_keywords=[text])
        how.max_total_tokens = how.max_entity_tokens = how.max_relation_tokens = 10**9
        found = loop.run_until_complete(rag.aquery_data(text, how)).get("data", {}).get("chunks", ())
        return [ids[chunk["content"]] for chunk in found if chunk["content"] in ids][:k]

    likes = {"naive": "dense", "local": "entity", "global": "entity", "hybrid": "entity", "mix": "sage"}
    for mode, like in likes.items():
        yield Method(f"LightRAG, {mode}", lambda text, k, mode=mode: asked(text, k, mode), like)


class _Words:
    """Words for tokens: LightRAG counts them only."""

    def encode(self, content: str) -> list[int]:
        return list(range(len(content.split())))

    def decode(self, tokens: list[int]) -> str:
        raise NotImplementedError


async def _insert(rag: Any, pool: Pool) -> None:
    from lightrag.constants import GRAPH_FIELD_SEP
    from lightrag.utils import compute_mdhash_id, normalize_entity_name, sanitize_text_for_encoding

    named: dict[str, dict[str, str]] = {}  # name -> title by id of chunk
    related: dict[tuple[str, str], str] = {}
    for chunk in pool.chunks:
        names = dict.fromkeys(filter(None, map(normalize_entity_name, (chunk.title, *entities(chunk.text)))))
        for name in names:
            named.setdefault(name, {})[chunk.id] = chunk.title
        first, *others = names or [""]
        for name in others:
            related.setdefault((first, name), chunk.id)
    await rag.ainsert_custom_kg(
        {
            "chunks": [{"content": chunk.text, "source_id": chunk.id} for chunk in pool.chunks],
            "entities": [
                {"entity_name": name, "description": next(iter(chunks.values())), "source_id": next(iter(chunks))}
                for name, chunks in named.items()
            ],
            "relationships": [
                {"src_id": one, "tgt_id": two, "description": f"{one}: {two}", "keywords": two, "source_id": chunk}
                for (one, two), chunk in related.items()
                if one != two
            ],
        }
    )
    keys = {
        chunk.id: compute_mdhash_id(sanitize_text_for_encoding(chunk.text), prefix="chunk-") for chunk in pool.chunks
    }
    graph = rag.chunk_entity_relation_graph
    nodes = await graph.get_nodes_batch(list(named))
    sources = {name: GRAPH_FIELD_SEP.join(dict.fromkeys(keys[one] for one in chunks)) for name, chunks in named.items()}
    await graph.upsert_nodes_batch([(name, {**node, "source_id": sources[name]}) for name, node in nodes.items()])
