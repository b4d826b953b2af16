"""Vectors by id and the nearest of them: exact by numpy, and with faiss a shortlist where there are very many.

Arrays of numbers in files, and how alike texts are by their words, stand here, too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from kag.core.errors import RunError
from kag.core.files import open_regular, read_regular
from kag.text.words import tokens

EXACT = 100_000  # up to so many vectors all are compared: about 10 ms
SHORTLIST = 8  # from faiss come so many times more than asked for; they are compared exactly
PROBES = 32  # cells of faiss that are looked into, of about 2 x the root of the number of vectors
MANY_PROBES = 16  # the same where each of many vectors is asked for: it costs their number
PART = 4096  # vectors compared at once where all are
TRAINED = 40  # vectors that a cell is found by
ADDED = 1 << 16  # vectors put in cells at once
_NAMES, _ROWS, _KEYS, _CELLS = "ids.json", "vectors.npy", "keys.npy", "cells.faiss"


class VectorIndex:
    """float32 rows of length 1 by id. Scores are cosines; equals come by id."""

    def __init__(self, ids: Sequence[str] = (), vectors: Vectors | None = None) -> None:
        self._ids: list[str] = []
        self._rows: Array = np.zeros((0, 0), dtype=np.float32)
        self._places: dict[str, int] = {}
        self._keys: Array = np.arange(len(ids))  # of each row, ascending: what it is called in the cells
        self._cells: Any = None  # faiss index over the rows with keys below `_fresh`, made when it is first needed
        self._fresh = 0
        if vectors is not None:
            self._ids, self._rows = list(ids), vectors
            self._places = {name: place for place, name in enumerate(self._ids)}

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    @property
    def ids(self) -> Sequence[str]:
        """The ids in the order of `matrix`."""
        return self._ids

    @property
    def matrix(self) -> Vectors:
        """All vectors, a row each; not to be written to."""
        return self._rows[: len(self._ids)]

    def __getitem__(self, name: str) -> Vectors:
        """The vector of an id; raises `KeyError`."""
        row: Vectors = self._rows[self._places[name]]
        return row

    def hold(self, ids: Iterable[str]) -> None:
        """Have the vectors of these ids at hand, where each would else be fetched by itself."""

    def add(self, ids: Sequence[str], vectors: Any) -> None:
        """Add vectors, one an id; one with an id that is there takes its place."""
        last = {name: row for row, name in enumerate(ids)}
        self.delete(last)
        names, rows = list(last), normalised(vectors)[list(last.values())]
        if not names:
            return
        begin, end = len(self._ids), len(self._ids) + len(names)
        if end > len(self._rows) or not self._rows.flags.writeable:
            roomy = np.zeros((max(end, begin * 3 // 2), rows.shape[1]), dtype=np.float32)
            if begin:
                roomy[:begin] = self._rows[:begin]
            self._rows = roomy
        self._rows[begin:end] = rows
        first = max(self._fresh, int(self._keys[-1]) + 1 if begin else 0)
        self._keys = np.concatenate([self._keys, np.arange(first, first + len(names))])
        self._ids += names
        self._places.update(zip(names, range(begin, end), strict=True))

    def delete(self, ids: Iterable[str]) -> None:
        """Take vectors out; unknown ids do nothing."""
        gone = {name for name in ids if name in self._places}
        if not gone:
            return
        if self._cells is not None:
            self._cells.remove_ids(self._keys[[self._places[name] for name in sorted(gone)]])
        kept = [place for place, name in enumerate(self._ids) if name not in gone]
        self._rows, self._keys = self._rows[kept], self._keys[kept]
        self._ids = [self._ids[place] for place in kept]
        self._places = {name: place for place, name in enumerate(self._ids)}

    def search(self, vector: Any, k: int, allowed: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The k nearest ids with their cosines, the nearest first; only of those allowed where they are given."""
        if not self._ids or k < 1:
            return []
        asked = normalised(vector)
        if allowed is not None:
            places = np.array(sorted(self._places[name] for name in allowed if name in self._places), dtype=np.int64)
        elif len(self._ids) > EXACT and (faiss := _faiss()):
            places = self._near(asked, k * SHORTLIST, faiss)
        else:
            places = None
        rows = self.matrix if places is None else self._rows[places]
        scores = rows @ asked
        best = _best(scores, k)
        found = [(self._ids[at if places is None else places[at]], float(scores[at])) for at in best]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]

    def _near(self, asked: Vectors, count: int, faiss: Any) -> Array:
        """The places of about the nearest vectors; those added since the cells were made are all among them."""
        self._require_cells(faiss)
        parameters = faiss.SearchParametersIVF(nprobe=PROBES)
        near = self._cells.search(asked[None], count, params=parameters)[1][0]
        done = int(np.searchsorted(self._keys, self._fresh))
        return np.concatenate([np.searchsorted(self._keys, np.sort(near[near >= 0])), np.arange(done, len(self._ids))])

    def _require_cells(self, faiss: Any) -> None:
        """Put the vectors in cells where they are not, or where most came since."""
        if self._cells is None or self._cells.ntotal < len(self._ids) / 2:
            self._cells, self._fresh = (
                _cells(self.matrix, np.arange(len(self._ids)), self._keys, faiss),
                int(self._keys[-1]) + 1,
            )

    def save(self, folder: Path) -> None:
        """Write the vectors into a new folder, and their cells where there are very many."""
        folder.mkdir(parents=True)
        np.save(folder / _ROWS, self.matrix)
        if len(self._ids) > EXACT and (faiss := _faiss()):
            self._require_cells(faiss)
            np.save(folder / _KEYS, np.append(self._keys, self._fresh))
            faiss.write_index(self._cells, str(folder / _CELLS))
        (folder / _NAMES).write_text(json.dumps(self._ids), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> VectorIndex:
        """Open what `save` wrote: rows are read when they are needed. Raises `RunError`."""
        try:
            ids = names_of(json.loads(read_regular(folder / _NAMES)))
            rows = open_array(folder / _ROWS, "<f4", 2)
        except (OSError, ValueError, RecursionError) as error:
            raise RunError(f"{folder}: {error}", hint=AGAIN) from error
        if len(ids) != len(rows):
            raise RunError(f"{folder}: {len(ids)} ids for {len(rows)} vectors", hint=AGAIN)
        index = cls(ids, rows)
        if (folder / _CELLS).is_file() and (faiss := _faiss()):
            index._open_cells(folder, faiss)
        return index

    def _open_cells(self, folder: Path, faiss: Any) -> None:
        try:
            keys = open_array(folder / _KEYS, "<i8")
            self._cells = faiss.read_index(str(folder / _CELLS))
        except (OSError, ValueError, RuntimeError, MemoryError) as error:
            raise RunError(f"{folder}: {error}", hint=AGAIN) from error
        if len(keys) != len(self._ids) + 1:
            raise RunError(f"{folder}: {len(keys) - 1} keys for {len(self._ids)} vectors", hint=AGAIN)
        self._keys, self._fresh = keys[:-1], int(keys[-1])


class Neighbourhood:
    """About the nearest of very many vectors, for many at a time: by faiss, and exactly where it is not installed.

    They are the rows at these places; `rows` may have others.
    """

    def __init__(self, rows: Vectors, places: Array) -> None:
        self._rows, self._places, self._faiss = rows, places, _faiss()
        self._cells = _cells(rows, places, places, self._faiss) if self._faiss and len(places) else None

    def near(self, asked: Vectors, count: int) -> Array:
        """The places of the `count` nearest of each vector, a row each; -1 fills up a row."""
        if self._cells is None:
            found: Array = self._places[_nearest(asked, self._rows, self._places, count)]
            return found
        parameters = self._faiss.SearchParametersIVF(nprobe=MANY_PROBES)
        found = self._cells.search(asked, count, params=parameters)[1]
        return found


def _nearest(asked: Vectors, rows: Vectors, places: Array, count: int) -> Array:
    """The numbers of the nearest among these places, compared in parts."""
    best, scores = np.zeros((len(asked), 0), np.int64), np.zeros((len(asked), 0), np.float32)
    for at in range(0, len(places), PART):
        part = asked @ rows[places[at : at + PART]].T
        scores = np.concatenate([scores, part], axis=1)
        best = np.concatenate([best, np.broadcast_to(np.arange(at, at + part.shape[1]), part.shape)], axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, :count]
        best, scores = np.take_along_axis(best, order, axis=1), np.take_along_axis(scores, order, axis=1)
    return best


def _best(scores: Array, k: int) -> Array:
    """The places of the k highest scores and of all that equal the last of them."""
    if len(scores) <= k:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - k)[len(scores) - k]
    return np.flatnonzero(scores >= least)


