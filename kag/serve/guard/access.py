"""Access control: host, origin and token of a request, and rate limits.

A server on this machine's own address needs no token: whoever reaches it is on this machine. But a stranger's page in
the same browser reaches it, too, by a name that was made to lead here (DNS rebinding) or by a form that is sent here;
so the names of the host and of the page are looked at in every request. A client that asks too much, or while too much
is done, is refused with the time to wait.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import math
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from kag.core.addresses import LOCAL
from kag.serve.problems import Refusal

COOKIE = "kag_session"
SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
Verdict = Literal["ok", "host", "origin", "token"]


@dataclass(frozen=True, slots=True)
class Access:
    """Whom a server answers: requests that name one of `hosts`; with a `token`, those that bring it."""

    hosts: frozenset[str]
    token: str = field(default="", repr=False)

    @property
    def session(self) -> str:
        """Return the cookie's value: it proves the token without revealing it."""
        return hmac.new(self.token.encode(), b"kag serve session", hashlib.sha256).hexdigest() if self.token else ""

    def knows(self, token: str) -> bool:
        """Compare a token in constant time."""
        return bool(self.token) and hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def judge(self, method: str, headers: Mapping[str, str], cookie: str = "", costly: bool = False) -> Verdict:
        """Whether a request is answered; `headers` have small letters, `cookie` is the session's, `costly` is work that
        no page of another site may cause."""
        if host_of(headers.get("host", "")) not in self.hosts:
            return "host"
        if not self._from_here(method, headers, costly):
            return "origin"
        if not self.token:
            return "ok"
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self.knows(given.strip()):
            return "ok"
        if not (cookie and hmac.compare_digest(cookie.encode("utf-8", "replace"), self.session.encode())):
            return "token"
        is_browser = "origin" in headers or "sec-fetch-site" in headers  # a browser tells it where something is changed
        return "ok" if method in SAFE or is_browser else "origin"

    def _from_here(self, method: str, headers: Mapping[str, str], costly: bool) -> bool:
        """Whether no page of another site is behind a request. A link from elsewhere may open a page that costs little;
        nothing else of here is loaded into another site."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and not _same(origin, headers.get("host", "")):
            return False
        if site is None:
            return not (costly and self._is_silent_browser(headers))
        if site in ("same-origin", "none"):
            return True
        opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return method in SAFE and opened and not costly

    def _is_silent_browser(self, headers: Mapping[str, str]) -> bool:
        """Whether a browser may be acting for another site without saying so: too old for Sec-Fetch-Site.

        Where a token is needed, the cookie (SameSite=Strict) keeps other sites out.
        """
        if self.token or not is_loopback(host_of(headers.get("host", ""))):
            return False
        referrer = headers.get("referer", "")
        elsewhere = bool(referrer) and not _same(referrer, headers.get("host", ""))
        return elsewhere or (not referrer and headers.get("user-agent", "").startswith("Mozilla/"))


def _same(origin: str, host: str) -> bool:
    """Whether an origin is that of the host that is named, port and all."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower() and bool(host)


def host_of(header: str) -> str:
    """The name in a Host header, without the port; "" where it is none.

    >>> host_of("LocalHost:8040"), host_of("[::1]:8040"), host_of("evil@localhost"), host_of("127.0.0.1:80:90")
    ('localhost', '::1', '', '')
    """
    try:
        parts = urlsplit(f"//{header}")
        port_is_number = parts.port is None or parts.port >= 0
    except ValueError:
        return ""
    plain = not (parts.username or parts.password or parts.path or parts.query or parts.fragment or "@" in header)
    return (parts.hostname or "").rstrip(".") if plain and port_is_number else ""


def is_loopback(host: str) -> bool:
    """Whether an address is a loopback address."""
    if host in LOCAL:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def access_for(host: str, token: str = "", names: tuple[str, ...] = ()) -> Access:
    """Access to a server that listens at an address: a token is made where others can reach it and none is given.

    `names` are further names that lead to it.
    """
    own = set(LOCAL) | {name.lower().rstrip(".") for name in names}
    if host not in ("0.0.0.0", "::"):
        own.add(host.lower())
    return Access(frozenset(own), token or ("" if is_loopback(host) else secrets.token_urlsafe(24)))


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
