"""Context for a question: a slice of the graph, passages and notes in one text within a budget.

The names in a question are found in the graph, the edges to walk in its words; the slice filters the passages. No model
is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from kag.core.errors import BadValue
from kag.kgrag.asking.answers import GraphAnswer
from kag.kgrag.context.passages import VectorClient, VectorHit, Wanted
from kag.kgrag.context.slice import NEAR, KgRagConfig, Slice, path_text, sliced
from kag.kgrag.context.tokens import Counter, counter
from kag.kgrag.facade import DomainGraph
from kag.kgrag.rules import DeclaredRule
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node, as_record
from kag.retrieval.property_graph.schema import sound
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
    """The context of a question. `text` has at most `max_tokens`, as `counted_by` counts.

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
        """Return the parts within the budget and their size; the last line is dropped if the joined lines count for
        more."""
        while True:
            parts = tuple(self._kept[place] for place in sorted(self._kept))
            size = self._count(rendered(parts))
            if size <= max_tokens or not parts:
                return parts, size if parts else 0
            self._kept.popitem()


def left_out(parts: Iterable[Part], kept: Iterable[Part]) -> dict[str, int]:
    """Return the number of omitted parts by kind."""
    there = {(part.kind, part.id) for part in kept}
    found: dict[str, int] = {}
    for part in parts:
        if (part.kind, part.id) not in there:
            found[part.kind] = found.get(part.kind, 0) + 1
    return found


def kept_slice(whole: GraphSnapshot, parts: Iterable[Part]) -> GraphSnapshot:
    """Return the stated part of a slice: edges with their ends, and nodes without edges."""
    names = {part.kind: set[str]() for part in parts}
    for part in parts:
        names[part.kind].add(part.id)
    edges: tuple[Link, ...] = tuple(edge for edge in whole.edges if edge.id in names.get("edge", ()))
    ends = {end for edge in edges for end in (edge.source, edge.target)} | names.get("node", set())
    return GraphSnapshot(tuple(node for node in whole.nodes if node.id in ends), edges)


MAX_TOKENS = 1500
SHOWN = 20
"""Answers that a note names at most."""
EXPANDED = 8
"""Answers whose names are searched along with a question."""
LONGEST_NAME = 120
LOCAL = frozenset(("acyclic", "no_self", "at_most_one", "one_sign", "ordered"))
"""Kinds of rules that, broken in a part of a graph, are broken in all of it."""


@dataclass(frozen=True, slots=True)
class RagQuery:
    """A query: the text, its nodes (ids; found in the text if none), and its scope of passages (`chapterId`)."""

    text: str
    seeds: tuple[str, ...] = ()
    scope: Mapping[str, str] = field(default_factory=dict)
    max_tokens: int = MAX_TOKENS


def build_context(
    query: RagQuery | str,
    config: KgRagConfig,
    domain: DomainGraph,
    *,
    client: VectorClient | None = None,
    tokens: Counter | None = None,
) -> ContextBundle:
    """The context for a question from a domain's graph, and from the passages of `client`'s project.

    The bundle's text is never over the budget. Raises `UnknownNode` for a seed that is not there, and `BadValue` for a
    budget below 0 or a bound below 1.
    """
    request = RagQuery(query) if isinstance(query, str) else query
    if config.max_nodes < 1 or (config.expand_hops or 0) < 0 or config.passages < 0:
        raise BadValue("bounds below their least", hint="Give 1 or more nodes, 0 or more hops and passages.")
    found = sliced(request.text, request.seeds, config, domain)
    hits = list(_retrieved(request, config, domain, client, found))
    notes = list(_notes(found, config, domain))
    parts = [*_note_parts(notes), *_graph_parts(found, domain), *(part for part, _ in hits)]
    by = tokens or counter()
    kept, size = fitted(parts, request.max_tokens, by)
    there = {(part.kind, part.id) for part in kept}
    return ContextBundle(
        question=request.text,
        kg_slice=kept_slice(found.snapshot, kept),
        passages=tuple(hit for part, hit in hits if ("passage", part.id) in there),
        notes=tuple(part.line.removeprefix("- ") for part in kept if part.kind == "note"),
        parts=kept,
        seeds=found.seeds,
        answers=found.answer.nodes if found.answer and found.answer.sure else (),
        tokens=size,
        max_tokens=request.max_tokens,
        counted_by=by.name,
        left_out=left_out(parts, kept),
    )


# --- passages ----------------------------------------------------------------------------------------------------


def _retrieved(
    request: RagQuery, config: KgRagConfig, domain: DomainGraph, client: VectorClient | None, found: Slice
) -> Iterator[tuple[Part, VectorHit]]:
    """The passages about what the slice holds, then others of the same scope where there are too few."""
    if client is None or not config.passages or not request.text.strip():
        return
    routes = {key: tuple(ids) for key, ids in domain.build_metadata_filter(found.snapshot).items()}
    text = _expanded(request.text, found, domain)
    seen: set[str] = set()
    for wanted in ([Wanted(request.scope, routes)] if config.route and routes else []) + [Wanted(request.scope)]:
        for hit in client.search(text, wanted, config.passages + len(seen)):
            if hit.id in seen or len(seen) >= config.passages:
                continue
            seen.add(hit.id)
            yield Part("passage", hit.id, f"[{_one_line(hit.id)}] {_one_line(hit.text, 0)}", _why(hit, wanted)), hit


