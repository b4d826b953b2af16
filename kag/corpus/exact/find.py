"""`Finder`: the things that a query is for, asked of a corpus: in their order, at their place, or with their numbers.

A place among things ("the first three", "after reference 3", "most cited") is no pattern: the things are asked for in
their order, and those at the place are taken here. In a query that stands in another they are then known by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kag.corpus.exact.compile import Compiler, among
from kag.corpus.exact.named import Ambiguous, Names
from kag.corpus.exact.things import SHARED, Slot, Unfit, position, slot
from kag.corpus.sparql.text import with_prefixes
from kag.qa.questions.structured_query import AnyOf, Condition, Kind, Order, Place, Query, Relation

GROUPS = 100  # things that a ranking reads, to see which are level
Row = Mapping[str, str]
Rank = tuple[float, str]
_DIGITS = re.compile(r"(\d+)")
_YEAR = "fabio:hasPublicationYear"


@dataclass(frozen=True, slots=True)
class Item:
    """A thing: its identity, the nodes that stand for it, each with its paper, and the nodes that show it to be one."""

    id: str
    nodes: tuple[tuple[str, str], ...]
    shown: tuple[str, ...] = ()
    place: tuple[object, ...] = ()
    captions: tuple[str, ...] = ()

    @property
    def paper(self) -> str:
        """The paper (IRI) that it is of, or the first one."""
        return self.nodes[0][0]

    @property
    def node(self) -> str:
        """The node that stands for it first."""
        return self.nodes[0][1]


@dataclass(slots=True)
class Finder:
    """Queries put to a corpus. `asked` are the queries so far, `stated` and `doubts` what compiling these has left."""

    names: Names
    asked: list[str] = field(default_factory=list)
    stated: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def things(self, query: Query) -> tuple[Item, ...]:
        """The things of a query in their order; raises `Unfit` and `Ambiguous`, and `QueryError` over a limit."""
        if query.place is None and not _is_ranking(query.order):
            return self._plain(query)
        if query.place is not None and query.place.way != "at":
            return self._next_to(query)
        ranked = self.ranked(query) if _is_ranking(query.order) else None
        if ranked is None:
            return _at(self._plain(query), query)
        chosen = [one for one, _ in ranked]
        found = {item.id: item for item in self.known(query, chosen)}
        return tuple(found[one] for one in chosen if one in found)

    def ranked(self, query: Query) -> list[tuple[str, float | str]]:
        """The identities of the things at a place in an order that is not that of print, each with its value."""
        assert query.order is not None
        compiler = self._compiler()
        one = slot(query.kind, "0")
        made, here = compiler.find(query, one, top=True)
        made += self._value(compiler, query.order, here)
        most = self._most(query)
        down = query.order.descending != (most < 0)
        limit = f" LIMIT {abs(most) + GROUPS}" if most else ""
        order = f"ORDER BY {'DESC(?rank)' if down else '?rank'} {here.id}{limit}"
        rows = self.rows(f"SELECT DISTINCT {here.id} ?rank WHERE {{ {made} }} {order}")
        values: dict[str, float | str] = {}
        for row in rows:
            if row["rank"]:
                values.setdefault(row[here.id[1:]], _number(row["rank"]))
        listed = sorted(values.items(), key=lambda pair: _rank(pair[1]), reverse=query.order.descending)
        cut = bool(most) and len(rows) == abs(most) + GROUPS
        return _placed(listed, query, cut=cut) if query.place else listed

    def known(self, query: Query, ids: Sequence[str]) -> tuple[Item, ...]:
        """The things of a query that have these identities."""
        return self._plain(replace(query, order=None, place=None), ids) if ids else ()

    def numbers(self, relation: str, of: Query, query: Query) -> dict[str, int]:
        """Of each thing of a query, how many of another it stands in a relation to."""
        plain = replace(query, order=Order(relation, of, descending=True), place=None)
        return {one: int(number) for one, number in self.ranked(plain)}

    def linked(self, relation: str, of: Query, query: Query, ids: Sequence[str]) -> dict[str, tuple[Item, ...]]:
        """Of each thing with one of these identities, the things that it stands in a relation to, in print order."""
        compiler = self._compiler()
        one = slot(query.kind, "0")
        made, two, shows = compiler.together(relation, of, one)
        captions = [f"?c{two.tag}"] if two.kind in ("figure", "table") else []
        columns = " ".join(dict.fromkeys((one.id, two.id, two.node, two.graph, shows, *captions)))
        rows = self.rows(
            f"SELECT DISTINCT {columns} ?p1 ?p2 WHERE {{ {made} {among(one, ids)} {position(two, '?p1', '?p2')} }}"
        )
        groups: dict[str, list[Row]] = {}
        for row in rows:
            groups.setdefault(row[one.id[1:]], []).append(row)
        return {name: self._items(rows, two, [shows[1:]]) for name, rows in groups.items()}

    def rows(self, query: str) -> list[Row]:
        """The rows of a query, empty where nothing is bound; raises `Ambiguous` where a limit cut them."""
        whole = with_prefixes(query)
        self.asked.append(whole)
        table = self.names.run(whole)
        if table.ended:
            raise Ambiguous(table.ended)
        return [
            {name: term["value"] if term else "" for name, term in zip(table.names, row, strict=True)}
            for row in table.rows
        ]

    # parts ----------------------------------------------------------------------------------------

    def _compiler(self) -> Compiler:
        made = Compiler(self.names, lambda query: [item.id for item in self.things(query)])
        made.stated, made.doubts = self.stated, self.doubts
        return made

    def _plain(self, query: Query, ids: Sequence[str] | None = None) -> tuple[Item, ...]:
        compiler = self._compiler()
        made, one = compiler.find(query, slot(query.kind, "0"), top=True)
        known = among(one, ids) if ids is not None else ""
        captions = [f"?c{one.tag}"] if one.kind in ("figure", "table") else []
        columns = dict.fromkeys((one.id, one.node, one.graph, *captions, *(f"?{name}" for name in compiler.shown)))
        where = f"{made} {known} {position(one, '?p1', '?p2')}"
        rows = self.rows(
            f"SELECT DISTINCT {' '.join(columns)} ?p1 ?p2 WHERE {{ {where} }} ORDER BY {one.graph} {one.node}"
        )
        return self._items(rows, one, compiler.shown)

    def _items(self, rows: Iterable[Row], one: Slot, shown: Sequence[str]) -> tuple[Item, ...]:
        """Rows of one thing together, in the order of print."""
        groups: dict[str, list[Row]] = {}
        for row in rows:
            if row[one.id[1:]]:
                groups.setdefault(row[one.id[1:]], []).append(row)
        ids = {paper.iri: paper.id for paper in self.names.papers}
        made = [_item(name, many, one, shown, ids) for name, many in groups.items()]
        return tuple(sorted(made, key=lambda item: item.place))

    def _next_to(self, query: Query) -> tuple[Item, ...]:
        """The things after or before another, in the order of print of its paper."""
        assert query.place is not None
        of = query.place.of
        if of is None or _is_ranking(query.order):
            raise Unfit(query.place.way)
        items = self.things(of)
        if len(items) > 1:
            raise Ambiguous("several things to stand next to")
        listed = [
            item for item in self._plain(query) if items and item.paper == items[0].paper and item.id != items[0].id
        ]
        if query.place.way == "after":
            behind = [item for item in listed if item.place > items[0].place]
            return tuple(behind[query.place.at - 1 : query.place.to])
        before = [item for item in listed if item.place < items[0].place][::-1]
        return tuple(before[query.place.at - 1 : query.place.to][::-1])

    def _value(self, compiler: Compiler, order: Order, one: Slot) -> str:
        """Bind the ranking value to ?rank."""
        if order.of is not None:
            return f"{compiler.number(order.by, order.of, one, '?many')} BIND(COALESCE(?many, 0) AS ?rank)"
        if order.by == "year" and one.kind in ("paper", "reference", "work"):
            self.stated += [_YEAR] * (one.kind == "paper")
            return one.says(f"{one.node} {_YEAR} ?year") + " BIND(STR(?year) AS ?rank)"
        if order.by == "length" and one.kind in ("paragraph", "reference"):
            return one.says(f"{one.node} kag:fullText ?full") + " BIND(STRLEN(?full) AS ?rank)"
        raise Unfit(order.by)

    def _most(self, query: Query) -> int:
        """Return how many results, from the beginning or (below 0) the end of an order, contain the place."""
        if query.place is None or (query.place.at < 0) != (query.place.to < 0):
            return 0
        return max(query.place.at, query.place.to) if query.place.at > 0 else min(query.place.at, query.place.to)


def each_query(query: Query, kind: Kind) -> tuple[Query, Query, Relation]:
    """The things to have an answer each, what is asked of each, and how these stand to each other."""
    relation: Relation = "cites" if query.kind in ("reference", "work", "journal") and kind != "paper" else "holds"
    if query.kind == "paper":
        relation = "cited in"
    inverse = {"cites": "cited in", "holds": "in", "cited in": "cites"}[relation]
    own: list[Condition | AnyOf] = []
    rest: list[Condition | AnyOf] = []
    for one in query.where:
        of_each = isinstance(one, Condition) and one.relation in (inverse, "in") and one.of and one.of.kind == kind
        plain = isinstance(one, Condition) and (one.negated, one.only, one.low) == (False, False, 1)
        if of_each and plain and isinstance(one, Condition) and one.of:
            own += one.of.where
        else:
            rest.append(one)
    return Query(kind, tuple(own)), replace(query, where=tuple(rest), each=None, ask="list"), relation


def ranked_by(query: Query) -> tuple[str, Query] | None:
    """The relation and the things that a query's order counts; None where it counts none."""
    return (query.order.by, query.order.of) if query.order is not None and query.order.of is not None else None


