"""Many items, one task, in separate processes: an item that hangs, dies or needs too much memory fails alone.

A worker is given one item after another. It is killed when an item takes too long, and replaced when it dies. Memory is
limited by `RLIMIT_DATA` on Linux only. On Linux without other threads workers are forked; elsewhere they start anew.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_READY = "ready"
_MARGIN = 10.0  # seconds after which a worker ends itself that nobody has killed, because nobody is left
_START = 30.0  # seconds that a process may take until it can do anything
_LONGEST_WAIT = 86_400.0  # seconds that the system is asked to wait at a time: it takes no more than 24 days
_PATIENCE = 5.0  # seconds that a killed process may take to be gone


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one item: seconds of wall time, MB (2^20 bytes) of memory beyond the process's start; None is no
    limit."""

    seconds: float | None = None
    megabytes: int | None = None


UNLIMITED = Limits()


@dataclass(frozen=True, slots=True)
class Ended:
    """Why an item has no result: its time or memory was used up, or its process died (`how` is the cause)."""

    why: Literal["time", "memory", "died"]
    how: str = ""

    def __str__(self) -> str:
        """Return the reason as it follows a colon: "its process died (SIGKILL)"."""
        return {
            "time": "its time was over",
            "memory": "there was not enough memory",
            "died": f"its process died ({self.how or 'nobody knows why'})",
        }[self.why]


class Executor(Protocol):
    """Does one task for many items, and yields each with its result as it comes: on this machine, or on others."""

    def __call__(
        self, task: Callable[[Item], Result], items: Iterable[Item], limits: Limits
    ) -> Generator[tuple[Item, Result | Ended], None, None]: ...


def processes(workers: int) -> Executor:
    """So many processes of this machine (`apart`)."""

    def execute(
        task: Callable[[Item], Result], items: Iterable[Item], limits: Limits
    ) -> Generator[tuple[Item, Result | Ended], None, None]:
        return apart(task, items, workers, limits)

    return execute


def here(task: Callable[[Item], Result], items: Iterable[Item]) -> Generator[tuple[Item, Result | Ended], None, None]:
    """Each item with its result, in this process and without limits."""
    for item in items:
        yield item, _tried(task, item)


def apart(
    task: Callable[[Item], Result], items: Iterable[Item], workers: int, limits: Limits
) -> Generator[tuple[Item, Result | Ended], None, None]:
    """Yield each item with its result as it is finished, from that many processes, which are gone afterwards.

    Task, items and results are pickled. What is under way when nobody asks any more (Ctrl-C) is killed.
    """
    waiting = deque(items)
    crew: list[_Worker[Item, Result]] = []
    try:
        while waiting or crew:
            while waiting and len(crew) < workers:
                crew.append(_Worker(task, waiting.popleft(), limits))  # known before it starts: it is ended for sure
                crew[-1].start()
            for worker in _stirred(crew):
                item, result = worker.item, worker.result()
                if result is None:
                    continue
                if waiting and not isinstance(result, Ended) and worker.give(waiting[0]):
                    waiting.popleft()
                else:
                    worker.end()
                    crew.remove(worker)
                yield item, result
    finally:
        for worker in crew:
            worker.end()


class Kept(Generic[Item, Result]):
    """One process that runs a task on items one by one; without limits this process.

    It is kept from item to item, and a new one takes its place when it was ended.
    """

    def __init__(self, task: Callable[[Item], Result], limits: Limits) -> None:
        self._task, self._limits = task, limits
        self._worker: _Worker[Item, Result] | None = None

    def __call__(self, item: Item) -> Result | Ended:
        """Return the result of an item."""
        if self._limits == UNLIMITED:
            return _tried(self._task, item)
        if self._worker is None or not self._worker.give(item):
            self.end()
            self._worker = _Worker(self._task, item, self._limits)
            self._worker.start()
        result = None
        while result is None:
            result = next((worker.result() for worker in _stirred([self._worker])), None)
        if isinstance(result, Ended):
            self.end()
        return result

    def end(self) -> None:
        """Let the process go."""
        if self._worker is not None:
            self._worker.end()
        self._worker = None


_may_fork = True


def never_fork() -> None:
    """From now on workers start anew: this process has threads that Python does not know of."""
    global _may_fork
    _may_fork = False


def forks() -> bool:
    """Whether workers share what this process has imported."""
    return _may_fork and sys.platform == "linux" and threading.active_count() == 1


