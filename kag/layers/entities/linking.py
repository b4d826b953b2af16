"""Which thing of the public databases a name means, by lists of names and the species that a paper is about.

A name that was annotated in texts means what it meant there; else it is looked up among the names of MeSH, as they are
written and in the forms in which names meet, and for genes among those of the paper's own species. `exact` is what a
list has under this name; `close` what it has under a part of it, or one of several that an alias may mean.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kag.layers.entities import genes
from kag.layers.entities.forms import loose
from kag.layers.entities.genes import HUMAN, MOUSE, RAT, Scored
from kag.layers.entities.identifiers import iri
from kag.layers.entities.kinds import CRAFT
from kag.layers.entities.lexicon import Lexicon, Name, read_lexicon
from kag.layers.entities.near import GENERAL, near_diseases, near_genes
from kag.layers.entities.tokens import key
from kag.layers.values import Identifier

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
        own = next(filter(None, (genes.of_home(one.ids.split(), self.home) for one in meant)), [])
        return [(curie, _TAUGHT) for curie in own] or genes.listed(form, self.home)

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
        return [(one.ids, _NAME) for one in names if one.kind == kind]

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
    """The taxon that a paper is about, from the CURIEs of all mentions of species; people where none is told."""
    counts = Counter(_SPECIES.get(one, one) for one in species)
    studied = [one for one in counts if one in _STUDIED] or counts
    return max(studied, key=lambda one: (counts[one], one == HUMAN, one), default=HUMAN)