def compared(query: Query) -> Query:
    """Of the things that are compared, the first in the order: those that are level with it as well."""
    if len(query.among) < 2 or query.order is None or any(len(one.where) != 1 for one in query.among):
        raise Unfit("compare")
    either = AnyOf(tuple(part for one in query.among for part in one.where))
    return Query(query.kind, (*query.where, either), query.order, Place(level=True))


def _at(items: Sequence[Item], query: Query) -> tuple[Item, ...]:
    """The things at a place in the order of print, which only the things of one paper have."""
    if query.kind in SHARED and query.kind != "author":
        raise Unfit("an order of print")
    if query.kind == "paper" or len({item.paper for item in items}) > 1:
        raise Ambiguous("an order of print across papers")
    listed = list(items)[::-1] if query.order is not None and query.order.descending else items
    assert query.place is not None
    return tuple(listed[_slice(query.place.at, query.place.to, len(listed))])


def _slice(at: int, to: int, many: int) -> slice:
    """Places from the beginning (1) or the end (-1) as a slice."""
    start = at - 1 if at > 0 else max(many + at, 0)
    return slice(start, to if to > 0 else many + to + 1)


def _placed(listed: Sequence[tuple[str, float | str]], query: Query, *, cut: bool) -> list[tuple[str, float | str]]:
    assert query.place is not None
    part = _slice(query.place.at, query.place.to, len(listed))
    if cut and query.place.at < 0:
        listed = listed[-GROUPS:]
        part = _slice(query.place.at, query.place.to, len(listed))
    chosen = list(listed[part])
    if query.place.level and chosen:
        levels = {chosen[-1][1]} if query.place.at > 0 else {chosen[0][1]}
        more = [one for one in listed if one[1] in levels and one not in chosen]
        if cut and len(more) + len(chosen) >= GROUPS:
            raise Ambiguous("nothing stands out")
        chosen = [one for one in listed if one in chosen or one in more]
    return chosen


