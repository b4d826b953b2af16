"""Of all pairs of chunks those that are alike: above a percentile of all pairs, and near to one of their ends.

Pairs are compared in tiles, each pair once, so that memory does not grow with their number. The percentile is exact:
a sample of pairs tells between which two numbers it lies, and in the one pass over all pairs those below are counted
and those between are kept. Where there are too many chunks for all their pairs, the percentile is that of a sample,
and only candidates are compared, which each signal finds in its own way.

The share of pairs below a percentile from m independent pairs has the standard deviation sqrt(p (1 - p) / m): for the
95th and a million pairs 0.02 percentage points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from kag.core.errors import BadValue
from kag.retrieval.graph.features import Signal
from kag.retrieval.vectors import Array, np

BINS = 1 << 16
SORTED = 1_000_000  # numbers that are sorted instead of counted once more

Blocks = Callable[[], Iterable[Array]]


def percentile(blocks: Blocks, share: float) -> float:
    """The least number that at least `share` (0 to 1) of all numbers do not exceed.

    `blocks` gives the same finite numbers each time it is called, which may be more than memory holds: each round
    counts them in equal bins and keeps only the bin in which the wanted one lies, until few enough are left to be
    sorted. Raises `BadValue` where there are no numbers or no such share.
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


TILE = 2048  # rows and columns that are compared at once
BATCH = 1 << 16  # pairs that are compared one by one at once
FINDING = 1024  # chunks that candidates are found for at once
CANDIDATES = 4  # times as many as are kept, from each signal
BRACKET = 200_000  # sampled pairs from which on all others are only counted: they bound the percentile
DEVIATIONS = 6  # that the bounds are away from the sample's own percentile
SEED = 6

Triples = tuple[Array, Array, Array]


