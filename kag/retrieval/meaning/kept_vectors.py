"""Vectors kept with a run: those of its passages in parts, so that no question has to make them.

Two files: `passage_vectors.npy`, float16 rows of length 1, one for each part in reading order, and a record of which
graph they are of and which model made them. What is missing, stale, damaged or a stranger's counts as not there.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from kag.core.errors import MissingExtra
from kag.core.files import read_object, read_regular
from kag.retrieval.meaning.arrays import Vectors, normalised, np
from kag.retrieval.meaning.packaged import SIZE, BgeSmall
from kag.retrieval.property_graph.npy import open_array

GRAPH, ROWS, RECORD = "knowledge_graph.ttl", "passage_vectors.npy", "passage_vectors.json"
_VERSION = 1  # of what is embedded and how it is stored
_LARGEST_RECORD = 1_000  # bytes


def vector_files(parts: Sequence[str], graph: bytes) -> dict[str, bytes]:
    """Return the two files with the vectors of a graph's parts; raises `MissingExtra`."""
    rows = io.BytesIO()
    np.save(rows, np.asarray(_embedder()(parts), dtype="<f2"))
    return {ROWS: rows.getvalue(), RECORD: json.dumps(_record(graph, len(parts))).encode()}


def read_vectors(run: Path, rows: int) -> Vectors | None:
    """Return the kept vectors of a run's `rows` parts; None where there are none of its graph as it is now."""
    try:
        if read_object(run / RECORD, _LARGEST_RECORD) != _record(read_regular(run / GRAPH), rows):
            return None
        vectors = open_array(run / ROWS, "<f2", 2)
    except (OSError, ValueError):
        return None
    return normalised(vectors) if vectors.shape == (rows, SIZE) and bool(np.isfinite(vectors).all()) else None


def question_vector(question: str) -> Vectors | None:
    """Return the vector of a question; None where the model is not installed."""
    try:
        row: Vectors = _embedder()([question])[0]
    except MissingExtra:
        return None
    return row


def _record(graph: bytes, rows: int) -> dict[str, object]:
    return {"version": _VERSION, "model": BgeSmall.id, "graph": hashlib.sha256(graph).hexdigest(), "rows": rows}


@cache
def _embedder() -> BgeSmall:
    """The model of this process, on one thread: papers are indexed side by side."""
    return BgeSmall(threads=1)
