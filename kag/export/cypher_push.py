"""Push a property graph of papers into a Cypher database, one paper at a time.

The parts of the papers are put one after the other, each in a transaction: first what each holds, then what leads from
it. A paper bears the digest of its part as `pushed`, written last. So a paper that is the same is left alone, and a
push that ended halfway ends, when it is given again, where it would have. Papers that are not given stay as they are.

The statements are those that Neo4j and ladybug both understand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal, Protocol

from kag.core.errors import StoreError
from kag.export.property_graph import LINKS, NODES
from kag.retrieval.property_graph.elements import GraphSnapshot, Link, Node, digest_of

AT_ONCE = 1000
"""Rows of a statement."""
PUSHED = "pushed"
_AROUND = tuple(label for label, (source, target, _) in LINKS.items() if source == target == "Chunk")
_NAMING = {label: target for label, (source, target, _) in LINKS.items() if source == "Paper" != target}
_STATED = {label: source for label, (source, _, names) in LINKS.items() if "paper" in names}
"""What a paper states about things that several papers name: from a label to the same, with the paper's id."""
_OF_CHUNKS = "MATCH (c:Chunk)-[:BELONGS_TO]->(:Paper {id: $paper})"


@dataclass(frozen=True, slots=True)
class Step:
    """A statement with its parameters; if `found` is set, it has to match that many rows."""

    text: str
    given: Mapping[str, Any] = field(default_factory=dict)
    found: int | None = None


class Database(Protocol):
    """A Cypher database. All errors are `StoreError`."""

    name: str

    def prepare(self) -> None:
        """Declare the schema where it is not there."""

    def ask(self, text: str) -> Sequence[Sequence[Any]]:
        """The rows of an answer."""

    def change(self, steps: Sequence[Step]) -> None:
        """Run the steps in one transaction: all or none."""


@dataclass(frozen=True, slots=True)
class Part:
    """A paper's node, its chunks, what it names, and the links that leave these."""

    paper: str
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of all of it, in hex."""
        digest_of_all = hashlib.sha256()
        for digest in (*map(digest_of, self.nodes), *map(digest_of, self.links)):
            digest_of_all.update(digest)
        return digest_of_all.hexdigest()


@dataclass(frozen=True, slots=True)
class Put:
    """The outcome of a paper's part, and its size."""

    paper: str
    state: Literal["pushed", "unchanged"]
    nodes: int
    links: int


def parts(graph: GraphSnapshot) -> tuple[Part, ...]:
    """The graph as parts of its papers; a thing that several papers name is in the part of each."""
    nodes = {node.id: node for node in graph.nodes}
    owner = {node.id: node.id for node in graph.nodes if node.label == "Paper"}
    owner |= {link.source: link.target for link in graph.edges if link.label == "BELONGS_TO"}
    own: dict[str, dict[str, Node]] = {paper: {paper: nodes[paper]} for paper in sorted(set(owner.values()))}
    leaving: dict[str, list[Link]] = {paper: [] for paper in own}
    for name, paper in sorted(owner.items()):
        own[paper][name] = nodes[name]
    for link in graph.edges:
        paper = owner.get(link.source) or str(link.props["paper"])
        leaving[paper].append(link)
        if link.target not in owner:
            own[paper][link.target] = nodes[link.target]
    return tuple(Part(paper, tuple(own[paper].values()), tuple(leaving[paper])) for paper in own)


def push(graph: GraphSnapshot, database: Database) -> Iterator[Put]:
    """Make the database hold these papers as they are here, telling of each when it is whole. Raises `StoreError`."""
    database.prepare()
    wanted = [(part, part.digest) for part in parts(graph)]
    held = {str(paper): digest for paper, digest in database.ask(f"MATCH (p:Paper) RETURN p.id, p.{PUSHED}")}
    changed = [part for part, digest in wanted if held.get(part.paper) != digest]
    for part in changed:  # all nodes go before the links, which lead to other papers
        database.change(tuple(_nodes(part)))
    lost = {str(row[0]) for row in database.ask(f"MATCH (p:Paper) WHERE p.{PUSHED} = '' RETURN p.id")}
    for part, digest in wanted:
        same = part.paper not in lost
        if not same:
            database.change(tuple(_links(part, digest)))
        yield Put(part.paper, "unchanged" if same else "pushed", len(part.nodes), len(part.links))


