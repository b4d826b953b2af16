"""A percentile of more numbers than memory holds: their histogram, refined around the place that is asked for.

The numbers come in blocks and are read again in each round. A round counts them in equal bins and keeps only the bin
in which the wanted one lies; when few enough are left they are sorted. The answer is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from kag.core.errors import BadValue
from kag.retrieval.meaning.arrays import Array, np

BINS = 1 << 16
SORTED = 1_000_000  # numbers that are sorted instead of counted once more

Blocks = Callable[[], Iterable[Array]]


def percentile(blocks: Blocks, share: float) -> float:
    """The least number that at least `share` (0 to 1) of all numbers do not exceed.

    `blocks` gives the same finite numbers each time it is called. Raises `BadValue` where there are no numbers or no
    such share.
    """

    def read() -> Iterable[Array]:
        return (block.astype(np.float64, copy=False).ravel() for block in blocks() if block.size)

    low, high, count = _range(read())
    if not count or not 0 <= share <= 1:
        raise BadValue(f"no {share} share of {count} numbers", hint="Give numbers, and a share from 0 to 1.")
    wanted = max(1, math.ceil(share * count - 1e-9))  # the wanted-th least
    while low < high:
        counts = _counts(read(), low, high)
        upto = np.cumsum(counts)
        wanted_bin = int(np.searchsorted(upto, wanted))
        wanted -= int(upto[wanted_bin] - counts[wanted_bin])
        inside = (_inside(values, low, high, wanted_bin) for values in read())
        if counts[wanted_bin] <= SORTED:
            return float(np.sort(np.concatenate([*inside]))[wanted - 1])
        low, high, _ = _range(values for values in inside if values.size)
    return low


def _range(blocks: Iterable[Array]) -> tuple[float, float, int]:
    low, high, count = math.inf, -math.inf, 0
    for values in blocks:
        low, high, count = min(low, float(values.min())), max(high, float(values.max())), count + values.size
    return low, high, count


def _bins(values: Array, low: float, high: float) -> Array:
    """The bin of each number between low and high; a greater number is never in a lower bin."""
    bins: Array = np.minimum(((values - low) / (high - low) * BINS).astype(np.int64), BINS - 1)
    return bins


def _within(values: Array, low: float, high: float) -> Array:
    kept: Array = values[(values >= low) & (values <= high)]
    return kept


def _inside(values: Array, low: float, high: float, wanted: int) -> Array:
    within = _within(values, low, high)
    kept: Array = within[_bins(within, low, high) == wanted]
    return kept


def _counts(blocks: Iterable[Array], low: float, high: float) -> Array:
    counts = np.zeros(BINS, dtype=np.int64)
    for values in blocks:
        counts += np.bincount(_bins(_within(values, low, high), low, high), minlength=BINS)
    return counts