def _expanded(text: str, found: Slice, domain: DomainGraph) -> str:
    """Return the question with the names of its answers, if they are certain: passages may use other words."""
    answers = found.answer.nodes[:EXPANDED] if found.answer and found.answer.sure else ()
    nodes = (domain.graph.node(name) for name in answers)
    return " ".join((text, *(domain.domain.name_of(node.label, node.props) for node in nodes)))


def _why(hit: VectorHit, wanted: Wanted) -> str:
    """By which nodes of the slice a passage was let in."""
    shared = {key: sorted(set(ids) & set(hit.metadata.get(key, ()))) for key, ids in wanted.routes.items()}
    by = [f"{key} {', '.join(ids[:3])}" for key, ids in shared.items() if ids]
    return f"near the question, about {'; '.join(by)}" if by else "near the question"


# --- the graph and its notes -------------------------------------------------------------------------------------


def _graph_parts(found: Slice, domain: DomainGraph) -> Iterator[Part]:
    """A line an edge, those that lead to answers first, and one for each node without an edge."""
    nodes = {node.id: node for node in found.snapshot.nodes}
    linked: set[str] = set()
    for edge in _ordered(found):
        linked.update((edge.source, edge.target))
        line = f"{_called(nodes[edge.source], domain)} {_relation(edge, domain)} {_called(nodes[edge.target], domain)}"
        ends = (found.why.get(end, NEAR) for end in (edge.source, edge.target))
        yield Part("edge", edge.id, line, f"its ends: {'; '.join(dict.fromkeys(ends))}")
    for name, node in nodes.items():
        if name not in linked:
            yield Part("node", name, _called(node, domain), found.why.get(name, NEAR))


def _ordered(found: Slice) -> Sequence[Link]:
    """The edges of a slice: those between seeds and answers, and on ways to these, before the rest."""
    rank = {node: 1 if why == NEAR else 0 for node, why in found.why.items()}
    return sorted(found.snapshot.edges, key=lambda edge: rank.get(edge.source, 1) + rank.get(edge.target, 1))


def _relation(edge: Link, domain: DomainGraph) -> str:
    """The first words of the domain for an edge, else its label; with the properties that such an edge must have."""
    phrases = domain.domain.phrases.get(edge.label, ())
    words = next((phrase for phrase in phrases if not phrase.startswith("^")), edge.label)
    must = (edge.props.get(key) for key in domain.domain.schema.required_of_edges.get(edge.label, ()))
    more = ", ".join(_one_line(str(value)) for value in must if value)
    return f"{_one_line(words)} ({more})" if more else _one_line(words)


def _called(node: Node, domain: DomainGraph) -> str:
    """A node's name and label on one line."""
    name = domain.domain.name_of(node.label, node.props) or node.id
    return f"{_one_line(name)} ({_one_line(node.label)})"


def _one_line(text: str, most: int = LONGEST_NAME) -> str:
    """Put untrusted text on one line, so that it cannot imitate a heading."""
    line = " ".join(text.split())
    return line if not most or len(line) <= most else f"{line[: most - 3]}..."


def _note_parts(notes: Iterable[tuple[str, str]]) -> Iterator[Part]:
    for number, (text, why) in enumerate(notes):
        yield Part("note", str(number), f"- {text}", why)


def _notes(found: Slice, config: KgRagConfig, domain: DomainGraph) -> Iterator[tuple[str, str]]:
    """Return notes: the graph's answers, what was not read or found, and the rules that the slice breaks."""
    if found.decided is not None:
        yield f"The graph answers: {_one_line(found.decided.text, 240)}.", "the domain has a rule for the question"
    elif found.answer is not None and found.answer.nodes:
        yield _answered(found.answer, domain), "the question was read as a walk"
    if not found.seeds:
        yield "Nothing of the graph is named in the question.", "no seed was found"
    elif len(found.snapshot.nodes) >= config.max_nodes:
        yield f"The slice is cut at {config.max_nodes} nodes.", "there may be more"
    for rule, message in _broken(found.snapshot, domain):
        yield _one_line(message, 240), f"the rule {rule} is broken in the slice"


def _answered(answer: GraphAnswer, domain: DomainGraph) -> str:
    names = [_called(domain.graph.node(node), domain) for node in answer.nodes[:SHOWN]]
    more = f" and {len(answer.nodes) - SHOWN} more" if len(answer.nodes) > SHOWN else ""
    left = f"; not read: {', '.join(answer.reading.unread)}" if answer.reading.unread else ""
    sure = "answers" if answer.sure else "may answer"
    return f"The graph {sure} by {path_text(answer)}: {'; '.join(names)}{more}{left}."


def _broken(part: GraphSnapshot, domain: DomainGraph) -> Iterator[tuple[str, str]]:
    tables, _ = sound(part)
    for rule in domain.domain.rules:
        if isinstance(rule, DeclaredRule) and rule.kind in LOCAL:
            for issue in rule.issues(tables):
                yield rule.name, f"{issue.severity} {issue.rule}: {issue.message}"