@dataclass(frozen=True, slots=True)
class Tally:
    """Count of pairs above a lower bound, and a histogram of their values up to an upper bound."""

    above: int
    values: Array
    counts: Array


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of chunks of two kinds, by their places, compared by signals whose weights add up to 1.

    The two kinds are the same chunks or have none in common; pairs of the same are unordered.
    """

    signals: Sequence[tuple[Signal, float]]
    ones: Array
    others: Array

    @property
    def same(self) -> bool:
        """Whether both are of one kind, so that each pair would come twice."""
        return len(self.ones) == len(self.others) and bool((self.ones == self.others).all())

    @property
    def count(self) -> int:
        """Return the number of pairs."""
        return len(self.ones) * (len(self.ones) - 1) // 2 if self.same else len(self.ones) * len(self.others)

    def tiles(self) -> Iterator[Triples]:
        """Yield some ones (rows), some others (columns) and their similarity (rows, columns); -1 means no pair."""
        same = self.same
        for at in range(0, len(self.others), TILE):
            others = self.others[at : at + TILE]
            adders = [(signal.against(others), weight) for signal, weight in self.signals]
            for begin in range(0, at + TILE if same else len(self.ones), TILE):
                ones = self.ones[begin : begin + TILE]
                scores = np.zeros((len(ones), len(others)), dtype=np.float32)
                for add, weight in adders:
                    add(scores, ones, weight)
                if same and begin == at:
                    scores[np.tril_indices(len(ones))] = -1
                yield ones, others, scores

    def values(self) -> Iterator[Array]:
        """The likeness of every pair, each once."""
        return (scores[scores >= 0] for _, _, scores in self.tiles())

    def scores(self, ones: Array, others: Array) -> Array:
        """Return the similarity of each pair."""
        found = np.zeros(len(ones), dtype=np.float32)
        for at in range(0, len(ones), BATCH):
            part = slice(at, at + BATCH)
            for signal, weight in self.signals:
                found[part] += np.float32(weight) * signal.pairs(ones[part], others[part])
        return found

    def sample(self, count: int) -> Array:
        """The likeness of so many pairs drawn independently, in order; the same ones each time."""
        draw = np.random.default_rng(SEED)
        one = draw.integers(len(self.ones), size=count)
        other = draw.integers(len(self.others) - self.same, size=count)
        other += self.same & (other >= one)
        return np.sort(self.scores(self.ones[one], self.others[other]))

    def candidates(self, count: int) -> Iterator[Triples]:
        """Pairs that some signal alone finds near, `count` for each chunk, with their likeness by all signals."""
        directions = [(self.ones, self.others)] + ([] if self.same else [(self.others, self.ones)])
        for chunks, among in directions:
            finders = [signal.finder(among) for signal, _ in self.signals]
            for at in range(0, len(chunks), FINDING):
                one, other = _united([find(chunks[at : at + FINDING], count) for find in finders])
                yield one, other, self.scores(np.minimum(one, other), np.maximum(one, other))


def kept_pairs(pairs: Pairs, share: float, nearest: int, exact: int, sample: int) -> Triples:
    """The pairs at or above the percentile, and above 0, that are among the `nearest` of one of their ends.

    With them comes their likeness.
    Equals are taken by place. All pairs are compared where neither kind has more than `exact` chunks, else
    candidates, and the percentile is that of `sample` pairs. Pairs come as (ones, others), ordered by both.
    """
    if not pairs.signals or not pairs.count:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)

    best = Nearest(_size(pairs), nearest)
    if max(len(pairs.ones), len(pairs.others)) <= exact:
        low, high = _bracket(pairs, share)
        tally = _compare_all(pairs, best, low, high)
        least = _percentile(pairs, share, low, tally)
        if least < low:  # outside its bounds, once in a billion times
            best = Nearest(_size(pairs), nearest)
            _compare_all(pairs, best, float(np.nextafter(np.float32(least), np.float32(-1))), math.inf)
    else:
        drawn = pairs.sample(sample)
        least = float(drawn[max(1, math.ceil(share * len(drawn) - 1e-9)) - 1])
        for ones, others, scores in pairs.candidates(CANDIDATES * nearest):
            above = (scores >= least) & (scores > 0)
            best.add(ones[above], others[above], scores[above])
    one, other, scores = best.above(least)
    turned = np.zeros(len(one), dtype=bool) if pairs.same else np.isin(one, pairs.others)
    one, other = np.where(turned, other, one), np.where(turned, one, other)
    order = np.lexsort((other, one))
    return one[order], other[order], scores[order]


def _compare_all(pairs: Pairs, best: Nearest, low: float, high: float) -> Tally:
    """Compare all pairs: add those above `low` to `best`, and count them and their values up to `high`."""
    between = [(np.zeros(0, np.float32), np.zeros(0, np.int64))]
    count = 0
    for ones, others, scores in pairs.tiles():
        flat = scores.reshape(-1)
        at = np.flatnonzero(flat > np.float32(low))
        above = flat[at]
        count += len(above)
        best.add(ones[at // len(others)], others[at % len(others)], above)
        between.append(np.unique(above[above <= high], return_counts=True))  # very many may be equal
    values, place = np.unique(np.concatenate([one for one, _ in between]), return_inverse=True)
    counts = np.bincount(place, np.concatenate([each for _, each in between]), minlength=len(values)).astype(np.int64)
    return Tally(count, values, counts)


def _percentile(pairs: Pairs, share: float, low: float, tally: Tally) -> float:
    """The percentile of all pairs, from the tally of those above `low`."""
    place = max(1, math.ceil(share * pairs.count - 1e-9)) - (pairs.count - tally.above)
    if place <= 0 and low == 0:
        return 0.0
    if 0 < place <= tally.counts.sum():
        return float(tally.values[np.searchsorted(np.cumsum(tally.counts), place)])
    return max(0.0, percentile(pairs.values, share))


def _bracket(pairs: Pairs, share: float) -> tuple[float, float]:
    """Return two numbers around the percentile, the lower one exclusive; 0 stands for all below it."""
    if pairs.count <= 8 * BRACKET:
        return 0.0, math.inf
    drawn = pairs.sample(BRACKET)
    margin = DEVIATIONS * math.sqrt(max(share * (1 - share), 1 / BRACKET) / BRACKET)
    first, last = math.floor((share - margin) * BRACKET), math.ceil((share + margin) * BRACKET)
    low = float(np.nextafter(drawn[first], np.float32(-1))) if first >= 0 else 0.0
    return max(0.0, low), float(drawn[last]) if last < BRACKET else math.inf


class Nearest:
    """For each place the `count` others with the highest scores so far, equals by place."""

    def __init__(self, size: int, count: int) -> None:
        self._others = np.full((size, count), -1, dtype=np.int64)
        self._scores = np.zeros((size, count), dtype=np.float32)

    def add(self, ones: Array, others: Array, scores: Array) -> None:
        """Take note of pairs, at both of their ends; one may come twice."""
        for here, there in ((ones, others), (others, ones)):
            near = scores >= self._scores[here, -1]
            if near.any():
                self._merge(here[near], there[near], scores[near])

    def _merge(self, here: Array, there: Array, scores: Array) -> None:
        places, count = np.unique(here), self._others.shape[1]
        here = np.concatenate([np.repeat(places, count), here])
        there = np.concatenate([self._others[places].reshape(-1), there])
        scores = np.concatenate([self._scores[places].reshape(-1), scores])
        order = np.lexsort((there, -scores, here))
        order = order[there[order] >= 0]
        twice = (here[order][1:] == here[order][:-1]) & (there[order][1:] == there[order][:-1])
        order = order[np.concatenate([[True], ~twice])]
        here = here[order]
        starts = np.searchsorted(here, places)
        within = np.arange(len(here)) - np.repeat(starts, np.diff(starts, append=len(here)))
        best = within < count
        self._others[places], self._scores[places] = -1, 0
        self._others[here[best], within[best]] = there[order][best]
        self._scores[here[best], within[best]] = scores[order][best]

    def above(self, least: float) -> Triples:
        """The pairs that are kept at an end and score so much, and more than 0, the lower place first, each once."""
        kept = (self._others >= 0) & (self._scores >= np.float32(least)) & (self._scores > 0)
        here, there, scores = np.nonzero(kept)[0], self._others[kept], self._scores[kept]
        low, high = np.minimum(here, there), np.maximum(here, there)
        _, first = np.unique(low * len(self._others) + high, return_index=True)
        return low[first], high[first], scores[first]


def _size(pairs: Pairs) -> int:
    return int(max(pairs.ones.max(), pairs.others.max())) + 1


def _united(found: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """The different pairs of two chunks among these, whichever way round."""
    one, other = (np.concatenate(each) for each in zip(*found, strict=True))
    low, high = np.minimum(one, other), np.maximum(one, other)
    size = int(high.max(initial=0)) + 1
    low, high = np.divmod(np.unique(low * size + high), size)
    return low[low != high], high[low != high]
