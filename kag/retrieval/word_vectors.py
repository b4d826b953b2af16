"""Word vectors: a small trained table that says which words mean nearly the same, without a network.

`word_vectors.bin` holds, for some ten thousand English stems, the words, one signed byte for each number of a vector of
length 1, and what each word weighs in a text. `word_vectors.json` is the card with the SHA-256. Made by
`scripts/benchmarks/train_word_vectors.py`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kag.core.errors import SourceError
from kag.core.files import read_object, read_regular

Array = np.ndarray[Any, np.dtype[Any]]
WORDS = Path(__file__).with_suffix(".bin")
_CARD = WORDS.with_suffix(".json")
_HINT = "Install kag again: one of its models is not whole."


class WordVectors:
    """Stems with their vectors of length 1 and their weights; the last row is that of words that are not known."""

    def __init__(self, words: Sequence[str], rows: Array, weights: Array) -> None:
        self._places = {word: place for place, word in enumerate(words)}
        self.rows = np.concatenate([rows, np.zeros((1, rows.shape[1]), np.float32)])
        self.weights = np.append(weights, np.float32(0))

    def places(self, words: Iterable[str]) -> Array:
        """The rows of words."""
        unknown = len(self._places)
        return np.array([self._places.get(word, unknown) for word in words], dtype=np.intp)

    def of_texts(self, places: Array, starts: Array) -> Array:
        """The vectors, of length 1 or 0, of texts whose words have these places; text i begins at `starts[i]`."""
        if not len(starts):
            return np.zeros((0, self.rows.shape[1]), np.float32)
        ends = np.append(starts[1:], len(places))
        padded = np.append(places, len(self._places)).astype(np.intp)  # the last text may have no words
        sums = np.add.reduceat(self.rows[padded] * self.weights[padded, None], starts)
        sums[ends <= starts] = 0
        return unit_rows(sums)


def unit_rows(rows: Array) -> Array:
    """Rows of length 1; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Array = rows / np.where(lengths > 0, lengths, 1)
    return found


@cache
def word_vectors() -> WordVectors:
    """The table of this installation; raises `SourceError` where it is missing or damaged."""
    try:
        card = read_object(_CARD, 10_000)
        data = read_regular(WORDS)
        words, size = card["words"], card["size"]
        if hashlib.sha256(data).hexdigest() != card["sha256"]:
            raise ValueError("its SHA-256 is not that of its card")
    except (OSError, ValueError, KeyError) as error:
        raise SourceError(f"{WORDS}: {error}", hint=_HINT) from error
    numbers, weights = words * size, words * 2
    rows = np.frombuffer(data, np.int8, numbers).reshape(words, size).astype(np.float32)
    listed = data[numbers + weights :].decode().split("\n")
    return WordVectors(listed, unit_rows(rows), np.frombuffer(data, "<f2", words, numbers).astype(np.float32))


def write(folder: Path, words: Sequence[str], table: Array, card: dict[str, Any]) -> None:
    """Write a table, a row a word, with its card."""
    lengths = np.linalg.norm(table, axis=1)
    small = np.rint(127 * table / np.abs(table).max(axis=1, keepdims=True)).astype(np.int8)
    data = small.tobytes() + lengths.astype("<f2").tobytes() + "\n".join(words).encode()
    (folder / WORDS.name).write_bytes(data)
    about = card | {"words": len(words), "size": table.shape[1], "sha256": hashlib.sha256(data).hexdigest()}
    (folder / _CARD.name).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
