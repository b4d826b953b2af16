"""What belongs to a quantity: the property and the entity that the labeller sees for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kag.layers.measurements.features import Target

ENTITY, PROPERTY = "E", "P"
# For each: the share of a token at which it is worth taking in, and the share that its best token must have.
WORTH: Mapping[str, tuple[float, float]] = {ENTITY: (0.2, 0.0), PROPERTY: (0.15, 0.3)}


_LEAST_WORTH = 0.02
_MARKS = frozenset(",;:.")
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Bound:
    """Tokens from `first` up to `last` that belong to a quantity as `kind`."""

    kind: str
    first: int
    last: int
    score: float


def _trimmed(words: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """A run without marks at its ends, and without a bracket whose other half is outside."""
    while first < last and (words[first] in _MARKS or (words[first] in _OPEN and not _whole(words[first:last]))):
        first += 1
    while first < last and (words[last - 1] in _MARKS or (words[last - 1] in _CLOSE and not _whole(words[first:last]))):
        last -= 1
    return first, last


def _whole(words: Sequence[str]) -> bool:
    depth = 0
    for word in words:
        depth += (word in _OPEN) - (word in _CLOSE)
        if depth < 0:
            return False
    return depth == 0


def chosen(
    shares: Sequence[Mapping[str, float]], words: Sequence[str], targets: Sequence[Target], at: int
) -> tuple[Bound, ...]:
    """What belongs to a quantity: the best run of tokens of each kind outside of it, none over each other.

    `shares` is what the labeller says of each token of its sentence, for the quantity `targets[at]`.
    """
    target = targets[at]
    taken = set(range(target.first, target.last))
    others = {n for one in targets for n in range(one.first, one.last)}
    found: dict[str, Bound] = {}
    for kind, (worth, least) in WORTH.items():
        each = [share.get(f"B{kind}", 0.0) + share.get(f"I{kind}", 0.0) for share in shares]
        barred = taken | others
        run = (0, 0)
        while run[0] == run[1] and worth > _LEAST_WORTH:
            run = _best_run([-1.0 if n in barred else one - worth for n, one in enumerate(each)])
            worth = worth / 2 if kind == ENTITY else 0.0  # a quantity has an entity, be it a doubtful one
        first, last = _trimmed(words, *run)
        if last > first and max(each[first:last]) >= least:
            found[kind] = Bound(kind, first, last, sum(each[first:last]) / (last - first))
            taken |= set(range(first, last))
    return tuple(found.values())


def _best_run(values: Sequence[float]) -> tuple[int, int]:
    """The run of the greatest sum; empty where no value is above 0."""
    best, run, total, start = 0.0, (0, 0), 0.0, 0
    for n, value in enumerate(values):
        if total <= 0:
            total, start = 0.0, n
        total += value
        if total > best:
            best, run = total, (start, n + 1)
    return run