def _nodes(part: Part) -> Iterator[Step]:
    """Give a paper its chunks, and take away those that it has no more; it is not whole until it has its links.

    Nor is any other whose links led to a chunk that goes.
    """
    given = {"paper": part.paper, "kept": [node.id for node in part.nodes if node.label == "Chunk"]}
    gone = f"{_OF_CHUNKS} WHERE NOT c.id IN $kept"
    for label in _AROUND:
        yield Step(
            f"{gone} MATCH (o:Chunk)-[:{label}]->(c) MATCH (o)-[:BELONGS_TO]->(p:Paper) SET p.{PUSHED} = ''", given
        )
    yield Step(f"{gone} DETACH DELETE c", given)
    for label in NODES:
        yield from _merged(label, [node for node in part.nodes if node.label == label])
    yield Step(f"MATCH (p:Paper {{id: $paper}}) SET p.{PUSHED} = ''", {"paper": part.paper})
    yield from _drawn("BELONGS_TO", part.links, "MERGE")


def _merged(label: str, nodes: Sequence[Node]) -> Iterator[Step]:
    """Nodes with just these properties; those with the same ones go together, as a database types what it is given."""

    def known(node: Node) -> tuple[str, ...]:
        return tuple(name for name in NODES[label] if node.props.get(name) is not None)

    for names, some in groupby(sorted(nodes, key=known), known):
        values = {name: f"row.{name}" if name in names else "NULL" for name in NODES[label]}
        assignments = ", ".join(f"n.{name} = {value}" for name, value in values.items())
        rows = [{"id": node.id, **{name: node.props[name] for name in names}} for node in some]
        yield from _each(f"MERGE (n:{label} {{id: row.id}}) SET {assignments}", rows)


def _links(part: Part, digest: str) -> Iterator[Step]:
    """Draw the links that leave a paper in place of those that did; then it is whole."""
    here = {"paper": part.paper}
    for label in _AROUND:
        yield Step(f"{_OF_CHUNKS} MATCH (c)-[r:{label}]->(:Chunk) DELETE r", here)
    yield Step("MATCH (:Paper {id: $paper})-[r:CITES]->(:Paper) DELETE r", here)
    for label, source in _STATED.items():
        yield Step(f"MATCH (:{source})-[r:{label} {{paper: $paper}}]->(:{source}) DELETE r", here)
    for label, target in _NAMING.items():
        kept = [link.target for link in part.links if link.label == label]
        named = f"MATCH (p:Paper {{id: $paper}})-[r:{label}]->(t:{target}) WHERE NOT t.id IN $kept"
        alone = f"NOT EXISTS {{ MATCH (o:Paper)-[:{label}]->(t) WHERE o.id <> $paper }}"
        yield Step(f"{named} AND {alone} DETACH DELETE t", {**here, "kept": kept})
        yield Step(f"MATCH (:Paper {{id: $paper}})-[r:{label}]->(:{target}) DELETE r", here)
    for label in (*_AROUND, "CITES", *_NAMING, *_STATED):
        yield from _drawn(label, part.links, "CREATE")
    yield Step(f"MATCH (p:Paper {{id: $paper}}) SET p.{PUSHED} = $digest", {**here, "digest": digest})


def _drawn(label: str, links: Iterable[Link], verb: str) -> Iterator[Step]:
    """The links of a label; each has its two ends there, or the step fails."""
    source, target, columns = LINKS[label]
    properties = f" {{{', '.join(f'{name}: row.{name}' for name in columns)}}}" if columns else ""
    ends = f"MATCH (a:{source} {{id: row.source}}), (b:{target} {{id: row.target}})"
    rows = [{"source": link.source, "target": link.target, **link.props} for link in links if link.label == label]
    yield from _each(f"{ends} {verb} (a)-[r:{label}{properties}]->(b) RETURN count(*)", rows, counted=True)


def _each(text: str, rows: Sequence[Mapping[str, Any]], *, counted: bool = False) -> Iterator[Step]:
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        yield Step(f"UNWIND $rows AS row {text}", {"rows": some}, len(some) if counted else None)


def require_found(name: str, step: Step, rows: Sequence[Sequence[Any]]) -> None:
    """Raise `StoreError` where a step did not find what it leads to."""
    if step.found is not None and [list(row) for row in rows] != [[step.found]]:
        raise StoreError(
            f"{name}: papers or chunks that the database reported are missing",
            hint="Somebody took them out. Take out their papers, too, and push again.",
        )
