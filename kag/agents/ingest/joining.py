"""Documents as one graph: nodes of one thing are joined by rule, and chapters of a story count on.

Documents keep ids of their own; a join only says which of them are one, so that undoing it, or removing a document,
gives the graph that would have been without. Namesakes stay apart: two nodes of one document are never joined by name,
nor are two that an identifier or a property of a person tells apart, nor those of labels for which the domain gives no
other names (`build` in two workflows is two tasks).

Each document counts its events from 0. In the graph of all of them what a later document tells is told later, and
happens later unless it says otherwise, so that who has what is known over chapters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from kag.core.works import is_whole_doi
from kag.kgrag.domain import Domain
from kag.retrieval.property_graph.contributions import Contribution
from kag.retrieval.property_graph.elements import Link, Node

COUNTED = ("told", "chronology")


def in_order(entries: Mapping[str, Sequence[Contribution]]) -> dict[str, tuple[Contribution, ...]]:
    """Return each document's elements, with events counted on from the documents before."""
    found: dict[str, tuple[Contribution, ...]] = {}
    begin = 0
    for name in sorted(entries):
        found[name] = tuple(_later(contribution, begin) for contribution in entries[name])
        begin += max((int(_number(contribution, "told")) for contribution in entries[name]), default=-1) + 1
    return found


def _number(contribution: Contribution, key: str) -> float:
    value = contribution.element.props.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else -1


def _later(contribution: Contribution, begin: int) -> Contribution:
    if not begin or not isinstance(contribution.element, Node) or _number(contribution, "told") < 0:
        return contribution
    fresh = {
        key: contribution.element.props[key] + begin
        for key in COUNTED
        if isinstance(contribution.element.props.get(key), int | float)
    }
    return replace(contribution, element=replace(contribution.element, props={**contribution.element.props, **fresh}))


IDENTIFIERS = ("doi", "orcid", "identifier", "url", "ncbi", "uniprot", "mesh")
TELLING = (*IDENTIFIERS, "gender")
"""Properties in which two that are one cannot differ."""
LONG_TITLE = 4
"""Words from which a title, with year and first author, names one work."""


@dataclass(frozen=True, slots=True)
class Join:
    """Nodes that are joined: the id of the result (the first of them), all of them, the reason, and who decided."""

    id: str
    nodes: tuple[str, ...]
    because: str
    by: str

    def as_record(self) -> dict[str, Any]:
        """As JSON."""
        return {"id": self.id, "nodes": list(self.nodes), "because": self.because, "by": self.by}


@dataclass(frozen=True, slots=True)
class _Same:
    """Two nodes that may be one."""

    one: str
    other: str
    because: str
    by: str


def joins_of(
    domain: Domain,
    entries: Mapping[str, Sequence[Contribution]],
    same: Iterable[tuple[str, str, str]] = (),
    apart: frozenset[str] = frozenset(),
) -> tuple[Join, ...]:
    """The joins over all documents, in order of their ids.

    `same` are pairs that a document's reader takes for one, and the reader; `apart` are ids that are never joined.
    """
    nodes = {name: tuple(_nodes(contributions)) for name, contributions in sorted(entries.items())}
    groups = _Groups({node.id: (name, node) for name, given in nodes.items() for node in given}, apart)
    for one, other, by in sorted(same):
        groups.join(_Same(one, other, "said to be the same", by), within=True)
    for pair in _by_names(domain, nodes):
        groups.join(pair, within=False)
    return groups.joins()


def _nodes(entries: Iterable[Contribution]) -> Iterator[Node]:
    yield from {
        contribution.element.id: contribution.element
        for contribution in entries
        if isinstance(contribution.element, Node)
    }.values()


def _by_names(domain: Domain, nodes: Mapping[str, Sequence[Node]]) -> Iterator[_Same]:
    """Nodes of two documents with one identifier or name: identifiers first, then main names, then other names."""
    for rank in (0, 1, 2):
        known: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for document, given in nodes.items():
            mine: dict[tuple[str, str], list[str]] = {}
            for node in given:
                for key in _keys(domain, node, rank):
                    mine.setdefault(key, []).append(node.id)
            for key, ids in mine.items():
                if len(ids) == 1:  # two of one name in a document: nobody knows which is meant elsewhere
                    known.setdefault(key, []).append((document, ids[0]))
        for (_, name), found in sorted(known.items()):
            why = ("same identifier", "same name", "same other name")[rank]
            for (_, one), (_, other) in pairwise(found):
                yield _Same(one, other, f"{why} {name!r}", "rule:names")


