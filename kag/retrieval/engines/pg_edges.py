"""Statements to PostgreSQL, and the graph of an index there: written as a whole in one transaction, and walked there.

Names of tables are quoted, values are parameters, errors are `RunError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kag.core.errors import BadValue, RunError, UnknownNode, needed_extra
from kag.retrieval.engines.stores import NAME
from kag.retrieval.property_graph.compact import CompactGraph, with_tuples
from kag.retrieval.property_graph.elements import Edge, Node
from kag.retrieval.vectors import Array, np

_EDGE = "SELECT s.id, t.id, e.label, e.weight, e.props FROM {table_edges} e"
_ENDS = "JOIN {table} s ON s.number = e.source JOIN {table} t ON t.number = e.target"
_AT = "(SELECT * FROM {table_edges} WHERE source = %s UNION SELECT * FROM {table_edges} WHERE target = %s) e"


class PgEdges:
    """The store: a table of nodes, one of edges."""

    def __init__(self, connection: Any, table: str) -> None:
        self._run = Statements(connection, table)

    def write(self, graph: CompactGraph) -> None:
        nodes = list(graph.nodes)
        places = {node.id: number for number, node in enumerate(nodes)}
        self._run.all(
            ("DROP TABLE IF EXISTS {table}, {table_edges}", ()),
            ("CREATE TABLE {table} (number int PRIMARY KEY, id text NOT NULL UNIQUE, label text, props text)", ()),
            (
                "CREATE TABLE {table_edges} (number int PRIMARY KEY, source int NOT NULL, target int NOT NULL, "
                "label text NOT NULL, weight float8 NOT NULL, props text NOT NULL)",
                (),
            ),
            (
                "COPY {table} (number, id, label, props) FROM STDIN",
                [(places[node.id], node.id, node.label, json.dumps(dict(node.props))) for node in nodes],
            ),
            (
                "COPY {table_edges} (number, source, target, label, weight, props) FROM STDIN",
                [
                    (
                        number,
                        places[edge.source],
                        places[edge.target],
                        edge.label,
                        edge.weight,
                        json.dumps(dict(edge.props)),
                    )
                    for number, edge in enumerate(graph.edges)
                ],
            ),
            ("CREATE INDEX ON {table_edges} (source)", ()),
            ("CREATE INDEX ON {table_edges} (target)", ()),
            ("ANALYZE {table}", ()),
            ("ANALYZE {table_edges}", ()),
        )

    def graph(self) -> CompactGraph:
        return PgGraph(self._run)


class PgGraph(CompactGraph):
    """A graph in PostgreSQL; a changed copy of it is a graph in memory."""

    def __init__(self, run: Statements) -> None:
        super().__init__()
        self._run = run
        self._rows: dict[str, tuple[Edge, ...]] = {}

    def changed(self, nodes: Iterable[Node], edges: Iterable[Edge] = (), lost: Iterable[int] = ()) -> CompactGraph:
        """The graph with these nodes and edges, and without the edges of these numbers, in memory."""
        return CompactGraph(self.nodes, self.edges).changed(nodes, edges, lost)

    def __contains__(self, node: str) -> bool:
        return bool(self._numbers((node,)))

    def __len__(self) -> int:
        return int(self._run("SELECT count(*) FROM {table}")[0][0])

    def node(self, name: str) -> Node:
        """The node of this id; raises `UnknownNode`."""
        rows = self._run("SELECT id, label, props FROM {table} WHERE id = %s", (name,))
        if not rows:
            raise UnknownNode(f"unknown node {name}", hint="Use an id from `nodes`.")
        return _node(rows[0])

    @property
    def nodes(self) -> Iterator[Node]:
        """All nodes."""
        return (_node(row) for row in self._run("SELECT id, label, props FROM {table} ORDER BY number"))

    @property
    def edges(self) -> Iterator[Edge]:
        """All edges, each once."""
        return (_edge(row) for row in self._run(f"{_EDGE} {_ENDS} ORDER BY e.number"))

    def numbered(self, labels: frozenset[str]) -> Iterator[tuple[int, Edge]]:
        """The edges of these labels with their numbers."""
        text = f"{_EDGE.replace('SELECT', 'SELECT e.number,')} {_ENDS} WHERE e.label = ANY(%s) ORDER BY e.number"
        return ((row[0], _edge(row[1:])) for row in self._run(text, (sorted(labels),)))

    def edges_of(self, node: str, labels: frozenset[str] | None = None) -> Iterator[Edge]:
        """The edges at a node, in and out; only those of these labels where some are given."""
        edges = self._edges_at(node)
        return iter(edges) if labels is None else (edge for edge in edges if edge.label in labels)

    def neighbours(self, node: str, labels: frozenset[str] | None = None) -> tuple[str, ...]:
        """The nodes at the other ends of its edges, each once."""
        return tuple(dict.fromkeys(edge.other(node) for edge in self.edges_of(node, labels)))

    def strongest(self, node: str, most: int, labels: frozenset[str] | None = None) -> Sequence[Edge]:
        """The `most` edges at a node with the highest weights; equals by the other end, then by label."""
        edges = self.edges_of(node, labels)
        return tuple(sorted(edges, key=lambda edge: (-edge.weight, edge.other(node), edge.label))[:most])

    def _edges_at(self, node: str) -> tuple[Edge, ...]:
        if node not in self._rows:
            if len(self._rows) > 10_000:
                self._rows.clear()
            place = self._numbers((node,)).get(node, -1)
            text = f"{_EDGE.replace('{table_edges} e', _AT)} {_ENDS} ORDER BY e.number"
            self._rows[node] = tuple(_edge(row) for row in self._run(text, (place, place)))
        return self._rows[node]

    def _numbers(self, names: Iterable[str]) -> Mapping[str, int]:
        return dict(self._run("SELECT id, number FROM {table} WHERE id = ANY(%s)", (list(names),)))

    def places(self, names: Iterable[str]) -> Array:
        """The numbers by which `names` and `ends` know the nodes of these ids; unknown ones are left out."""
        wanted = list(dict.fromkeys(names))
        known = self._numbers(wanted)
        return np.fromiter((known[name] for name in wanted if name in known), dtype=np.int64)

    def names(self, places: Iterable[int]) -> Sequence[str]:
        """The ids of nodes by number."""
        wanted = [int(place) for place in places]
        known = dict(self._run("SELECT number, id FROM {table} WHERE number = ANY(%s)", (wanted,)))
        return [known[place] for place in wanted]

    def ends(self, places: Array, labels: frozenset[str] | None = None) -> tuple[Array, Array, Array]:
        """The edges at nodes given by number, all of one node behind those of the one before."""
        only = "" if labels is None else "AND e.label = ANY(%s)"
        rows = self._run(
            "SELECT q.place - 1, e.source + e.target - q.number, e.weight FROM unnest(%s::int[]) WITH ORDINALITY "
            "AS q (number, place) CROSS JOIN LATERAL (SELECT * FROM {table_edges} WHERE source = q.number "
            f"UNION SELECT * FROM {{table_edges}} WHERE target = q.number) e WHERE true {only} "
            "ORDER BY q.place, e.number",
            ([int(place) for place in places], *([sorted(labels)] if labels is not None else [])),
        )
        owners, others, weights = zip(*rows, strict=True) if rows else ((), (), ())
        return np.array(owners, np.int64), np.array(others, np.int64), np.array(weights, np.float64)

    def label_counts(self) -> Mapping[str, int]:
        """Return the number of edges by label, sorted by label."""
        rows = self._run("SELECT label, count(*) FROM {table_edges} GROUP BY label")
        return dict(sorted((str(label), int(count)) for label, count in rows))


def _edge(row: Sequence[Any]) -> Edge:
    source, target, label, weight, props = row
    return Edge(source, target, label, float(weight), with_tuples(json.loads(props)))


def _node(row: Sequence[Any]) -> Node:
    name, label, props = row
    return Node(name, label, with_tuples(json.loads(props)))


class Statements:
    """Statements about one table and its companions: `{table}`, and `{table_x}` for the one named with `_x` behind."""

    def __init__(self, connection: Any, table: str) -> None:
        if not NAME.fullmatch(table) or len(table) > 50:
            raise BadValue(f"no table {table!r:.60}", hint="A name of letters, digits and _.")
        with needed_extra("postgresql"):
            from psycopg import sql
        self.connection, self._sql, self._table = connection, sql, table

    def __call__(self, text: str, *rows: Sequence[Any]) -> list[Any]:
        """Run a statement, for each of some rows of values, in one transaction. Raises `RunError`."""
        return self.all((text, rows))[-1]

    def all(self, *steps: tuple[str, Sequence[Sequence[Any]]]) -> list[list[Any]]:
        """Run statements in one transaction: all or none."""
        from psycopg import Error

        try:
            with self.connection.transaction(), self.connection.cursor() as cursor:
                return [self._run(cursor, text, rows) for text, rows in steps]
        except Error as error:
            hint = "Make the tables first, and check the server."
            raise RunError(f"PostgreSQL: {str(error)[:200]}", hint=hint) from error

    def _run(self, cursor: Any, text: str, rows: Sequence[Sequence[Any]]) -> list[Any]:
        if text.startswith("COPY"):
            with cursor.copy(self.query(text)) as copy:
                for row in rows:
                    copy.write_row(row)
            return []
        if len(rows) > 1:
            cursor.executemany(self.query(text), rows)
        else:
            cursor.execute(self.query(text), *rows)
        return list(cursor.fetchall()) if cursor.description else []

    def query(self, text: str) -> Any:
        """A statement with the names of its tables."""
        ends = set(re.findall(r"\{table(_[a-z]+)?\}", text))
        return self._sql.SQL(text).format(
            **{f"table{end}": self._sql.Identifier(f"{self._table}{end}") for end in ends}
        )
