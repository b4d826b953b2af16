"""Whether engines of others find what an index finds in its own files, and what they cost.

    python scripts/measure_engines.py ../shared/data/ottqa --questions 500

The chunks of a retrieval set are indexed in files and moved to each engine; then every question is put to all of them
in turn, plan by plan. Vectors are words thrown into 384 numbers by chance, so that no model is needed: what is measured
is whether the same vectors give the same hits. Prints Markdown.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
import time
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kag.evaluate.retrieval_sets import RetrievalQuestion, read_retrieval_set
from kag.evaluate.statistics import means
from kag.search.chunk import Query
from kag.search.edges import sage_graph
from kag.search.engines.moving import place
from kag.search.engines.placing import STATED
from kag.search.index import Index
from kag.search.plan import retrieve
from kag.search.presets import preset
from kag.search.sparse import words_of
from tests.engine_servers import postgres

SIZE, K = 384, 10
PLANS = ("bm25", "dense", "sage")


@lru_cache(200_000)
def thrown(word: str) -> Any:
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(SIZE).astype(np.float32)


ASKED: dict[str, Any] = {}  # vectors of questions, which are no part of what is measured


def embed(texts: Sequence[str]) -> Any:
    """Rows of length 1: the sum of what each word is thrown to, by the root of how often it is there."""
    if len(texts) == 1 and texts[0] in ASKED:
        return ASKED[texts[0]]
    rows = np.zeros((len(texts), SIZE), dtype=np.float32)
    for row, text in enumerate(texts):
        words, counts = np.unique(words_of(text) or ["-"], return_counts=True)
        rows[row] = sum(math.sqrt(count) * thrown(str(word)) for word, count in zip(words, counts, strict=True))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("set", type=Path)
    given.add_argument("--questions", type=int, default=500)
    given.add_argument("--chunks", type=int, default=0, help="Only so many chunks, those of the questions first.")
    wish = given.parse_args()
    data = read_retrieval_set(wish.set)
    questions = data.questions[:: max(1, len(data.questions) // wish.questions)][: wish.questions]
    gold = frozenset().union(*(question.gold for question in questions))
    chunks = sorted(data.chunks, key=lambda chunk: chunk.id not in gold)[: wish.chunks or None]
    print(f"{len(chunks)} chunks, {len(questions)} questions, load {os.getloadavg()[0]:.1f}", flush=True)
    ASKED.update((question.text, embed([question.text])) for question in questions)
    with tempfile.TemporaryDirectory(prefix="kag-engines-") as folder, postgres(Path(folder) / "pg") as server:
        here = Path(folder)
        engines = {"files": [], "PostgreSQL": [server], "LanceDB": [f"lancedb:{here / 'lance'}"]}
        engines["Qdrant (local)"] = [f"qdrant:{here / 'points'}"]
        os.environ[STATED] = " ".join(address for addresses in engines.values() for address in addresses)
        began = time.perf_counter()
        first = Index.build(chunks, embed)
        print(f"words and vectors {time.perf_counter() - began:.0f} s", flush=True)
        began = time.perf_counter()
        edges = sage_graph(chunks, first.vectors.matrix if first.vectors else None)
        print(f"edges {time.perf_counter() - began:.0f} s", flush=True)
        first.edges = edges
        first.save(here / "files")
        print("\n| in | holds | moved there, s |\n|---|---|---|", flush=True)
        opened = {name: moved(here, name, addresses) for name, addresses in engines.items()}
        measured(opened, questions)


def moved(here: Path, name: str, addresses: Sequence[str]) -> Index:
    """The index with its parts there, opened anew."""
    index = Index.load(here / "files", embed)
    began = time.perf_counter()
    place(index, addresses)
    target = here / f"at-{name.split()[0].lower()}"
    index.save(target)
    again = Index.load(target, embed)
    print(f"| {name} | {', '.join(sorted(again.engines)) or 'all'} | {time.perf_counter() - began:.0f} |", flush=True)
    return again


def measured(opened: dict[str, Index], questions: Sequence[RetrievalQuestion]) -> None:
    """A row a plan and engine: how often the ten are the same, what both have, recall, milliseconds."""
    print("\n| plan | in | same ten, in order | in both | recall | p50 ms | p95 ms |\n|---|---|---|---|---|---|---|")
    for plan in PLANS:
        found: dict[str, list[list[str]]] = {name: [] for name in opened}
        took: dict[str, list[float]] = {name: [] for name in opened}
        for question in questions:
            for name, index in opened.items():
                began = time.perf_counter()
                hits = retrieve(Query(question.text), index, preset(plan, index, K)).hits
                took[name].append(1000 * (time.perf_counter() - began))
                found[name].append([hit.chunk for hit in hits])
        columns: dict[tuple[str, str], list[float]] = {}
        for name, rows in found.items():
            both = list(zip(rows, found["files"], strict=True))
            columns[name, "same"] = [float(one == other) for one, other in both]
            columns[name, "both"] = [len({*one} & {*other}) / max(1, len(other)) for one, other in both]
            columns[name, "recall"] = [each.recall({*row}) for each, row in zip(questions, rows, strict=True)]
        told = means(columns)
        for name in opened:
            figures = (told[name, what] for what in ("same", "both", "recall"))
            shares = " | ".join(f"{100 * one.value:.1f} ({100 * one.low:.1f}-{100 * one.high:.1f})" for one in figures)
            p50, p95 = np.percentile(took[name], [50, 95])
            print(f"| {plan} | {name} | {shares} | {p50:.0f} | {p95:.0f} |", flush=True)


if __name__ == "__main__":
    main()
