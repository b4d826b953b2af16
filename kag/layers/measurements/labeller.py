"""The trained labellers of measurements: which tokens are quantities, and which belong to one as what.

Two linear-chain conditional random fields over the features of `kag.layers.measurements.features`. Their weights lie
beside this module, each with its card; `scripts/train_measurements.py` writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from kag.layers.models.crf import Crf, read, read_card
from kag.values.errors import SourceError

FOLDER = Path(__file__).parent
QUANTITIES, CONTEXTS = "quantities", "contexts"


class Labellers:
    """Both models by name."""

    def __init__(self, models: Mapping[str, Crf], version: str = "") -> None:
        self._models = models
        self.rule = f"measurement labeller {version}".strip()

    def shares(self, name: str, sentences: Iterable[Sequence[Sequence[str]]]) -> list[list[dict[str, float]]]:
        """For each token of each sentence the marginal of each label, in [0, 1]; the sentences are read one by one."""
        model = self._models[name]
        marginals = model.marginals([model.scores(one) for one in sentences])
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
