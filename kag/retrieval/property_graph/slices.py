"""Bounded parts of a graph around some nodes, for readers with limited context.

What is over the limit is cut near first and, among nodes equally near, by relevance; or by degree, or at random. By
degree is what many do and what loses most answers: hubs say least (docs/domains.md has the figures).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from kag.retrieval.property_graph.elements import GraphSnapshot, Growth, Link
from kag.retrieval.property_graph.paths import breadth_first
from kag.retrieval.property_graph.tables import Tables


def subgraph(graph: Tables, seeds: Iterable[str], growth: Growth) -> GraphSnapshot:
    """The nodes within reach of the seeds, bounded, and all links of the labels between them."""
    return between(graph, _bounded(graph, _reach(graph, seeds, growth), growth), growth)


def any_of(graph: Tables, groups: Sequence[Iterable[str]], growth: Growth) -> GraphSnapshot:
    """The nodes within reach of at least one group."""
    return subgraph(graph, dict.fromkeys(node for group in groups for node in group), growth)


def ways(
    graph: Tables, starts: Iterable[str], path: Sequence[str], only: Iterable[str] | None, max_nodes: int | None
) -> GraphSnapshot:
    """The ways along a path of labels (as `along` walks it), each kept whole: an end without its way explains nothing.

    `only` keeps the ways to these ends. Ways that do not fit into `max_nodes` any more are left out.
    """
    begun = dict.fromkeys(node for node in starts if node in graph.nodes)
    layers: list[dict[str, Link | None]] = [dict.fromkeys(begun)]
    for step in path:
        found: dict[str, Link | None] = {}
        labels = None if step.lstrip("^") == "*" else frozenset((step.removeprefix("^"),))
        for node in layers[-1]:
            for link in graph.links_at(node, "in" if step.startswith("^") else "out", labels):
                if link.other(node) not in begun:
                    found.setdefault(link.other(node), link)
        layers.append(found)
    wanted = None if only is None else frozenset(only)
    kept, links = dict(begun), dict[str, Link]()
    for end in layers[-1]:
        way = _way(layers, end)
        fresh = {node for link in way for node in (link.source, link.target)} - kept.keys()
        if (wanted is None or end in wanted) and (max_nodes is None or len(kept) + len(fresh) <= max_nodes):
            kept.update(dict.fromkeys(node for link in way for node in (link.source, link.target)))
            links.update((link.id, link) for link in way)
    return GraphSnapshot(tuple(graph.nodes[node] for node in kept), tuple(links.values()))


def _way(layers: Sequence[dict[str, Link | None]], end: str) -> list[Link]:
    """The links from where a walk began to one of its ends."""
    links = []
    for layer in reversed(layers):
        link = layer[end]
        if link is None:
            break
        links.append(link)
        end = link.other(end)
    return links[::-1]


def _reach(graph: Tables, seeds: Iterable[str], growth: Growth) -> dict[str, int]:
    limit = growth.max_nodes if growth.cut.by == "near" else None
    exact = growth.cut.relevance is None
    return breadth_first(graph, seeds, growth.direction, growth.edge_labels, growth.depth, limit, exact)


def _bounded(graph: Tables, reached: dict[str, int], growth: Growth) -> list[str]:
    """At most `max_nodes` of the nodes; seeds are cut last."""
    if growth.max_nodes is None or len(reached) <= growth.max_nodes:
        return list(reached)
    seeds = [node for node, hops in reached.items() if hops == 0]
    rest = [node for node, hops in reached.items() if hops > 0]
    cut = growth.cut
    if cut.by == "degree":
        rest.sort(key=graph.degree, reverse=True)
    elif cut.by == "random":
        random.Random(cut.seed).shuffle(rest)
    elif cut.relevance is not None:
        worth = {node: cut.relevance(graph.nodes[node]) for node in rest}
        rest.sort(key=lambda node: (reached[node], -worth[node]))
    return (seeds + rest)[: growth.max_nodes]


def between(graph: Tables, nodes: Sequence[str], growth: Growth) -> GraphSnapshot:
    """These nodes and the links of the labels between them.

    At a node with more links than there are nodes here each of these is looked up: a hub is not walked through.
    """
    order = {node: place for place, node in enumerate(nodes)}
    labels, links = growth.edge_labels, list[Link]()
    for node in order:
        ends = graph.leaving.get(node, {})
        here = sorted(ends.keys() & order.keys(), key=order.__getitem__) if len(ends) > len(order) else ends
        for other in here:
            if other in order:
                links += (e for e in graph.links_between(node, other) if labels is None or e.label in labels)
    ordered = sorted(links, key=lambda link: (order[link.source], order[link.target]))
    return GraphSnapshot(tuple(graph.nodes[node] for node in nodes), tuple(ordered))
