"""Vectors by id and the nearest of them: exact by numpy, and with faiss a shortlist where there are very many."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from kag.errors import RunError
from kag.retrieve.arrays import Array, Vectors, normalised, np

EXACT = 100_000  # up to so many vectors all are compared: about 10 ms
SHORTLIST = 8  # from faiss come so many times more than asked for; they are compared exactly
PROBES = 32  # cells of faiss that are looked into, of about 2 x the root of the number of vectors
_NAMES, _ROWS = "ids.json", "vectors.npy"


class VectorIndex:
    """float32 rows of length 1 by id. Scores are cosines; equals come by id."""

    def __init__(self, ids: Sequence[str] = (), vectors: Vectors | None = None) -> None:
        self._ids: list[str] = []
        self._rows: Array = np.zeros((0, 0), dtype=np.float32)
        self._places: dict[str, int] = {}
        self._cells: Any = None  # faiss index over the first rows, made when it is first needed
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
        self._ids += names
        self._places.update(zip(names, range(begin, end), strict=True))

    def delete(self, ids: Iterable[str]) -> None:
        """Take vectors out; unknown ids do nothing."""
        gone = {name for name in ids if name in self._places}
        if not gone:
            return
        kept = [place for place, name in enumerate(self._ids) if name not in gone]
        self._rows = self._rows[kept]
        self._ids = [self._ids[place] for place in kept]
        self._places = {name: place for place, name in enumerate(self._ids)}
        self._cells = None

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
        if self._cells is None or self._cells.ntotal < len(self._ids) / 2:
            self._cells = _cells(self.matrix, faiss)
        done = self._cells.ntotal
        parameters = faiss.SearchParametersIVF(nprobe=PROBES)
        near = self._cells.search(asked[None], count, params=parameters)[1][0]
        return np.concatenate([np.sort(near[near >= 0]), np.arange(done, len(self._ids))])

    def save(self, folder: Path) -> None:
        """Write the vectors into a new folder."""
        folder.mkdir(parents=True)
        np.save(folder / _ROWS, self.matrix)
        (folder / _NAMES).write_text(json.dumps(self._ids), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> VectorIndex:
        """Open what `save` wrote: rows are read when they are needed. Raises `RunError`."""
        try:
            ids = json.loads((folder / _NAMES).read_text(encoding="utf-8"))
            rows = np.load(folder / _ROWS, mmap_mode="r")
        except (OSError, ValueError) as error:
            raise RunError(f"{folder}: {error}", hint="Build the index again.") from error
        if len(ids) != len(rows):
            raise RunError(f"{folder}: {len(ids)} ids for {len(rows)} vectors", hint="Build the index again.")
        return cls(ids, rows)


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


def _cells(rows: Vectors, faiss: Any) -> Any:
    """Vectors in cells, 8 bits a number (IVF, SQ8), trained on evenly spaced rows."""
    size = rows.shape[1]
    cells = max(1, round(2 * math.sqrt(len(rows))))
    flat = faiss.IndexFlatIP(size)
    index = faiss.IndexIVFScalarQuantizer(flat, size, cells, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    step = max(1, len(rows) // (cells * 40))
    index.train(np.ascontiguousarray(rows[::step]))
    index.add(np.ascontiguousarray(rows))
    return index
