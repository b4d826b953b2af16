"""Linking of names to public databases, by lists of names and the species that a paper is about.

An annotated name means what it meant there; otherwise it is looked up in MeSH, and for genes among those of the paper's
species. `exact` is what a list has under this name; `close` what it has under a part of it, or an ambiguous alias.

The list `symbols` has human genes with their mouse orthologues, then those of mice alone; a line's kind is what the
form is to the gene (symbol, name, former symbol, alias), its share the number of genes with this form. The list
`species` has orthologues in other species by CURIE, and the names that such a species has of its own, behind its taxon.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kag.layers.entities.identifiers import CRAFT, compact, iri, loose
from kag.layers.entities.lexicon import Lexicon, Name, key, read_lexicon
from kag.layers.values import Identifier

GENERAL = frozenset(
    f"mesh:{number}"
    for number in (
        *("D004194", "D013577", "D000013", "D003643", "D010641", "D014947", "D009336"),  # "disease", "death", "injury"
        *("D004364", "D000143", "D006728", "D002823", "D010446", "D011506"),  # "drug", "acid", "hormone", "protein"
        *("D012964", "D011188", "D000085", "D005650", "D009930"),  # "sodium", "acetate"
    )
)
"""Headings so wide that the last word of a name says nothing by leading there."""
_SIGNS = frozenset(
    ("dysfunction", "impairment", "damage", "toxicity", "lesion", "abnormality", "abnormalities", "complication",
     "defect", "deficit", "symptom", "problem", "deterioration", "event", "disturbance", "toxicities")
)  # fmt: skip
_BRACKETS = re.compile(r" ?\( [^()]* \)")
_IN_BRACKETS = re.compile(r"^.*?\( ([^()]*) \)")
_FAMILY = ("1", "alpha", "a", "1 a", "alpha 1")  # what the first one of a family has behind the family's name
_SHORTEST = 2  # letters of what may be a family
_LETTERS = frozenset(("alpha", "beta", "gamma", "delta", "epsilon", "a", "b", "c", "g"))


def near_diseases(form: str) -> Iterator[str]:
    """Return the disease that a sign indicates, by the key of a name.

    >>> [*near_diseases("cardiac dysfunction")][0], [*near_diseases("hiv infected")][0]
    ('cardiac disease', 'hiv infection')
    """
    *before, last = form.split() or [""]
    if last in _SIGNS or last.removesuffix("s") in _SIGNS:
        yield " ".join([*before, "disease"])
    if last.endswith("ed"):
        yield f"{form[:-2]}ion"
        yield form[:-1]
    if form:
        yield f"{form} disease"


def near_genes(form: str) -> Iterator[str]:
    """The gene that a name with a short form in brackets, of an isoform, of a receptor or of a family means.

    >>> [*near_genes("toll like receptor ( tlr ) 4")][:2], "epo r" in near_genes("epo receptor")
    (['toll like receptor 4', 'tlr 4'], True)
    >>> "nrg 1" in near_genes("nrg 1 beta"), "tubulin alpha" in near_genes("alpha tubulin")
    (True, True)
    """
    if "(" in form:
        yield _BRACKETS.sub("", form)
        yield _IN_BRACKETS.sub(r"\1", form)
    first, *others = form.split() or [""]
    if others and first in _LETTERS:
        yield " ".join([*others, first])
    if others and others[-1] == "receptor":
        yield from (f"{form.removesuffix('receptor')}{ending}" for ending in ("r", "r 1", "r a"))
    if len(others) > 1 and others[-1] in _LETTERS:
        yield " ".join([first, *others[:-1]])
    if len(form) > _SHORTEST and form not in _LETTERS:
        yield from (f"{form} {ending}" for ending in _FAMILY)


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

    Nothing where it is open whether they are genes of this species.
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
    known = {one.split("/", 2)[2] for meanings in read_lexicon("symbols").names.values() for one in meanings.split("|")}
    found = {one.replace("mouse:", "ncbigene:"): ids for ids in sorted(known) for one in ids.split()}
    for curie, meanings in read_lexicon("species").names.items():
        if ids := found.get(curie):
            found |= {f"ncbigene:{one.partition(':')[2]}": ids for one in meanings.split("/", 2)[2].split()}
    return found


_HEADED = frozenset({"chemical", "disease"})
_USUAL = 40  # in 100 uses
_GENERA = {"10088": "10090", "10114": "10116", "7215": "7227", "3701": "3702", "4930": "4932"}
_SPECIES = {f"NCBITaxon:{genus}": f"NCBITaxon:{species}" for genus, species in _GENERA.items()}
_STUDIED = frozenset({HUMAN, MOUSE, RAT, *(f"NCBITaxon:{one}" for one in (7955, 7227, 6239, 3702))})
_AROUND = re.compile(
    r"^(?:human|mouse|murine|rat|wild type|mutant|total|serum|plasma) "
    r"| (?:genes?|proteins?|mrnas?|cells?|mice|patients|disease|syndrome|disorders?)$"
)
EXACT = 0.9
"""How sure an identifier is at least that is called exact."""
_TAUGHT, _NAME, _SHORTENED = 0.95, 0.9, 0.5  # how sure an identifier is that was found so


@dataclass(frozen=True, slots=True)
class Linker:
    """Lists of names, and the taxon that the paper is about."""

    taught: Lexicon
    home: str = HUMAN

    def identify(self, name: str, kind: str) -> tuple[Identifier, ...]:
        """The identifiers of a name, the surest first; none where it is not known."""
        return tuple(
            Identifier(one, "exact" if score >= EXACT else "close", score)
            for curie, score in self.curies(key(name), kind)
            if (one := iri(curie))
        )

    def curies(self, form: str, kind: str) -> Scored:
        """CURIEs with how sure they are."""
        if found := self._known(form, kind):
            return found
        bare = _AROUND.sub("", form) if kind != "disease" else form
        near = near_genes(bare) if kind == "gene" else near_diseases(bare) if kind == "disease" else ()
        words = bare.split() if kind in _HEADED else []
        ends = (" ".join(words[n:]) for n in range(1, len(words)))
        known = (found for one in (bare, *near, *ends) if (found := self._known(one, kind)))
        best: Scored = next((found for found in known if found[0][0] not in GENERAL), [])
        return [(curie, min(score, _SHORTENED)) for curie, score in best]

    def _known(self, form: str, kind: str) -> Scored:
        ways = (self._genes,) if kind == "gene" else (self._taught, self._mesh, self._headings)
        return next(filter(None, (look(form, kind) for look in (*ways, self._concepts))), [])

    def _genes(self, form: str, kind: str) -> Scored:
        """A gene of the paper's species; nothing where it can be another's only."""
        meant = sorted(self._meant(form, kind), key=lambda one: (-one.share, one.ids))
        own = next(filter(None, (of_home(one.ids.split(), self.home) for one in meant)), [])
        return [(curie, _TAUGHT) for curie in own] or listed(form, self.home)

    def _taught(self, form: str, kind: str) -> Scored:
        return self._best(self._meant(form, kind), _TAUGHT)

    def _meant(self, form: str, kind: str) -> list[Name]:
        return [one for one in self.taught.look_up(form) if one.kind == kind and one.ids]

    def _best(self, names: list[Name], score: float) -> Scored:
        best = max(names, key=lambda one: (one.share, one.ids), default=None)
        return [(curie, score) for curie in best.ids.split()] if best else []

    def _mesh(self, form: str, kind: str) -> Scored:
        found = [one for one in read_lexicon("mesh").look_up(form) if one.kind == kind]
        return [(curie, _NAME) for one in found[:1] for curie in one.ids.split()]

    def _headings(self, form: str, kind: str) -> Scored:
        names = read_lexicon("headings").look_up(loose(form, kind)) if kind in _HEADED else ()
        return [(name.ids, _NAME) for name in names if name.kind == kind]

    def _concepts(self, form: str, kind: str) -> Scored:
        known = read_lexicon("craft").look_up(form)
        return self._best([one for one in known if CRAFT.get(one.kind) == kind and one.share >= _USUAL], _TAUGHT)


def written_out(name: str, means: Mapping[str, str]) -> str:
    """A name with the paper's short forms written out.

    >>> written_out("chronic ITP", {"ITP": "immune thrombocytopenia"})
    'chronic immune thrombocytopenia'
    """
    if name in means:
        return means[name]
    words = (means.get(one) or means.get(one.removesuffix("s")) or one for one in name.split(" "))
    return " ".join(words)


def home_of(species: Sequence[str]) -> str:
    """The taxon that a paper is about, from the CURIEs of all mentions of species; people where none is named."""
    counts = Counter(_SPECIES.get(specy, specy) for specy in species)
    studied = [count for count in counts if count in _STUDIED] or counts
    return max(studied, key=lambda one: (counts[one], one == HUMAN, one), default=HUMAN)
