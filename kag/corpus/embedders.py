"""Who makes the vectors of a corpus: a network on this machine, or an endpoint that the user states."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

from kag.core.errors import ModelError
from kag.retrieval.meaning import bge, minilm
from kag.retrieval.meaning.endpoint import STATED, endpoint_of
from kag.retrieval.meaning.similarity import Embedder

if TYPE_CHECKING:
    from kag.retrieval.meaning.arrays import Vectors

USUAL, SECOND = "minilm", "bge-small"
"""How the user names the networks of this machine: what `--vectors` takes, and another one."""


class Named(Protocol):
    """An `Embedder` whose model has a name."""

    @property
    def id(self) -> str: ...
    def __call__(self, texts: Sequence[str]) -> Vectors: ...


@cache
def _minilm() -> Named:
    return minilm.MiniLM()


@cache
def _bge() -> Named:
    return bge.BgeSmall()


_LOCAL: Mapping[str, tuple[str, Callable[[], Named]]] = {USUAL: (minilm.NAME, _minilm), SECOND: (bge.NAME, _bge)}


def embedder_named(words: str) -> Named:
    """Who makes vectors by what the user says: a network of this machine, or URL#MODEL; raises `MissingExtra`,
    `ModelError`.
    """
    if words in _LOCAL:
        return _LOCAL[words][1]()
    if "#" not in words:
        known = " or ".join(sorted(_LOCAL))
        raise ModelError(f"{words!r} makes no vectors", hint=f"Give {known}, or URL#MODEL for a server.")
    return endpoint_of(words)


def embedder_of(model: str) -> Embedder:
    """Who made an index's vectors; opened or asked when first needed, which a search by words never does."""
    name = local_name(model)
    return _opened(_LOCAL[name][1]) if name else _by_endpoint(model)


def local_name(model: str) -> str:
    """How the user names the network of this machine that made vectors; "" where an endpoint did."""
    return next((name for name, (begins, _) in _LOCAL.items() if model.startswith(begins)), "")


def _opened(make: Callable[[], Named]) -> Embedder:
    return lambda texts: make()(texts)


def _by_endpoint(model: str) -> Embedder:
    """The endpoint that made an index's vectors, if it is the one that the user states; asked when first needed."""

    def embedded(texts: Sequence[str]) -> Vectors:
        stated = os.environ.get(STATED, "")
        endpoint = endpoint_of(stated) if stated and stated not in _LOCAL else None
        if endpoint is None or endpoint.id != model:
            hint = f"State it as URL#MODEL in the environment variable {STATED}, or search by words: plan bm25."
            raise ModelError(f"the vectors of this corpus are by {model}", hint=hint)
        return endpoint(texts)

    return embedded
