"""Papers over a Ray cluster: one task a paper, tried again where a machine is lost; and parts of a batch by name.

All machines need the same files at the same paths and the same kag, which each task checks. Limits are those of one
machine: a task beyond its seconds is killed, and its memory is requested from Ray and limited in its process.
"""

from __future__ import annotations

import logging
import os
import re
import socket
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from pickle import dumps, loads
from typing import Any, Protocol, TypeVar

import kag
from kag.core.errors import MissingExtra, RunError, SourceError
from kag.core.workers import UNLIMITED, Ended, Executor, Kept, Limits, never_fork

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2  # tasks that wait for each core, so that none is idle
RETRIES = 3  # of a task whose machine or process was lost
_PATIENCE = 10.0  # seconds for a cluster to answer
_LOOK = 1.0  # seconds between looks at what takes too long
_SAME = "Install the same kag on all machines, and give the command again: what is done is left alone."
_HINT = "Start one with `ray start --head`, give its address, or `--ray local` for this machine alone."


@dataclass(frozen=True, slots=True)
class _Other:
    """The reply of a task that was not run because its machine has another version of kag."""

    machine: str
    edition: str


@cache
def edition() -> str:
    """Return the edition of kag: its version, and the first digits of a hash of all its files.

    >>> edition().partition(" ")[0] == kag.__version__
    True
    """
    home, whole = Path(kag.__file__).parent, sha256()
    for path in sorted(path for path in home.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        whole.update(str(path.relative_to(home)).encode() + b"\0" + sha256(path.read_bytes()).digest())
    return f"{kag.__version__} ({whole.hexdigest()[:12]})"


def _own() -> str:
    """Return `edition` as a plain function for Ray, which does not accept cached ones."""
    return edition()


def over_ray(address: str) -> Executor:
    """An executor on the cluster at an address, "auto" for the one this machine is part of, "local" for a new one.

    Raises `MissingExtra` without Ray, `RunError` where there is no cluster or a machine of it has another version.
    """
    if find_spec("ray") is None:
        raise MissingExtra(
            "ray is not installed", hint='Install it on every machine: pip install "kag-papers[cluster]"'
        )
    import ray

    _require(address)
    try:
        ray.init(
            address=None if address == "local" else address,
            log_to_driver=False,
            include_dashboard=False,
            ignore_reinit_error=True,
            logging_level=logging.ERROR,
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise RunError(f"there is no Ray cluster at {address!r}: {error}", hint=_HINT) from error
    _same_edition(ray)

    def execute(
        task: Callable[[Item], Result], items: Iterable[Item], limits: Limits
    ) -> Generator[tuple[Item, Result | Ended], None, None]:
        yield from _spread(ray, task, items, limits)

    return execute


def _require(address: str) -> None:
    """Raise `RunError` if nothing listens at host:port: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
        except (OSError, OverflowError) as error:
            raise RunError(f"there is no Ray cluster at {address!r}: {error}", hint=_HINT) from error


def _same_edition(ray: Any) -> None:
    """Raises `RunError` where a machine of the cluster has another kag: its graphs might be others."""
    asking = ray.remote(num_cpus=0)(_own)
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

    nodes = [node for node in ray.nodes() if node["Alive"]]
    asked = [
        (node["NodeManagerAddress"], asking.options(scheduling_strategy=On(node["NodeID"], soft=False)).remote())
        for node in nodes  # of one address there may be several
    ]
    for machine, version_text in asked:
        try:
            found = ray.get(version_text, timeout=60)
        except Exception as error:
            raise RunError(f"kag cannot be used on {machine}: {error}", hint="Install kag there.") from error
        _require_same(_Other(machine, found))


def _require_same(there: _Other) -> None:
    """Raises `RunError` for a machine with another kag."""
    if there.edition != edition():
        raise RunError(f"{there.machine} has kag {there.edition}, this machine {edition()}", hint=_SAME)


def _spread(
    ray: Any, task: Callable[[Item], Result], items: Iterable[Item], limits: Limits
) -> Generator[tuple[Item, Result | Ended], None, None]:
    options: dict[str, Any] = {"num_cpus": 1, "max_retries": RETRIES, "retry_exceptions": False}
    if limits.megabytes:
        options["memory"] = min(limits.megabytes << 20, _least_memory(ray))
    remote = ray.remote(**options)(_one)
    waiting, under, home = deque(items), dict[Any, Item](), os.getcwd()
    try:
        while waiting or under:
            while waiting and len(under) < AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))):
                item = waiting.popleft()
                under[remote.remote(task, item, limits, edition(), home)] = item
            ready, _ = ray.wait(list(under), num_returns=1, timeout=_LOOK)
            for reference in ready:
                item, result = under.pop(reference), _result(ray, reference)  # what is done is not to be cancelled
                if isinstance(result, _Other):  # it came after the others were asked
                    _require_same(result)
                yield item, result
    finally:
        left = list(under)
        for reference in ray.wait(left, num_returns=len(left), timeout=0)[1] if left else ():
            ray.cancel(reference, force=True)  # one that is done already would end this process


def _least_memory(ray: Any) -> int:
    """Bytes of the machine that has least: a task that asks for more would wait for ever."""
    sizes = [int(node["Resources"].get("memory", 0)) for node in ray.nodes() if node["Alive"]]
    return min((size for size in sizes if size), default=1 << 30)


def _one(task: Callable[[Item], Result], item: Item, limits: Limits, wanted: str, home: str) -> Result | Ended | _Other:
    """Run an item in a process that can be killed, which is kept for the next item; `home` is the working folder."""
    if edition() != wanted:
        return _Other(socket.gethostname(), edition())
    with suppress(OSError):
        os.chdir(home)
    never_fork()  # a process of Ray has threads
    by = Kept(task, limits) if limits == UNLIMITED else _kept(dumps((task, limits, os.getcwd())))
    return by(item)


_KEPT: dict[bytes, Kept[Any, Any]] = {}


def _kept(work: bytes) -> Kept[Any, Any]:
    """Return the helper process for a task: a pickled task, its limits, and its working folder."""
    if work not in _KEPT:
        for other in _KEPT.values():
            other.end()
        _KEPT.clear()
        task, limits, _ = loads(work)
        _KEPT[work] = Kept(task, limits)
    return _KEPT[work]


def _result(ray: Any, reference: Any) -> Any:
    """Return the result of a task; a machine that was lost too often fails only that paper."""
    try:
        return ray.get(reference)
    except ray.exceptions.OutOfMemoryError as error:
        return Ended("memory", str(error).splitlines()[0])
    except ray.exceptions.RayError as error:
        return Ended("died", type(error).__name__)


# One part of many: which papers one machine of several takes, by their names alone -----------

MOST = 100_000  # shards


class Named(Protocol):
    """Something with a name."""

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
