"""Names taken from annotated texts: how each string was annotated, and how often it was."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from kag.layers.entities.lexicon import Line, lexicon
from kag.layers.entities.tokens import key, tokens


class Span(Protocol):
    """An annotated span; `more` holds `concept` or `concepts`; `parts` where it is not in one piece."""

    @property
    def type(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def parts(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def more(self) -> Mapping[str, Any]: ...


class Text(Protocol):
    """An annotated text."""

    @property
    def text(self) -> str: ...
    @property
    def spans(self) -> Sequence[Any]: ...


def taught_names(texts: Sequence[Text]) -> Iterator[Line]:
    """The lines of a lexicon: each key with the kinds and identifiers it was given and the share of its uses.

    A key's uses are counted a type at a time, for spans of different types may lie on each other.
    """
    said: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for text in texts:
        for span in text.spans:
            if not span.parts:
                said[key(text.text[span.start : span.end])][span.type, identifiers(span)] += 1
    said.pop("", None)
    uses = _uses(texts, said)
    for name, meanings in said.items():
        for (kind, ids), count in meanings.items():
            yield name, kind, ids, min(100, round(100 * count / max(uses[name], count)))


def identifiers(span: Span) -> str:
    """The identifiers of a span with blanks between them, in the order in which they are given."""
    concepts = span.more.get("concepts") or [span.more.get("concept", "")]
    return " ".join(str(one).replace(" ", "_") for one in concepts)


def _uses(texts: Sequence[Text], names: Iterable[str]) -> Counter[str]:
    known = lexicon((name, "", "", 0) for name in names)
    counts: Counter[str] = Counter()
    for text in texts:
        row = tokens(text.text)
        for found in known.find(row, nested=True):
            counts[key(row.text[row.starts[found.start] : row.ends[found.end - 1]])] += 1
    return counts
