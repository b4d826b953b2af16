"""Train conditional random fields with CRFsuite, and write them as `kag.text.crf` reads them."""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite

from kag.text.crf import COARSE, EDGE, KEPT, Crf, Look, Words

SETTINGS: Mapping[str, Any] = {"c1": 0.1, "c2": 0.05, "max_iterations": 80, "feature.possible_transitions": True}
SEED = 7  # of what is left out by chance in training
LEAST = 0.01  # weights nearer to 0 than this are left out


def attributes_of(look: Look, words: Words) -> list[list[str]]:
    """The attributes of each token of a sentence by its words."""
    count = len(words)
    return [
        [
            attribute
            for slot, by in enumerate(look.around)
            for attribute in look.of_word(words[n + by] if 0 <= n + by < count else EDGE)[slot]
        ]
        for n in range(count)
    ]


def train(
    examples: Iterable[tuple[Sequence[Any], Sequence[str]]],
    settings: Mapping[str, Any] | None = None,
    least: float = LEAST,
) -> Crf:
    """A model of sentences (attributes of each token) with the labels of their tokens; `settings` beside `SETTINGS`."""
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params({**SETTINGS, **(settings or {})})
    for attributes, labels in examples:
        trainer.append(attributes, labels)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/weights")
        tagger = pycrfsuite.Tagger()
        tagger.open(f"{folder}/weights")
        told = tagger.info()
        tagger.close()
    return of_weights(tuple(sorted(told.labels)), told.state_features, told.transitions, least)


def thinned(
    examples: Iterable[tuple[Sequence[Any], Sequence[str]]], share: float, times: int
) -> Iterator[tuple[list[list[str]], Sequence[str]]]:
    """The examples `times` over, with a `share` of their attributes left out by chance, the same for the same input.

    A model that was trained so leans on no single attribute (dropout; Hinton et al. 2012).
    """
    chance = random.Random(SEED).random
    told = list(examples)
    for _ in range(times):
        for attributes, labels in told:
            yield [[one for one in token if chance() >= share] for token in attributes], labels


def of_weights(
    labels: tuple[str, ...], states: Mapping[Any, float], steps: Mapping[Any, float], least: float = LEAST
) -> Crf:
    """A model of the weights of attributes with labels, and of labels with those that follow them."""
    place = {label: n for n, label in enumerate(labels)}
    kept = {pair: weight for pair, weight in states.items() if abs(weight) >= least}
    rows = {name: n for n, name in enumerate(sorted({name for name, _ in kept}))}
    weights = np.zeros((len(rows) + 1, len(labels)))
    for (name, label), weight in kept.items():
        weights[rows[name], place[label]] = weight
    follow = np.zeros((len(labels), len(labels)))
    for (one, other), weight in steps.items():
        follow[place[one], place[other]] = weight
    return Crf(labels, rows, weights, follow)


def write(model: Crf, path: Path, card: Mapping[str, Any], steps: int = COARSE) -> None:
    """Write `path` (weights, in `steps` to one) and its card beside it, the same bytes for the same model."""
    row, label = np.nonzero(model.weights)
    kind = np.dtype(KEPT[steps][0])
    most = np.iinfo(kind).max
    table = np.rint(np.clip(model.weights[row, label].astype(float) * steps, -most, most)).astype(kind)
    follow = np.round(model.follow.astype(float), 4 if steps == COARSE else 6).tolist()
    head = {"labels": model.labels, "follow": follow, "size": len(table), "steps": steps}
    names = "\n".join(sorted(model.rows, key=model.rows.__getitem__))
    text = f"{json.dumps(head)}\n{names}".encode()
    body = len(text).to_bytes(4, "little") + text
    body += row.astype("<i4").tobytes() + label.astype("u1").tobytes() + table.tobytes()
    packed = zlib.compress(body, 9)
    path.write_bytes(packed)
    told = {**card, "sha256": hashlib.sha256(packed).hexdigest(), "attributes": len(model.rows), "weights": len(table)}
    path.with_suffix(".json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
