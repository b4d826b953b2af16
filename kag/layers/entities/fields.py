"""What a paper is about as far as models go: life science, materials, or neither, by its words (naive Bayes).

Models know the kinds of the texts they were trained on; put to others they find genes among galaxies. The weights of
words lie in `fields.tsv.gz`, their card is `fields.json`; `scripts/benchmarks/train_entities.py` writes both.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from kag.core.errors import SourceError

FOLDER = Path(__file__).parents[1] / "models"
CHEMISTRY = "chemistry"
SURE: Mapping[str, float] = {"life": 0.0, "materials": 0.8, "chemistry": 0.2}
"""The least mean weight of a paper's distinct words for a field, against all other texts."""
_TABLES = {"chemistry": "materials"}  # fields that have the words of another
_KNOWN = 0.4  # the least share of the distinct words that are known: other languages share some

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
