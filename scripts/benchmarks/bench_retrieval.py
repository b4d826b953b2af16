"""How retrieval grows with the number of chunks: index, graph and queries, their time and memory, beside their limits.

    python scripts/bench_retrieval.py --work /tmp/scale --chunks 10000 100000 1000000
    python scripts/bench_retrieval.py --work /tmp/scale --quick

Chunks are made up: about 100 words by Zipf's law, five names, titles and documents of 20 chunks; vectors of 384 numbers
around centres in 64 dimensions. Each size is built in a process of its own and searched in another, so that memory is
that of one size. Prints Markdown: what each step takes, the exponent of its growth, and the limits of the machine.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import resource
import shutil
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np

from kag.search.chunk import Chunk, ChunkKind, Query
from kag.search.graph.edges import GraphOptions, sage_graph
from kag.search.index import Index
from kag.search.plan import retrieve
from kag.search.presets import preset

SIZE, LATENT, CENTRES, BLOCK = 384, 64, 2000, 10_000
WORDS, NAMES, LONG = 50_000, 200_000, 100
LETTERS = "bcdfghklmnprstvz", "aeiou"
PLANS = ("bm25", "dense", "hybrid", "sage")
STEPS = ("build", "build CPU", "graph", "graph CPU", "save", "load")
Row = dict[str, Any]


@lru_cache(4)
def words(number: int) -> tuple[str, ...]:
    """So many different words of two to four syllables."""
    syllables = ["".join(pair) for pair in product(*LETTERS)]
    made = ("".join(parts) for size in count(2) for parts in product(syllables, repeat=size))
    found = [next(made) for _ in range(number)]
    random.Random(1).shuffle(found)
    return tuple(found)


@lru_cache(4)
def zipf(number: int) -> Any:
    """The shares of the first, the two first, ... of so many words that follow Zipf's law."""
    shares = 1 / np.arange(1, number + 1)
    return np.cumsum(shares / shares.sum())


def drawn(rng: np.random.Generator, known: int, shape: tuple[int, ...]) -> list[list[str]]:
    """Rows of words, the first ones most often."""
    names = words(max(WORDS, NAMES))
    places = np.minimum(np.searchsorted(zipf(known), rng.random(shape)), known - 1)
    return [[names[place] for place in row] for row in places.tolist()]


