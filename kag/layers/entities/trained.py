"""The trained models of entities, applied to the texts of one paper.

`life` (BioRED) finds genes, diseases, chemicals, species, variants and cell lines, `materials` (SOFC-Exp) materials,
devices, values and experiments. The words of a paper decide which models are asked (naive Bayes, `fields.tsv.gz`), and
all uses of a name in a paper decide together.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from kag.core.errors import SourceError
from kag.layers.entities.abbreviations import Pair
from kag.layers.entities.features import AROUND, Extra, Lists, expansions, extra, of_word, wide
from kag.layers.entities.lexicon import Tokens, read_lexicon
from kag.text.crf import Crf, Look, WordScores, read

FOLDER = Path(__file__).parents[1] / "models"
CHEMISTRY = "chemistry"
SURE: Mapping[str, float] = {"life": 0.0, "materials": 0.8, "chemistry": 0.2}
"""The least mean weight of a paper's distinct words for a field, against all other texts."""
_TABLES = {"chemistry": "materials"}  # fields that have the words of another
_KNOWN = 0.4  # the least share of the distinct words that are known: other languages share some

Weights = Mapping[str, Mapping[str, float]]  # field -> word -> weight


def fields_of(words: Iterable[str], weights: Weights | None = None) -> frozenset[str]:
    """Return the fields of research that a paper's words indicate.

    >>> sorted(fields_of("patients with tumors were treated with inhibitors of the mutant gene in mice".split()))
    ['life']
    >>> sorted(fields_of("we propose a network that learns to parse sentences on this benchmark".split()))
    []
    """
    known = weights or read_weights()
    distinct = {word.lower() for word in words if word[0].isalpha()}
    found = set()
    for field in SURE:
        table = known[_TABLES.get(field, field)]
        given = [table[word] for word in distinct if word in table]
        if given and len(given) >= _KNOWN * len(distinct) and sum(given) / len(given) > SURE[field]:
            found.add(field)
    return frozenset(found)


