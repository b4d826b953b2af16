"""The steps of a plan that a model can do, as one value; rules do those for which nothing else is given.

They are names in a question, other names of a name, other wordings of a question, and what to keep of a chunk.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from kag.retrieval.chunk import Bundle, Query
from kag.retrieval.graph.entities import Extractor, entities
from kag.retrieval.index import Index
from kag.retrieval.plan import Compress, Rewrite
from kag.retrieval.steps.by_entity import Synonyms
from kag.retrieval.words.sparse import words_of
from kag.text.search_text import tokens
from kag.text.sentences import sentences

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


Condense = Callable[[str, str], str]
"""A question and a chunk's text to what of the text bears on it; empty where nothing does."""

SENTENCES = 3


def best_sentences(question: str, text: str, most: int = SENTENCES) -> str:
    """The sentences that share most of the question's words, verbatim and in their order; words in fewer count more."""
    wanted = frozenset(words_of(question))
    spans = sentences(text)
    shared = [wanted.intersection(words_of(text[start:end])) for start, end in spans]
    known = Counter(word for words in shared for word in words)
    scores = [sum(math.log(1 + len(spans) / known[word]) for word in sorted(words)) for words in shared]
    best = sorted((place for place, score in enumerate(scores) if score), key=lambda place: (-scores[place], place))
    return " ".join(text[slice(*spans[place])] for place in sorted(best[:most]))


def condensed(condense: Condense = best_sentences, *, workers: int = 4) -> Compress:
    """A compression of every chunk that was found, in threads; the notes come in the order of the hits."""

    def compress(query: Query, bundle: Bundle, index: Index) -> Bundle:
        texts = [index.chunks[hit.chunk].text for hit in bundle.hits]
        with ThreadPoolExecutor(max_workers=workers) as threads:
            notes: Sequence[str] = tuple(threads.map(lambda text: condense(query.text, text), texts))
        made = {hit.chunk: note for hit, note in zip(bundle.hits, notes, strict=True) if note}
        return Bundle(bundle.hits, {**bundle.notes, **made})

    return compress


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
