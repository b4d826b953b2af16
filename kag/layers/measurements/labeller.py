"""The trained labellers of measurements: which tokens are quantities, and which belong to one as what.

Two linear-chain conditional random fields over the features of `kag.layers.measurements.features`. Their weights lie
beside this module, each with its card; `scripts/benchmarks/train_measurements.py` writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError
from kag.layers.measurements.features import CONTEXT, QUANTITY
from kag.layers.models.crf import Crf, read, read_card
from kag.layers.models.looks import Words
from kag.layers.models.words import WordScores

FOLDER = Path(__file__).parent
QUANTITIES, CONTEXTS = "quantities", "contexts"
LOOKS = {QUANTITIES: QUANTITY, CONTEXTS: CONTEXT}
Told = Sequence[Sequence[str]]


class Labellers:
    """Both models by name."""

    def __init__(self, models: Mapping[str, Crf], version: str = "") -> None:
        self._models = models
        self._words = {name: WordScores(model, LOOKS[name]) for name, model in models.items()}
        self.rule = f"measurement labeller {version}".strip()

    def scores(self, name: str, sentences: Sequence[Words], told: Iterable[Told]) -> list[Any]:
        """The scores (tokens, labels) of sentences by their words, and by what is told of their tokens beside."""
        by_words = self._words[name].scored(sentences)
        return [one + self.told(name, more) for one, more in zip(by_words, told, strict=True)]

    def told(self, name: str, told: Told) -> Any:
        """The scores of what is told of the tokens of one sentence, a list of attributes each."""
        return self._models[name].scores(told)

    def shares(self, name: str, scores: Sequence[Any]) -> list[list[dict[str, float]]]:
        """For each token of each sentence the marginal of each label, in [0, 1]."""
        model = self._models[name]
        marginals = model.marginals(scores)
        return [[dict(zip(model.labels, token, strict=True)) for token in one.tolist()] for one in marginals]


@lru_cache(maxsize=1)
def labellers(folder: Path = FOLDER) -> Labellers:
    """The labellers of a folder; raises `SourceError` where their files are missing, damaged or not of one training."""
    paths = {name: folder / f"{name}.crf" for name in (QUANTITIES, CONTEXTS)}
    models = {name: read(path) for name, path in paths.items()}
    versions = {str(read_card(path).get("version", "")) for path in paths.values()}
    if len(versions) > 1:
        hint = "Install kag again: its models of measurements are not whole."
        raise SourceError(f"{folder}: its models of measurements are not of one training", hint=hint)
    return Labellers(models, min(versions))
