"""How much one client may ask, and how much is done at a time; beyond it a request is told when to come again."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from kag.serve.problems import Refusal

MOST_CLIENTS = 10_000  # that are remembered; the one that was heard of longest ago goes


def too_many(seconds: float, what: str) -> Refusal:
    """429 with the time to wait."""
    wait = str(max(1, math.ceil(seconds)))
    return Refusal(429, what, f"Come again in {wait} s.", {"Retry-After": wait})


class Bucket:
    """`rate` requests a second for each client, `burst` at once. Made for one thread: that of the event loop."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, cost: float = 1.0) -> float:
        """Seconds until the client may ask again; 0 where it may now, which is then counted."""
        now = self._clock()
        left, since = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        wait = 0.0 if left >= cost else (cost - left) / self._rate
        self._left[client] = (left if wait else left - cost, now)
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)
        return wait


class Gate:
    """So many at a time, so many waiting; who waits too long, or finds the queue full, is refused."""

    def __init__(self, at_once: int, waiting: int, patience: float) -> None:
        self._free, self._most, self._patience = asyncio.Semaphore(at_once), waiting, patience
        self._waiting = 0

    @asynccontextmanager
    async def entered(self) -> AsyncIterator[None]:
        """The right to go on; raises `Refusal` 429."""
        if self._waiting >= self._most:
            raise too_many(self._patience / 4, "too many questions are waiting")
        self._waiting += 1
        try:
            await asyncio.wait_for(self._free.acquire(), self._patience)
        except TimeoutError:
            raise too_many(self._patience / 4, "the questions before this one take too long") from None
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._free.release()
