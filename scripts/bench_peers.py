"""kag's retrieval beside other programs' on the same chunks, vectors and questions: how right, how fast, how large.

    pip install bm25s PyStemmer rank-bm25 llama-index-core llama-index-retrievers-bm25 haystack-ai lancedb lightrag-hku
    python scripts/bench_peers.py SET... --embeddings FOLDER [--json FILE] [--report FILE.md] [--only NAME]...

SET is a folder that `kag evaluate retrieval` reads. The peers go into an environment of their own, beside
`kag-papers[dense,evaluate]`; what is not installed is named and left out. No peer asks a model or the network: all are
given the vectors of kag's MiniLM. Each runs in a process of its own, forked from one that holds the data, numerical
libraries with one thread; not LanceDB, whose text index is never done with one (0.40): the column `cpu` shows it.

Seconds of a build hold what was made until a method could be asked, files written, without embedding. Memory is the
peak above what the process had before. Queries are timed for the largest k, after one that is not counted, without
embedding; `cpu` is the time of all threads.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import math
import multiprocessing
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

from peers import PEERS
from peers.peer import Method, Peer, Pool
from peers.report import markdown

from kag.evaluate.retrieval.index import Timed
from kag.evaluate.retrieval.score import KS, Scores, averaged, compared, scored
from kag.evaluate.retrieval.sets import RetrievalQuestion, RetrievalSet, read_retrieval_set
from kag.search.chunk import Query
from kag.search.graph.edges import sage_graph
from kag.search.index import Index, searched
from kag.search.meaning.embedding_cache import CachedEmbedder
from kag.search.meaning.minilm import MiniLM
from kag.search.meaning.vectors import VectorIndex
from kag.search.plan import retrieve
from kag.search.presets import FLAT, PRESETS, preset

ROOT = Path(__file__).resolve().parents[1]
THREADS = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "RAYON")}
SETTINGS = THREADS | {"LANCEDB_LOG": "error", "TQDM_DISABLE": "1"}  # the peers' own words are no part of the report
LIKES = ("bm25", "dense", "hybrid", "entity", "sage")  # presets that methods are compared with


@dataclass(frozen=True, slots=True)
class Run:
    """What one method found, chunk ids by question at each k, and what it cost: seconds, bytes, ms a query."""

    peer: str
    method: str
    like: str
    rankings: Mapping[int, Mapping[str, Sequence[str]]]
    build: float
    memory: int
    disk: int
    wall: Sequence[float]
    cpu: Sequence[float]


def main() -> None:
    given = _arguments()
    if not SETTINGS.items() <= os.environ.items():  # numpy reads them when it is imported
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **SETTINGS})
    model = MiniLM(int8=given.int8)
    cached = Timed(CachedEmbedder(model, model.id, given.embeddings))
    peers = [peer for peer in (OURS, *PEERS) if peer is OURS or not given.only or peer.name in given.only]
    absent = {peer.name: missing for peer in peers if (missing := _missing(peer))}
    report: dict[str, Any] = {"machine": _machine(), "model": model.id, "versions": _versions(peers), "absent": absent}
    report["settings"] = {peer.name: peer.setting for peer in peers}
    report["sets"], report["unfinished"] = {}, []
    for folder in given.sets:
        data = _sampled(read_retrieval_set(folder), given.sample)
        runs: list[Run] = []
        for peer, found, whole in _runs(data, [one for one in peers if one.name not in absent], cached, given.limit):
            runs += found
            if not whole:
                report["unfinished"].append(f"{peer.name} on {data.name}")
            report["sets"][data.name] = _judged(data, runs)
            _write(report, given)  # after each peer: a long run may be stopped
    print(markdown(report))


def _arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("sets", type=Path, nargs="+", metavar="SET")
    arguments.add_argument("--embeddings", type=Path, required=True, help="folder of vectors kept between runs")
    arguments.add_argument("--fp32", dest="int8", action="store_false", help="the exact model instead of the fast one")
    arguments.add_argument("--only", action="append", choices=[peer.name for peer in PEERS], help="beside kag")
    arguments.add_argument("--sample", type=int, default=0, help="so many questions, evenly spaced; all by default")
    arguments.add_argument("--limit", type=float, default=3600, help="seconds for each peer and set")
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--report", type=Path)
    return arguments.parse_args()


def kag(pool: Pool, folder: Path) -> Iterator[Method]:
    """All presets over one index: first words, then vectors, then the graph."""
    index = Index.build(pool.chunks)
    index.save(folder)
    yield _plan(index, "bm25")
    index.embed, index.vectors = pool.embed, VectorIndex()
    index.vectors.add(pool.ids, pool.vectors)
    index.save(folder)
    yield from (_plan(index, name) for name in FLAT if name != "bm25")
    index.edges = sage_graph(pool.chunks, pool.vectors)
    index.save(folder)
    yield from (_plan(index, name) for name in PRESETS if name not in FLAT)


def _plan(index: Index, name: str) -> Method:
    plans: dict[int, Any] = {}

    def search(text: str, k: int) -> list[str]:
        if k not in plans:
            plans[k] = preset(name, index, k)
        return [hit.chunk for hit in retrieve(Query(text), index, plans[k]).hits][:k]

    return Method(f"kag, {name}", search, each_k=name not in FLAT)


OURS = Peer("kag", ("tantivy", "numpy"), ("kag",), kag, "presets as they are; `dense` and the fusions share one index")


def _runs(
    data: RetrievalSet, peers: Sequence[Peer], embed: Timed, limit: float
) -> Iterator[tuple[Peer, list[Run], bool]]:
    """The runs of each peer on a set, each peer in a process of its own, and whether it came to its end in time."""
    vectors = embed([chunk.text for chunk in data.chunks])
    embed([question.text for question in data.questions])
    pool = Pool(data.chunks, tuple(map(searched, data.chunks)), vectors, embed)
    fork = multiprocessing.get_context("fork")
    for peer in peers:
        mine, theirs = fork.Pipe(duplex=False)
        child = fork.Process(target=_child, args=(peer, pool, data.questions, theirs))
        child.start()
        theirs.close()
        runs = list(_received(mine, data.name, limit))
        child.join(5)
        child.kill()  # does nothing to one that has ended
        child.join()
        yield peer, runs, child.exitcode == 0


def _received(mine: Connection, name: str, limit: float) -> Iterator[Run]:
    end = time.monotonic() + limit
    with suppress(EOFError):
        while mine.poll(max(0.0, end - time.monotonic())):
            run = mine.recv()
            _tell(f"{name}: {run.method}: built in {run.build:.1f} s, {_rank(run.cpu, 0.5):.1f} ms a query")
            yield run


def _child(peer: Peer, pool: Pool, questions: Sequence[RetrievalQuestion], out: Connection) -> None:
    for module in peer.modules:
        importlib.import_module(module)
    with tempfile.TemporaryDirectory(prefix="kag-peer-") as name:
        folder = Path(name)
        before, build = _held(), 0.0
        begin, asked = time.perf_counter(), pool.embed.seconds
        for method in peer.build(pool, folder):
            build += time.perf_counter() - begin - (pool.embed.seconds - asked)
            memory = max(0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before)
            disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            rankings, wall, cpu = _asked(method, pool, questions)
            out.send(Run(peer.name, method.name, method.like, rankings, build, memory, disk, wall, cpu))
            begin, asked = time.perf_counter(), pool.embed.seconds
    out.close()


def _asked(
    method: Method, pool: Pool, questions: Sequence[RetrievalQuestion]
) -> tuple[dict[int, dict[str, list[str]]], list[float], list[float]]:
    """The rankings by k, and the ms of each query at the largest k, of one thread's clock and of all threads."""
    rankings: dict[int, dict[str, list[str]]] = {}
    wall, cpu = [], []
    for k in KS if method.each_k else KS[-1:]:
        method.search(questions[0].text, k)
        wall, cpu, rankings[k] = [], [], {}
        for question in questions:
            apart = pool.embed.seconds
            begin, used = time.perf_counter(), time.process_time()
            found = method.search(question.text, k)
            apart = pool.embed.seconds - apart
            wall.append(1000 * (time.perf_counter() - begin - apart))
            cpu.append(1000 * max(0.0, time.process_time() - used - apart))
            rankings[k][question.id] = list(dict.fromkeys(found))
    return rankings, wall, cpu


