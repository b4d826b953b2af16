"""Chunks by id, kept in a file: ids and places are in memory, a chunk is read when it is asked for.

Beside a chunk stands how often each word is in it, and how many words it has, so that nobody counts again what was
counted for an index. Who asks for some words has these read off: reading all takes several times as long.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from weakref import finalize

from kag.core.errors import RunError
from kag.core.files import open_regular, read_regular
from kag.retrieval.chunking import Chunk, ChunkKind
from kag.retrieval.vectors import AGAIN, names_of

CHUNKS, PLACES = "chunks.jsonl", "chunks.json"
BESIDE = b"\t"  # between a chunk, its words and their number; within JSON it is always written as two characters
SEVERAL = b"+"  # behind the number of words where one of them holds blanks
RECENT = 1 << 15  # chunks that stay in memory once they were read
WRITTEN = 1 << 12  # chunks written at once
COUNTED = 1 << 11  # chunks whose words stay in memory

_FIELDS = tuple(field.name for field in fields(Chunk))
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

Counts = Mapping[str, int]
"""Words, and how often each of them is there."""


class ChunkStore(Mapping[str, Chunk]):
    """Chunks by id, in the order in which they were added, a line of JSON each, and its words behind it.

    The file is one of its own that goes with it, or one that `save` wrote, which is copied before it is changed.
    Lines are only added: what is taken out is left behind by the next `save`. Any number of threads may read.
    """

    def __init__(self, borrowed: Path | None = None) -> None:
        self._borrowed = borrowed is not None
        self._file = open_regular(borrowed) if borrowed else _scratch()
        self._closing = finalize(self, self._file.close)
        self._rows: dict[str, int] = {}
        self._ends = array("q", [0])
        self._recent = lru_cache(RECENT)(self._read)
        self._counted = lru_cache(COUNTED)(self._read_counts)

    def __getitem__(self, name: str) -> Chunk:
        return self._recent(self._rows[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def counts(self, name: str) -> Counts:
        """Return the frequency of each word in a chunk, as it was given with it."""
        return self._counted(self._rows[name])

    def amounts(self, name: str, words: Sequence[str]) -> tuple[int, list[int]]:
        """Return a chunk's number of words, and the frequency of each of these words."""
        row = self._rows[name]
        with _whole(row):
            _, written, *number = self._bytes(row).rstrip(b"\n").split(BESIDE)
            if number:
                return int(number[0].rstrip(SEVERAL)), _read_off(written, words)
        counts = self.counts(name)
        return sum(counts.values()), [counts.get(word, 0) for word in words]

    def add(self, chunks: Iterable[Chunk], counts: Mapping[str, Counts]) -> None:
        """Add chunks; one with an id that is there goes to the end with its new content.

        `counts` are the words of each, by id; one that has none may be left out.
        """
        self._take_copy()
        lines: list[bytes] = []
        for chunk in chunks:
            lines.append(_line(chunk, counts.get(chunk.id, {})))
            self._rows.pop(chunk.id, None)
            self._rows[chunk.id] = len(self._ends) - 1
            self._ends.append(self._ends[-1] + len(lines[-1]))
            if len(lines) == WRITTEN:
                self._write(lines)
        self._write(lines)

    def delete(self, ids: Iterable[str]) -> None:
        """Take chunks out; unknown ids do nothing."""
        for name in ids:
            self._rows.pop(name, None)

    def save(self, folder: Path, documents: Mapping[str, Iterable[str]]) -> None:
        """Write the chunks into a folder, with the start of each and its document."""
        rows = list(self._rows.values())
        with (folder / CHUNKS).open("wb") as file:
            if rows == list(range(len(self._ends) - 1)):
                self._file.seek(0)
                shutil.copyfileobj(self._file, file, 1 << 20)
            else:
                file.writelines(map(self._bytes, rows))
        sizes = [self._ends[row + 1] - self._ends[row] for row in rows]
        known = {name: list(ids) for name, ids in documents.items()}
        about = {"ids": list(self._rows), "sizes": sizes, "documents": known}
        (folder / PLACES).write_text(json.dumps(about), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> tuple[ChunkStore, dict[str, dict[str, None]]]:
        """Open what `save` wrote, and the ids of each document's chunks. Raises `RunError`."""
        try:
            store = cls(folder / CHUNKS)
            about = json.loads(read_regular(folder / PLACES))
            store._rows = {name: row for row, name in enumerate(names_of(about["ids"]))}
            for size in about["sizes"]:
                store._ends.append(store._ends[-1] + size)
            documents = {name: dict.fromkeys(ids) for name, ids in about["documents"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            raise RunError(f"{folder} holds no index: {error}", hint=AGAIN) from error
        counts = {len(store._ends) - 1, len(store._rows), sum(map(len, documents.values()))}
        if len(counts) > 1 or os.fstat(store._file.fileno()).st_size != store._ends[-1]:
            raise RunError(f"{folder} holds no whole index", hint=AGAIN)
        return store, documents

    def _bytes(self, row: int) -> bytes:
        return os.pread(self._file.fileno(), self._ends[row + 1] - self._ends[row], self._ends[row])

    def _read(self, row: int) -> Chunk:
        with _whole(row):
            return _chunk(json.loads(self._bytes(row).partition(BESIDE)[0]))

    def _read_counts(self, row: int) -> Counts:
        with _whole(row):
            counts: Counts = json.loads(self._bytes(row).split(BESIDE)[1])
            return counts

    def _write(self, lines: list[bytes]) -> None:
        self._file.write(b"".join(lines))
        self._file.flush()
        lines.clear()

    def _take_copy(self) -> None:
        if not self._borrowed:
            self._file.seek(0, os.SEEK_END)
            return
        copy = _scratch()
        self._file.seek(0)
        shutil.copyfileobj(self._file, copy, 1 << 20)
        self._closing()
        self._file, self._borrowed = copy, False
        self._closing = finalize(self, copy.close)


@contextmanager
def _whole(row: int) -> Iterator[None]:
    """Reading a chunk; raises `RunError` where it is not what was written."""
    try:
        yield
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise RunError(f"chunk {row} of the index is damaged: {error}", hint=AGAIN) from error


def _scratch() -> IO[bytes]:
    return tempfile.TemporaryFile(prefix="kag-chunks-")


def _line(chunk: Chunk, counts: Counts) -> bytes:
    """A chunk without its empty fields, its words, and how many they are."""
    row = {name: value for name in _FIELDS if (value := getattr(chunk, name))}
    several = b"" if " ".join(counts).split() == [*counts] else SEVERAL
    return BESIDE.join((_packed(row), _packed(counts), b"%d%s\n" % (sum(counts.values()), several)))


def _read_off(written: bytes, words: Sequence[str]) -> list[int]:
    """Read the count of each of these words from `_packed` output: `{"ice":2,"rime":1}`.

    A quote behind a comma begins or ends a key, since one within it is written as two characters; behind one that ends
    it comes a colon, with which no word begins.
    """
    known, found = b"," + written[1:-1] + b",", []
    for word in words:
        key = _key(word)
        at = known.find(key) + len(key)
        found.append(int(known[at : known.index(b",", at)]) if at >= len(key) else 0)
    return found


@lru_cache(1 << 12)
def _key(word: str) -> bytes:
    """Return a word's spelling as a key behind another one."""
    return b",%s:" % _ENCODE(word).encode("utf-8", "surrogatepass")


def _packed(value: Mapping[str, Any]) -> bytes:
    return _ENCODE(value).encode("utf-8", "surrogatepass")


def _chunk(row: dict[str, Any]) -> Chunk:
    values: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in row.items()}
    return Chunk(**{**values, "kind": ChunkKind(row["kind"])})