def _faiss() -> Any:
    """The package, where it is installed: without it all vectors are compared, which is right and slower."""
    try:
        import faiss
    except ImportError:
        return None
    return faiss


def _cells(rows: Vectors, places: Array, keys: Array, faiss: Any) -> Any:
    """The rows at these places in cells by their keys, 8 bits a number (IVF, SQ8), trained on evenly spaced ones."""
    size = rows.shape[1]
    cells = max(1, min(round(2 * math.sqrt(len(places))), len(places) // TRAINED))
    flat = faiss.IndexFlatIP(size)
    index = faiss.IndexIVFScalarQuantizer(flat, size, cells, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    index.train(rows[places[:: max(1, len(places) // (cells * TRAINED))]])
    for at in range(0, len(places), ADDED):
        index.add_with_ids(rows[places[at : at + ADDED]], keys[at : at + ADDED])
    return index


__all__ = [
    "AGAIN",
    "Alike",
    "Array",
    "Embedder",
    "Vectors",
    "by_words",
    "jaccard",
    "names_of",
    "normalised",
    "np",
    "open_array",
    "word_set",
]

Array = np.ndarray[Any, np.dtype[Any]]
Vectors = np.ndarray[Any, np.dtype[np.float32]]
AGAIN = "Build the index again; that of a corpus: `kag corpus check --repair`."
"""The hint where a file of an index is damaged."""


def names_of(value: Any) -> list[str]:
    """A list of names out of JSON; raises `ValueError` where it is something else."""
    try:
        "".join(value)  # faster than checking each
    except TypeError as error:
        raise ValueError("no list of names") from error
    return list(value)


def open_array(file: Path, kind: str, dimensions: int = 1) -> np.ndarray[Any, np.dtype[Any]]:
    """Map the array of a .npy file into memory, read-only.

    It must have this kind of numbers ("<f4") and number of dimensions. Raises `OSError` if there is no such file and
    `ValueError` if it has another form or is cut short.
    """
    with open_regular(file) as lines:  # neither a link nor a device
        try:
            if np.lib.format.read_magic(lines) != (1, 0):
                raise ValueError("another version")
            shape, fortran, found = np.lib.format.read_array_header_1_0(lines)
        except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
            raise ValueError(f"{file.name} is not an array: {error}") from error
        begin = lines.tell()
    if found.str != kind or len(shape) != dimensions or fortran:
        raise ValueError(f"{file.name} holds other numbers than it should")
    size = math.prod(shape) * found.itemsize
    if file.stat().st_size != begin + size:
        raise ValueError(f"{file.name} is cut short")
    return np.asarray(np.memmap(file, found, "r", begin, shape)) if size else np.zeros(shape, found)


Embedder = Callable[[Sequence[str]], Vectors]
"""Texts to float32 rows of length 1, one a text, in their order; no texts give no rows."""

Alike = Callable[[Sequence[str]], Sequence[float]]
"""How alike each of n texts is to the next one: n - 1 numbers, 1 for equals."""


def word_set(text: str) -> frozenset[str]:
    """The different words of a text: stems in the form of `search_text`."""
    return frozenset(token.text for token in tokens(text, stem=True))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Of the words of two texts together, the share that both have; 0 where neither has any.

    Jaccard, "Étude comparative de la distribution florale" (1901).

    >>> jaccard(word_set("River ice"), word_set("The ice of rivers"))
    0.5
    """
    either = len(one | other)
    return len(one & other) / either if either else 0.0


def by_words(texts: Sequence[str]) -> Sequence[float]:
    """Return the similarity of each text to the next by shared words."""
    return [jaccard(one, other) for one, other in pairwise(map(word_set, texts))]


def normalised(vectors: Any) -> Vectors:
    """Rows as float32 with length 1; a row of zeros stays."""
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    found: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return found
