"""What to keep of a chunk for a question: its best sentences, or what a model makes of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from kag.retrieval.chunk import Bundle, Query
from kag.retrieval.index import Index
from kag.retrieval.plan import Compress
from kag.retrieval.words.sparse import words_of
from kag.text.sentences import sentences

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
