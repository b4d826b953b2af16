"""`Bounds`: what a server takes and does at most. One value, so that tests and operators can set another."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """Sizes in bytes, times in seconds.

    `file` is one upload, `files` how many come in one request; `unpacked`, `members` and `ratio` are of an archive, as
    it would be unpacked; `body` any other request. `reads` are requests a second that one client may keep up, with
    `burst` at once; `heavy` asks and queries run at a time while `waiting` wait for at most `patience`. `jobs` are
    those of one client that are not done, `workers` those that run. `stream` ends a stream that nobody ends.
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
    keys: int = 10  # wrong tokens a minute


USUAL = Bounds()