class _Worker(Generic[Item, Result]):
    """One process, as its parent sees it; it always has an item, and its time counts from when it began with it."""

    def __init__(self, task: Callable[[Item], Result], item: Item, limits: Limits) -> None:
        context: Any = get_context("fork" if forks() else "spawn")
        self.item, self._task = item, task
        self.pipe, self._other = context.Pipe()
        self._process = context.Process(target=_serve, args=(task, self._other, limits), daemon=True)
        self._seconds = limits.seconds
        self._ready = False
        self.deadline: float | None = None

    def start(self) -> None:
        """Begin the process, with the first item."""
        self.deadline = time.monotonic() + _START
        with _without_interrupts(), _without_main(self._task):
            self._process.start()
        self._other.close()
        self.give(self.item)

    def give(self, item: Item) -> bool:
        """Send the next item; False if the process is gone."""
        self.item = item
        try:
            self.pipe.send(item)
        except OSError:
            return False
        if self._ready:
            self._begin()
        return True

    def _begin(self) -> None:
        self.deadline = None if self._seconds is None else time.monotonic() + self._seconds

    @property
    def late(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline

    def result(self) -> Result | Ended | None:
        """Return the result of the item; None if the process has only reported its start."""
        if not self.pipe.poll():
            return Ended("time") if self._ready else Ended("died", "it did not begin")
        try:
            received = self.pipe.recv()
        except (EOFError, OSError):
            return self._cause()
        if received == _READY:
            self._ready = True
            self._begin()
            return None
        return received  # type: ignore[no-any-return]

    def _cause(self) -> Ended:
        """Return the cause of death of a process; its own alarm means that time was up."""
        self._process.join(_PATIENCE)
        code = self._process.exitcode
        named = {-number.value: number.name for number in signal.Signals}
        how = named.get(code or 0, f"exit code {code}")
        return Ended("time") if how == "SIGALRM" else Ended("died", how)

    def end(self) -> None:
        """Kill the process and wait for its end; a process that never started is ignored."""
        if self._process.pid is not None:
            self._process.kill()
            self._process.join(_PATIENCE)
        self.pipe.close()


def _stirred(crew: Sequence[_Worker[Item, Result]]) -> list[_Worker[Item, Result]]:
    """Return the workers that have sent something or died, or whose time is up; waits for the first of them."""
    deadlines = [worker.deadline for worker in crew if worker.deadline is not None]
    left = min(max(0.0, min(deadlines) - time.monotonic()), _LONGEST_WAIT) if deadlines else None
    ready = wait([worker.pipe for worker in crew], left)
    return [worker for worker in crew if worker.pipe in ready or worker.late]


def _requests() -> set[signal.Signals]:
    """The signals by which a person or the system asks a command to end."""
    return {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start a process that is not asked to end before it can take that: what its parent would do is not for it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _requests())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main(task: Callable[..., Any]) -> Iterator[None]:
    """Let a process that starts anew not run the caller's script once more: it needs nothing of it.

    Without this a script that calls us outside of `if __name__ == "__main__":` would start itself again and again.
    """
    main: Any = sys.modules.get("__main__")
    if forks() or main is None or getattr(task, "__module__", "") == "__main__":
        yield
        return
    kept = {name: vars(main).pop(name) for name in ("__file__", "__spec__") if name in vars(main)}
    main.__spec__ = None
    try:
        yield
    finally:
        vars(main).update(kept)


# in the worker --------------------------------------------------------------------------------


def _serve(task: Callable[[Item], Result], pipe: Connection, limits: Limits) -> None:
    """Do the task for each item that comes; a process that ran out of memory is not used again."""
    try:
        _take_requests()
        _follow_parent()
        collect_rarely()
        _cap(limits.megabytes)
        pipe.send(_READY)
        while True:
            item = pipe.recv()
            _alarm(limits.seconds)
            result = _tried(task, item)
            _alarm(None)
            _send(pipe, result)
    except BaseException:  # its parent is told by its death
        os._exit(1)


def _send(pipe: Connection, result: Any) -> None:
    """Send a result; one that takes more memory to send than there is, is want of memory, too."""
    try:
        pipe.send(result)
    except MemoryError:
        pipe.send(Ended("memory"))


def _take_requests() -> None:
    """A request to end is the parent's, who ends its workers itself; what a worker starts may take it."""
    for number in _requests():
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else lambda number, frame: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _requests())


def _tried(task: Callable[[Item], Result], item: Item) -> Result | Ended:
    try:
        return task(item)
    except MemoryError:
        return Ended("memory")


def _follow_parent() -> None:
    """Die with the parent when that is killed."""
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _alarm(seconds: float | None) -> None:
    """Let the system end this process if a library blocks all threads and the parent is gone; None: cancel."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else seconds + _MARGIN)


def _cap(megabytes: int | None) -> None:
    """Let the system grant so much more memory; what is asked for beyond raises `MemoryError`, or ends the process."""
    if megabytes is None or sys.platform == "win32":
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = min(_inherited() + megabytes * 2**20, sys.maxsize)
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


def _inherited() -> int:
    """The bytes of data that this process has; a forked one begins with all that its parent holds."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def collect_rarely() -> None:
    """Look for cyclic garbage seldom: a paper's many objects live until it is done, and looking finds nothing."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def give_back() -> None:
    """Let the C library return what it keeps of freed memory; only glibc keeps much, and can be asked."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)
