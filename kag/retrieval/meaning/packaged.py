"""Small networks whose weights come inside of packages that are only read, never imported: found, known, opened."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.core.errors import MissingExtra
from kag.retrieval.meaning.arrays import Array, Vectors, normalised, np

LONGEST = 256  # word pieces; what follows is not read


@dataclass(frozen=True, slots=True)
class Packaged:
    """Weights in `file` of `folder` of a package, a tokenizer beside them, with the SHA-256 that they must have.

    `name` is the network's, `hint` says how to get it.
    """

    name: str
    package: str
    folder: str
    file: str
    sha256: str
    hint: str

    def find(self) -> Path:
        """Where the package keeps them; raises `MissingExtra` where it is not installed."""
        try:
            package = importlib.metadata.distribution(self.package)
        except importlib.metadata.PackageNotFoundError:
            missing = f"the weights of {self.name} are not installed ({self.package})"
            raise MissingExtra(missing, hint=self.hint) from None
        return Path(str(package.locate_file(self.folder)))

    def read(self, folder: Path) -> bytes:
        """The weights; raises `MissingExtra` where they are not those that kag knows."""
        path = folder / self.file
        try:
            data = path.read_bytes()
        except OSError as error:
            raise MissingExtra(f"the weights of {self.name} cannot be read: {error}", hint=self.hint) from error
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise MissingExtra(f"{path} is not the {self.name} that kag knows (SHA-256 differs)", hint=self.hint)
        return data

    def open(self, folder: Path | None, make: Callable[[bytes], bytes] = bytes) -> tuple[Any, Any]:
        """The network as a session on one thread, and its tokenizer; `make` makes an ONNX file of the weights.

        Raises `MissingExtra`.
        """
        folder = folder or self.find()
        onnxruntime, tokenizers = self._packages()
        model = make(self.read(folder))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # texts run side by side instead: no waiting, no dependence on the order
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(LONGEST)
        return session, tokenizer

    def _packages(self) -> tuple[Any, Any]:
        """onnxruntime and tokenizers; raises `MissingExtra` that names the one that lacks."""
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise MissingExtra(f"{error.name} is not installed", hint=self.hint) from None
        return onnxruntime, tokenizers


def read_by(session: Any, encoding: Any) -> Array:
    """What a network of BERT's usual inputs makes of one text, or of a pair, as its tokenizer gives it."""
    given = {"input_ids": encoding.ids, "attention_mask": encoding.attention_mask, "token_type_ids": encoding.type_ids}
    told = session.run(None, {name: np.array([numbers], dtype=np.int64) for name, numbers in given.items()})
    row: Array = told[0][0]
    return row


def rows_of(one: Callable[[str], Array], texts: Sequence[str], size: int, threads: int | None = None) -> Vectors:
    """The vectors that `one` makes of texts, each by itself, `threads` at a time: float32 rows of length 1."""
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        vectors = list(map(one, texts)) if len(texts) < 2 else list(pool.map(one, texts))
    return normalised(np.array(vectors, dtype=np.float32).reshape(len(vectors), size))
