"""The steps of a plan that a model can do, as one value; rules do those for which nothing else is given."""

from __future__ import annotations

from dataclasses import dataclass

from kag.retrieval.graph.entities import Extractor, entities
from kag.retrieval.steps.by_entity import Synonyms
from kag.retrieval.steps.compress import Condense, best_sentences
from kag.retrieval.steps.rewrite import Variants, clause_variants


@dataclass(frozen=True, slots=True)
class Stages:
    """Names in a question, other names of a name (None: the corpus' own acronyms), other wordings of a question, and
    what to keep of a chunk (None: all of it)."""

    extract: Extractor = entities
    synonyms: Synonyms | None = None
    variants: Variants = clause_variants
    condense: Condense | None = best_sentences


RULES = Stages()
"""All steps by rule."""
