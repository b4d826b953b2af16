"""Linear-chain conditional random fields (Lafferty et al. 2001), run by numpy over many sentences.

`scripts/benchmarks/models/crf_training.py` trains them with CRFsuite. A model is `NAME.crf`, its weights, and
`NAME.json`, its card. A feature is a string with a worth (1 by default). Marginals are computed for all sentences of
similar length at once; features of words alone (`Look`) are scored once for each distinct word.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from kag.core.errors import SourceError

EDGE = ""  # the word before and behind a sentence
Words = Sequence[str]


class Look(NamedTuple):
    """`of_word(word)[n]` is a word's attributes for the token from which it stands at `around[n]`."""

    around: tuple[int, ...]
    of_word: Callable[[str], Sequence[Sequence[str]]]


COARSE, FINE = 1_000, 1_000_000  # steps to one, in which weights are kept: all that CRFsuite tells is FINE
KEPT: Mapping[int, tuple[str, Any]] = {COARSE: ("<i2", np.float32), FINE: ("<i4", np.float64)}  # in files, in numpy
_TOGETHER = 64  # sentences at once
_HINT = "Install kag again: a trained model of it is not whole."


@dataclass(frozen=True, slots=True)
class Crf:
    """A CRF: `rows` maps an attribute to its row of `weights` (attributes + 1, labels); `follow` is (labels, labels).

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
        """Return the probability of each label at each token, for sentences' scores (tokens, labels)."""
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
        lengths = np.array([len(score) for score in scores])
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
        return self.best_of([scores])[0]

    def best_of(self, scores: Sequence[Any]) -> list[list[int]]:
        """The places of the labels that are likeliest together (Viterbi), for sentences' scores (tokens, labels)."""
        found: list[list[int]] = [[] for _ in scores]
        order = sorted((n for n in range(len(scores)) if len(scores[n])), key=lambda n: -len(scores[n]))
        for at in range(0, len(order), _TOGETHER):
            some = order[at : at + _TOGETHER]
            for n, places in zip(some, self._best_together([scores[n] for n in some]), strict=True):
                found[n] = places
        return found

    def _best_together(self, scores: Sequence[Any]) -> list[list[int]]:
        """`best_of` sentences that come longest first: each step looks only at those that reach so far."""
        lengths = [len(score) for score in scores]
        longest = lengths[0]
        going = [sum(length > n for length in lengths) for n in range(longest)]
        so_far = np.array([score[0] for score in scores])
        ends, came = np.zeros(len(scores), dtype=np.int64), []
        follow = np.ascontiguousarray(self.follow.T)  # the step's best is then along the last axis
        for n in range(1, longest):
            many = going[n]
            ends[many : len(so_far)] = so_far[many:].argmax(axis=1)
            ways = so_far[:many, None, :] + follow
            best = ways.argmax(axis=2)
            came.append(best)
            best_score = np.take_along_axis(ways, best[:, :, None], axis=2)[:, :, 0]
            so_far = best_score + np.array([score[n] for score in scores[:many]])
        ends[: len(so_far)] = so_far.argmax(axis=1)
        found = [[int(end)] for end in ends]
        for places, length, row in zip(found, lengths, range(len(scores)), strict=True):
            for n in range(length - 2, -1, -1):
                places.append(int(came[n][row, places[-1]]))
            places.reverse()
        return found

    def label(self, sentence: Sequence[Sequence[str]] | Sequence[Mapping[str, float]]) -> list[tuple[str, float]]:
        """The labels that are likeliest together, and how likely each is at its token."""
        places, shares = self.label_scored([self.scores(sentence)])[0]
        return [(self.labels[place], share) for place, share in zip(places, shares, strict=True)]

    def label_scored(self, scores: Sequence[Any]) -> list[tuple[list[int], list[float]]]:
        """The places of the likeliest labels, and how likely each is at its token, for sentences' scores."""
        return [
            (places, rows[range(len(places)), places].tolist())
            for places, rows in zip(self.best_of(scores), self.marginals(scores), strict=True)
        ]


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
    kept, used = KEPT[steps]
    row = np.frombuffer(body, "<i4", size, until)
    label = np.frombuffer(body, "u1", size, until + 4 * size)
    weights = np.zeros((len(names) + 1, len(head["labels"])), dtype=used)
    weights[row, label] = np.frombuffer(body, kept, size, until + 5 * size) / used(steps)
    follow = np.array(head["follow"], dtype=used)
    return Crf(tuple(head["labels"]), {name: n for n, name in enumerate(names)}, weights, follow)


