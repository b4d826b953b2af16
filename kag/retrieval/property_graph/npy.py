"""Arrays of an index from .npy files, mapped into memory, and lists of names."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from kag.core.files import open_regular

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
