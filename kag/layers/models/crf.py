"""Linear-chain conditional random fields (Lafferty et al. 2001): trained by CRFsuite, run by numpy over many sentences.

A model is two files: `NAME.crf`, its weights, and `NAME.json`, its card: their SHA-256, what they were trained on and
how. An attribute is a string that may hold of a token, with a worth (1 where none is given); a token's score for a
label is the sum of the weights of the attributes that hold. Marginals come from the forward-backward algorithm, all
sentences of like length at once; the best labels of one sentence from Viterbi's.
"""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from kag.values.errors import MissingExtra, SourceError

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("numpy is not installed", hint='Install it with: pip install "kag-papers[layers]"') from error

SETTINGS: Mapping[str, Any] = {"c1": 0.1, "c2": 0.05, "max_iterations": 80, "feature.possible_transitions": True}
SEED = 7  # of what is left out by chance in training
LEAST = 0.01  # weights nearer to 0 than this are left out
COARSE, FINE = 1_000, 1_000_000  # steps to one, in which weights are kept: all that CRFsuite tells is FINE
_KEPT: Mapping[int, tuple[str, Any]] = {COARSE: ("<i2", np.float32), FINE: ("<i4", np.float64)}  # in files, in numpy
_TOGETHER = 64  # sentences at once
_HINT = "Install kag again: a model of its layers is not whole."
Sentences = Sequence[Sequence[Sequence[str]]]  # the attributes of each token of each sentence


@dataclass(frozen=True, slots=True)
class Crf:
    """`rows` says which row of `weights` (attributes + 1, labels) an attribute has; `follow` is (labels, labels).

    The last row of `weights` is that of all attributes that the model does not know: zeros.
    """

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
        sums = np.zeros((len(rows), len(self.labels)), dtype=self.weights.dtype)
        np.add.at(sums, np.repeat(np.arange(len(rows)), lengths), self.weights[flat])
        return sums

    def scores(self, sentence: Sequence[Sequence[str]] | Sequence[Mapping[str, float]]) -> Any:
        """The scores (tokens, labels) of a sentence's attributes, which may have a worth each."""
        if sentence and isinstance(sentence[0], Mapping):
            return np.array([self._weighed(token) for token in sentence])  # type: ignore[arg-type]  # all are alike
        lengths = np.fromiter(map(len, sentence), dtype=np.int64, count=len(sentence))
        if not lengths.size or not lengths.all():
            return self.summed([self.known(token) for token in sentence])
        names = chain.from_iterable(sentence)
        flat = np.fromiter(map(self.rows.get, names, repeat(len(self.rows))), np.int64, int(lengths.sum()))
        return np.add.reduceat(self.weights[flat], np.cumsum(lengths) - lengths, axis=0)

    def _weighed(self, token: Mapping[str, float]) -> Any:
        known = [(row, worth) for name, worth in token.items() if (row := self.rows.get(name)) is not None]
        return np.array([worth for _, worth in known]) @ self.weights[[row for row, _ in known]]

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

    def best(self, scores: Any) -> list[int]:
        """The places of the labels that are likeliest together, for a sentence's scores (tokens, labels)."""
        if not len(scores):
            return []
        so_far, came = scores[0], []
        for here in scores[1:]:
            ways = so_far[:, None] + self.follow
            came.append(ways.argmax(axis=0))
            so_far = ways.max(axis=0) + here
        found = [int(so_far.argmax())]
        for step in reversed(came):
            found.append(int(step[found[-1]]))
        return found[::-1]

    def label(self, sentence: Sequence[Sequence[str]] | Sequence[Mapping[str, float]]) -> list[tuple[str, float]]:
        """The labels that are likeliest together, and how likely each is at its token."""
        scores = self.scores(sentence)
        [marginals] = self.marginals([scores])
        return [(self.labels[one], float(row[one])) for one, row in zip(self.best(scores), marginals, strict=True)]

    def tag(self, sentences: Sentences) -> list[list[tuple[str, float]]]:
        """The likeliest label of each token, and how likely it is."""
        marginals = self.marginals([self.scores(one) for one in sentences])
        return [
            [(self.labels[row.argmax()], float(row.max())) for row in sentence] if len(sentence) else []
            for sentence in marginals
        ]


def train(
    examples: Iterable[tuple[Sequence[Any], Sequence[str]]],
    settings: Mapping[str, Any] | None = None,
    least: float = LEAST,
) -> Crf:
    """A model of sentences (attributes of each token) with the labels of their tokens; `settings` beside `SETTINGS`."""
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
    kind = np.dtype(_KEPT[steps][0])
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


def read_card(path: Path) -> dict[str, Any]:
    """The card of a model's file; raises `SourceError` where it is missing or damaged."""
    try:
        return dict(json.loads(path.with_suffix(".json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise SourceError(f"{path.with_suffix('.json')}: {error}", hint=_HINT) from error


@lru_cache(maxsize=16)
def read(path: Path) -> Crf:
    """The model of a file; raises `SourceError` where it or its card is missing, damaged or not of one training."""
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: {error}", hint=_HINT) from error
    if hashlib.sha256(packed).hexdigest() != read_card(path).get("sha256"):
        raise SourceError(f"{path}: its SHA-256 is not that of its card", hint=_HINT)
    body = zlib.decompress(packed)
    until = 4 + int.from_bytes(body[:4], "little")
    first, *names = body[4:until].decode().split("\n")
    head = json.loads(first)
    size, steps = head["size"], head.get("steps", COARSE)
    kept, used = _KEPT[steps]
    row = np.frombuffer(body, "<i4", size, until)
    label = np.frombuffer(body, "u1", size, until + 4 * size)
    weights = np.zeros((len(names) + 1, len(head["labels"])), dtype=used)
    weights[row, label] = np.frombuffer(body, kept, size, until + 5 * size) / used(steps)
    follow = np.array(head["follow"], dtype=used)
    return Crf(tuple(head["labels"]), {name: n for n, name in enumerate(names)}, weights, follow)
