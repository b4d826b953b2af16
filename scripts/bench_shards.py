"""Whether shards find what one index finds, and what it costs: words, vectors and plans over 1, 8 and 64 shards.

    python scripts/bench_shards.py --work /tmp/shards --set ../shared/data/ottqa --questions 500
    python scripts/bench_shards.py --work /tmp/shards --chunks 100000 --questions 200
    python scripts/bench_shards.py --work /tmp/shards --chunks 1000000 --questions 60 --shards 8 --plan bm25 dense
    python scripts/bench_shards.py --work /tmp/shards --index FOLDER --questions 60 --shards 64 --seeds

All chunks are put into one index, and by their documents' names into the indexes of shards; each question is put to
both, by each plan. Printed are how many of the questions have the same first ten in the same order, how many of all
hits differ that are not equals to one part in a million, the largest relative difference of scores, the recall of the
ten nearest vectors of all, and milliseconds (CPU time of the process, so that other work on the machine counts little).
What a shard has of a chunk, words and vector, is taken from the one index, which splits and embeds it the same way.
With --graph the SAGE graph is made over one index and over each number of shards, and compared edge by edge; `sage`
then expands over the shards' own. With --seeds, where that takes too long, the graph has the edges of those chunks
alone at which the questions begin: to their 30 nearest vectors, and those of their documents; what the whole graph is
made of (chunks in order, vectors) is compared instead. --index is one that `bench_retrieval.py` saved.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from kag.graph.compact import CompactGraph
from kag.graph.property_graph import Edge, Node
from kag.search import index as index_of_words
from kag.search.chunk import Chunk, Hit, Query
from kag.search.graph.build import OWN, _names, chunk_graph
from kag.search.graph.edges import DOC_DOC
from kag.search.graph.links import link_edges
from kag.search.index import Index
from kag.search.meaning.arrays import normalised, np
from kag.search.plan import retrieve
from kag.search.presets import FLAT, preset
from kag.search.shards import KeptVectors, ShardIndex, ShardVectors
from kag.search.steps.asked import _KNOWN
from kag.search.steps.expand import ONE_HOP
from kag.search.words.shard_words import _size
from kag.search.words.sparse import words_of
from kag.write.shards import shard_of

NUMBERS = (1, 8, 64)
NEAREST = 10
EQUAL = 1e-6  # relative difference up to which two scores are equal: reckoning is in 32 bits
Found = dict[str, list[tuple[Hit, ...]]]


def main() -> None:
    """Measure, and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--set", type=Path, help="a retrieval set, embedded by MiniLM")
    parser.add_argument(
        "--hashed", action="store_true", help="vectors of its words' hashes instead, which cost nothing"
    )
    parser.add_argument(
        "--chunks", type=int, default=100_000, help="so many: made-up ones, or of the set, the questions' own first"
    )
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--shards", type=int, nargs="+", default=NUMBERS)
    parser.add_argument("--plan", choices=tuple(FLAT), nargs="+", default=tuple(FLAT))
    parser.add_argument("--graph", action="store_true")
    parser.add_argument("--seeds", action="store_true", help="a graph of the edges that the questions need")
    parser.add_argument("--index", type=Path)
    asked = parser.parse_args()
    texts, embed, questions = of_set(asked) if asked.set else made_up(asked.chunks)
    questions = questions[: asked.questions]
    cpu = time.process_time()
    one = Index.load(asked.index, embed) if asked.index else Index.build(texts, embed)
    print(f"{len(one.chunks):,} chunks, {len(questions)} questions, {len(one.documents):,} documents; {spent(cpu)}\n")
    near = nearest(one, questions)
    if asked.graph:
        one.edges = chunk_graph(one)
    if asked.seeds:
        one.edges = edges_of_seeds(one, questions)
    plans = (*asked.plan, "sage") if one.edges else tuple(asked.plan)
    wanted, times = found(one, questions, plans)
    head = ("shards", "plan", "same ten", "hits that differ", "largest difference of scores", "nearest ten found")
    print(f"| {' | '.join(head)} | CPU ms: median / 99th |\n|{'---|' * 7}")
    for plan in plans:
        print(f"| one index | {plan} | | | | {recall(plan, wanted, near)} | {shown(times[plan])} |", flush=True)
    for number in asked.shards:
        cpu = time.process_time()
        many = sharded(one, number)
        if asked.graph:
            many.edges = chunk_graph(many)
            compare_graphs(one, many, number)
        elif one.edges:
            many.edges = one.edges
            print(f"| {number} | graph | {inputs(one, many)} | | | | |", flush=True)
        given, times = found(many, questions, plans)
        for plan in plans:
            row = (number, plan, compared(wanted[plan], given[plan]), recall(plan, given, near), shown(times[plan]))
            print(f"| {' | '.join(map(str, row))} |", flush=True)
        print(f"\n{number} shards: {spent(cpu)}; {apart(many)}\n", flush=True)


