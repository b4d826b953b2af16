"""The part of a graph that bears on a question: whole ways to its answers where it can be read, else what is near."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from kag.kgrag.asking.answers import Asking, GraphAnswer
from kag.kgrag.facade import DomainAnswer, DomainGraph
from kag.kgrag.names import spelled, stem_of
from kag.retrieval.property_graph.elements import Cut, GraphSnapshot, Growth, Node

LONGEST_WAY = 6
NEAR = "near what is named"
WORTH = 3.0
"""What it is worth for a node to be of the kind that is asked for, against one word shared with the question."""


@dataclass(frozen=True, slots=True)
class KgRagConfig:
    """Options of context. `cut`: `near` reads the question and keeps relevant nodes; `degree` and `random` grow by hops
    alone. `expand_hops` is the domain's default if none is given. `passages` is the maximum number; `route` puts those
    about the slice first."""

    expand_hops: int | None = None
    edge_labels: tuple[str, ...] | None = None
    max_nodes: int = 60
    passages: int = 8
    route: bool = True
    cut: Literal["near", "degree", "random"] = "near"
    random_seed: int = 0


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice, why each node is in it, and what the graph answers: by walks, or by a rule of the domain."""

    snapshot: GraphSnapshot = field(default_factory=GraphSnapshot)
    why: dict[str, str] = field(default_factory=dict)
    seeds: tuple[str, ...] = ()
    answer: GraphAnswer | None = None
    decided: DomainAnswer | None = None


def sliced(question: str, seeds: Sequence[str], config: KgRagConfig, domain: DomainGraph) -> Slice:
    """The slice for a question; `seeds` are ids of nodes that it is about, found in its words if none are given."""
    asking, decided = domain.asking, domain.answer(question)
    given = tuple(dict.fromkeys(domain.graph.node(seed).id for seed in seeds))
    answer = domain.ask(question, given) if config.cut == "near" else None
    reasons = dict.fromkeys(decided.nodes, "decides the answer") if decided else {}
    reasons |= dict.fromkeys(given, "given as a seed")
    for node in _named(question, asking, answer) if not given else ():
        reasons.setdefault(node, "named in the question")
    if not reasons:
        reasons = dict.fromkeys(_of_kind(question, asking, config.max_nodes), "of the kind that is asked for")
    begin = tuple(reasons)[: config.max_nodes]
    snapshot, why = _on_ways(asking, answer, reasons, config.max_nodes)
    if begin and not (answer and answer.sure and answer.nodes):
        joined = _joined(begin, question, domain) if config.cut == "near" else GraphSnapshot()
        snapshot = snapshot | joined if len((snapshot | joined).nodes) <= config.max_nodes else snapshot
        why |= {node: "on the shortest way between what is named" for node in joined.node_ids if node not in why}
        labels = _labels(question, asking, config)
        near = _near(question, begin, labels, config, domain, answer)
        ids = tuple(dict.fromkeys((*snapshot.node_ids, *near)))[: config.max_nodes]
        snapshot = snapshot | domain.graph.slice_of(ids, labels)
        for node in ids:
            why.setdefault(node, NEAR)
    return Slice(snapshot, why, begin, answer, decided)


def _joined(begin: Sequence[str], question: str, domain: DomainGraph) -> GraphSnapshot:
    """Return the shortest path between the first two names of a question; longer paths are ignored."""
    mentions = domain.asking.mentions(question)
    if len(mentions) < 2 or not {mentions[0].nodes[0], mentions[1].nodes[0]} <= set(begin):
        return GraphSnapshot()
    links = domain.graph.shortest_links(mentions[0].nodes[0], mentions[1].nodes[0]) or ()
    if len(links) > LONGEST_WAY:
        return GraphSnapshot()
    nodes = dict.fromkeys(end for link in links for end in (link.source, link.target))
    return GraphSnapshot(tuple(domain.graph.node(node) for node in nodes), links)


def _named(question: str, asking: Asking, answer: GraphAnswer | None) -> tuple[str, ...]:
    """The nodes that a question names: those that its walks begin at, and others where it was not read whole."""
    walked = tuple(node for walk in (answer.reading.walks if answer else ()) for node in walk.nodes)
    if answer is not None and answer.sure:
        return walked
    return (*walked, *(node for mention in asking.mentions(question) for node in mention.nodes))


def _of_kind(question: str, asking: Asking, most: int) -> tuple[str, ...]:
    """Return the first nodes of the kinds in a question without names."""
    cues, _ = asking.cues.read([word.casefold() for word in spelled(question)])
    labels = sorted({label for cue in cues for label in cue.labels})
    return tuple(node for label in labels for node in asking.graph.tables.of_label(label))[:most]


def _on_ways(
    asking: Asking, answer: GraphAnswer | None, reasons: dict[str, str], most: int
) -> tuple[GraphSnapshot, dict[str, str]]:
    """The whole ways to the answers, and why each node is on them."""
    if answer is None or not answer.nodes:
        return GraphSnapshot(), dict(reasons)
    snapshot, ends = asking.slice(answer.reading, answer.nodes, most), frozenset(answer.nodes)
    way = path_text(answer)
    why = {
        node: reasons.get(node) or (f"an answer by {way}" if node in ends else "on the way to an answer")
        for node in snapshot.node_ids
    }
    return snapshot, {**reasons, **why}


def path_text(answer: GraphAnswer) -> str:
    """The walks of an answer in words: `^` is against an edge."""
    joint = " and " if answer.reading.every else " or "
    steps = (
        f"{'not ' if walk.denied else ''}{' or '.join(' / '.join(path) for path in walk.paths)}"
        for walk in answer.reading.walks
    )
    return joint.join(dict.fromkeys(steps))


def _labels(question: str, asking: Asking, config: KgRagConfig) -> frozenset[str] | None:
    """Return the edges to walk: the given ones, or those of the words; None: all."""
    if config.edge_labels is not None:
        return frozenset(config.edge_labels)
    if config.cut != "near":
        return None
    cues, _ = asking.cues.read([word.casefold() for word in spelled(question)])
    return frozenset(label for cue in cues for label in cue.edges) or None


def _near(
    question: str,
    seeds: Iterable[str],
    labels: frozenset[str] | None,
    config: KgRagConfig,
    domain: DomainGraph,
    answer: GraphAnswer | None,
) -> tuple[str, ...]:
    """The nodes near the seeds, as the domain grows a slice; with all edges where the chosen ones lead nowhere."""
    grown = domain.domain.growth.depth if config.expand_hops is None else config.expand_hops
    walks = answer.reading.walks if answer else ()
    hops = max(grown, *(len(walk.steps) for walk in walks)) if walks else grown
    asked = {walk.end for walk in walks}
    cut = Cut(config.cut, relevance(question, domain, asked) if config.cut == "near" else None, config.random_seed)
    begin = list(seeds)
    for edges, depth in ((labels, hops), (None, grown)):
        found = domain.expand_seeds(begin, Growth(depth, edges, config.max_nodes, "both", cut))
        if len(found) > len(begin) or config.edge_labels is not None:
            return found
    return tuple(begin)


def relevance(question: str, domain: DomainGraph, asked: Iterable[str] = ()) -> Callable[[Node], float]:
    """Score a node's names against a question: one a word, more for a requested kind."""
    wanted = frozenset(filter(None, (stem_of(word) for word in spelled(question))))
    kinds = frozenset(asked)

    def worth(node: Node) -> float:
        names = domain.domain.names_of(node.label, node.props)
        words = {stem_of(word) for name in names for word in spelled(name)}
        return len(words & wanted) + (WORTH if node.label in kinds else 0.0)

    return worth
