"""Linear-chain conditional random fields (Lafferty et al. 2001): trained by CRFsuite, run by numpy over many sentences.

A model is two files: `NAME.crf`, its weights, and `NAME.json`, its card: their SHA-256, what they were trained on and
how. An attribute is a string that may hold of a token; a token's score for a label is the sum of the weights of the
attributes that hold. Marginals come from the forward-backward algorithm, all sentences of like length at once.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from kag.values.errors import MissingExtra, SourceError

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("numpy is not installed", hint='Install it with: pip install "kag-papers[layers]"') from error

SETTINGS: Mapping[str, Any] = {"c1": 0.1, "c2": 0.05, "max_iterations": 80, "feature.possible_transitions": True}
LEAST = 0.01  # weights nearer to 0 than this are left out
_TOGETHER = 64  # sentences at once
Sentences = Sequence[Sequence[Sequence[str]]]  # the attributes of each token of each sentence


@dataclass(frozen=True, slots=True)
class Crf:
    """`rows` says which row of `weights` (attributes, labels) an attribute has; `follow` is (labels, labels)."""

    labels: tuple[str, ...]
    rows: Mapping[str, int]
    weights: Any
    follow: Any

    def known(self, attributes: Iterable[str]) -> list[int]:
        """The rows of those attributes that the model knows."""
        get = self.rows.get
        return [row for row in map(get, attributes) if row is not None]

    def summed(self, rows: Sequence[Sequence[int]]) -> Any:
        """The scores (len(rows), labels) of lists of rows."""
        lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        flat = np.fromiter((row for one in rows for row in one), dtype=np.int64, count=int(lengths.sum()))
        sums = np.zeros((len(rows), len(self.labels)), dtype=np.float32)
        np.add.at(sums, np.repeat(np.arange(len(rows)), lengths), self.weights[flat])
        return sums

    def marginals(self, scores: Sequence[Any]) -> list[Any]:
        """How likely each label is at each token, for sentences' scores (tokens, labels)."""
        found: list[Any] = [None] * len(scores)
        order = sorted((n for n in range(len(scores)) if len(scores[n])), key=lambda n: len(scores[n]))
        for at in range(0, len(order), _TOGETHER):
            some = order[at : at + _TOGETHER]
            together = self._together([scores[n] for n in some])
            for place, n in enumerate(some):
                found[n] = together[place, : len(scores[n])]
        return [np.zeros((0, len(self.labels)), dtype=np.float32) if one is None else one for one in found]

    def _together(self, scores: Sequence[Any]) -> Any:
        """Marginals (sentences, longest, labels); shorter ones are filled up at their ends with even scores."""
        most = max(map(len, scores))
        padded = np.zeros((len(scores), most, len(self.labels)))
        for place, one in enumerate(scores):
            padded[place, : len(one)] = np.exp(one - one.max(axis=1, keepdims=True))
            padded[place, len(one) :] = 1.0
        lengths = np.array([len(one) for one in scores])
        follow = np.exp(self.follow.astype(float))
        ahead, behind = np.empty_like(padded), np.ones_like(padded)
        ahead[:, 0] = padded[:, 0]
        for n in range(1, most):
            step = (ahead[:, n - 1] @ follow) * padded[:, n]
            ahead[:, n] = step / step.sum(axis=1, keepdims=True)
        for n in range(most - 2, -1, -1):
            step = (behind[:, n + 1] * padded[:, n + 1]) @ follow.T
            step /= step.sum(axis=1, keepdims=True)
            behind[:, n] = np.where((lengths > n + 1)[:, None], step, 1.0)
        both = ahead * behind
        return both / both.sum(axis=2, keepdims=True)

    def tag(self, sentences: Sentences) -> list[list[tuple[str, float]]]:
        """The likeliest label of each token, and how likely it is."""
        marginals = self.marginals([self.summed([self.known(token) for token in one]) for one in sentences])
        return [
            [(self.labels[row.argmax()], float(row.max())) for row in sentence] if len(sentence) else []
            for sentence in marginals
        ]


def train(
    examples: Iterable[tuple[Sequence[Sequence[str]], Sequence[str]]], settings: Mapping[str, Any] | None = None
) -> Crf:
    """A model of sentences (attributes of each token) with the labels of their tokens."""
    import pycrfsuite

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
    return _of(tuple(sorted(told.labels)), told.state_features, told.transitions)


def _of(labels: tuple[str, ...], states: Mapping[Any, float], steps: Mapping[Any, float]) -> Crf:
    place = {label: n for n, label in enumerate(labels)}
    kept = {pair: weight for pair, weight in states.items() if abs(weight) >= LEAST}
    rows = {name: n for n, name in enumerate(sorted({name for name, _ in kept}))}
    weights = np.zeros((len(rows), len(labels)), dtype=np.float32)
    for (name, label), weight in kept.items():
        weights[rows[name], place[label]] = weight
    follow = np.zeros((len(labels), len(labels)), dtype=np.float32)
    for (one, other), weight in steps.items():
        follow[place[one], place[other]] = weight
    return Crf(labels, rows, weights, follow)


def write(model: Crf, path: Path, card: Mapping[str, Any]) -> None:
    """Write `path` (weights, to a thousandth) and its card beside it, the same bytes for the same model."""
    row, label = np.nonzero(model.weights)
    table = np.rint(np.clip(model.weights[row, label] * 1000, -32767, 32767)).astype("<i2")
    head = {"labels": model.labels, "follow": np.round(model.follow.astype(float), 4).tolist(), "size": len(table)}
    names = "\n".join(sorted(model.rows, key=model.rows.__getitem__))
    text = f"{json.dumps(head)}\n{names}".encode()
    body = len(text).to_bytes(4, "little") + text
    body += row.astype("<i4").tobytes() + label.astype("u1").tobytes() + table.tobytes()
    packed = zlib.compress(body, 9)
    path.write_bytes(packed)
    told = {**card, "sha256": hashlib.sha256(packed).hexdigest(), "attributes": len(model.rows), "weights": len(table)}
    path.with_suffix(".json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@lru_cache(maxsize=8)
def read(path: Path) -> Crf:
    """The model of a file; raises `SourceError` where it or its card is missing, damaged or not of one training."""
    hint = "Install kag again: a model of its layers is not whole."
    try:
        packed = path.read_bytes()
        known = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{path}: {error}", hint=hint) from error
    if hashlib.sha256(packed).hexdigest() != known:
        raise SourceError(f"{path}: its SHA-256 is not that of its card", hint=hint)
    body = zlib.decompress(packed)
    until = 4 + int.from_bytes(body[:4], "little")
    first, *names = body[4:until].decode().split("\n")
    head = json.loads(first)
    size = head["size"]
    row = np.frombuffer(body, "<i4", size, until)
    label = np.frombuffer(body, "u1", size, until + 4 * size)
    weights = np.zeros((len(names), len(head["labels"])), dtype=np.float32)
    weights[row, label] = np.frombuffer(body, "<i2", size, until + 5 * size) / np.float32(1000)
    follow = np.array(head["follow"], dtype=np.float32)
    return Crf(tuple(head["labels"]), {name: n for n, name in enumerate(names)}, weights, follow)