def _keys(domain: Domain, node: Node, rank: int) -> list[tuple[str, str]]:
    """Under what a node may be found in other documents."""
    if rank == 0:
        known = ((key, node.props.get(key)) for key in IDENTIFIERS)
        texts = [(key, value) for key, value in known if isinstance(value, str) and value]
        return [
            (node.label, f"{key} {value}".casefold()) for key, value in texts if key != "doi" or is_whole_doi(value)
        ]
    keys = domain.names.get(node.label, ())
    names = [one.casefold() for one in domain.names_of(node.label, node.props)]
    if keys[:1] == ("title",):
        return [(node.label, work) for name in names[:1] if (work := _work(name, node.props))]
    if "aliases" not in keys:
        return []
    return [(node.label, name) for name in (names[:1] if rank == 1 else names)]


def _work(title: str, props: Mapping[str, Any]) -> str:
    """A work's title with year and first author, which together name it; empty where one of them is not known."""
    year, authors = props.get("year"), props.get("authors")
    first = str(authors[0]) if isinstance(authors, (list, tuple)) and authors else str(authors or "").partition(";")[0]
    family = first.partition(",")[0].split()[-1:] if "," in first else first.split()[-1:]
    return f"{title}|{year}|{family[0].casefold()}" if year and family and len(title.split()) >= LONG_TITLE else ""


class _Groups:
    """Groups of nodes that are joined so far."""

    def __init__(self, nodes: Mapping[str, tuple[str, Node]], apart: frozenset[str]) -> None:
        self._nodes, self._apart = nodes, apart
        self._group: dict[str, list[str]] = {id: [id] for id in nodes}
        self._why: dict[str, list[_Same]] = {}

    def join(self, pair: _Same, *, within: bool) -> None:
        """Make two one, where they can be; `within`: also of one document."""
        if not {pair.one, pair.other} <= self._nodes.keys() or {pair.one, pair.other} & self._apart:
            return
        one, other = self._group[pair.one], self._group[pair.other]
        if one is other or any(self._differ(a, b, within=within) for a in one for b in other):
            return
        merged = sorted([*one, *other])
        why = [*self._why.pop(one[0], []), *self._why.pop(other[0], []), pair]
        self._why[merged[0]] = why
        for id in merged:
            self._group[id] = merged

    def _differ(self, one: str, other: str, *, within: bool) -> bool:
        """Whether two cannot be one."""
        (first, a), (second, b) = self._nodes[one], self._nodes[other]
        if a.label != b.label or (first == second and not within):
            return True
        return any(a.props.get(key) and b.props.get(key) and a.props[key] != b.props[key] for key in TELLING)

    def joins(self) -> tuple[Join, ...]:
        """All joins."""
        found = []
        for id, why in sorted(self._why.items()):
            because = "; ".join(dict.fromkeys(same.because for same in why))
            by = ", ".join(dict.fromkeys(same.by for same in why))
            found.append(Join(id, tuple(self._group[id]), because, by))
        return tuple(found)


def with_joins(
    domain: Domain, entries: Mapping[str, Sequence[Contribution]], joins: Sequence[Join]
) -> dict[str, tuple[Contribution, ...]]:
    """Return each document's elements under the ids of joined nodes; every node lists all its names."""
    ids = {node: join.id for join in joins for node in join.nodes}
    known: dict[str, dict[str, None]] = {}
    for contributions in entries.values():
        for node in _nodes(contributions):
            if node.id in ids:
                known.setdefault(ids[node.id], {}).update(dict.fromkeys(domain.names_of(node.label, node.props)))
    names = {id: tuple(found) for id, found in known.items()}
    return {
        name: tuple(_joined(domain, contribution, ids, names) for contribution in contributions)
        for name, contributions in entries.items()
    }


def _joined(
    domain: Domain, contribution: Contribution, ids: Mapping[str, str], names: Mapping[str, tuple[str, ...]]
) -> Contribution:
    element = contribution.element
    if isinstance(element, Link):
        ends = ids.get(element.source, element.source), ids.get(element.target, element.target)
        return replace(contribution, element=replace(element, source=ends[0], target=ends[1]))
    if element.id not in ids:
        return contribution
    keys = domain.names.get(element.label, ("name",))
    main, *others = names[ids[element.id]]
    props = dict(element.props) | {keys[0]: main}
    if "aliases" in keys:
        props["aliases"] = sorted(others)
    return replace(
        contribution, element=replace(element, id=ids[element.id], props={k: v for k, v in props.items() if v != []})
    )
