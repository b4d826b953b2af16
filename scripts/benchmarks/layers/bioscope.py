"""Cues of negation and hedging, and what they rule, against BioScope (Vincze et al. 2008).

One file marks negation and no hedge, the other hedges and no negation: of each only its own kind is scored. A scope is
right when its characters are, a stop at its end aside; it is asked for the cues of the gold, found or not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kag.evaluate.statistics import Counts
from kag.layers.claims.scopes import Cue, find_cues, scope_of, tokens
from scripts.benchmarks.layers.figure import Figure, by_counts, by_values, compare
from scripts.benchmarks.layers.rows import Files, Row, Span

_KINDS = {"negation": "negation", "hedging": "hedge"}


def figures(files: Files) -> Iterator[Figure]:
    """Cue F1, F1 of sentences that have a cue, share of scopes exact given the cue."""
    for name, kind in _KINDS.items():
        if rows := files.get(name):
            yield from _cues(rows, kind)
            yield _scopes(rows, kind)


def _cues(rows: Sequence[Row], kind: str) -> Iterator[Figure]:
    spans: dict[str, list[Counts]] = defaultdict(list)
    sentences: dict[str, list[Counts]] = defaultdict(list)
    worst = []
    for row in rows:
        gold = {_first_part(span) for span in row.spans if span.type.endswith("_cue")}
        found = {(cue.start, cue.end) for cue in find_cues(row.text, kind)[1]}
        spans[row.doc].append(compare(gold, found))
        sentences[row.doc].append(compare({row.id} if gold else set(), {row.id} if found else set()))
        if gold != found:
            said = [row.text[slice(*span)] for span in sorted(gold ^ found)]
            worst.append(f"{row.id}: {', '.join(said)} in: {row.text[:160]}")
    yield by_counts(f"{kind} cue", _totals(spans), worst)
    yield by_counts(f"sentence with {kind}", _totals(sentences))


def _scopes(rows: Sequence[Row], kind: str) -> Figure:
    exact: dict[str, list[float]] = defaultdict(list)
    worst = []
    for row in rows:
        words = tokens(row.text)
        for cue, scope in pairs(row):
            start, end = _first_part(cue)
            own = [at for at, token in enumerate(words) if token.end > start and token.start < end]
            found = scope_of(words, Cue(start, end, own[0], own[-1] + 1), kind)
            right = _bare(row.text, *found) == _bare(row.text, scope.start, scope.end)
            exact[row.doc].append(float(right))
            if not right:
                worst.append(f"{row.id}: {row.text[slice(*found)]} | gold: {row.text[scope.start : scope.end]}")
    return by_values(f"{kind} scope given cue", "exact", exact, worst)


def pairs(row: Row) -> list[tuple[Span, Span]]:
    """The cues of a sentence with their scopes."""
    spans = {span.id: span for span in row.spans}
    both = [(spans[relation["head"]], spans[relation["tail"]]) for relation in row.relations]
    return [(head, tail) if head.type.endswith("_cue") else (tail, head) for head, tail in both]


def _first_part(span: Span) -> tuple[int, int]:
    """Of a cue in two pieces ("neither … nor") the first."""
    return span.parts[0] if span.parts else (span.start, span.end)


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without stops and blanks at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip(" .;"))


def _totals(counts: dict[str, list[Counts]]) -> dict[str, Counts]:
    return {doc: tuple(map(sum, zip(*own, strict=True))) for doc, own in counts.items()}  # type: ignore[misc]
