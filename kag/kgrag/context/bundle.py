"""A bundle: a slice of a graph, passages and notes in one text under one budget, each part with why it is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from kag.core.errors import BadValue
from kag.kgrag.context.passage import VectorHit
from kag.kgrag.context.tokens import Counter
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, as_record
from kag.text.sentences import sentences

Kind = Literal["note", "edge", "node", "passage"]
HEADS: Mapping[str, str] = {"note": "Notes:", "edge": "Graph:", "node": "Graph:", "passage": "Passages:"}
NOTES, GRAPH = 0.2, 0.6
"""Shares of the budget up to which notes, and notes and the graph, come before passages; what is left goes to all."""


@dataclass(frozen=True, slots=True)
class Part:
    """One line of a bundle: what it is of, and why it is there."""

    kind: Kind
    id: str
    line: str
    why: str


@dataclass(frozen=True, slots=True)
class ContextBundle:
    """What is given along with a question. `text` is never more than `max_tokens`, as `counted_by` counts.

    `parts` say for each note, edge, node and passage why it is there; `left_out` how many there was no room for;
    `answers` are nodes that answer the question, where all of it was read as walks.
    """

    question: str
    kg_slice: GraphSnapshot = field(default_factory=GraphSnapshot)
    passages: tuple[VectorHit, ...] = ()
    notes: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    seeds: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    tokens: int = 0
    max_tokens: int = 0
    counted_by: str = ""
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The bundle as it is put into a prompt."""
        return rendered(self.parts)

    @property
    def why(self) -> dict[str, str]:
        """Why each part is there, by its kind and id: `edge:e1`."""
        return {f"{part.kind}:{part.id}": part.why for part in self.parts}

    def as_record(self) -> dict[str, Any]:
        """As JSON."""
        graph = {
            "nodes": [as_record(n) for n in self.kg_slice.nodes],
            "edges": [as_record(e) for e in self.kg_slice.edges],
        }
        hits = [
            {
                "id": hit.id,
                "text": hit.text,
                "score": round(hit.score, 6),
                "metadata": {k: list(v) for k, v in hit.metadata.items()},
            }
            for hit in self.passages
        ]
        size = {"tokens": self.tokens, "max_tokens": self.max_tokens, "counted_by": self.counted_by}
        found = {"question": self.question, "seeds": list(self.seeds), "answers": list(self.answers)}
        return {
            **found, "kg_slice": graph, "passages": hits, "notes": list(self.notes), "why": self.why, **size,
            "left_out": dict(self.left_out), "text": self.text,
        }  # fmt: skip


def rendered(parts: Iterable[Part]) -> str:
    """The lines of the parts below their heads: notes, graph, passages."""
    lines: dict[str, list[str]] = {head: [] for head in ("Notes:", "Graph:", "Passages:")}
    for part in parts:
        lines[HEADS[part.kind]].append(part.line)
    return "\n".join(line for head, some in lines.items() if some for line in (head, *some))


def fitted(parts: Sequence[Part], max_tokens: int, counter: Counter) -> tuple[tuple[Part, ...], int]:
    """As many of the parts as the budget allows, in their order, and what they are counted as together.

    First notes up to their share, then the graph up to its share, passages, and what of these found no room before.
    """
    if max_tokens < 0:
        raise BadValue(f"a budget of {max_tokens} tokens", hint="Give 0 or more.")
    chosen = _Chosen(parts, counter)
    for kinds, share in (
        (("note",), NOTES),
        (("edge", "node"), GRAPH),
        (("passage",), 1.0),
        (("note", "edge", "node"), 1.0),
    ):
        chosen.take(kinds, int(share * max_tokens), max_tokens)
    return chosen.within(max_tokens)


class _Chosen:
    """Parts while they are chosen, in the order in which they would be given up last."""

    def __init__(self, parts: Sequence[Part], counter: Counter) -> None:
        self._parts, self._count = parts, counter.count
        self._kept: dict[int, Part] = {}
        self._spent = 0

    def take(self, kinds: tuple[str, ...], limit: int, whole: int) -> None:
        """Take parts of these kinds while they fit; of the first passages that does not, the sentences that do."""
        for place, part in enumerate(self._parts):
            if part.kind not in kinds or place in self._kept:
                continue
            head = (
                0
                if any(HEADS[one.kind] == HEADS[part.kind] for one in self._kept.values())
                else self._cost(HEADS[part.kind])
            )
            fitting = part
            if part.kind == "passage" and self._spent + head + self._cost(part.line) > whole:
                fitting = self._clipped(part, whole - self._spent - head)
            cost = head + self._cost(fitting.line)
            if fitting.line and self._spent + cost <= limit:
                self._kept[place] = fitting
                self._spent += cost

    def _cost(self, line: str) -> int:
        return self._count(f"{line}\n")

    def _clipped(self, part: Part, room: int) -> Part:
        """The sentences of a passage that there is room for."""
        ends = [end for _, end in sentences(part.line)]
        for end in reversed(ends[:-1]):
            if self._cost(part.line[:end]) <= room:
                return Part(part.kind, part.id, part.line[:end], f"{part.why}; its end is cut off")
        return Part(part.kind, part.id, "", part.why)

    def within(self, max_tokens: int) -> tuple[tuple[Part, ...], int]:
        """What was taken, and its size; lines may count for more together than apart, and then the last one goes."""
        while True:
            parts = tuple(self._kept[place] for place in sorted(self._kept))
            size = self._count(rendered(parts))
            if size <= max_tokens or not parts:
                return parts, size if parts else 0
            self._kept.popitem()


def left_out(parts: Iterable[Part], kept: Iterable[Part]) -> dict[str, int]:
    """How many parts of each kind found no room."""
    there = {(part.kind, part.id) for part in kept}
    found: dict[str, int] = {}
    for part in parts:
        if (part.kind, part.id) not in there:
            found[part.kind] = found.get(part.kind, 0) + 1
    return found


def kept_slice(whole: GraphSnapshot, parts: Iterable[Part]) -> GraphSnapshot:
    """What of a slice is told: edges that are, their ends, and nodes that are told alone."""
    told = {part.kind: set[str]() for part in parts}
    for part in parts:
        told[part.kind].add(part.id)
    edges: tuple[Link, ...] = tuple(edge for edge in whole.edges if edge.id in told.get("edge", ()))
    ends = {end for edge in edges for end in (edge.source, edge.target)} | told.get("node", set())
    return GraphSnapshot(tuple(node for node in whole.nodes if node.id in ends), edges)