def _judged(data: RetrievalSet, runs: Sequence[Run]) -> dict[str, Any]:
    """Scores, intervals, costs of each method, and its difference to the preset that works alike and to sage."""
    scores = {run.method: _scores(data, run) for run in runs}
    baselines = [f"kag, {name}" for name in LIKES if f"kag, {name}" in scores]
    against = {baseline: compared(scores, baseline) for baseline in baselines}
    rows = {}
    for run in runs:
        versus = {name: tests[run.method] for name, tests in against.items() if run.method in tests}
        rows[run.method] = {
            "peer": run.peer,
            "like": run.like,
            "scores": {metric: asdict(mean) for metric, mean in averaged(scores[run.method]).items()},
            "against": {name: {m: asdict(test) for m, test in tests.items()} for name, tests in versus.items()},
            "build_s": run.build,
            "memory_bytes": run.memory,
            "disk_bytes": run.disk,
            **{f"{clock}_p{q}_ms": _rank(getattr(run, clock), q / 100) for clock in ("wall", "cpu") for q in (50, 99)},
        }
    return {"chunks": len(data.chunks), "questions": len(data.questions), "ks": list(KS), "methods": rows}


def _scores(data: RetrievalSet, run: Run) -> Scores:
    if len(run.rankings) == 1:
        return scored(data, run.rankings[KS[-1]])
    return {metric: row for k in KS for metric, row in scored(data, run.rankings[k], (k,)).items()}


def _missing(peer: Peer) -> str:
    """The module that a peer needs and that is not installed; empty where all are."""
    return next((module for module in peer.modules if not _found(module)), "")


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _versions(peers: Sequence[Peer]) -> dict[str, str]:
    found = {}
    for package in sorted({package for peer in peers for package in peer.packages}):
        with suppress(importlib.metadata.PackageNotFoundError):
            found[package] = importlib.metadata.version(package)
    return found


def _machine() -> dict[str, Any]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    git = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
    return {
        "cores": os.cpu_count(),
        "memory_gib": round(memory / 2**30),
        "python": platform.python_version(),
        "commit": git.stdout.strip() or "unknown",
        "command": " ".join(["scripts/bench_peers.py", *sys.argv[1:]]),
    }


def _sampled(data: RetrievalSet, size: int) -> RetrievalSet:
    questions = data.questions[:: math.ceil(len(data.questions) / size)] if size else data.questions
    return RetrievalSet(data.name, data.chunks, tuple(questions), data.cells)


def _held() -> int:
    """The bytes that the process holds in memory."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _rank(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies (nearest rank)."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _write(report: Mapping[str, Any], given: argparse.Namespace) -> None:
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if given.report:
        given.report.write_text(markdown(report), encoding="utf-8")


if __name__ == "__main__":
    main()
