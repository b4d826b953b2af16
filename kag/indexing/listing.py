"""Which names lie in a folder of many runs, without reading the folder anew for each of its papers.

A folder is read when a command begins, and again when what was read has been used for a hundred times as long as
reading it took. So reading takes at most a hundredth of a command's time, however many papers there are, and what other
processes write meanwhile is seen that much later. What this process writes is seen at once. A name may be gone: who
asks looks at what it stands for.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_left, insort
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

_SHARE = 100  # times that reading a folder takes, for which it is good


@dataclass(frozen=True, slots=True)
class _Listing:
    names: list[str]
    good_until: float


_listings: dict[str, _Listing] = {}


def names_in(folder: Path, prefix: str) -> list[str]:
    """The names in a folder that begin so, sorted; raises `OSError`."""
    listing = _listings.get(os.path.abspath(folder))
    if listing is None or time.monotonic() > listing.good_until:
        listing = look_anew(folder)
    names = listing.names
    return list(takewhile(lambda name: name.startswith(prefix), names[bisect_left(names, prefix) :]))


def look_anew(folder: Path) -> _Listing:
    """Read a folder now; raises `OSError`."""
    begun = time.monotonic()
    names = sorted(os.listdir(folder))
    ended = time.monotonic()
    listing = _listings[os.path.abspath(folder)] = _Listing(names, ended + _SHARE * (ended - begun))
    return listing


def has_written(path: Path) -> None:
    """Let a name that this process has made be known."""
    listing = _listings.get(os.path.abspath(path.parent))
    if listing is not None and path.name not in names_in(path.parent, path.name):
        insort(listing.names, path.name)
