"""What files of an index hold: arrays from .npy files, safely by many threads at once, and names.

`numpy.load` reads a file's header with Python's compiler, which in Python 3.11 fails now and then where several threads
use it ("AST constructor recursion depth mismatch"). The header has one form, which a pattern reads.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from kag.safety.files import open_regular
from kag.values.errors import MissingExtra

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("numpy is not installed", hint="Run: pip install 'kag-papers[retrieve]'") from error

AGAIN = "Build the index again; that of a corpus: `kag corpus check --repair`."
"""The hint where a file of an index is damaged."""

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(rb"\{'descr': '([<>|=][a-z]\d+)', 'fortran_order': False, 'shape': \((\d+), ?(\d*)\), \} *\n")


def names_of(value: Any) -> list[str]:
    """A list of names out of JSON; raises `ValueError` where it is something else."""
    try:
        "".join(value)  # tells faster than a look at each
    except TypeError as error:
        raise ValueError("no list of names") from error
    return list(value)


def open_array(file: Path, kind: str, dimensions: int = 1) -> np.ndarray[Any, np.dtype[Any]]:
    """The array that `numpy.save` wrote, mapped: read from the file as it is needed.

    It has this kind of numbers ("<f4") and one or two dimensions. Raises `OSError` where there is none and `ValueError`
    where it is of another form or cut short.
    """
    with open_regular(file) as lines:
        start = lines.read(len(_MAGIC) + 2)
        length = int.from_bytes(start[len(_MAGIC) :], "little")
        header = _HEADER.fullmatch(lines.read(length))
    if not start.startswith(_MAGIC) or not header:
        raise ValueError(f"{file.name} is no array")
    shape = tuple(int(number) for number in (header[2], header[3]) if number)
    if (header[1].decode("ascii"), len(shape)) != (kind, dimensions):
        raise ValueError(f"{file.name} holds other numbers than it should")
    if max(shape) >= 1 << 40:
        raise ValueError(f"{file.name} is larger than any array")
    begin, size = len(start) + length, math.prod(shape) * np.dtype(kind).itemsize
    if file.stat().st_size != begin + size:
        raise ValueError(f"{file.name} is cut short")
    if not size:
        return np.zeros(shape, kind)
    return np.asarray(np.memmap(file, kind, "r", begin, shape))
