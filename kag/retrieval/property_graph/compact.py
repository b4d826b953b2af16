"""A property graph for reading: edges as columns of numbers, their properties as JSON, objects made when asked for.

Millions of edges fit in little memory, and a saved graph is opened at once: its columns are read from the file as
they are needed.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kag.core.errors import BadValue, RunError, UnknownNode
from kag.core.files import read_regular
from kag.retrieval.property_graph.elements import Edge, Node
from kag.retrieval.vectors import AGAIN, names_of, open_array

Array = np.ndarray[Any, np.dtype[Any]]
NODES, PROPS = "nodes.json", "props.bin"
COLUMNS = {"source": "<i4", "target": "<i4", "label": "<i4", "weight": "<f8", "upto": "<i8"}
INCIDENT = {"starts": "<i8", "incident": "<i4"}
RECENT = 1 << 9  # nodes whose strongest edges stay in memory: variants of a question begin at the same ones
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class CompactGraph:
    """Nodes and edges in the order in which they were given; edges can be walked both ways. Nothing can be added.

    Of edges with the same ends and label the last counts. Properties must be what JSON knows; lists come back as
    tuples. Raises `UnknownNode` for an edge without its ends, and `BadValue` for one to itself or without weight.
    """

    def __init__(self, nodes: Iterable[Node] = (), edges: Iterable[Edge] = ()) -> None:
        known = {node.id: node for node in nodes}
        self._ids: Sequence[str] = list(known)
        self._places = {name: place for place, name in enumerate(self._ids)}
        self._kinds = _Names()
        self._node_kinds: Sequence[int] = [self._kinds.number(node.label) for node in known.values()]
        self._node_props = {name: dict(node.props) for name, node in known.items() if node.props}
        self._labels = _Names()
        self._recent = lru_cache(RECENT)(self._strongest)
        self._hold(*self._columns(edges))

    def changed(self, nodes: Iterable[Node], edges: Iterable[Edge] = (), lost: Iterable[int] = ()) -> CompactGraph:
        """The graph over these nodes: the edges of this one between them but for those `lost`, by number, then `edges`.

        What is kept is copied and not looked at, so that a small change of a large graph costs little.
        """
        graph = CompactGraph(nodes)
        graph._labels = _Names(self._labels.names)
        fresh, more = graph._columns(edges)
        moved = np.array([graph._places.get(name, -1) for name in self._ids], dtype=np.int32)
        source, target = moved[self._source], moved[self._target]
        kept = (source >= 0) & (target >= 0)
        kept[list(lost)] = False
        numbers = np.flatnonzero(kept)
        props, upto = _pieces(self._props, self._upto, numbers)
        old = [source[numbers], target[numbers], self._label[numbers], self._weight[numbers], upto]
        fresh[-1] += len(props)
        graph._hold([np.concatenate(both) for both in zip(old, fresh, strict=True)], props + more)
        return graph

    def _columns(self, edges: Iterable[Edge]) -> tuple[list[Array], bytearray]:
        """Sources, targets, labels, weights and ends of the properties, an entry an edge, and the properties."""
        source, target, label, weight, upto = array("i"), array("i"), array("i"), array("d"), array("q")
        props = bytearray()
        for edge in edges:
            one, other = self._ends(edge)
            source.append(one)
            target.append(other)
            label.append(self._labels.number(edge.label))
            weight.append(edge.weight)
            props += _packed(edge.props)
            upto.append(len(props))
        return [np.array(each) for each in (source, target, label, weight, upto)], props

    def _hold(self, columns: Sequence[Array], props: Any) -> None:
        """Take these edges, of those with the same ends and label the last."""
        kept = _last(*columns[:3])
        if len(kept) < len(columns[0]):
            props, upto = _pieces(props, columns[-1], kept)
            columns = [*(each[kept] for each in columns[:-1]), upto]
        self._source, self._target, self._label, self._weight, self._upto = columns
        self._props: Any = props
        self._starts, self._incident = _incidence(self._source, self._target, len(self._ids))

    def _ends(self, edge: Edge) -> tuple[int, int]:
        try:
            one, other = self._places[edge.source], self._places[edge.target]
        except KeyError as error:
            raise UnknownNode(f"unknown node {error.args[0]}", hint="Add both ends before the edge.") from error
        if one == other or not edge.weight > 0:
            raise BadValue(f"{edge.label} {edge.source}: no such edge", hint="Give two ends and a weight above 0.")
        return one, other

    def __contains__(self, node: str) -> bool:
        return node in self._places

    def __len__(self) -> int:
        return len(self._ids)

    def node(self, name: str) -> Node:
        """The node of this id; raises `UnknownNode`."""
        if name not in self._places:
            raise UnknownNode(f"unknown node {name}", hint="Use an id from `nodes`.")
        kind = self._kinds.names[self._node_kinds[self._places[name]]]
        return Node(name, kind, self._node_props.get(name, {}))

    @property
    def nodes(self) -> Iterator[Node]:
        """All nodes."""
        return map(self.node, self._ids)

    @property
    def edges(self) -> Iterator[Edge]:
        """All edges, each once."""
        for at in range(0, len(self._source), 4096):
            yield from self._made(np.arange(at, min(at + 4096, len(self._source))))

    def numbered(self, labels: frozenset[str]) -> Iterator[tuple[int, Edge]]:
        """The edges of these labels with the numbers that `changed` knows them by."""
        numbers = np.flatnonzero(self._labelled(np.arange(len(self._label)), labels))
        return zip(numbers.tolist(), self._made(numbers), strict=True)

    def edges_of(self, node: str, labels: frozenset[str] | None = None) -> Iterator[Edge]:
        """The edges at a node, in and out; only those of these labels where some are given. None at an unknown node."""
        return self._made(self._at(node, labels))

    def neighbours(self, node: str, labels: frozenset[str] | None = None) -> tuple[str, ...]:
        """The nodes at the other ends of its edges, each once."""
        numbers = self._at(node, labels)
        others = self._source[numbers] + self._target[numbers] - self._places.get(node, 0)
        return tuple(self._ids[place] for place in dict.fromkeys(others.tolist()))

    def strongest(self, node: str, most: int, labels: frozenset[str] | None = None) -> Sequence[Edge]:
        """The `most` edges at a node with the highest weights; equals by the other end, then by label."""
        return self._recent(node, most, labels)

    def _strongest(self, node: str, most: int, labels: frozenset[str] | None) -> Sequence[Edge]:
        numbers = self._at(node, labels)
        if len(numbers) > most > 0:
            weights = self._weight[numbers]
            numbers = numbers[weights >= np.partition(weights, len(weights) - most)[len(weights) - most]]
        edges = self._made(numbers)
        return tuple(sorted(edges, key=lambda edge: (-edge.weight, edge.other(node), edge.label))[:most])

    def places(self, names: Iterable[str]) -> Array:
        """The numbers by which `names` and `ends` know the nodes of these ids; unknown ones are left out."""
        found = (self._places[name] for name in dict.fromkeys(names) if name in self._places)
        return np.fromiter(found, dtype=np.int64)

    def names(self, places: Iterable[int]) -> Sequence[str]:
        """The ids of nodes by number."""
        return [self._ids[place] for place in places]

    def ends(self, places: Array, labels: frozenset[str] | None = None) -> tuple[Array, Array, Array]:
        """The edges at nodes given by number, all of one node behind those of the one before.

        Three rows with an entry an edge: the position in `places` of the node it is at, the number of the node at its
        other end, and its weight.
        """
        starts = self._starts[places]
        sizes = self._starts[places + 1] - starts
        owners = np.repeat(np.arange(len(places)), sizes)
        numbers = self._incident[np.arange(len(owners)) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)]
        if labels is not None:
            wanted = self._labelled(numbers, labels)
            owners, numbers = owners[wanted], numbers[wanted]
        others = self._source[numbers].astype(np.int64) + self._target[numbers] - places[owners]
        return owners, others, self._weight[numbers]

    def label_counts(self) -> Mapping[str, int]:
        """Return the number of edges by label, sorted by label."""
        counts = np.bincount(self._label, minlength=len(self._labels.names)).tolist()
        return dict(sorted(zip(self._labels.names, counts, strict=True)))

    def _at(self, node: str, labels: frozenset[str] | None) -> Array:
        place = self._places.get(node)
        if place is None:
            return np.zeros(0, dtype=np.int64)
        numbers = self._incident[self._starts[place] : self._starts[place + 1]]
        if labels is None:
            return numbers
        return numbers[self._labelled(numbers, labels)]

    def _labelled(self, numbers: Array, labels: frozenset[str]) -> Array:
        wanted = [number for number, name in enumerate(self._labels.names) if name in labels]
        return np.isin(self._label[numbers], wanted)

    def _made(self, numbers: Array) -> Iterator[Edge]:
        begins = np.where(numbers > 0, self._upto[numbers - 1], 0).tolist()
        columns = (each[numbers].tolist() for each in (self._source, self._target, self._label, self._weight))
        for source, target, label, weight, begin, end in zip(
            *columns, begins, self._upto[numbers].tolist(), strict=True
        ):
            props = _Props(self._props, begin, end) if end > begin else {}
            yield Edge(self._ids[source], self._ids[target], self._labels.names[label], weight, props)

    def save(self, folder: Path) -> None:
        """Write the graph into a new folder."""
        folder.mkdir(parents=True)
        for name in (*COLUMNS, *INCIDENT):
            np.save(folder / f"{name}.npy", getattr(self, f"_{name}"))
        (folder / PROPS).write_bytes(self._props)
        about = {
            "ids": self._ids,
            "kinds": self._kinds.names,
            "node_kinds": self._node_kinds,
            "node_props": self._node_props,
            "labels": self._labels.names,
        }
        (folder / NODES).write_text(json.dumps(about, ensure_ascii=False), encoding="utf-8", errors="surrogatepass")

    @classmethod
    def load(cls, folder: Path) -> CompactGraph:
        """Open what `save` wrote. Raises `RunError`."""
        graph = cls()
        try:
            about = json.loads(read_regular(folder / NODES).decode("utf-8", "surrogatepass"))
            graph._ids, graph._node_kinds = names_of(about["ids"]), about["node_kinds"]
            graph._node_props = {name: with_tuples(props) for name, props in about["node_props"].items()}
            graph._kinds, graph._labels = _Names(about["kinds"]), _Names(about["labels"])
            for name, kind in (COLUMNS | INCIDENT).items():
                setattr(graph, f"_{name}", open_array(folder / f"{name}.npy", kind))
            size = (folder / PROPS).stat().st_size
            props: Any = np.memmap(folder / PROPS, mode="r") if size else b""
            graph._props = memoryview(props)  # a piece of it costs less than a piece of an array
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise RunError(f"{folder} holds no graph: {error}", hint=AGAIN) from error
        graph._places = {name: place for place, name in enumerate(graph._ids)}
        graph._require(folder, size)
        return graph

    def _require(self, folder: Path, size: int) -> None:
        """Raise `RunError` where the files do not belong together."""
        edges = len(self._source)
        lengths = {len(getattr(self, f"_{name}")) for name in COLUMNS} | {len(self._incident) // 2}
        ends = int(self._upto[-1]) if edges else 0
        if lengths != {edges} or ends != size or len(self._starts) != len(self._ids) + 1:
            raise RunError(f"{folder} holds no whole graph", hint=AGAIN)


class _Names:
    """Names that are used often, as numbers."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.names = list(names)
        self._numbers = {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


class _Props(Mapping[str, Any]):
    """The properties of an edge, read when they are looked at."""

    __slots__ = ("_begin", "_bytes", "_end", "_read")

    def __init__(self, stored: Any, begin: int, end: int) -> None:
        self._bytes, self._begin, self._end = stored, begin, end
        self._read: dict[str, Any] | None = None

    @property
    def stored(self) -> bytes:
        return bytes(self._bytes[self._begin : self._end])

    def _all(self) -> dict[str, Any]:
        if self._read is None:
            self._read = with_tuples(json.loads(self.stored))
        return self._read

    def __getitem__(self, name: str) -> Any:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return repr(self._all())


def _packed(props: Mapping[str, Any]) -> bytes:
    if not props:
        return b""
    if isinstance(props, _Props):
        return props.stored
    return _ENCODE(dict(props)).encode("utf-8", "surrogatepass")


def with_tuples(value: Any) -> Any:
    """Return a JSON value with lists as tuples."""
    if isinstance(value, dict):
        return {name: with_tuples(each) for name, each in value.items()}
    return tuple(map(with_tuples, value)) if isinstance(value, list) else value


def _last(source: Array, target: Array, label: Array) -> Array:
    """The numbers of the edges but for those that a later one with the same ends and label replaces."""
    order = np.lexsort((label, target, source))
    rows = np.stack([source, target, label])[:, order]
    last = np.ones(len(order), dtype=bool)
    last[:-1] = (rows[:, 1:] != rows[:, :-1]).any(axis=0)
    kept: Array = np.sort(order[last])
    return kept


def _pieces(props: Any, upto: Array, numbers: Array) -> tuple[bytes, Array]:
    """The properties of some edges, by ascending numbers, one behind the other, and where each's end.

    Those of neighbours are copied at once.
    """
    if not len(numbers):
        return b"", np.zeros(0, dtype=np.int64)
    begins, ends = np.where(numbers > 0, upto[numbers - 1], 0), upto[numbers]
    first = np.concatenate([[True], np.diff(numbers) > 1])
    runs = zip(begins[first].tolist(), ends[np.append(first[1:], True)].tolist(), strict=True)
    return b"".join(bytes(props[begin:end]) for begin, end in runs), np.cumsum(ends - begins)


def _incidence(source: Array, target: Array, nodes: int) -> tuple[Array, Array]:
    ends = np.stack([source, target], axis=1).reshape(-1)
    order = np.argsort(ends, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=nodes))])
    incident: Array = (order // 2).astype(np.int32)
    return starts.astype(np.int64), incident
