"""Whether engines of others find what an index finds in its own files, and what they cost.

    python scripts/measure_engines.py ../shared/data/ottqa --questions 500

The chunks of a retrieval set are indexed in files, brought from an S3 server of this machine by one
with an empty cache, and moved to each engine; then every question is put to all of them in turn, plan by plan. Vectors
are words thrown into 384 numbers by chance, so that no model is needed: what is measured is whether the same vectors
give the same hits. Prints Markdown.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from faults_machines import endpoint  # noqa: E402

from kag.evaluate.retrieval.sets import RetrievalQuestion, read_retrieval_set  # noqa: E402
from kag.evaluate.statistics import means  # noqa: E402
from kag.search.chunk import Query  # noqa: E402
from kag.search.engines.moving import place  # noqa: E402
from kag.search.engines.placing import STATED  # noqa: E402
from kag.search.graph.edges import sage_graph  # noqa: E402
from kag.search.index import Index  # noqa: E402
from kag.search.plan import retrieve  # noqa: E402
from kag.search.presets import preset  # noqa: E402
from kag.search.words.sparse import words_of  # noqa: E402
from kag.write.mirror import CACHE, mirrored  # noqa: E402
from tests.engine_servers import postgres  # noqa: E402
from tests.object_server import BUCKET, s3_server  # noqa: E402

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
    given.add_argument("--own", action="store_true", help="Files and S3 alone: no engines of others.")
    wish = given.parse_args()
    data = read_retrieval_set(wish.set)
    questions = data.questions[:: max(1, len(data.questions) // wish.questions)][: wish.questions]
    gold = frozenset().union(*(question.gold for question in questions))
    chunks = sorted(data.chunks, key=lambda chunk: chunk.id not in gold)[: wish.chunks or None]
    print(f"{len(chunks)} chunks, {len(questions)} questions, load {os.getloadavg()[0]:.1f}", flush=True)
    ASKED.update((question.text, embed([question.text])) for question in questions)
    with tempfile.TemporaryDirectory(prefix="kag-engines-") as folder, ExitStack() as stack:
        here = Path(folder)
        server = "" if wish.own else stack.enter_context(postgres(here / "pg"))
        engines = {"PostgreSQL": [server], "LanceDB": [f"lancedb:{here / 'lance'}"]}
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
        opened = {"files": moved(here, "files", ())}
        opened["files from S3"] = row("files from S3", lambda: by_s3(here))
        if not wish.own:
            opened |= {name: moved(here, name, addresses) for name, addresses in engines.items()}
        measured(opened, questions)


def moved(here: Path, name: str, addresses: Sequence[str]) -> Index:
    """The index with its parts there, opened anew."""
    index = Index.load(here / "files", embed)

    def again() -> Index:
        place(index, addresses)
        target = here / f"at-{name.split()[0].lower()}"
        index.save(target)
        return Index.load(target, embed)

    return row(name, again)


def by_s3(here: Path) -> Index:
    """The index of a machine that has it from an S3 server, where another one published it."""
    with s3_server() as port, endpoint(port):
        url = f"s3://{BUCKET}/index"
        for cache in ("one", "other"):
            os.environ[CACHE] = str(here / cache)
            with mirrored(url) as folder:
                if cache == "one":
                    shutil.copytree(here / "files", folder, dirs_exist_ok=True)
        return Index.load(folder, embed)


def row(name: str, make: Callable[[], Index]) -> Index:
    """An index, with a line of how long it took to have it there."""
    began = time.perf_counter()
    index = make()
    held = ", ".join(sorted(index.engines)) or "all"
    print(f"| {name} | {held} | {time.perf_counter() - began:.0f} |", flush=True)
    return index


def measured(opened: dict[str, Index], questions: Sequence[RetrievalQuestion]) -> None:
    """A row a plan and engine: how often the ten are the same, what both have, recall, milliseconds."""
    print(
        "\n| plan | in | same ten, in order | in both | recall | p50 ms | p95 ms | p50 ms of CPU here |\n"
        + "|---" * 8
        + "|"
    )
    for plan in PLANS:
        found: dict[str, list[list[str]]] = {name: [] for name in opened}
        took: dict[str, list[tuple[float, float]]] = {name: [] for name in opened}
        for question in questions:
            for name, index in opened.items():
                began = time.perf_counter(), time.process_time()
                hits = retrieve(Query(question.text), index, preset(plan, index, K)).hits
                took[name].append((1000 * (time.perf_counter() - began[0]), 1000 * (time.process_time() - began[1])))
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
            clock, cpu = zip(*took[name], strict=True)
            p50, p95 = np.percentile(clock, [50, 95])
            print(f"| {plan} | {name} | {shares} | {p50:.0f} | {p95:.0f} | {np.median(cpu):.1f} |", flush=True)


if __name__ == "__main__":
    main()
