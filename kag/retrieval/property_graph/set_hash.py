"""One hash for a set of things, which can be taken on when one comes or goes, whatever is in it besides.

Each thing becomes a number of 3,072 bits, and a set is the product of its numbers modulo a prime. Bellare and
Micciancio, "A new paradigm for collision-free hashing: incrementality at reduced cost" (1997); the prime is that of
Bitcoin's MuHash3072. So a version with few changes need not read all that did not change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_BITS, _REST = 3072, 1103717
PRIME: int = 2**_BITS - _REST
_MASK: int = 2**_BITS - 1
EMPTY = 1
_BYTES = 384


def taken_on(state: int, *, come: Iterable[bytes] = (), gone: Iterable[bytes] = ()) -> int:
    """The state of a set after things came and went, each given by its digest."""
    undone: int = pow(_product(gone), -1, PRIME)
    return state * _product(come) * undone % PRIME


def _product(digests: Iterable[bytes]) -> int:
    found = 1
    for digest in digests:
        found *= int.from_bytes(hashlib.shake_256(digest).digest(_BYTES), "little")
        while found > _MASK:  # what is above the bits counts as often as the prime falls short of them
            found = (found & _MASK) + (found >> _BITS) * _REST
    return found % PRIME


def name_of(state: int) -> str:
    """The name of a set: 64 hexadecimal digits."""
    return hashlib.sha256(state.to_bytes(_BYTES, "little")).hexdigest()


def packed(state: int) -> bytes:
    """A state as bytes to keep."""
    return state.to_bytes(_BYTES, "little")


def unpacked(data: bytes) -> int:
    """The state that bytes keep."""
    return int.from_bytes(data, "little")
