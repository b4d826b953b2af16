"""Rows of numbers, and where numpy comes from; who imports this needs numpy."""

from __future__ import annotations

from typing import Any

from kag.core.errors import MissingExtra

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("numpy is not installed", hint="Run: pip install 'kag-papers'") from error

__all__ = ["Array", "Vectors", "normalised", "np"]

Array = np.ndarray[Any, np.dtype[Any]]
Vectors = np.ndarray[Any, np.dtype[np.float32]]


def normalised(vectors: Any) -> Vectors:
    """Rows as float32 with length 1; a row of zeros stays."""
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    found: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return found