def of_set(asked: argparse.Namespace) -> tuple[Iterable[Chunk], Any, list[str]]:
    """A retrieval set with its questions."""
    from kag.evaluate.retrieval.sets import read_retrieval_set
    from kag.search.meaning.embedding_cache import CachedEmbedder
    from kag.search.meaning.minilm import MiniLM

    data = read_retrieval_set(asked.set)
    questions = data.questions[: asked.questions]
    gold = frozenset().union(*(question.gold for question in questions))
    chunks = sorted(data.chunks, key=lambda chunk: chunk.id not in gold)[: asked.chunks]
    texts = [question.text for question in questions]
    if asked.hashed:
        return chunks, by_hashes, texts
    model = MiniLM()
    return chunks, CachedEmbedder(model, model.id, asked.work / "vectors"), texts


def by_hashes(texts: Sequence[str]) -> Any:
    """Vectors of 384 numbers: the sum of one for each word, drawn by its hash."""
    rows = np.zeros((len(texts), 384), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in set(words_of(text)):
            row += of_word(word)
    return normalised(rows)


@lru_cache(1 << 17)
def of_word(word: str) -> Any:
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(384, dtype=np.float32)


def made_up(size: int) -> tuple[Iterable[Chunk], Any, list[str]]:
    """Chunks by Zipf's law, and questions."""
    from bench_retrieval import chunks, embed
    from bench_retrieval import questions as drawn

    return chunks(size), embed, drawn(1000)


def sharded(one: Index, number: int) -> ShardIndex:
    """The same chunks and vectors in shards, by their documents."""
    names: list[list[str]] = [[] for _ in range(number)]
    for document in one.documents:
        names[shard_of(document, number) - 1] += one.of_document(document)
    many = ShardIndex([part_of(one, own) for own in names])
    many.embed = one.embed
    return many


def part_of(one: Index, names: Sequence[str]) -> Index:
    """An index of some chunks of another one: `Index.build`, but for splitting texts into words once more."""
    with copied_words(one):
        return Index.build((one.chunks[name] for name in names), KeptVectors(one, names))


@contextmanager
def copied_words(one: Index) -> Iterator[None]:
    """Within, indexes take the words of chunks from this one."""

    def known(chunks: Iterable[Chunk], counts: dict[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
        for chunk in chunks:
            counts[chunk.id] = Counter(one.counts(chunk.id))
            yield chunk.id, chunk.document, list(counts[chunk.id].elements())

    before = index_of_words._words
    index_of_words._words = known
    try:
        yield
    finally:
        index_of_words._words = before


def nearest(one: Index, questions: Sequence[str]) -> list[frozenset[str]]:
    """The ten nearest chunks of each question, of all that there are."""
    assert one.vectors is not None
    ids, scores = one.vectors.ids, (one.vectors.matrix @ row for row in normalised(one.embedder(questions)))
    return [frozenset(ids[at] for at in np.argpartition(-row, NEAREST)[:NEAREST]) for row in scores]


def recall(plan: str, given: Found, near: Sequence[frozenset[str]]) -> str:
    """The share of the nearest ten that `dense` gives."""
    if plan != "dense":
        return ""
    pairs = zip(given[plan], near, strict=True)
    return f"{statistics.mean(len(own & {hit.chunk for hit in hits}) / NEAREST for hits, own in pairs):.4f}"


def apart(many: ShardIndex) -> str:
    """How far the bound of words reaches: the average lengths of texts that the scores of shards are reckoned with."""
    sizes = [_size(part) for part in many._parts if part.chunks]
    whole = sum(words for _, words in sizes) / sum(texts for texts, _ in sizes)
    return f"averages of length are off by at most {max(abs(words / texts / whole - 1) for texts, words in sizes):.2%}"


def spent(begin: float) -> str:
    return f"{time.process_time() - begin:.0f} s of CPU time"


def found(index: Index, questions: Sequence[str], plans: Iterable[str]) -> tuple[Found, dict[str, list[float]]]:
    """The hits of each question by each plan, and milliseconds of CPU time; a first question warms up."""
    hits: Found = {}
    times: dict[str, list[float]] = {}
    embed, known = index.embedder, {}

    def once(texts: Sequence[str]) -> Any:
        """The model's time is not the index's."""
        key = tuple(texts)
        if key not in known:
            known[key] = embed(texts)
        return known[key]

    once.id = index.model  # type: ignore[attr-defined]
    for text in questions:
        once([text])
    index.embed = once
    for plan in plans:
        retrieve(Query("warm up"), index, preset("bm25", index))
        hits[plan], times[plan] = [], []
        for text in questions:
            begin = time.process_time()
            bundle = retrieve(Query(text), index, preset(plan, index, 10))
            times[plan].append((time.process_time() - begin) * 1000)
            hits[plan].append(bundle.hits)
            _KNOWN.clear()  # nothing is remembered from plan to plan
    return hits, times


def compared(wanted: Sequence[tuple[Hit, ...]], given: Sequence[tuple[Hit, ...]]) -> str:
    """Columns of the table."""
    same = sum([hit.chunk for hit in a] == [hit.chunk for hit in b] for a, b in zip(wanted, given, strict=True))
    differ, largest = 0, 0.0
    for a, b in zip(wanted, given, strict=True):
        scores = {hit.chunk: hit.score for hit in a}
        last = a[-1].score if a else 0.0
        for hit in b:
            other = scores.get(hit.chunk, last)
            away = abs(hit.score - other) / max(abs(other), 1e-9)
            differ += hit.chunk not in scores and away > EQUAL
            largest = max(largest, away if hit.chunk in scores else 0.0)
    return f"{same} of {len(wanted)} | {differ} | {largest:.1e}"


def shown(times: Sequence[float]) -> str:
    return f"{statistics.median(times):.1f} / {sorted(times)[int(len(times) * 0.99)]:.1f}"


def edges_of_seeds(one: Index, questions: Sequence[str]) -> CompactGraph:
    """The edges that `sage` looks at: of the first hits of each question, as many as it takes of each."""
    assert one.vectors is not None
    plan, edges, seen = preset("sage", one), list[Edge](), dict[str, None]()
    for text in questions:
        seeds = plan.seed(Query(text), one, plan.k)[: ONE_HOP.seeds]
        seen |= dict.fromkeys(hit.chunk for hit in seeds)
    for name in seen:
        near = one.vectors.search(one.vectors[name], ONE_HOP.fan + 1)
        own = link_edges([one.chunks[other] for other in one.of_document(one.chunks[name].document)], OWN)
        edges += (edge for edge in own if name in (edge.source, edge.target))
        about = {"scores": {"content": 0.5, "topic": 0.1, "entity": 0.1}, "shared": ("one", "other")}
        edges += (Edge(name, other, DOC_DOC, score, about) for other, score in near if other != name and score > 0)
    names = dict.fromkeys(end for edge in edges for end in (edge.source, edge.target))
    return CompactGraph((Node(name, str(one.chunks[name].kind)) for name in names), edges)


def inputs(one: Index, many: Index) -> str:
    """Whether the graph over shards would be made of the same things in the same order: then it is the same graph."""
    first, second = ([*_names(index)] for index in (one, many))
    chunks = all(one.chunks[name] == many.chunks[name] for name in first[:: max(1, len(first) // 10_000)])
    assert one.vectors is not None
    assert isinstance(many.vectors, ShardVectors)
    rows = {name: place for place, name in enumerate(one.vectors.ids)}
    away = max(
        float(np.abs(part.matrix - one.vectors.matrix[[rows[name] for name in part.ids]]).max())
        for part in many.vectors._parts
    )
    return f"order the same: {first == second}; 10,000 chunks: {chunks}; vectors differ by at most {away:.1e}"


def compare_graphs(one: Index, many: Index, number: int) -> None:
    """Print how many edges of the two graphs are not the same."""
    assert one.edges is not None
    assert many.edges is not None

    def edges(graph: Any) -> dict[tuple[str, ...], float]:
        return {(edge.source, edge.target, edge.label): edge.weight for edge in graph.edges}

    first, second = edges(one.edges), edges(many.edges)
    away = max((abs(first[key] - second[key]) for key in first.keys() & second.keys()), default=0.0)
    counts: dict[str, float] = {"edges": len(first), "only in one index": len(first.keys() - second.keys())}
    counts |= {"only over shards": len(second.keys() - first.keys()), "weights differ by at most": round(away, 9)}
    print(f"| {number} | graph | {json.dumps(counts)} | | | |")


if __name__ == "__main__":
    main()
