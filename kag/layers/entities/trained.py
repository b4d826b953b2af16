"""The trained models of entities put to the texts of one paper.

`life` knows genes, diseases, chemicals, species, variants and cell lines (trained on BioRED), `materials` materials,
devices, values and experiments (trained on SOFC-Exp). Weights and cards lie in `kag/layers/models`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from kag.layers.entities.abbreviations import Pair
from kag.layers.entities.agreement import agreed
from kag.layers.entities.features import Extra, Lists, expansions, extra, wide
from kag.layers.entities.lexicon import read_lexicon
from kag.layers.entities.spotter import Spotted, Spotter
from kag.layers.entities.tokens import Tokens
from kag.layers.models.crf import read

FOLDER = Path(__file__).parents[1] / "models"
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
    """What a model sees of the texts of one paper beside their words; `pairs` are the abbreviations of each."""
    known = lists(name)
    means = {
        row.text[slice(*pair.short)]: row.text[slice(*pair.long)]
        for row, some in zip(rows, pairs, strict=True)
        for pair in some
    }
    expanded = expansions(means, known)
    told: list[Extra] = [extra(row, known, expanded) for row in rows]
    if name != MATERIALS:
        return told
    return [
        [[*one, *more] for one, more in zip(both, wide(row), strict=True)] for both, row in zip(told, rows, strict=True)
    ]


def spotted(
    name: str, rows: Sequence[Tokens], pairs: Sequence[Sequence[Pair]], model: Spotter | None = None
) -> list[list[Spotted]]:
    """What a model finds in the texts of one paper, its uses of a name heard together."""
    found = (model or spotter(name)).spot(rows, seen(name, rows, pairs))
    return [[*_apart(whole(row, one) for one in some)] for row, some in zip(rows, agreed(rows, found), strict=True)]


def whole(row: Tokens, one: Spotted) -> Spotted:
    """A span with both halves of its brackets, where the other one stands in the same run without blanks, else none.

    >>> from kag.layers.entities.tokens import tokens
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
    for one in spans:
        if one.start >= until:
            yield one
            until = one.end
