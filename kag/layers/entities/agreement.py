"""One name, one kind: what a paper's uses of a name say together decides each of them.

A model sees a sentence at a time and misses a name in one that it found in three others. All uses of a name in a paper
are marked where the sum of their scores says so, and none is kept that stands alone against many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kag.layers.entities.spotter import Spotted
from kag.layers.entities.tokens import Tokens

ENOUGH = 0.4
"""The least mean score of all uses of a name for those that were not marked to be marked, too."""
LEAST = 0.15
"""Marks of a name are taken away where the mean score of all its uses is below this."""


def agreed(
    rows: Sequence[Tokens], found: Sequence[Sequence[Spotted]], enough: float = ENOUGH, least: float = LEAST
) -> list[list[Spotted]]:
    """The spans of the texts of one paper after its names have been heard together."""
    scores: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row, spans in zip(rows, found, strict=True):
        for one in spans:
            scores[row.words[one.start : one.end]][one.kind].append(one.score)
    firsts: dict[str, int] = {}
    for name in scores:
        firsts[name[0]] = max(firsts.get(name[0], 0), len(name))
    uses: dict[tuple[str, ...], int] = defaultdict(int)
    places = [list(_uses(row, scores, firsts)) for row in rows]
    for here in places:
        for _, _, name in here:
            uses[name] += 1
    verdicts = {}
    for name, kinds in scores.items():
        kind, given = max(kinds.items(), key=lambda one: (sum(one[1]), one[0]))
        verdicts[name] = (kind, sum(given) / max(uses[name], len(given)))
    return [
        _again(row, spans, here, verdicts, enough, least) for row, spans, here in zip(rows, found, places, strict=True)
    ]


def _uses(row: Tokens, names: object, firsts: dict[str, int]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Where the names stand, the longest at each place."""
    for first, last in row.sentences:
        until = first
        for n in range(first, last):
            most = firsts.get(row.words[n], 0)
            for size in range(min(most, last - n) if n >= until else 0, 0, -1):
                name = row.words[n : n + size]
                if name in names:  # type: ignore[operator]
                    yield n, n + size, name
                    until = n + size
                    break


def _again(
    row: Tokens,
    spans: Sequence[Spotted],
    uses: Sequence[tuple[int, int, tuple[str, ...]]],
    verdicts: dict[tuple[str, ...], tuple[str, float]],
    enough: float,
    least: float,
) -> list[Spotted]:
    kept = [one for one in spans if verdicts[row.words[one.start : one.end]][1] >= least or one.score > 0.9]
    taken = {n for one in kept for n in range(one.start, one.end)}
    for start, end, name in uses:
        kind, mean = verdicts[name]
        if mean >= enough and taken.isdisjoint(range(start, end)) and _is_name(name):
            kept.append(Spotted(start, end, kind, mean))
            taken.update(range(start, end))
    return sorted(kept)


def _is_name(name: tuple[str, ...]) -> bool:
    return len("".join(name)) > 1
