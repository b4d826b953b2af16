"""Questions answered from a graph by walking, where they can be read as walks; the ways are the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from kag.kgrag.asking.cues import DENYING, Cue, Cues
from kag.kgrag.asking.walks import Reading, Walk, Ways, longest, read_question
from kag.kgrag.claims import Claim, Verdict, against
from kag.kgrag.domain import Domain
from kag.kgrag.names import Mention, Names, spelled
from kag.retrieval.property_graph.elements import GraphSnapshot, Link
from kag.retrieval.property_graph.engine import GraphEngine

LONGEST = 2000
"""Characters of a question that are read."""
MOST_READINGS = 8
MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """The nodes that answer a question, in the order in which they were reached, and the edges of a way to the first.

    `sure`: the whole question was read, and in one way only. None found may mean that the graph does not say.
    """

    question: str
    nodes: tuple[str, ...]
    reading: Reading
    ways: tuple[tuple[Link, ...], ...] = ()

    @property
    def sure(self) -> bool:
        """Whether nothing of the question was left unread."""
        return self.reading.sure


class Asking:
    """A graph that questions are put to. What reading needs is made once: make it anew when the graph changed."""

    def __init__(self, domain: Domain, graph: GraphEngine) -> None:
        self.domain, self.graph = domain, graph
        self.names = Names(domain, graph)
        nodes = graph.tables.nodes
        ends = {(edge.label, nodes[edge.source].label, nodes[edge.target].label) for edge in graph.edges}
        self.ways = Ways.of(ends)
        self.cues = Cues(domain, graph.tables.labels, {label for label, _, _ in ends})

    def mentions(self, question: str) -> tuple[Mention, ...]:
        """The names in a question that do not overlap."""
        return longest(self.names.mentions(question[:LONGEST]))

    def read(self, question: str, about: Sequence[str] = ()) -> tuple[Reading, ...]:
        """The readings of a question, the best first; none where it names nothing, or no walk leads on.

        `about` are nodes that it is about: where it names none of them, they are taken as named at its end.
        """
        text = question[:LONGEST]
        words, mentions = spelled(text), self.names.mentions(text)
        if about:
            known = frozenset(about)
            mentions = tuple(mention for mention in mentions if known & set(mention.nodes))
            if not mentions:
                words, mentions = (*words, ""), (Mention(len(words), len(words) + 1, tuple(about), exact=True),)
        labels = {node: self.graph.node(node).label for mention in mentions for node in mention.nodes}
        return read_question(words, mentions, labels, self.cues, self.ways)

    def answer(self, question: str, about: Sequence[str] = ()) -> GraphAnswer | None:
        """The answer of the best reading; of equally good ones of the first that has any. None where it is not read."""
        readings = self.read(question, about)
        best = [one for one in readings[:MOST_READINGS] if one.cost == readings[0].cost]
        for reading in best:
            nodes = self.reached(reading)
            if nodes:
                return GraphAnswer(question, nodes, reading, self._ways(reading, nodes))
        return GraphAnswer(question, (), best[0]) if best else None

    def reached(self, reading: Reading) -> tuple[str, ...]:
        """Return the nodes at which the walks of a reading end."""
        ends = [self._ends(walk) for walk in reading.walks if not walk.denied]
        denied = {node for walk in reading.walks if walk.denied for node in self._ends(walk)}
        others = [set(end) for end in ends[1:]] if reading.every else []
        found = dict.fromkeys(ends[0] if reading.every else (node for end in ends for node in end))
        return tuple(node for node in found if node not in denied and all(node in other for other in others))

    def _ends(self, walk: Walk) -> tuple[str, ...]:
        return tuple(dict.fromkeys(node for path in walk.paths for node in self.graph.along(walk.nodes, path)))

    def slice(self, reading: Reading, only: Iterable[str], max_nodes: int | None = None) -> GraphSnapshot:
        """The whole ways to these ends, in at most `max_nodes` nodes for all walks together."""
        wanted = tuple(only)
        paths = [(walk.nodes, path) for walk in reading.walks if not walk.denied for path in walk.paths]
        share = max(1, max_nodes // len(paths)) if max_nodes else None
        snapshot = GraphSnapshot()
        for nodes, path in paths:
            ways = self.graph.ways(nodes, path, only=wanted, max_nodes=share)
            if max_nodes is None or len((snapshot | ways).nodes) <= max_nodes:
                snapshot = snapshot | ways
        return snapshot

    def _ways(self, reading: Reading, nodes: tuple[str, ...]) -> tuple[tuple[Link, ...], ...]:
        """For each of the first answers the edges of a way of each walk."""
        return tuple(self.slice(reading, (node,)).edges for node in nodes[:MOST_SHOWN])


BEGINNINGS = frozenset(("is", "are", "was", "were", "do", "does", "did", "can", "has", "have"))


def whether(asking: Asking, question: str) -> Verdict | None:
    """Return the verdict on a yes/no question; None if it is not one, or not fully read."""
    words = [word.casefold() for word in spelled(question[:LONGEST])]
    names = asking.mentions(question)
    if not words or words[0] not in BEGINNINGS or len(names) != 2 or DENYING & set(words):
        return None
    cues, unread = asking.cues.read(words, [at for name in names for at in range(name.start, name.end)])
    verbs = [cue for cue in cues if cue.edges]
    if unread or len(verbs) != 1:
        return None
    claims = _claims(asking, names[0], names[1], verbs[0])
    edges = tuple(edge for claim in claims for edge in asking.graph.find_edges(*claim))
    if edges:
        return Verdict(question, "supported", edges, "", claims)
    found = [against(asking.domain, asking.graph, claim) for claim in claims]
    if found and found[0] is not None and all(found):
        return Verdict(question, "contradicted", found[0][1], found[0][0], claims)
    return Verdict(question, "not known", (), "", claims)


def _claims(asking: Asking, mention: Mention, other: Mention, verb: Cue) -> tuple[Claim, ...]:
    """The edges that are asked for: from the first to the second, turned for a passive, or where only that can be."""
    found: list[Claim] = []
    nodes = asking.graph.tables.nodes
    for label, first, second in product(sorted(verb.edges), mention.nodes, other.nodes):
        if first == second:
            continue
        steps = asking.ways.steps.get(nodes[first].label, ())
        on = (label, nodes[second].label) in steps
        back = (f"^{label}", nodes[second].label) in steps
        between = mention.end <= verb.start and verb.end <= other.start
        if on and not (back and between and verb.forward is False):
            found.append((label, first, second))
        if back and not (on and between and verb.forward is not False):
            found.append((label, second, first))
    return tuple(found)
