"""Rows of numbers, arrays in files, and how alike texts are by their words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from kag.core.files import open_regular
from kag.text.search_text import tokens

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
