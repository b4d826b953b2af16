"""The index that plans are measured on, built once and kept, and what it cost: seconds, bytes, edges, memory.

What is kept lies in a folder named by a digest of the set, the model and our own code, so that a change of any of them
is never measured on what was built before it.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import kag
from kag.core.errors import RunError
from kag.retrieval.graph.edges import GraphOptions, sage_graph
from kag.retrieval.index import Index
from kag.retrieval.meaning.arrays import Vectors
from scripts.benchmarks.retrieval.sets import RetrievalSet

CODE = ("search/*.py", "graph/*.py", "text/search_text/*.py")  # what rankings rest on
PROBE = 32  # texts that the model's speed is measured on


class Model(Protocol):
    """An embedder with a name."""

    id: str

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 a text."""


class Timed:
    """A model that knows how many seconds it was asked for, so that its share can be told from the rest."""

    def __init__(self, model: Model) -> None:
        self.id, self.seconds, self._model = model.id, 0.0, model

    def __call__(self, texts: Sequence[str]) -> Vectors:
        begin = time.perf_counter()
        try:
            return self._model(texts)
        finally:
            self.seconds += time.perf_counter() - begin


@dataclass(frozen=True, slots=True)
class Cost:
    """What an index cost. Seconds of the build are without embedding; `embedding` is the model's seconds a text.

    `bytes` by part as they lie on disk, `edges` by label, `memory` what the process grew by in bytes (0: not known).
    """

    chunks: int
    build: float
    graph: float
    embedding: float
    memory: int
    bytes: dict[str, int]
    edges: dict[str, int]


@dataclass(slots=True)
class Prepared:
    """An index to measure on, what it cost, and the folder where its rankings are kept."""

    data: RetrievalSet
    index: Index
    cost: Cost
    embed: Timed
    folder: Path

    def graph(self, without: frozenset[str], instead: GraphOptions | None) -> Any:
        """The index's graph without the edges of these labels, and with those that the options make."""
        whole = self.index.edges
        if whole is None or not (without or instead):
            return whole
        kept = (edge for edge in whole.edges if edge.label not in without)
        more = sage_graph(self.data.chunks, self.vectors, instead).edges if instead else ()
        return type(whole)(whole.nodes, chain(kept, more))

    @property
    def vectors(self) -> Vectors:
        """The vectors of the chunks, a row each."""
        return self.embed([chunk.text for chunk in self.data.chunks])


def prepared(data: RetrievalSet, cached: Model, model: Model, folder: Path) -> Prepared:
    """The index of a set with its graph: what is kept in `folder`, or built and kept there.

    `cached` is the model with its memory, `model` without, for its speed. Raises `RunError` where the folder cannot
    be written.
    """
    embed = Timed(cached)
    here = folder / f"{data.name}-{_digest(data, model.id)}"
    costs = here / "cost.json"
    if costs.is_file():
        index = Index.load(here / "index", embed)
        return Prepared(data, index, Cost(**json.loads(costs.read_text(encoding="utf-8"))), embed, here)
    try:
        here.mkdir(parents=True, exist_ok=True)
        index, cost = _built(data, embed, model, here)
        costs.write_text(json.dumps(asdict(cost), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise RunError(f"{here}: {error}", hint="Give a folder that can be written.") from error
    return Prepared(data, index, cost, embed, here)


def _built(data: RetrievalSet, embed: Timed, model: Model, here: Path) -> tuple[Index, Cost]:
    texts = [chunk.text for chunk in data.chunks]
    embed(texts)  # kept from now on, so that memory and seconds below are the index's own
    embed.seconds, before, begin = 0.0, _memory(), time.perf_counter()
    index = Index.build(data.chunks, embed)
    build = time.perf_counter() - begin - embed.seconds
    vectors = embed(texts)
    begin = time.perf_counter()
    made = sage_graph(data.chunks, vectors)
    graph = time.perf_counter() - begin
    index.edges = made
    memory = max(0, _memory() - before - vectors.nbytes)
    index.save(here / "index")
    cost = Cost(
        chunks=len(data.chunks),
        build=build,
        graph=graph,
        embedding=_seconds_a_text(model, texts),
        memory=memory,
        bytes=_sizes(here / "index"),
        edges=dict(sorted(Counter(edge.label for edge in made.edges).items())),
    )
    return index, cost


def _seconds_a_text(model: Model, texts: Sequence[str]) -> float:
    some = texts[:: max(1, len(texts) // PROBE)][:PROBE]
    begin = time.perf_counter()
    model(some)
    return (time.perf_counter() - begin) / max(1, len(some))


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes of each part of a saved index: the files and folders of its current version."""
    (here,) = [path for path in folder.iterdir() if path.is_dir()]
    sizes: dict[str, int] = {}
    for path in sorted(here.rglob("*")):
        if path.is_file():
            name = path.relative_to(here).parts[0].partition(".")[0]
            sizes[name] = sizes.get(name, 0) + path.stat().st_size
    return sizes


def _memory() -> int:
    """What the process holds now in bytes; 0 where the system does not say."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _digest(data: RetrievalSet, model: str) -> str:
    found = hashlib.sha256(model.encode())
    for chunk in data.chunks:
        found.update(repr(chunk).encode("utf-8", "surrogatepass"))
    for question in data.questions:
        found.update(f"{question.id} {question.text}".encode("utf-8", "surrogatepass"))
    root = Path(kag.__file__).parent
    code = sorted(path for part in CODE for path in root.glob(part))
    for path in (*code, Path(__file__).with_name("variants.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]
