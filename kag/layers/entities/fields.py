"""What a paper is about as far as models go: life science, materials, or neither, by its words (naive Bayes).

Models know the kinds of the texts they were trained on; put to others they find genes among galaxies. The weights of
words lie in `fields.tsv.gz`, their card is `fields.json`; `scripts/benchmarks/train_entities.py` writes both.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from kag.values.errors import SourceError

FOLDER = Path(__file__).parents[1] / "models"
OTHER = "other"
CHEMISTRY = "chemistry"
SURE: Mapping[str, float] = {"life": 0.0, "materials": 0.8, "chemistry": 0.2}
"""The least mean weight of a paper's distinct words for a field, against all other texts."""
_TABLES = {"chemistry": "materials"}  # fields that have the words of another
_KNOWN = 0.4  # the least share of the distinct words that are known: other languages share some
_LEAST = 3  # texts that a word must stand in
_SMOOTH = 0.5

Weights = Mapping[str, Mapping[str, float]]  # field -> word -> weight


def fields_of(words: Iterable[str], weights: Weights | None = None) -> frozenset[str]:
    """The fields that the words of a paper speak for.

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


def learn(texts: Sequence[tuple[str, Iterable[str]]], fields: Sequence[str]) -> Weights:
    """The weights of words from texts, each with its field: how much likelier a text of a field has a word."""
    standing: dict[str, Counter[str]] = defaultdict(Counter)
    counts = Counter(field for field, _ in texts)
    for field, words in texts:
        standing[field].update({word.lower() for word in words if word[0].isalpha()})
    total = sum(standing.values(), Counter[str]())
    return {field: _against(standing, counts, field, total) for field in fields}


def _against(
    standing: Mapping[str, Counter[str]], counts: Counter[str], field: str, total: Counter[str]
) -> dict[str, float]:
    here, there = counts[field], counts.total() - counts[field]
    weights = {}
    for word, count in total.items():
        if count >= _LEAST:
            inside = (standing[field][word] + _SMOOTH) / (here + 1)
            outside = (count - standing[field][word] + _SMOOTH) / (there + 1)
            weights[word] = round(math.log(inside / outside), 2)
    return weights


def write_weights(weights: Weights, folder: Path, card: Mapping[str, object]) -> None:
    """Write the weights and their card."""
    lines = (
        f"{field}\t{word}\t{weight:g}\n" for field in sorted(weights) for word, weight in sorted(weights[field].items())
    )
    packed = gzip.compress("".join(lines).encode(), 9, mtime=0)
    (folder / "fields.tsv.gz").write_bytes(packed)
    told = {**card, "sha256": hashlib.sha256(packed).hexdigest()}
    (folder / "fields.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@lru_cache(maxsize=1)
def read_weights(folder: Path = FOLDER) -> Weights:
    """The weights; raises `SourceError` where their files are missing, damaged or do not belong together."""
    hint = "Install kag again: a model of its layers is not whole."
    try:
        packed = (folder / "fields.tsv.gz").read_bytes()
        known = json.loads((folder / "fields.json").read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"{folder / 'fields.json'}: {error}", hint=hint) from error
    if hashlib.sha256(packed).hexdigest() != known:
        raise SourceError(f"{folder / 'fields.tsv.gz'}: its SHA-256 is not that of fields.json", hint=hint)
    found: dict[str, dict[str, float]] = {}
    for line in gzip.decompress(packed).decode().split("\n")[:-1]:
        field, word, weight = line.split("\t")
        found.setdefault(field, {})[word] = float(weight)
    return found
