"""Rate limits by client, and limits on concurrent work; beyond them the response says when to retry."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from kag.serve.guard.access import is_loopback
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

    def wait(self, client: str, cost: float = 1.0) -> float:
        """Seconds until the client may ask; 0 where it may now."""
        left = self._balance(client)
        return 0.0 if left >= cost else (cost - left) / self._rate

    def take(self, client: str, cost: float = 1.0) -> float:
        """Seconds until the client may ask again; 0 where it may now, which is then counted."""
        wait = self.wait(client, cost)
        self._set(client, self._balance(client) - (0.0 if wait else cost))
        return wait

    def give_back(self, client: str, cost: float) -> None:
        """Return what was taken and not needed."""
        self._set(client, min(self._burst, self._balance(client) + cost))

    def _balance(self, client: str) -> float:
        left, since = self._left.get(client, (self._burst, 0.0))
        return min(self._burst, left + (self._clock() - since) * self._rate)

    def _set(self, client: str, left: float) -> None:
        self._left.pop(client, None)
        self._left[client] = (left, self._clock())
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)


class Guesses:
    """Wrong tokens, by address and overall. Addresses that signed in before, and this machine's own, are always
    compared: the wrong tokens of others keep no owner out.

    Where the overall limit is reached, an address that is new still has its first try.
    """

    def __init__(self, address: int, overall: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = address
        self._each = Bucket(address / 60, address, clock)
        self._all = Bucket(overall / 60, overall, clock)
        self._known: OrderedDict[str, None] = OrderedDict()

    def wait(self, client: str) -> float:
        """Seconds until a token of this address is compared; 0 for now."""
        if client in self._known or is_loopback(client):
            return 0.0
        return self._each.wait(client, self._most if self._all.wait("") else 1)

    def wrong(self, client: str) -> float:
        """Count a wrong token; seconds to wait where there were too many."""
        self._all.take("")
        return self._each.take(client)

    def right(self, client: str) -> None:
        """Remember an address that has the token."""
        self._known.pop(client, None)
        self._known[client] = None
        if len(self._known) > MOST_CLIENTS:
            self._known.popitem(last=False)


class Gate:
    """So many at a time, so many waiting; a client that waits too long, or finds the queue full, is refused.

    `budget` holds the seconds of work of each client.
    """

    def __init__(
        self, at_once: int, waiting: int, patience: float, budget: Bucket, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._free, self._most, self._patience = asyncio.Semaphore(at_once), waiting, patience
        self._budget, self._clock = budget, clock
        self._waiting = 0

    @asynccontextmanager
    async def timed(self, client: str, most: float) -> AsyncIterator[None]:
        """As `entered`, for work of at most `most` seconds: they are taken from the client's budget before it waits,
        and those that it did not use are returned; raises `Refusal` 429."""
        if not most:
            async with self.entered():
                yield
            return
        wait = self._budget.take(client, most)
        if wait:
            raise too_many(wait, "your queries have used up their time")
        used = 0.0
        try:
            async with self.entered():
                began = self._clock()
                try:
                    yield
                finally:
                    used = self._clock() - began
        finally:
            self._budget.give_back(client, max(0.0, most - used))

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
