"""What is asked of questions to a graph from their text alone: seeds, exact answers, and answers within a slice.

`metaqa` is a base of films as [subject, relation, object]; what its relations are called in questions is a domain,
`films.toml`, written from the questions of half a (those with even numbers). Half b was not looked at.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError
from kag.kgrag.context.slice import KgRagConfig, sliced
from kag.kgrag.domain import Domain, domain_of
from kag.kgrag.facade import DomainGraph
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node
from kag.retrieval.property_graph.engine import GraphEngine
from scripts.benchmarks.domains.counts import Tally, counted, put, rows_of

MOST_NODES = 60
EDGES = {
    "actor": "starred_actors",
    "director": "directed_by",
    "writer": "written_by",
    "year": "release_year",
    "genre": "has_genre",
    "language": "in_language",
    "tags": "has_tags",
    "tag": "has_tags",
}


def ask_science(tally: Tally, graph: DomainGraph, rows: Iterable[Mapping[str, Any]]) -> None:
    """Questions on genes and drugs: exact answers a shape, seeds, and slices, all from the text."""
    for row in rows:
        gold, name = set(row["answers"]), row["id"]
        answer = graph.ask(row["question"])
        found = set(answer.nodes) if answer else set()
        put(tally, f"from the text, exact: {row['shape']}", name, _exactly(found, gold))
        put(tally, "from the text: answers", name, counted(found, gold))
        walks = answer.reading.walks if answer else ()
        seeds = {node for walk in walks for node in walk.nodes}
        put(tally, "from the text: seeds", name, counted(seeds, set(row["seeds"])))
        for what, nodes in _slices(graph, row["question"]):
            put(tally, f"from the text, answers in the slice: {what}", name, (len(nodes & gold), 0, len(gold - nodes)))


def _exactly(found: set[str], gold: set[str]) -> tuple[int, int, int]:
    return (1, 0, 0) if found == gold else (0, int(bool(found)), 1)


def _slices(graph: DomainGraph, question: str) -> Iterator[tuple[str, set[str]]]:
    """The slices that are made of a question's text: as it is by default, and by the named options."""
    for what, config in (
        ("whole ways, else near first", KgRagConfig(max_nodes=MOST_NODES)),
        ("2 hops, cut by degree", KgRagConfig(2, max_nodes=MOST_NODES, cut="degree")),
        ("2 hops, cut at random", KgRagConfig(2, max_nodes=MOST_NODES, cut="random")),
    ):
        yield what, set(sliced(question, (), config, graph).snapshot.node_ids)


def metaqa(folder: Path) -> Tally:
    """Questions on films of 1 to 3 hops."""
    graph = DomainGraph(GraphEngine(_films(rows_of(folder, "kb", list))), films())
    tally: Tally = {}
    for number, row in enumerate(rows_of(folder, "questions")):
        part = f"{row['hops']} hops, half {'ab'[number % 2]}"
        gold = set(row["answers"])
        answer = graph.ask(row["question"])
        found = _names(answer.nodes if answer else ())
        put(tally, f"{part}: exact", row["id"], _exactly(found, gold))
        put(tally, f"{part}: answers", row["id"], counted(found, gold))
        first = _names(answer.nodes[:1] if answer else ())
        put(tally, f"{part}: first answer right", row["id"], (1, 0, 0) if first & gold else (0, 1, 1))
        given = _names(_walked(graph.graph, row["entity"], row["type"]))
        put(tally, f"{part}: exact, the walk given", row["id"], _exactly(given, gold))
        for what, nodes in _slices(graph, row["question"]):
            held = _names(nodes)
            put(tally, f"{part}: answers in the slice, {what}", row["id"], (len(held & gold), 0, len(gold - held)))
    return dict(sorted(tally.items()))


def films() -> Domain:
    """The domain of the set."""
    return domain_of(tomllib.loads((files("scripts.benchmarks.domains") / "films.toml").read_text(encoding="utf-8")))


def _films(rows: Iterable[list[str]]) -> GraphSnapshot:
    """The base as a graph. It has things by name only: a film and a person of one name are two nodes here."""
    ends = {one.label: one.target for one in films().schema.constraints}
    nodes: dict[str, Node] = {}
    links: list[Link] = []
    for subject, relation, value in rows:
        label = relation.replace(" ", "_")
        if label not in ends:
            raise SourceError(f"relation {relation!r:.60}", hint="The base is not the one that is known.")
        source, target = (f"{kind}:{name}" for kind, name in (("Film", subject), (ends[label], value)))
        nodes.setdefault(source, Node(source, "Film", {"name": subject}))
        nodes.setdefault(target, Node(target, ends[label], {"name": value}))
        links.append(Link(f"e{len(links)}", label, source, target))
    return GraphSnapshot(tuple(nodes.values()), tuple(links))


def _names(nodes: Iterable[str]) -> set[str]:
    return {node.partition(":")[2] for node in nodes}


def _walked(graph: GraphEngine, entity: str, type: str) -> tuple[str, ...]:
    """Where the walk ends that a question's type says: `movie_to_actor_to_movie`."""
    parts = type.split("_to_")
    steps = [EDGES[after] if before == "movie" else f"^{EDGES[before]}" for before, after in pairwise(parts)]
    starts = [name for kind in ("Film", "Person", "Tag") if (name := f"{kind}:{entity}") in graph]
    return graph.along(starts, steps)