class ColumnScores:
    """A model's scores of tokens that are described by columns of keys; what a key weighs is summed once and kept.

    Each of `columns` gives the attributes of a key of that column; `most` keys of a column are kept.
    """

    def __init__(self, model: Crf, columns: Sequence[Callable[[Any], Sequence[str]]], most: int = 3_000) -> None:
        self._model, self._columns, self._most = model, columns, most
        self._kept = [_Rows(model) for _ in columns]
        self._lock = Lock()

    def scored(self, keys: Sequence[Sequence[Any]]) -> Any:
        """The scores (tokens, labels) of tokens: for each column the key of each token."""
        total = np.zeros((len(keys[0]), len(self._model.labels)), dtype=self._model.weights.dtype)
        with self._lock:
            for n, (of_column, attributes_of) in enumerate(zip(keys, self._columns, strict=True)):
                if len(self._kept[n]) > self._most:
                    self._kept[n] = _Rows(self._model)
                total += self._kept[n].scored(of_column, attributes_of)
        return total


class _Rows(dict[Any, int]):
    """The rows of keys in a table of scores; a key that is new gets the next row."""

    def __init__(self, model: Crf) -> None:
        self._model = model
        self._table = np.zeros((0, len(model.labels)), dtype=model.weights.dtype)
        self._fresh: list[Any] = []

    def __missing__(self, key: Any) -> int:
        self._fresh.append(key)
        row = self[key] = len(self)
        return row

    def scored(self, keys: Sequence[Any], attributes_of: Callable[[Any], Sequence[str]]) -> Any:
        """The scores (keys, labels) of keys."""
        rows = [*map(self.__getitem__, keys)]
        if self._fresh:
            fresh = self._model.scores([attributes_of(key) or ("",) for key in self._fresh])
            self._table, self._fresh = np.concatenate([self._table, fresh]), []
        return self._table[rows]


class WordScores:
    """A model's scores of words, cached for `most` words at most."""

    def __init__(self, model: Crf, look: Look, most: int = 50_000) -> None:
        self._model, self._look, self._most = model, look, most
        self._places: dict[str, int] = {}
        self._table = np.zeros((0, len(look.around), len(model.labels)), dtype=model.weights.dtype)

    def scored(self, sentences: Sequence[Words]) -> list[Any]:
        """The scores (tokens, labels) of each sentence."""
        self._learn({word for words in sentences for word in words} | {EDGE})
        places, reach = self._places, max(map(abs, self._look.around))
        edge = [places[EDGE]] * reach
        ids = [*edge]
        for words in sentences:
            ids += [places[word] for word in words]
            ids += edge
        row = np.array(ids)
        size = len(row) - 2 * reach
        total = sum(self._table[row[reach + by : reach + by + size], slot] for slot, by in enumerate(self._look.around))
        found, at = [], 0
        for words in sentences:
            found.append(total[at : at + len(words)])
            at += len(words) + reach
        return found

    def _learn(self, words: set[str]) -> None:
        if len(self._places) + len(words) > self._most:
            self._places, self._table = {}, self._table[:0]
        fresh = sorted(words - self._places.keys())
        if not fresh:
            return
        rows = [self._model.known(some) for word in fresh for some in self._look.of_word(word)]
        table = self._model.summed(rows).reshape(len(fresh), len(self._look.around), -1)
        for n, word in enumerate(fresh, len(self._table)):
            self._places[word] = n
        self._table = np.concatenate([self._table, table])
