"""Concepts of ontologies by the words that articles were annotated with (CRAFT), each ontology for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kag.layers.entities.kinds import CRAFT
from kag.layers.entities.lexicon import Lexicon, read_lexicon
from kag.layers.entities.spot import Spot
from kag.layers.entities.tokens import Tokens

LEAST = 35
"""In how many of 100 uses the words must mean the concept."""
_PLAIN = 70  # the same for entities of any paper: the articles of CRAFT are about mice
_CHEMICAL = re.compile(r"(?:ine|ane|ene|yne|[hntsr]ol|ate|ide|one|ium|ose|acid|amide|azole|mycin|cillin|rin|gen)s?$")
_SPACE = re.compile(r"[\s-]")
_ADJECTIVE = re.compile(r"(?:ar|al|ic|ous|ed|oid|void|immune)$")
_ENTITIES = frozenset({"CHEBI", "NCBITaxon", "CL", "UBERON", "GO_BP", "GO_CC", "MONDO"})
_TOO_WIDE = frozenset(
    {
        *(
            "CL:0000000",
            "GO:0008150",
            "GO:0010467",
            "GO:0005575",
            "GO:0032502",
            "GO:0040007",
            "GO:0005623",
            "GO:0009058",
        ),
        *("GO:0006810", "GO:0008152", "GO:0007610", "GO:0044464", "GO:0065007", "CHEBI:33250", "CHEBI:24431"),
        *("CHEBI:23367", "CHEBI:50906", "CHEBI:24433", "CHEBI:59999", "CHEBI:36080", "CHEBI:25367", "CHEBI:52217"),
        *("CHEBI:35222", "CHEBI:37958", "CHEBI:35204", "CHEBI:33893", "CHEBI:75958"),
        *("CHEBI:60004", "CHEBI:64985", "CHEBI:23888", "CHEBI:33290", "CHEBI:30212", "CHEBI:50860", "CHEBI:24870"),
        *("NCBITaxon:1", "NCBITaxon:33208", "UBERON:0000468", "UBERON:0000465"),
        *("UBERON:0001062", "UBERON:0000061", "UBERON:0000062", "UBERON:0000479", "MONDO:0000001"),
    }
)  # "cell", "atom", "process", "expression", "body" and their like say nothing of a paper


_RANKS = frozenset(f"NCBITaxon:{rank}" for rank in ("species", "subspecies", "genus", "family", "order", "strain"))


class Concept(NamedTuple):
    """Characters from `start` to before `end`, the ontology, and the CURIE of the concept."""

    start: int
    end: int
    ontology: str
    curie: str
    share: int


def find_concepts(row: Tokens, names: Lexicon | None = None, least: int = LEAST) -> Iterator[Concept]:
    """The concepts in a text; those of one ontology do not overlap, the longest at a place stands."""
    until: dict[str, int] = {}
    for start, end, meanings in (names or read_lexicon("craft")).find(row, nested=True):
        best: dict[str, tuple[int, str]] = {}
        for one in meanings:
            if one.share >= least:
                best[one.kind] = max(best.get(one.kind, (0, "")), (one.share, one.ids))
        for ontology, (share, curie) in sorted(best.items()):
            if end > until.get(ontology, 0):
                until[ontology] = end
                yield Concept(row.starts[start], row.ends[end - 1], ontology, curie, share)


def _vague(words: str, ontology: str) -> bool:
    """Whether a single word means a concept in articles about mice, and something wider elsewhere."""
    alone = not _SPACE.search(words)
    return (
        len(words) < 3 or words.isupper() or (alone and (ontology.startswith("GO") or bool(_ADJECTIVE.search(words))))
    )


def by_concept(row: Tokens) -> Iterator[Spot]:
    """The concepts of a text that make entities."""
    for one in find_concepts(row, least=_PLAIN):
        words = row.text[one.start : one.end]
        if one.ontology in _ENTITIES and one.curie not in _TOO_WIDE | _RANKS and not _vague(words, one.ontology):
            yield Spot(one.start, one.end, CRAFT[one.ontology], 0.45 + one.share / 400, "concept")


def by_list(row: Tokens) -> Iterator[Spot]:
    """Chemicals that MeSH has a name for and that are named as chemicals are, in papers of any field."""
    for start, end, meanings in read_lexicon("mesh").find(row):
        words = row.text[row.starts[start] : row.ends[end - 1]]
        if len(words) > 4 and _CHEMICAL.search(words) and any(one.kind == "chemical" for one in meanings):
            yield Spot(row.starts[start], row.ends[end - 1], "chemical", 0.6, "list")
