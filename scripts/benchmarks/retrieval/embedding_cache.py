"""Vectors kept between runs: a text is embedded once by a model, whoever asks and whenever.

One file a model: a header, then records of one size, only ever appended: key (SHA-256 of the text), CRC-32, vector.
Many may read while one appends; appends take turns by a lock on the file. A record cut off by a crash is overwritten
by the next append, one that was damaged is embedded again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError
from kag.retrieval.meaning.arrays import Vectors, np
from kag.retrieval.meaning.similarity import Embedder

HEADER = 512  # bytes: JSON, filled up with blanks
BATCH = 256  # texts embedded between two appends


class CachedEmbedder:
    """An `Embedder` that asks another one only for texts whose vectors are not in `folder` yet.

    `model` names the model: vectors of different models never mix. Raises `SourceError` where the file is
    not such a cache, and what `embed` raises; what was embedded until then is kept.
    """

    def __init__(self, embed: Embedder, model: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "-", model).strip("-.")[:80]
        self.id = model
        self.path = folder / f"{name}-{hashlib.sha256(model.encode()).hexdigest()[:8]}.vectors"
        self._embed = embed
        self._places: dict[bytes, int] = {}
        self._records: Any = ()

    def __call__(self, texts: Sequence[str]) -> Vectors:
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        found = self._known(wanted)
        if len(found) < len(wanted):
            self._refresh()
            found = self._known(wanted)
        missing = [key for key in wanted if key not in found]
        for at in range(0, len(missing), BATCH):
            batch = missing[at : at + BATCH]
            vectors = self._embed([wanted[key] for key in batch])
            self._append(batch, vectors)
            found.update(zip(batch, vectors, strict=True))
        if not keys:
            return self._embed([])
        return np.array([found[key] for key in keys], dtype=np.float32)

    def __len__(self) -> int:
        """How many vectors are kept."""
        self._refresh()
        return len(self._places)

    def _known(self, keys: Sequence[bytes] | dict[bytes, str]) -> dict[bytes, Any]:
        found = {}
        for key in keys:
            if (place := self._places.get(key)) is not None:
                record = self._records[place]
                if record["crc"] == _checksum(key, record["vector"].tobytes()):
                    found[key] = record["vector"]
        return found

    def _refresh(self) -> None:
        """Take notice of what was appended since, by whomever."""
        size = self._stated_size()
        if not size:
            return
        record = _record(size)
        count = (self.path.stat().st_size - HEADER) // record.itemsize
        known = len(self._records)
        if count > known:
            self._records = np.memmap(self.path, record, "r", HEADER, (count,))
            for place, key in enumerate(self._records["key"][known:].tolist(), start=known):
                self._places[key] = place  # a later record stands for a damaged one

    def _append(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        rows = np.zeros(len(keys), dtype=_record(vectors.shape[1]))
        rows["key"] = np.frombuffer(b"".join(keys), dtype="V32")
        rows["vector"] = vectors
        rows["crc"] = [_checksum(key, row.tobytes()) for key, row in zip(keys, rows["vector"], strict=True)]
        with self._locked() as file:
            stated = self._stated_size()
            if not stated:
                os.ftruncate(file, 0)
                os.write(file, json.dumps({"model": self.id, "size": vectors.shape[1]}).encode().ljust(HEADER))
            elif stated != vectors.shape[1]:
                raise SourceError(
                    f"{self.path} holds vectors of {stated} numbers, the model {self.id} now makes {vectors.shape[1]}",
                    hint="Name the model differently, or remove the file.",
                )
            end = os.fstat(file).st_size
            os.ftruncate(file, end - (end - HEADER) % rows.dtype.itemsize)  # a record that a crash cut off
            _write(file, rows.tobytes())

    @contextmanager
    def _locked(self) -> Iterator[int]:
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)

    def _stated_size(self) -> int:
        """How many numbers a vector of the file has; 0 while there is no whole header."""
        try:
            with self.path.open("rb") as file:
                head = file.read(HEADER)
        except FileNotFoundError:
            return 0
        if len(head) < HEADER:
            return 0
        try:
            stated = json.loads(head)
            if stated["model"] == self.id and int(stated["size"]) > 0:
                return int(stated["size"])
        except (ValueError, KeyError, TypeError):
            pass
        raise SourceError(f"{self.path} is no cache of vectors of {self.id}", hint="Remove the file.")


def _record(size: int) -> np.dtype[Any]:
    return np.dtype([("key", "V32"), ("crc", "<u4"), ("vector", "<f4", (size,))])


def _checksum(key: bytes, vector: bytes) -> int:
    return zlib.crc32(vector, zlib.crc32(key))


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