@lru_cache(maxsize=1)
def read_weights() -> Weights:
    """The weights; raises `SourceError` where their files are missing, damaged or do not belong together."""
    hint = "Install kag again: a model of its layers is not whole."
    try:
        packed = (FOLDER / "fields.tsv.gz").read_bytes()
        known = json.loads((FOLDER / "fields.json").read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{FOLDER / 'fields.json'}: {error}", hint=hint) from error
    if hashlib.sha256(packed).hexdigest() != known:
        raise SourceError(f"{FOLDER / 'fields.tsv.gz'}: its SHA-256 is not that of fields.json", hint=hint)
    found: dict[str, dict[str, float]] = {}
    for line in gzip.decompress(packed).decode().split("\n")[:-1]:
        field, word, weight = line.split("\t")
        found.setdefault(field, {})[word] = float(weight)
    return found


LEAST = 0.5
"""The least mean marginal of a span that a trained model found."""

NARROW = {"materials": 0.8}
"""A higher least for models that were trained on a narrow field."""
ALONE = 0.7
"""The least score of the only mention of a thing."""
FOREIGN = 0.8
"""The least score of chemicals that the model of life science finds in papers of another field."""


class Spotted(NamedTuple):
    """Tokens from `start` to before `end` of one kind; `score` is the mean marginal of their labels."""

    start: int
    end: int
    kind: str
    score: float


class Spotter:
    """A model whose labels are O, B-kind and I-kind."""

    def __init__(self, model: Crf) -> None:
        self._model = model
        self._words = WordScores(model, Look(AROUND, of_word))

    def spot(self, rows: Sequence[Tokens], extras: Sequence[Extra]) -> list[list[Spotted]]:
        """The spans of each text."""
        places = [(n, first, last) for n, row in enumerate(rows) for first, last in row.sentences]
        scores = self._words.scored([rows[n].words[first:last] for n, first, last in places])
        known = self._model.known
        for one, (n, first, last) in zip(scores, places, strict=True):
            one += self._model.summed([known(extras[n][at]) for at in range(first, last)])
        found: list[list[Spotted]] = [[] for _ in rows]
        for (n, first, _), marginals in zip(places, self._model.marginals(scores), strict=True):
            found[n] += self._spans(marginals, first)
        return found

    def _spans(self, marginals: Any, first: int) -> Iterator[Spotted]:
        labels = self._model.labels
        best = marginals.argmax(axis=1).tolist()
        sure = marginals.max(axis=1).tolist()
        start, kind = None, ""
        for n, one in enumerate([*best, -1]):
            label = labels[one] if one >= 0 else "O"
            if start is not None and label != f"I-{kind}":
                yield Spotted(first + start, first + n, kind, sum(sure[start:n]) / (n - start))
                start = None
            if label != "O" and start is None:
                start, kind = n, label[2:]


ENOUGH = 0.4
"""The least mean score of all uses of a name for those that were not marked to be marked, too."""
KEPT = 0.15
"""Marks of a name are taken away where the mean score of all its uses is below this."""


def agreed(rows: Sequence[Tokens], found: Sequence[Sequence[Spotted]]) -> list[list[Spotted]]:
    """The spans of the texts of one paper after all uses of each name were compared."""
    scores: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row, spans in zip(rows, found, strict=True):
        for span in spans:
            scores[row.words[span.start : span.end]][span.kind].append(span.score)
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
    return [_again(row, spans, here, verdicts) for row, spans, here in zip(rows, found, places, strict=True)]


def _uses(row: Tokens, names: object, firsts: dict[str, int]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Return the places of the names, the longest at each place."""
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
) -> list[Spotted]:
    kept = [span for span in spans if verdicts[row.words[span.start : span.end]][1] >= KEPT or span.score > 0.9]
    taken = {n for one in kept for n in range(one.start, one.end)}
    for start, end, name in uses:
        kind, mean = verdicts[name]
        if mean >= ENOUGH and taken.isdisjoint(range(start, end)) and len("".join(name)) > 1:
            kept.append(Spotted(start, end, kind, mean))
            taken.update(range(start, end))
    return sorted(kept)


_FAR = 9  # tokens in which the other half of a bracket is looked for
LIFE, MATERIALS = "life", "materials"
_LISTS = {LIFE: (("m", "mesh"), ("g", "genes")), MATERIALS: (("m", "mesh"),)}


@lru_cache(maxsize=4)
def spotter(name: str) -> Spotter:
    """The model of a name; raises `SourceError` where its files are not whole."""
    return Spotter(read(FOLDER / f"{name}.crf"))


def lists(name: str) -> Lists:
    """The lists of names that a model looks at."""
    return tuple((mark, read_lexicon(one)) for mark, one in _LISTS[name])


def seen(name: str, rows: Sequence[Tokens], pairs: Sequence[Sequence[Pair]]) -> list[Extra]:
    """Return the features of one paper's texts besides their words; `pairs` are the abbreviations of each."""
    known = lists(name)
    means = {
        row.text[slice(*pair.short)]: row.text[slice(*pair.long)]
        for row, some in zip(rows, pairs, strict=True)
        for pair in some
    }
    expanded = expansions(means, known)
    features: list[Extra] = [extra(row, known, expanded) for row in rows]
    if name != MATERIALS:
        return features
    return [
        [[*one, *more] for one, more in zip(both, wide(row), strict=True)]
        for both, row in zip(features, rows, strict=True)
    ]


def spotted(
    name: str, rows: Sequence[Tokens], pairs: Sequence[Sequence[Pair]], model: Spotter | None = None
) -> list[list[Spotted]]:
    """Return the model's findings in one paper's texts, with all uses of a name compared."""
    found = (model or spotter(name)).spot(rows, seen(name, rows, pairs))
    return [[*_apart(whole(row, one) for one in some)] for row, some in zip(rows, agreed(rows, found), strict=True)]


def whole(row: Tokens, one: Spotted) -> Spotted:
    """Extend a span to both halves of its brackets within the same run without blanks; none if impossible.

    >>> from kag.layers.entities.lexicon import tokens
    >>> row = tokens("(La0.8Sr0.2)MnO3 powder")
    >>> " ".join(row.words[slice(*whole(row, Spotted(1, 8, "material", 1.0))[:2])])
    '( La0 . 8Sr0 . 2 ) MnO3'
    """
    words = row.words
    opened, closed = (words[one.start : one.end].count(mark) for mark in "()")
    if closed > opened:
        for at in range(one.start - 1, max(-1, one.start - _FAR), -1):
            if row.ends[at] != row.starts[at + 1]:
                break
            if words[at] == "(":
                return one._replace(start=at)
        return one._replace(end=one.end - 1) if words[one.end - 1] == ")" and one.end - one.start > 1 else one
    if opened > closed:
        for at in range(one.end, min(len(words), one.end + _FAR)):
            if row.ends[at - 1] != row.starts[at]:
                break
            if words[at] == ")":
                return one._replace(end=at + 1)
        return one._replace(start=one.start + 1) if words[one.start] == "(" and one.end - one.start > 1 else one
    return one


def _apart(spans: Iterable[Spotted]) -> Iterator[Spotted]:
    """Spans of which none stands over another: the first stays."""
    until = 0
    for span in spans:
        if span.start >= until:
            yield span
            until = span.end