def _is_ranking(order: Order | None) -> bool:
    return order is not None and order.by != "print"


def _item(name: str, rows: Sequence[Row], one: Slot, shown: Sequence[str], ids: Mapping[str, str]) -> Item:
    keyed = sorted(rows, key=lambda row: _place(row, one, ids))
    nodes = dict.fromkeys((row[one.graph[1:]], row[one.node[1:]]) for row in keyed)
    seen = dict.fromkeys(node for row in keyed for column in shown for node in sorted(row[column].split(" ")) if node)
    captions = dict.fromkeys(row[caption] for row in keyed if row.get(caption := f"c{one.tag}"))
    return Item(name, tuple(nodes), tuple(seen), _place(keyed[0], one, ids), tuple(captions))


def _place(row: Row, one: Slot, ids: Mapping[str, str]) -> tuple[object, ...]:
    """Return the sort key of things of several papers: paper, place in it, node name."""
    parts = [int(part) if part.isdigit() else part for part in _DIGITS.split(row[one.node[1:]])]
    paper = ids.get(row[one.graph[1:]], "")
    order, within = row.get("p1", ""), row.get("p2", "")
    first = (0, "") if one.kind not in SHARED or one.kind == "author" else (1, row[one.id[1:]])
    return (*first, paper, _number_or(order), _number_or(within), *[(isinstance(part, str), part) for part in parts])


def _number_or(text: str) -> float:
    return float(text) if text else float("inf")


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _rank(value: float | str) -> Rank:
    return (value, "") if isinstance(value, float) else (0.0, value.casefold())
