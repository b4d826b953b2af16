"""Connections: silent peers are closed in time and to admit others; authorised ones keep their share."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

from kag.serve.bounds import USUAL
from kag.serve.guard.connections import Connections, Peer, most_connections

BOUNDS = replace(USUAL, reserved=2, per_address=3, head=10.0, pace=100.0, unread=60.0)


class Line:
    """A connection that keeps whether it was closed, and with which last words."""

    def __init__(self, address: str, since: float, phase: str = "head", authorised: bool = False) -> None:
        self.closed: bytes | None = None
        self.authorised = authorised
        self.peer = Peer(address, self.close, lambda: self.authorised, since, phase=phase)

    def close(self, last: bytes) -> None:
        self.closed = last


def admitted(connections: Connections, *lines: Line) -> list[bool]:
    for line in lines:
        connections.admit(line.peer)
    return [line.closed is not None for line in lines]


def test_the_stranger_who_waited_longest_makes_room() -> None:
    lines = [Line(f"192.0.2.{n}", n) for n in range(6)]
    assert admitted(Connections(BOUNDS, 6), *lines) == [True, True, False, False, False, False]


def test_authorised_peers_keep_their_share() -> None:
    owners = [Line("192.0.2.1", 0, authorised=True) for _ in range(2)]
    strangers = [Line(f"198.51.100.{n}", n) for n in range(50)]
    connections = Connections(BOUNDS, 6)
    assert admitted(connections, *owners, *strangers)[:2] == [False, False]
    assert len(connections.peers) == 6
    assert [line.closed for line in owners] == [None, None]
    assert [line.closed for line in strangers[-4:]] == [None] * 4


def test_one_address_takes_only_from_itself() -> None:
    others = [Line("192.0.2.1", 0), Line("192.0.2.2", 0)]
    flood = [Line("198.51.100.1", n) for n in range(1, 9)]
    connections = Connections(BOUNDS, 100)
    assert admitted(connections, *others, *flood) == [False] * 2 + [True] * 5 + [False] * 3
    behind = [Line("127.0.0.1", n) for n in range(9)]
    assert admitted(Connections(BOUNDS, 100, frozenset(("127.0.0.1",))), *behind) == [False] * 9


def test_where_all_are_being_answered_a_new_one_is_told() -> None:
    busy = [Line(f"192.0.2.{n}", 0, "reply") for n in range(4)]
    fresh = Line("192.0.2.9", 1)
    assert admitted(Connections(BOUNDS, 6), *busy, fresh) == [False] * 4 + [True]
    assert fresh.closed is not None
    assert fresh.closed.startswith(b"HTTP/1.1 503 ")


@pytest.mark.parametrize(
    ("phase", "received", "blocked", "seconds", "late"),
    [
        ("head", 0, None, 9.9, False),
        ("head", 0, None, 10.1, True),
        ("head", 10_000, None, 10.1, True),  # a head that drips is no better
        ("body", 0, None, 10.1, True),
        ("body", 1000, None, 19.9, False),
        ("body", 1000, None, 20.1, True),
        ("reply", 0, None, 900.0, False),
        ("reply", 0, 0.0, 60.1, True),  # nobody takes the response
    ],
)
def test_a_peer_that_takes_too_long_is_closed(
    phase: str, received: int, blocked: float | None, seconds: float, late: bool
) -> None:
    connections = Connections(BOUNDS, 6, clock=lambda: seconds)
    line = Line("192.0.2.1", 0.0, phase)
    line.peer.received, line.peer.blocked = received, blocked
    connections.admit(line.peer)
    connections.sweep()
    assert (line.closed is not None) == late


def test_file_descriptors_are_kept_for_work() -> None:
    resource = pytest.importorskip("resource")
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most_connections(USUAL) <= USUAL.connections
    tight = replace(USUAL, descriptors=10**9, reserved=4)
    assert most_connections(tight) == 4 + 16
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= soft
