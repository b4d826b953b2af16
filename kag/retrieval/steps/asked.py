"""What was already worked out about the last questions to an index, so that the stages of a plan do it once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from kag.retrieval.chunk import Query
from kag.retrieval.index import Index
from kag.retrieval.meaning.arrays import Vectors

T = TypeVar("T")
QUESTIONS = 8  # that are remembered: a question and its variants

_Known = dict[tuple[int, Query], dict[Hashable, Any]]
_KNOWN: WeakKeyDictionary[Index, _Known] = WeakKeyDictionary()


def remembered(query: Query, index: Index, what: Hashable, make: Callable[[], T]) -> T:
    """What `make` gives, made once for a question as long as the index does not change; it may not hold the index."""
    questions = _KNOWN.setdefault(index, {})
    known = questions.setdefault((index.changes, query), {})
    for old in list(questions)[:-QUESTIONS]:
        questions.pop(old, None)
    if what not in known:
        known[what] = make()
    value: T = known[what]
    return value


def vector_of(query: Query, index: Index) -> Vectors:
    """The question's vector; raises `MissingExtra` where the index has no embedder."""

    def embedded() -> Vectors:
        row: Vectors = index.embedder([query.text])[0]
        return row

    return remembered(query, index, "vector", embedded)
