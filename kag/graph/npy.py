"""Arrays from .npy files, safely by many threads at once.

`numpy.load` reads a file's header with Python's compiler, which in Python 3.11 fails now and then where several threads
use it ("AST constructor recursion depth mismatch"). The header has one form, which a pattern reads.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from kag.errors import MissingExtra

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("numpy is not installed", hint="Run: pip install 'kag-papers[retrieve]'") from error

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(rb"\{'descr': '([<>|=][a-z]\d+)', 'fortran_order': False, 'shape': \((\d+), ?(\d*)\), \} *\n")


def open_array(file: Path) -> np.ndarray[Any, np.dtype[Any]]:
    """The array of one or two dimensions that `numpy.save` wrote, mapped: read from the file as it is needed.

    Raises `OSError` where there is none and `ValueError` where it is of another form or cut short.
    """
    with file.open("rb") as lines:
        start = lines.read(len(_MAGIC) + 2)
        length = int.from_bytes(start[len(_MAGIC) :], "little")
        header = _HEADER.fullmatch(lines.read(length))
    if not start.startswith(_MAGIC) or not header:
        raise ValueError(f"{file.name} is no array")
    shape = tuple(int(number) for number in (header[2], header[3]) if number)
    kind = np.dtype(header[1].decode("ascii"))
    begin, size = len(start) + length, int(np.prod(shape)) * kind.itemsize
    if file.stat().st_size != begin + size:
        raise ValueError(f"{file.name} is cut short")
    if not size:
        return np.zeros(shape, kind)
    return np.asarray(np.memmap(file, kind, "r", begin, shape))
