"""What belongs to a quantity: the property, the entity and the condition that the labeller sees for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kag.layers.measurements.features import Seen, Target, context_base, context_features
from kag.layers.measurements.labeller import CONTEXTS, Labellers

ENTITY, PROPERTY, CONDITION = "E", "P", "C"
# For each: the share of a token at which it is worth taking in, and the share that its best token must have.
WORTH: Mapping[str, tuple[float, float]] = {ENTITY: (0.05, 0.0), PROPERTY: (0.1, 0.3), CONDITION: (0.2, 0.5)}


@dataclass(frozen=True, slots=True)
class Bound:
    """Tokens from `first` up to `last` that belong to a quantity as `kind`."""

    kind: str
    first: int
    last: int
    score: float


def bind(told: Seen, targets: Sequence[Target], labellers: Labellers) -> Iterator[tuple[Bound, ...]]:
    """For each quantity of a sentence what belongs to it: at most one of each kind, none over each other."""
    base = context_base(told)
    for at, target in enumerate(targets):
        rows = context_features(told, base, targets, at)
        yield chosen(labellers.shares(CONTEXTS, rows), target)


def chosen(shares: Sequence[Mapping[str, float]], target: Target) -> tuple[Bound, ...]:
    """The best run of tokens of each kind outside of the quantity itself."""
    taken = set(range(target.first, target.last))
    found: dict[str, Bound] = {}
    for kind, (worth, least) in WORTH.items():
        each = [share.get(f"B{kind}", 0.0) + share.get(f"I{kind}", 0.0) for share in shares]
        first, last = _best_run([-1.0 if n in taken else one - worth for n, one in enumerate(each)])
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
