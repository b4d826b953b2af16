"""What a network's scores are worth, alone and beside the rules: fitted on documents that are held, told of half b.

Three ways to join them: the network refuses what the rules let in (*veto*); one logistic model over the score and the
verdict of the rules (*joined*); the score alone. Numbers by numpy; intervals are of documents drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

Row = Mapping[str, Any]
Array = Any
OURS = ("claims", "claims_shared", "claims_further")
DRAWS = 1000
LOST = 0.03  # of the true claims of the held documents, that a veto may refuse
RIDGE = 0.05


def table(cases: Sequence[Row], scores: Sequence[float]) -> str:
    """A line for each set, half b, in Markdown; the first is of our own three sets together."""
    rows = [{**case, "score": score} for case, score in zip(cases, scores, strict=True)]
    held = [row for row in rows if row["half"] == "a" and row["held"] and row["set"] in OURS]
    ways = _ways(held)
    lines = [
        "| set | claims | area | area of what rules let in | " + " | ".join(ways) + " |",
        "|---|---|---|---|" + "---|" * len(ways),
    ]
    names = dict.fromkeys(row["set"] for row in rows)
    for name, part in [("ours", OURS), *((name, (name,)) for name in names)]:
        found = [row for row in rows if row["half"] == "b" and row["set"] in part]
        let_in = [row for row in found if row["status"] == "supported"]
        told = [_told(found, way, ways["rules"]) for way in ways.values()]
        lines.append(f"| {name} | {len(found)} | {_area(found):.3f} | {_area(let_in):.3f} | {' | '.join(told)} |")
    return "\n".join(lines)


def _ways(held: Sequence[Row]) -> dict[str, Callable[[Sequence[Row]], Array]]:
    """Each way to say yes or no to claims, by its name; thresholds and weights are fitted on what is held."""
    least = np.quantile([row["score"] for row in held if row["label"]], LOST)
    alone, both = (_fitted(_numbers(held, joined=joined), _labels(held)) for joined in (False, True))
    return {
        "rules": _by_rules,
        "alone": lambda rows: _numbers(rows, joined=False) @ alone >= 0,
        "veto": lambda rows: _by_rules(rows) & (_scores(rows) >= least),
        "joined": lambda rows: _numbers(rows, joined=True) @ both >= 0,
    }


def _told(rows: Sequence[Row], way: Callable[[Sequence[Row]], Array], rules: Callable[[Sequence[Row]], Array]) -> str:
    """ "balanced (let in/refused), and the interval of the difference to the rules"."""
    labels, said, other = _labels(rows), way(rows), rules(rows)
    let_in, refused = said[~labels].mean(), (~said[labels]).mean()
    text = f"{_balanced(labels, said):.3f} ({let_in:.2f}/{refused:.2f})"
    if way is rules:
        return text
    low, high = _interval(rows, labels, said, other)
    return f"{text} {low:+.3f} to {high:+.3f}"


def _interval(rows: Sequence[Row], labels: Array, said: Array, other: Array) -> tuple[float, float]:
    """95 % of the difference in balanced accuracy, over documents drawn again."""
    places: dict[tuple[str, str], list[int]] = {}
    for at, row in enumerate(rows):
        places.setdefault((row["set"], row["group"]), []).append(at)
    groups, chance, found = list(places.values()), np.random.default_rng(0), []
    for _ in range(DRAWS):
        drawn = np.concatenate([groups[at] for at in chance.integers(0, len(groups), len(groups))])
        if 0 < labels[drawn].sum() < len(drawn):
            found.append(_balanced(labels[drawn], said[drawn]) - _balanced(labels[drawn], other[drawn]))
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def _balanced(labels: Array, said: Array) -> float:
    return float((said[labels].mean() + (~said[~labels]).mean()) / 2)


def _area(rows: Sequence[Row]) -> float:
    """The area under the curve: how often a true claim has the higher score than a false one."""
    labels, scores = _labels(rows), _scores(rows)
    right, wrong = scores[labels], scores[~labels]
    if not len(right) or not len(wrong):
        return float("nan")
    return float(((right[:, None] > wrong).mean() + (right[:, None] >= wrong).mean()) / 2)


def _labels(rows: Sequence[Row]) -> Array:
    return np.array([row["label"] for row in rows], dtype=bool)


def _scores(rows: Sequence[Row]) -> Array:
    return np.array([row["score"] for row in rows])


def _by_rules(rows: Sequence[Row]) -> Array:
    return np.array([row["status"] == "supported" for row in rows])


def _numbers(rows: Sequence[Row], *, joined: bool) -> Array:
    """What a logistic model sees: the score and 1, with the rules' verdict and the share of known words."""
    columns = [_scores(rows), np.ones(len(rows))]
    if joined:
        columns += [_by_rules(rows), [row["status"] == "contradicted" for row in rows], [row["known"] for row in rows]]
    return np.array(columns, dtype=float).T


def _fitted(numbers: Array, labels: Array) -> Array:
    """The weights of a logistic model, by Newton's method, held a little towards nothing."""
    weights, ridge = np.zeros(numbers.shape[1]), RIDGE * np.eye(numbers.shape[1])
    for _ in range(50):
        share = 1 / (1 + np.exp(-numbers @ weights))
        slope = numbers.T @ (share - labels) + ridge @ weights
        weights = weights - np.linalg.solve((numbers.T * (share * (1 - share))) @ numbers + ridge, slope)
    return weights
