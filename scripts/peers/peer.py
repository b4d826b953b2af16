"""What a peer is: a program that finds chunks, behind one function that makes its index and yields its methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.search.chunk import Chunk

Embed = Callable[[Sequence[str]], Any]
Search = Callable[[str, int], Sequence[str]]
"""A question and k to at most k chunk ids, the best first."""


@dataclass(frozen=True, slots=True)
class Pool:
    """What is searched: chunks, their texts for words, their vectors (a row of length 1 each), and the embedder."""

    chunks: Sequence[Chunk]
    texts: Sequence[str]
    vectors: Any
    embed: Embed

    @property
    def ids(self) -> list[str]:
        """The ids of the chunks, in order."""
        return [chunk.id for chunk in self.chunks]


@dataclass(frozen=True, slots=True)
class Method:
    """A way to search. `like` is kag's preset that does the same; `each_k`: asked anew for every k, for its first hits
    depend on it."""

    name: str
    search: Search
    like: str = ""
    each_k: bool = False


Build = Callable[[Pool, Path], Iterator[Method]]
"""Make a peer's index, its files in the folder if it has any, and yield its methods as they become ready."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A program: its package, the modules that must be importable, and how it is asked, in words."""

    name: str
    packages: tuple[str, ...]
    modules: tuple[str, ...]
    build: Build
    setting: str
