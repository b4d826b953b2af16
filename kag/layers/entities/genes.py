"""Genes by symbols, names and aliases, the gene of the paper's own species of those that are one gene in many.

The list `symbols` has human genes with their mouse orthologues, then those of mice alone; genes of other species are
known only where an annotated text named them. A kind of its lines is what the form is to the gene: its symbol, its long
name, a former symbol or an alias; their share is to how many genes it is this.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kag.layers.entities.forms import compact
from kag.layers.entities.lexicon import read_lexicon

HUMAN, MOUSE, RAT = "NCBITaxon:9606", "NCBITaxon:10090", "NCBITaxon:10116"
_SHORT_ALIAS = 3  # letters; shorter ones mean too much
_SPACES = {HUMAN: "ncbigene:", MOUSE: "mouse:"}
_SURE = {"symbol": 0.9, "gene": 0.9, "former": 0.7, "alias": 0.7}
Scored = list[tuple[str, float]]


def listed(form: str, home: str) -> Scored:
    """The gene of a key as a species has it: nothing where the list has no genes of the species."""
    for one in read_lexicon("symbols").look_up(compact(form)):
        own = _of_species(one.ids.split(), home)
        if own and (one.kind in ("symbol", "gene") or len(form) > _SHORT_ALIAS):
            return [(own, _SURE[one.kind] if one.share == 1 else _SURE[one.kind] / 2)]
    return []


def of_home(curies: Sequence[str], home: str) -> list[str]:
    """Genes as a species has them: its orthologues of genes of people and mice, those of other species as they are.

    Nothing where it cannot be told that they are genes of this species.
    """
    found = []
    for curie in curies:
        group = groups().get(curie)
        if home in _SPACES:
            found.append(_of_species(group.split(), home) if group else "")
        else:
            found.append("" if group else curie)
    return [curie for curie in found if curie]


def _of_species(ids: Sequence[str], home: str) -> str:
    space = _SPACES.get(home)
    return next((one.replace("mouse:", "ncbigene:") for one in ids if space and one.startswith(space)), "")


@lru_cache(maxsize=1)
def groups() -> dict[str, str]:
    """For each gene of the list the identifiers of this gene in people and in mice."""
    known = {one.split("/", 2)[2] for said in read_lexicon("symbols").names.values() for one in said.split("|")}
    return {one.replace("mouse:", "ncbigene:"): ids for ids in sorted(known) for one in ids.split()}
