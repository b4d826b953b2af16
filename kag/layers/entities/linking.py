"""Which thing of the public databases a name means, by lists of names and the species that a paper is about.

A name that was annotated in texts means what it meant there; else it is looked up among the names of MeSH and, for
genes, among symbols, names and aliases of NCBI Gene, those of the paper's own species first. `exact` is what a list has
under this very name; `close` what it has under a part of it, or one of several that an alias may mean.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kag.layers.entities.identifiers import iri
from kag.layers.entities.kinds import CRAFT
from kag.layers.entities.lexicon import Lexicon, Name, read_lexicon
from kag.layers.entities.tokens import key
from kag.layers.values import Identifier

HUMAN, MOUSE = "NCBITaxon:9606", "NCBITaxon:10090"
_SHORT_ALIAS = 3  # letters; shorter ones mean too much
_USUAL = 40  # in 100 uses
_OF_ITS_OWN = {HUMAN: "ncbigene:", MOUSE: "mouse:"}
_RODENTS = frozenset({MOUSE, "NCBITaxon:10088", "NCBITaxon:10116"})
_AROUND = re.compile(
    r"^(?:human|mouse|murine|rat|wild type|mutant|total|serum|plasma) "
    r"| (?:genes?|proteins?|mrnas?|cells?|mice|patients|disease|syndrome|disorders?|receptors?)$"
)
EXACT = 0.9
"""How sure an identifier is at least that is called exact."""
_TAUGHT, _NAME, _ALIAS, _SHORTENED = 0.95, 0.9, 0.7, 0.5  # how sure an identifier is that was found so


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

    def curies(self, form: str, kind: str) -> list[tuple[str, float]]:
        """CURIEs with how sure they are."""
        if found := self._known(form, kind):
            return found
        shorter = _AROUND.sub("", form)
        if shorter != form and shorter and kind != "disease":
            return [(curie, min(score, _SHORTENED)) for curie, score in self._known(shorter, kind)]
        return []

    def _known(self, form: str, kind: str) -> list[tuple[str, float]]:
        order = (self._taught, self._mesh, self._genes, self._foreign, self._concepts)
        return next(filter(None, (look(form, kind) for look in order)), [])

    def _taught(self, form: str, kind: str) -> list[tuple[str, float]]:
        return self._best([one for one in self._meant(form, kind) if kind != "gene" or self._is_own(one)], _TAUGHT)

    def _foreign(self, form: str, kind: str) -> list[tuple[str, float]]:
        """A gene that was annotated for another species: what it is called is known, which one it is here is not."""
        return self._best(self._meant(form, kind), _SHORTENED)

    def _meant(self, form: str, kind: str) -> list[Name]:
        return [one for one in self.taught.look_up(form) if one.kind == kind and one.ids]

    def _best(self, names: list[Name], score: float) -> list[tuple[str, float]]:
        best = max(names, key=lambda one: (one.share, one.ids), default=None)
        return [(curie, score) for curie in best.ids.split()] if best else []

    def _is_own(self, name: Name) -> bool:
        """Whether a gene is one of the paper's own species; of species but people and mice it cannot be told."""
        number = name.ids.split()[0].removeprefix("ncbigene:")
        return _species().get(number, self.home) == self.home

    def _mesh(self, form: str, kind: str) -> list[tuple[str, float]]:
        if kind == "gene":
            return []
        found = [one for one in read_lexicon("mesh").look_up(form) if one.kind == kind]
        return [(curie, _NAME) for one in found[:1] for curie in one.ids.split()]

    def _genes(self, form: str, kind: str) -> list[tuple[str, float]]:
        if kind != "gene":
            return []
        names = read_lexicon("genes").look_up(form)
        for wanted, score in (("symbol", _NAME), ("gene", _NAME), ("alias", _ALIAS)):
            some = [one for one in names if one.kind == wanted]
            if some and (wanted != "alias" or len(form) > _SHORT_ALIAS):
                sure = score if len(some) == 1 and self.home in _OF_ITS_OWN else score / 2
                return [(self._own(some[0]), sure)]
        return []

    def _own(self, name: Name) -> str:
        ids = name.ids.split()
        home = MOUSE if self.home in _RODENTS else self.home
        own = next((one for one in ids if one.startswith(_OF_ITS_OWN.get(home, "ncbigene:"))), ids[0])
        return own.replace("mouse:", "ncbigene:")

    def _concepts(self, form: str, kind: str) -> list[tuple[str, float]]:
        known = read_lexicon("craft").look_up(form)
        return self._best([one for one in known if CRAFT.get(one.kind) == kind and one.share >= _USUAL], _TAUGHT)


@lru_cache(maxsize=1)
def _species() -> dict[str, str]:
    """The taxon of each gene's number in the list of genes."""
    found: dict[str, str] = {}
    for said in read_lexicon("genes").names.values():
        for curie in re.findall(r"(?:ncbigene|mouse):\d+", said):
            space, _, number = curie.partition(":")
            found[number] = HUMAN if space == "ncbigene" else MOUSE
    return found


def home_of(species: Sequence[str]) -> str:
    """The taxon that a paper is about, from the CURIEs of all mentions of species; people where none is told."""
    counts = Counter(species)
    best = max(counts, key=lambda one: (counts[one], one == HUMAN, one), default=HUMAN)
    return MOUSE if best in _RODENTS and best != "NCBITaxon:10116" else best
