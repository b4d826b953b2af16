"""One part of many: which papers one machine of several takes, by their names alone.

A paper's shard is its name's SHA-256 modulo the number of shards, so that every machine comes to the same parts without
asking another, and a paper stays where it is when others come or go. Array jobs (Slurm, Kubernetes) and queues (Dask,
Spark) work through the same list: `kag plan --out` writes it, `kag index --shard I/N` takes a part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol, TypeVar

from kag.core.errors import SourceError

MOST = 100_000  # shards


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str: ...


Job = TypeVar("Job", bound=Named)


@dataclass(frozen=True, slots=True)
class Shard:
    """The part `number` (from 1) of `of` parts."""

    number: int
    of: int

    def takes(self, name: str) -> bool:
        """Whether a paper of that name belongs to this part."""
        return shard_of(name, self.of) == self.number

    def own(self, jobs: Iterable[Job]) -> Iterator[Job]:
        """The jobs of this part, in their order."""
        return (job for job in jobs if self.takes(job.name))


def shard_of(name: str, shards: int) -> int:
    """The part, from 1, that a paper belongs to.

    >>> [shard_of(name, 1000) for name in ("ice", "ice", "moss")]
    [411, 411, 639]
    """
    return int.from_bytes(sha256(name.encode()).digest()[:8], "big") % shards + 1


def read_shard(text: str) -> Shard:
    """A part as it is written, "2/8"; raises `SourceError` for what is none."""
    match = re.fullmatch(r"\s*([0-9]{1,6})\s*/\s*([0-9]{1,6})\s*", text)
    if match and 1 <= int(match[1]) <= int(match[2]) <= MOST:
        return Shard(int(match[1]), int(match[2]))
    raise SourceError(f"{text!r} is not a part", hint=f"Give it as 2/8: the second of eight, of at most {MOST:,}.")
