"""`Bounds`: what a server takes and does at most. One value, so that tests and operators can set another."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """Sizes in bytes, times in seconds.

    `file` is one upload, `files` how many come in one request; `unpacked`, `members` and `ratio` are of an archive, as
    it would be unpacked; `body` any other request. `reads` are requests a second that one client may keep up, with
    `burst` at once; `heavy` questions and queries run at a time while `waiting` wait for at most `patience`. `jobs` are
    those of one client that are not done, `workers` those that run. `stream` ends a stream that nobody ends.

    `connections` are open at a time, `reserved` of them for authorised clients, `per_address` for the strangers of one
    address; `descriptors` are kept for work. `head` is how long the head of a request may take, `pace` the bytes a
    second that its body must keep up, `unread` how long a response may wait for its reader. `guesses` are wrong tokens
    a minute of all addresses, `keys` those of one. `query_rate` is the share of time that one client may spend on
    SPARQL, with `query_burst` seconds at once.
    """

    file: int = 100 * MB
    files: int = 50
    unpacked: int = 500 * MB
    members: int = 5_000
    ratio: int = 200
    body: int = 1 * MB
    reads: float = 200.0
    burst: float = 1000.0
    heavy: int = 2
    waiting: int = 64
    patience: float = 30.0
    jobs: int = 50
    workers: int = 2
    stream: float = 600.0
    job: float = 1800.0
    page: int = 100  # items of a list in one response at most
    connections: int = 512
    reserved: int = 128
    per_address: int = 64
    descriptors: int = 256
    head: float = 15.0
    pace: float = 10_000.0
    unread: float = 60.0
    keys: int = 10
    guesses: int = 100
    query_rate: float = 0.5
    query_burst: float = 30.0


USUAL = Bounds()
