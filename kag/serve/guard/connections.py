"""Connections of a server: how long one may send nothing, how many there are, and which is closed to admit another.

A connection counts as a stranger's until a request on it was authorised (the shield sets `AUTHORISED` in its scope).
Strangers share `most - reserved` connections, and one address of them `per_address`; the one that has waited longest
for its peer is closed to admit a new one, so that silent peers lock nobody out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from kag.serve.bounds import Bounds

if TYPE_CHECKING:
    from asyncio import Transport

AUTHORISED = "kag.authorised"
SWEEP = 1.0  # seconds between looks at all connections
BACKLOG = 64  # connections that are accepted before any is closed
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Type: application/problem+json\r\n"
    b"Connection: close\r\n\r\n"
    b'{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"too many connections"}'
)


@dataclass(eq=False, slots=True)
class Peer:
    """The state of one connection. `since` is when its phase began, `received` the bytes since then."""

    address: str
    close: Callable[[bytes], object]
    is_authorised: Callable[[], bool]
    since: float
    received: int = 0
    phase: str = "head"  # "head": a request is awaited; "body": it is being received; "reply": it is being answered
    blocked: float | None = None  # since when the peer takes no more of the response


@dataclass(slots=True)
class Connections:
    """The open connections of one server."""

    bounds: Bounds
    most: int
    proxies: frozenset[str] = frozenset()
    clock: Callable[[], float] = time.monotonic
    peers: list[Peer] = field(default_factory=list)
    swept: bool = False  # whether the next sweep is due

    def admit(self, peer: Peer) -> None:
        """Take a new connection in; closes the one that waited longest where there are too many."""
        self.peers.append(peer)
        strangers = [one for one in self.peers if not one.is_authorised()]
        same = [
            stranger for stranger in strangers if stranger.address == peer.address and peer.address not in self.proxies
        ]
        if len(same) > self.bounds.per_address:
            self._make_room(same, peer)
        elif len(strangers) > self.most - self.bounds.reserved or len(self.peers) > self.most:
            self._make_room(strangers, peer)

    def _make_room(self, among: Iterable[Peer], fresh: Peer) -> None:
        """Close the connection that has waited longest for its peer; without one the new connection is refused."""
        waiting = [peer for peer in among if peer is not fresh and peer.phase != "reply"]
        oldest = min(waiting, key=lambda one: one.since, default=None)
        victim = oldest or fresh
        self.peers.remove(victim)
        victim.close(b"" if oldest else _BUSY)

    def drop(self, peer: Peer) -> None:
        """Forget a connection that is closed."""
        if peer in self.peers:
            self.peers.remove(peer)

    def sweep(self) -> None:
        """Close the connections whose peer takes too long."""
        now = self.clock()
        for peer in [one for one in self.peers if self._is_late(one, now)]:
            self.peers.remove(peer)
            peer.close(b"")

    def _is_late(self, peer: Peer, now: float) -> bool:
        if peer.blocked is not None and now - peer.blocked > self.bounds.unread:
            return True
        if peer.phase == "head":
            return now - peer.since > self.bounds.head
        return peer.phase == "body" and now - peer.since > self.bounds.head + peer.received / self.bounds.pace


def most_connections(bounds: Bounds) -> int:
    """Return how many connections fit the process's limit of open files, with `bounds.descriptors` reserved for its
    work.

    The limit is raised first, as far as the system allows without rights.
    """
    wanted = bounds.connections + bounds.descriptors
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        ceiling = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < ceiling:
            resource.setrlimit(resource.RLIMIT_NOFILE, (ceiling, hard))
            soft = ceiling
    except (ImportError, OSError, ValueError):  # not on this system, or not allowed
        return bounds.connections
    if soft == resource.RLIM_INFINITY:
        return bounds.connections
    return min(bounds.connections, max(bounds.reserved + 16, soft - bounds.descriptors))


class Watched(H11Protocol):
    """uvicorn's protocol, with its connections watched."""

    guard: ClassVar[Connections]
    peer: Peer

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self.peer = Peer(address, self._close, self._is_authorised, self.guard.clock())
        if not self.guard.swept:
            self.guard.swept = True
            self.loop.call_later(SWEEP, _sweep_again, self.loop, self.guard)
        self.guard.admit(self.peer)

    def _close(self, last: bytes) -> None:
        if last:
            self.transport.write(last)
            self.transport.close()
        else:
            self.transport.abort()

    def _is_authorised(self) -> bool:
        return self.cycle is not None and bool(self.cycle.scope.get(AUTHORISED))

    def connection_lost(self, exc: Exception | None) -> None:
        self.guard.drop(self.peer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self.peer.since, self.peer.received = self.guard.clock(), 0
        self.peer.received += len(data)
        self._look()

    def on_response_complete(self) -> None:
        self.peer.since, self.peer.received = self.guard.clock(), 0
        super().on_response_complete()
        self._look()

    def _look(self) -> None:
        """Bring what is known of the connection up to date."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            self.peer.phase = "head"
        else:
            self.peer.phase = "body" if cycle.more_body else "reply"

    def pause_writing(self) -> None:
        super().pause_writing()
        self.peer.blocked = self.guard.clock()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.peer.blocked = None


def protocol_for(connections: Connections) -> type[Watched]:
    """The protocol of one server."""
    return type("Watched", (Watched,), {"guard": connections})


def watched(app: Any, bounds: Bounds, proxies: Sequence[str] = (), **options: Any) -> uvicorn.Config:
    """Configure uvicorn to serve an application with watched connections; `proxies` may state the client's address."""
    connections = Connections(bounds, most_connections(bounds), frozenset(proxies))
    return uvicorn.Config(
        app,
        http=protocol_for(connections),
        ws="none",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        backlog=BACKLOG,
        **options,
    )


def _sweep_again(loop: Any, connections: Connections) -> None:
    connections.sweep()
    connections.swept = bool(connections.peers)
    if connections.swept:
        loop.call_later(SWEEP, _sweep_again, loop, connections)
