"""The trained models of entities put to the texts of one paper.

`life` knows genes, diseases, chemicals, species, variants and cell lines (trained on BioRED), `materials` materials,
devices, values and experiments (trained on SOFC-Exp). Weights and cards lie in `kag/layers/models`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from kag.layers.entities.abbreviations import Pair
from kag.layers.entities.agreement import agreed
from kag.layers.entities.features import Extra, Lists, expansions, extra
from kag.layers.entities.lexicon import read_lexicon
from kag.layers.entities.spotter import Spotted, Spotter
from kag.layers.entities.tokens import Tokens
from kag.layers.models.crf import read

FOLDER = Path(__file__).parents[1] / "models"
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
    """What a model sees of the texts of one paper beside their words; `pairs` are the abbreviations of each."""
    known = lists(name)
    means = {
        row.text[slice(*pair.short)]: row.text[slice(*pair.long)]
        for row, some in zip(rows, pairs, strict=True)
        for pair in some
        if not pair.lone
    }
    expanded = expansions(means, known)
    return [extra(row, known, expanded) for row in rows]


def spotted(
    name: str, rows: Sequence[Tokens], pairs: Sequence[Sequence[Pair]], model: Spotter | None = None
) -> list[list[Spotted]]:
    """What a model finds in the texts of one paper, its uses of a name heard together."""
    found = (model or spotter(name)).spot(rows, seen(name, rows, pairs))
    return agreed(rows, found)
