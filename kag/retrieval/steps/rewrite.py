"""More ways to ask the same: variants of a question, and the entities in it with what is near them.

Rules stand in where no model is given; both have the same shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kag.retrieval.chunk import Query
from kag.retrieval.graph.entities import entities
from kag.retrieval.plan import Rewrite
from kag.text.search_text import tokens

Variants = Callable[[str], Sequence[str]]
"""Other wordings of a question, the best first."""

_CLAUSE = re.compile(r"(?:[,;:]\s|\s)(?:that|which|who|whose|where|when|while|because|and|or|but)\s|[,;:]\s")
LEAST_WORDS = 3  # a clause with fewer asks nothing


def clause_variants(question: str) -> tuple[str, ...]:
    """Variants by rule: the question without each of its clauses, each clause alone, and the names in it."""
    clauses = [clause.strip(" ?.!,;:") for clause in _CLAUSE.split(question)]
    asking = [clause for clause in clauses if len(tokens(clause, wholes=False)) >= LEAST_WORDS]
    without = (" ".join(asking[:at] + asking[at + 1 :]) for at in reversed(range(len(asking))))
    names = " ".join(entities(question))
    found = (*(without if len(asking) > 2 else ()), *reversed(asking), names)
    return tuple(dict.fromkeys(text for text in found if text and text != question.strip(" ?.!")))


def variants(ask: Variants = clause_variants, most: int = 3) -> Rewrite:
    """A rewriting into the question itself and at most so many variants, each once."""

    def rewrite(query: Query, index: object) -> Sequence[Query]:
        return tuple(_first(query, ask(query.text), most))

    return rewrite


def _first(query: Query, texts: Sequence[str], most: int) -> Iterator[Query]:
    yield query
    known = {query.text.strip()}
    for text in texts:
        if len(known) <= most and text.strip() and text.strip() not in known:
            known.add(text.strip())
            yield replace(query, text=text.strip())