def chunks(size: int) -> Iterator[Chunk]:
    """Chunks in documents of 20, the first of each a table; the last word of a text is its chunk's number."""
    for block in range(0, size, BLOCK):
        rng = np.random.default_rng([7, block])
        texts, names = drawn(rng, WORDS, (BLOCK, LONG)), drawn(rng, min(NAMES, size), (BLOCK, 5))
        titles = drawn(rng, WORDS, (BLOCK // 20, 4))
        for place in range(min(BLOCK, size - block)):
            number, title = block + place, " ".join(titles[place // 20]).title()
            text = f"{' '.join(texts[place])} {number}"
            about: Row = {"document": f"d{number // 20}", "title": title, "entities": tuple(names[place])}
            if number % 20:
                yield Chunk(f"c{number}", text, **about)
            else:
                yield Chunk(f"c{number}", text, ChunkKind.TABLE, columns=tuple(texts[place][:3]), **about)


@lru_cache(2)
def block_of_vectors(block: int) -> Any:
    """The vectors of 10,000 chunks: near to one of the centres each."""
    fixed, rng = np.random.default_rng(5), np.random.default_rng([5, block])
    centres, mixing = fixed.normal(size=(CENTRES, LATENT)), fixed.normal(size=(LATENT, SIZE))
    latent = centres[rng.integers(CENTRES, size=BLOCK)] + 0.6 * rng.normal(size=(BLOCK, LATENT))
    rows = (latent @ mixing).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def embed(texts: Sequence[str]) -> Any:
    """The vector of each text: that of its number, else one drawn by its characters."""
    ends = [text.rpartition(" ")[2] for text in texts]
    numbers = [int(end) if end.isdigit() else zlib.crc32(end.encode()) % BLOCK for end in ends]
    return np.array([block_of_vectors(number // BLOCK)[number % BLOCK] for number in numbers], dtype=np.float32)


def questions(number: int) -> list[str]:
    """Questions of six words, rarer ones among them."""
    rng = np.random.default_rng(9)
    return [" ".join(row) for row in drawn(rng, WORDS, (number, 6))]


def timed(work: Callable[..., Any], *given: Any) -> tuple[float, float, Any]:
    """Seconds and seconds of CPU of an action, and what it gives."""
    begin, cpu = time.perf_counter(), time.process_time()
    done = work(*given)
    return time.perf_counter() - begin, time.process_time() - cpu, done


def median_ms(work: Callable[[Any], Any], each: Iterable[Any]) -> float:
    """The median of the milliseconds that an action takes for each of some things."""
    return statistics.median(timed(work, one)[0] * 1000 for one in each)


def memory() -> int:
    """Megabytes that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def build(size: int, folder: Path, graph_up_to: int) -> Row:
    """Build an index and its graph and save them; the seconds and the memory of each step."""
    row: Row = {"chunks": size, "GEMM limit": size * (size - 1) * SIZE / flops()}
    questions(1)
    made = timed(lambda: embed([chunk.text for chunk in chunks(BLOCK)]))[1] * size / BLOCK  # not the index's work
    row["build"], row["build CPU"], index = timed(Index.build, chunks(size), embed)
    row |= {"build": row["build"] - made, "build CPU": row["build CPU"] - made, "build MB": memory()}
    if size <= graph_up_to:
        options = GraphOptions()
        whole = [*index.chunks.values()]
        row["graph"], row["graph CPU"], index.edges = timed(sage_graph, whole, index.vectors.matrix, options)
        edges = sum(index.edges.label_counts().values())
        row |= {"graph MB": memory(), "edges": edges, "exact": size <= options.exact}
    row["save"], _, _ = timed(index.save, folder)
    row["disk MB"] = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 2**20
    return row


def flops() -> float:
    """Floating point operations a second of the best of some matrix products of the size that the graph uses."""
    rows = np.random.default_rng(3).normal(size=(2048, SIZE)).astype(np.float32)
    return 2 * 2048 * 2048 * SIZE / min(timed(np.matmul, rows, rows.T)[0] for _ in range(9))


def ask(folder: Path, number: int) -> Row:
    """Open a saved index and search it by each plan: milliseconds at the median and the 99th percentile."""
    seconds, _, index = timed(Index.load, folder, embed)
    row: Row = {"load": seconds, "load MB": memory()}
    asked = questions(number)
    for name in PLANS:
        plan = preset(name, index)
        first = timed(retrieve, Query("one two"), index, plan)[0] * 1000
        each = [timed(retrieve, Query(text), index, plan)[:2] for text in asked]
        row[name] = {"first": first}
        for what, times in zip(("", "CPU "), zip(*each, strict=True), strict=True):
            row[name] |= {f"{what}p50": statistics.median(times) * 1000, f"{what}p99": percentile(times, 0.99) * 1000}
    row["query MB"] = memory()
    return row | peers(index.vectors, embed(asked))


def peers(index: Any, vectors: Any) -> Row:
    """The nearest ten by the index, by numpy and by faiss over all vectors, and the share of them the index finds."""
    rows = index.matrix

    def brute(vector: Any) -> Any:
        return np.argpartition(-(rows @ vector), 10)[:10]

    def own(vector: Any) -> Any:
        return index.search(vector, 10)

    wanted = [{index.ids[place] for place in brute(vector)} for vector in vectors]
    found = [len({name for name, _ in own(vector)} & want) / 10 for vector, want in zip(vectors, wanted, strict=True)]
    row: Row = {"own": median_ms(own, vectors), "numpy": median_ms(brute, vectors), "recall": statistics.mean(found)}
    try:
        import faiss
    except ImportError:
        return row
    flat = faiss.IndexFlatIP(SIZE)
    flat.add(np.ascontiguousarray(rows))
    return row | {"faiss flat": median_ms(lambda vector: flat.search(vector[None], 10), vectors)}


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    return sorted(values)[min(len(values) - 1, math.ceil(share * len(values)) - 1)]


def exponent(rows: Sequence[Row], figures: Sequence[float | None]) -> str:
    """By which power of the number of chunks a figure grows: the slope of the line through its logarithms."""
    points = [(math.log(row["chunks"]), math.log(each)) for row, each in zip(rows, figures, strict=True) if each]
    if len(points) < 2:
        return "-"
    sizes, values = zip(*points, strict=True)
    return f"{statistics.linear_regression(sizes, values).slope:.2f}"


def report(rows: Sequence[Row]) -> str:
    """The figures as Markdown."""
    lines = [
        "| chunks | build s (CPU) | graph s (CPU) | edges | GEMM limit s | save s | load s | disk MB | "
        "memory MB: build / graph / opened / searched |",
        "|---" * 9 + "|",
    ]
    for row in rows:
        how = "all pairs" if row.get("exact") else "candidates"
        graph = f"{row['graph']:.1f} ({row['graph CPU']:.1f}, {how})" if "graph" in row else "-"
        held = " / ".join(str(row.get(f"{step} MB", "-")) for step in ("build", "graph", "load", "query"))
        cells = [
            f"{row['chunks']:,}",
            f"{row['build']:.1f} ({row['build CPU']:.1f})",
            graph,
            f"{row.get('edges', 0):,}",
        ]
        cells += [f"{row['GEMM limit']:.1f}", f"{row['save']:.2f}", f"{row['load']:.2f}", str(row["disk MB"]), held]
        lines.append(f"| {' | '.join(cells)} |")
    grown = [f"{step} {exponent(rows, [row.get(step) for row in rows])}" for step in STEPS]
    lines += ["", f"Exponents of growth: {', '.join(grown)}.", "", *query_table(rows)]
    return "\n".join([*lines, ""])


def query_table(rows: Sequence[Row]) -> Iterator[str]:
    """What queries take, and the nearest vectors beside other ways to find them."""
    plans = " | ".join(f"{name} p50 / p99 ms (CPU)" for name in PLANS)
    yield f"| chunks | {plans} | nearest ten: kag | numpy | faiss flat | found |"
    yield "|---" * (len(PLANS) + 5) + "|"
    for row in rows:
        each = [_answered(row[name]) for name in PLANS]
        near = [f"{row[name]:.2f} ms" if name in row else "-" for name in ("own", "numpy", "faiss flat")]
        yield f"| {row['chunks']:,} | {' | '.join([*each, *near])} | {row.get('recall', 1):.3f} |"
    grown = [f"{name} {exponent(rows, [row[name]['p50'] for row in rows])}" for name in PLANS]
    yield ""
    yield f"Exponents of growth of the median: {', '.join(grown)}."


def _answered(row: Row) -> str:
    """What questions took by one plan."""
    return f"{row['p50']:.1f} / {row['p99']:.1f} ({row['CPU p50']:.1f} / {row['CPU p99']:.1f})"


def child(arguments: Sequence[str]) -> Row:
    """What a process of this script finds out."""
    done = subprocess.run([sys.executable, __file__, *arguments], stdout=subprocess.PIPE, check=True)
    found: Row = json.loads(done.stdout)
    return found


def main() -> int:
    """Measure all sizes and print the tables; progress goes to stderr."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for the indexes; what is in it is removed")
    parser.add_argument("--chunks", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--graph-up-to", type=int, default=10_000_000, help="sizes above get no graph")
    parser.add_argument("--quick", action="store_true", help="3,000 and 10,000 chunks, 30 questions")
    parser.add_argument("--step", choices=("build", "ask"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    sizes: list[int] = [3000, 10_000] if given.quick else given.chunks
    number = 30 if given.quick else given.questions
    if given.step:
        work = build(sizes[0], given.work, given.graph_up_to) if given.step == "build" else ask(given.work, number)
        json.dump(work, sys.stdout)
        return 0
    print(measured(sizes, given.work, ["--questions", str(number), "--graph-up-to", str(given.graph_up_to)]))
    return 0


def measured(sizes: Sequence[int], work: Path, options: Sequence[str]) -> str:
    """The report over all sizes; the index of one is removed before the next is built."""
    rows: list[Row] = []
    for size in sizes:
        folder = work / f"index-{size}"
        shutil.rmtree(folder, ignore_errors=True)
        common = ["--work", str(folder), "--chunks", str(size), *options]
        rows.append(child([*common, "--step", "build"]) | child([*common, "--step", "ask"]))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
    return report(rows)


if __name__ == "__main__":
    sys.exit(main())
