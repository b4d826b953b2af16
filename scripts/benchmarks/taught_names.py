"""Names taken from annotated texts: how each string was annotated, and how often it was."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from kag.layers.entities.identifiers import BIORED
from kag.layers.entities.lexicon import Line, key, lexicon, tokens
from scripts.benchmarks.layers.biored import curie_of


class Text(Protocol):
    """An annotated text."""

    @property
    def text(self) -> str: ...
    @property
    def spans(self) -> Sequence[Any]: ...


Meaning = Callable[[Any], tuple[str, str]]


def taught_names(texts: Sequence[Text], meaning: Meaning) -> Iterator[Line]:
    """The lines of a lexicon: each key with the kinds and identifiers that `meaning` reads off its spans.

    A key's uses are counted a meaning at a time, for spans of different types may lie on each other.
    """
    said: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for text in texts:
        for span in text.spans:
            if not span.parts:
                said[key(text.text[span.start : span.end])][meaning(span)] += 1
    said.pop("", None)
    uses = _uses(texts, said)
    for name, meanings in said.items():
        for (kind, ids), count in meanings.items():
            yield name, kind, ids, min(100, round(100 * count / max(uses[name], count)))


def of_biored(span: Any) -> tuple[str, str]:
    """Kind and CURIEs of a span of BioRED."""
    kind = BIORED[span.type]
    return kind, " ".join(filter(None, (curie_of(kind, one) for one in span.more["concepts"])))


def of_craft(span: Any) -> tuple[str, str]:
    """Ontology and CURIE of a span of CRAFT."""
    return span.type, span.more["concept"]


def _uses(texts: Sequence[Text], names: Iterable[str]) -> Counter[str]:
    known = lexicon((name, "", "", 0) for name in names)
    counts: Counter[str] = Counter()
    for text in texts:
        row = tokens(text.text)
        for found in known.find(row, nested=True):
            counts[key(row.text[row.starts[found.start] : row.ends[found.end - 1]])] += 1
    return counts
