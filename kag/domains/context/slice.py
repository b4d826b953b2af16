"""The part of a graph that bears on a question: whole ways to its answers where it can be read, else what is near."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from kag.domains.asking.answers import Asking, GraphAnswer
from kag.domains.facade import DomainGraph
from kag.domains.names import spelled, stem_of
from kag.graph.elements import Cut, GraphSnapshot, Growth
from kag.graph.property_graph import Node

FindSeeds = Callable[[str, Sequence[str]], Sequence[str]]
"""A question and the labels of the graph to names of things in it: what a model may do where no name is found."""
WORTH = 3.0
"""What it is worth for a node to be of the kind that is asked for, against one word shared with the question."""


@dataclass(frozen=True, slots=True)
class KgRagConfig:
    """How context is made. `cut`: `near` reads the question and keeps what bears on it; `degree` and `random` grow by
    hops alone and cut so. `passages` is how many there are at most; `route`: only of what the slice holds, first.
    """

    expand_hops: int = 1
    edge_labels: tuple[str, ...] | None = None
    max_nodes: int = 60
    passages: int = 8
    route: bool = True
    cut: Literal["near", "degree", "random"] = "near"
    random_seed: int = 0


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice, why each node is in it, and what it answers; `labels` are the edges that were walked, if not all."""

    snapshot: GraphSnapshot = field(default_factory=GraphSnapshot)
    why: dict[str, str] = field(default_factory=dict)
    seeds: tuple[str, ...] = ()
    answer: GraphAnswer | None = None
    labels: frozenset[str] | None = None


def sliced(
    question: str, seeds: Sequence[str], config: KgRagConfig, domain: DomainGraph, find_seeds: FindSeeds | None = None
) -> Slice:
    """The slice for a question; `seeds` are ids of nodes that it is about, found in its words if none are given."""
    asking = domain.asking
    begin = tuple(dict.fromkeys(domain.graph.node(seed).id for seed in seeds))
    answer = asking.answer(question, begin) if config.cut == "near" else None
    reasons = dict.fromkeys(begin, "given as a seed")
    if not begin and answer is not None:
        begin = tuple(dict.fromkeys(node for walk in answer.reading.walks for node in walk.nodes))
    if not begin:
        begin = tuple(dict.fromkeys(node for one in asking.mentions(question) for node in one.nodes))
    if not begin and find_seeds is not None:
        begin = _by_model(question, asking, find_seeds)
        reasons = dict.fromkeys(begin, "found by a model")
    if not begin:
        begin = _of_kind(question, asking, config.max_nodes)
        reasons = dict.fromkeys(begin, "of the kind that is asked for")
    begin = begin[: config.max_nodes]
    reasons = {node: reasons.get(node, "named in the question") for node in begin}
    snapshot, why = _on_ways(asking, answer, reasons, config.max_nodes)
    labels = _labels(question, asking, answer, config)
    if begin and not (answer and answer.sure and answer.nodes):
        near = _near(question, begin, labels, config, domain, answer)
        ids = tuple(dict.fromkeys((*snapshot.node_ids, *near)))[: config.max_nodes]
        snapshot = snapshot | domain.graph.slice_of(ids, labels)
        for node in ids:
            why.setdefault(node, "near what is named")
    return Slice(snapshot, why, begin, answer, labels)


def _by_model(question: str, asking: Asking, find_seeds: FindSeeds) -> tuple[str, ...]:
    """The nodes of the names that somebody else found; names of nothing do nothing."""
    names = [name for name in find_seeds(question, sorted(asking.graph.tables.labels)) if isinstance(name, str)]
    return tuple(dict.fromkeys(node for name in names for found in asking.names.find(name) for node in found))


def _of_kind(question: str, asking: Asking, most: int) -> tuple[str, ...]:
    """The first nodes of the kinds that a question without names speaks of."""
    said, _ = asking.cues.read([word.casefold() for word in spelled(question)])
    labels = sorted({label for cue in said for label in cue.labels})
    return tuple(node for label in labels for node in asking.graph.tables.of_label(label))[:most]


def _on_ways(
    asking: Asking, answer: GraphAnswer | None, reasons: dict[str, str], most: int
) -> tuple[GraphSnapshot, dict[str, str]]:
    """The whole ways to the answers, and why each node is on them."""
    if answer is None or not answer.nodes:
        return GraphSnapshot(), dict(reasons)
    found, ends = asking.slice(answer.reading, answer.nodes, most), frozenset(answer.nodes)
    way = told(answer)
    why = {
        node: reasons.get(node) or (f"an answer by {way}" if node in ends else "on the way to an answer")
        for node in found.node_ids
    }
    return found, {**reasons, **why}


def told(answer: GraphAnswer) -> str:
    """The walks of an answer in words: `^` is against an edge."""
    joint = " and " if answer.reading.every else " or "
    steps = (f"{'not ' if walk.denied else ''}{' / '.join(walk.steps)}" for walk in answer.reading.walks)
    return joint.join(dict.fromkeys(steps))


def _labels(question: str, asking: Asking, answer: GraphAnswer | None, config: KgRagConfig) -> frozenset[str] | None:
    """The edges that are walked: given, or else those that the words speak of; None: all."""
    if config.edge_labels is not None:
        return frozenset(config.edge_labels)
    if config.cut != "near":
        return None
    said, _ = asking.cues.read([word.casefold() for word in spelled(question)])
    walked = {step.removeprefix("^") for walk in (answer.reading.walks if answer else ()) for step in walk.steps}
    return frozenset({label for cue in said for label in cue.edges} | walked) or None


def _near(
    question: str,
    seeds: Iterable[str],
    labels: frozenset[str] | None,
    config: KgRagConfig,
    domain: DomainGraph,
    answer: GraphAnswer | None,
) -> tuple[str, ...]:
    """The nodes near the seeds, as the domain grows a slice; with all edges where the chosen ones lead nowhere."""
    hops = (
        max(config.expand_hops, *(len(walk.steps) for walk in answer.reading.walks)) if answer else config.expand_hops
    )
    asked = {walk.end for walk in answer.reading.walks} if answer else set[str]()
    cut = Cut(config.cut, relevance(question, domain, asked) if config.cut == "near" else None, config.random_seed)
    begin = list(seeds)
    for edges, depth in ((labels, hops), (None, config.expand_hops)):
        found = domain.expand_seeds(begin, Growth(depth, edges, config.max_nodes, "both", cut))
        if len(found) > len(begin) or config.edge_labels is not None:
            return found
    return tuple(begin)


def relevance(question: str, domain: DomainGraph, asked: Iterable[str] = ()) -> Callable[[Node], float]:
    """How much of a question is in a node's names: a number a word, more for a kind that is asked for."""
    wanted = frozenset(filter(None, (stem_of(word) for word in spelled(question))))
    kinds = frozenset(asked)

    def worth(node: Node) -> float:
        names = domain.domain.names_of(node.label, node.props)
        words = {stem_of(word) for name in names for word in spelled(name)}
        return len(words & wanted) + (WORTH if node.label in kinds else 0.0)

    return worth
