"""Train a linear model over hashed features: multinomial logistic regression with L2, by L-BFGS (Liu and Nocedal 1989).

No step is drawn by chance: the same rows in the same order give the same bytes on one machine.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kag.layers.models.linear import Linear, row

KEPT = 8  # pairs of steps and gradients that L-BFGS remembers


def train(
    rows: Sequence[Iterable[str]],
    labels: Sequence[str],
    *,
    bits: int = 16,
    l2: float = 1.0,
    rounds: int = 60,
    weigh: bool = False,
    card: dict[str, Any] | None = None,
) -> Linear:
    """A model of `labels` given the features of `rows` (one label a row). `weigh` makes all labels weigh the same.

    `l2` is half the penalty on squared weights, in the unit of one row's loss; biases are free.
    """
    names = sorted(set(labels))
    ends, places = _sparse(rows, bits)
    gold = np.array([names.index(label) for label in labels])
    counts = np.bincount(gold, minlength=len(names))
    weight = (len(gold) / len(names) / counts)[gold] if weigh else np.ones(len(gold))
    found = _lbfgs(_loss(ends, places, gold, weight, 1 << bits, len(names), l2), (1 << bits) + 1, len(names), rounds)
    table, bias = found[:-1], found[-1]
    scale = np.maximum(np.abs(table).max(axis=0), 1e-9) / 127
    small = np.rint(table / scale).astype(np.int8)
    packed = array("b", small.tobytes())
    return Linear(tuple(names), bits, tuple(_short(scale)), tuple(_short(bias)), packed, dict(card or {}))


def _short(values: Any) -> list[float]:
    return [float(f"{value:.6g}") for value in values]


def _sparse(rows: Sequence[Iterable[str]], bits: int) -> tuple[Any, Any]:
    """Where each row's places end (rows + 1), and the places of all rows, one behind the other."""
    known: dict[str, int] = {}
    places: list[int] = []
    ends = [0]
    for features in rows:
        own = set()
        for feature in features:
            if feature not in known:
                known[feature] = row(feature, bits)
            own.add(known[feature])
        places += sorted(own)
        ends.append(len(places))
    return np.array(ends), np.array(places, dtype=np.int64)


def _loss(
    ends: Any, places: Any, gold: Any, weight: Any, height: int, width: int, l2: float
) -> Callable[[Any], tuple[float, Any]]:
    """The loss and its gradient as a function of weights (height + 1, width), the last row being the biases."""
    sizes = np.diff(ends)
    of_row = np.repeat(np.arange(len(sizes)), sizes)
    value = 1 / np.sqrt(np.maximum(sizes, 1))
    all_rows = np.arange(len(gold))

    def loss(weights: Any) -> tuple[float, Any]:
        points = np.empty((len(gold), width))
        for label in range(width):
            points[:, label] = np.bincount(of_row, weights[places, label], minlength=len(gold))
        points = points * value[:, None] + weights[-1]
        points -= points.max(axis=1, keepdims=True)
        shares = np.exp(points)
        shares /= shares.sum(axis=1, keepdims=True)
        total = -(weight * np.log(np.maximum(shares[all_rows, gold], 1e-300))).sum() + l2 * (weights[:-1] ** 2).sum()
        wrong = shares
        wrong[all_rows, gold] -= 1
        wrong *= weight[:, None]
        slope = np.empty_like(weights)
        for label in range(width):
            back = (wrong[:, label] * value)[of_row]
            slope[:-1, label] = np.bincount(places, back, minlength=height)
        slope[:-1] += 2 * l2 * weights[:-1]
        slope[-1] = wrong.sum(axis=0)
        return float(total), slope

    return loss


def _lbfgs(loss: Callable[[Any], tuple[float, Any]], height: int, width: int, rounds: int) -> Any:
    """Weights (height, width) of least loss, or those after `rounds` steps; every step lowers the loss (Armijo)."""
    at = np.zeros((height, width))
    value, slope = loss(at)
    steps: list[tuple[Any, Any, float]] = []  # step, change of slope, 1 / their product
    for _ in range(rounds):
        way = -_two_loops(slope, steps)
        fall = float((way * slope).sum())
        size = 1.0 if steps else 1 / max(1.0, float(np.abs(slope).sum()) / 100)
        while True:
            to = at + size * way
            new, tilt = loss(to)
            if new <= value + 1e-4 * size * fall or size < 1e-8:
                break
            size /= 2
        step, change = to - at, tilt - slope
        product = float((step * change).sum())
        if product > 1e-10:
            steps = [*steps, (step, change, 1 / product)][-KEPT:]
        done = abs(value - new) < 1e-6 * max(abs(value), 1)
        at, value, slope = to, new, tilt
        if done:
            break
    return at


def _two_loops(slope: Any, steps: Sequence[tuple[Any, Any, float]]) -> Any:
    """The slope times the inverse curvature as the steps show it (Nocedal 1980)."""
    way = slope.copy()
    taken = []
    for step, change, inverse in reversed(steps):
        part = inverse * float((step * way).sum())
        way -= part * change
        taken.append(part)
    if steps:
        step, change, inverse = steps[-1]
        way *= 1 / (inverse * float((change * change).sum()))
    for (step, change, inverse), part in zip(steps, reversed(taken), strict=True):
        way += step * (part - inverse * float((change * way).sum()))
    return way


def write(path: Path, model: Linear) -> None:
    """Write `path` with `.weights` and `.json`; equal models give equal bytes."""
    packed = zlib.compress(model.weights.tobytes(), 9)
    card = {
        **model.card,
        "labels": list(model.labels),
        "bits": model.bits,
        "scale": [*model.scale],
        "bias": [*model.bias],
        "sha256": hashlib.sha256(packed).hexdigest(),
    }
    path.with_suffix(".weights").write_bytes(packed)
    path.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
