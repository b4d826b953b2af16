"""Genes by symbols, names and aliases, the gene of the paper's own species of those that are one gene in many.

The list `symbols` has human genes with their mouse orthologues, then those of mice alone. A kind of its lines is what
the form is to the gene: its symbol, its long name, a former symbol or an alias; their share is to how many genes it is
this. The list `species` has what these genes are in rats, zebrafish, flies and others, by their CURIEs, and the names
that such a species has of its own, behind its taxon. Genes of yet other species are known only where an annotated text
named them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kag.layers.entities.forms import compact
from kag.layers.entities.lexicon import read_lexicon

HUMAN, MOUSE, RAT = "NCBITaxon:9606", "NCBITaxon:10090", "NCBITaxon:10116"
_SHORT_ALIAS = 2  # letters; shorter ones mean too much
_SPACES = {HUMAN: "ncbigene:", MOUSE: "mouse:"}
_OTHERS = frozenset(
    f"NCBITaxon:{one}" for one in (10116, 7955, 7227, 6239, 4932, 9031, 9913, 9615, 8364, 3702)
)  # species whose genes are in the list `species`
_SURE = {"symbol": 0.9, "gene": 0.9, "former": 0.7, "alias": 0.7}
Scored = list[tuple[str, float]]


def listed(form: str, home: str) -> Scored:
    """The gene of a key as a species has it: nothing where the lists have no genes of the species."""
    short = compact(form)
    names = read_lexicon("species").look_up(f"{_number(home)} {short}") if home in _OTHERS else ()
    if names:
        best = max(names, key=lambda one: (one.kind == "symbol", one.ids))
        return [(best.ids, _SURE[best.kind] if len(names) == 1 else _SURE[best.kind] / 2)]
    for one in read_lexicon("symbols").look_up(short):
        own = _of_species(one.ids.split(), home)
        if own and (one.kind in ("symbol", "gene") or len(form) > _SHORT_ALIAS):
            return [(own, _SURE[one.kind] if one.share == 1 else _SURE[one.kind] / 2)]
    return []


def of_home(curies: Sequence[str], home: str) -> list[str]:
    """Genes as a species has them: its orthologues of genes of species with a list, those of others as they are.

    Nothing where it cannot be told that they are genes of this species.
    """
    found = []
    for curie in curies:
        group = groups().get(curie)
        if home in _SPACES or (group and home in _OTHERS):
            found.append(_of_species(group.split(), home) if group else "")
        else:
            found.append("" if group else curie)
    return [curie for curie in found if curie]


def _of_species(ids: Sequence[str], home: str) -> str:
    """Of the CURIEs of one gene in people and mice the one of a species, or what it is there by the list `species`."""
    curies = [one.replace("mouse:", "ncbigene:") for one in ids]
    if space := _SPACES.get(home):
        return next((curie for one, curie in zip(ids, curies, strict=True) if one.startswith(space)), "")
    wanted = f"{_number(home)}:"
    others = (other for curie in curies for one in read_lexicon("species").look_up(curie) for other in one.ids.split())
    return next((f"ncbigene:{other.removeprefix(wanted)}" for other in others if other.startswith(wanted)), "")


def _number(taxon: str) -> str:
    return taxon.rpartition(":")[2]


@lru_cache(maxsize=1)
def groups() -> dict[str, str]:
    """For each gene of the lists, of any species, the identifiers of this gene in people and in mice."""
    known = {one.split("/", 2)[2] for said in read_lexicon("symbols").names.values() for one in said.split("|")}
    found = {one.replace("mouse:", "ncbigene:"): ids for ids in sorted(known) for one in ids.split()}
    for curie, said in read_lexicon("species").names.items():
        if ids := found.get(curie):
            found |= {f"ncbigene:{one.partition(':')[2]}": ids for one in said.split("/", 2)[2].split()}
    return found
