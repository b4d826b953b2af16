"""Kinds of rules that a domain may declare without code, and the cron expressions that one kind checks.

Each kind finds the places where a sound graph (ids unique, edges with both ends) breaks it; `check_structure` reports
what is not sound."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from kag.retrieval.property_graph.elements import Direction, Link, Node
from kag.retrieval.property_graph.paths import circles
from kag.retrieval.property_graph.schema import Issue, Severity
from kag.retrieval.property_graph.tables import Tables

FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
NAMES = {
    "month": ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    "weekday": ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
}
NICKNAMES = frozenset({"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"})
_PART = re.compile(r"(\*|[0-9a-z]{1,3})(?:-([0-9a-z]{1,3}))?(?:/([0-9]{1,3}))?\Z")


def cron_fault(value: object) -> str:
    """Return what is wrong with an expression, "" if nothing is.

    >>> cron_fault("0 25 * * 1")
    "is '0 25 * * 1': 25 is no hour"
    >>> cron_fault("*/15 0-6,12 * jan-mar mon")
    ''
    """
    if not isinstance(value, str):
        return "is not a text"
    try:
        _check(value)
    except ValueError as error:
        return f"is {value!r:.60}: {error}"
    return ""


def _check(expression: str) -> None:
    """Raise `ValueError` for what is no cron expression."""
    text = expression.strip().lower()
    if text in NICKNAMES:
        return
    fields = text.split()
    if len(fields) != len(FIELDS):
        raise ValueError(f"{len(fields)} fields, not {len(FIELDS)}")
    for field, (name, least, most) in zip(fields, FIELDS, strict=True):
        _check_field(field, name, least, most)


def _check_field(text: str, name: str, least: int, most: int) -> None:
    for part in text.split(","):
        match = _PART.match(part)
        if match is None or (match[1] == "*" and match[2]):
            raise ValueError(f"{part!r:.20} is no {name}")
        first = least if match[1] == "*" else _number(match[1], name, least, most)
        last = most if match[1] == "*" or (match[3] and not match[2]) else first
        if match[2]:
            last = _number(match[2], name, least, most)
        if int(match[3] or 1) < 1 or last < first:
            raise ValueError(f"{part!r:.20} is no {name}")


def _number(text: str, name: str, least: int, most: int) -> int:
    names = NAMES.get(name, [])
    value = names.index(text) + (name == "month") if text in names else int(text) if text.isdigit() else -1
    if not least <= value <= most:
        raise ValueError(f"{text} is no {name}")
    return value


class Rule(Protocol):
    """Base of all rules: a name, and the issues that it finds."""

    @property
    def name(self) -> str: ...

    def issues(self, graph: Tables) -> Iterator[Issue]: ...


@dataclass(frozen=True, slots=True)
class DeclaredRule:
    """A rule as data. `kind` is one of `KINDS`; its function documents the other fields."""

    name: str
    kind: str
    fix: str
    severity: Severity = "error"
    edges: tuple[str, ...] = ()
    node: str = ""
    direction: Direction = "out"
    prop: str = ""
    unless: str = ""
    wanted: str = ""
    values: tuple[str, ...] = ()

    def issues(self, graph: Tables) -> Iterator[Issue]:
        """Return the violations of the rule."""
        return KINDS[self.kind](self, graph)

    def issue(self, message: str, nodes: tuple[str, ...] = (), edges: tuple[str, ...] = ()) -> Issue:
        """An issue of this rule."""
        return Issue(self.name, self.severity, message, self.fix, nodes, edges, self.prop)


@dataclass(frozen=True, slots=True)
class CodedRule:
    """A rule as a function."""

    name: str
    find: Callable[[Tables], Iterator[Issue]]

    def issues(self, graph: Tables) -> Iterator[Issue]:
        """Return the violations of the rule."""
        return self.find(graph)


def acyclic(rule: DeclaredRule, graph: Tables) -> Iterator[Issue]:
    """Find cycles of these edges; each is reported once with all nodes on it. Self-loops belong to `no_self`."""
    for part in circles(graph, frozenset(rule.edges)):
        if len(part) > 1:
            ways = tuple(_inside(graph, part, rule.edges))
            yield rule.issue(f"A circle of {_labels(rule)}: {_few(part)}.", part, ways)


def _inside(graph: Tables, part: tuple[str, ...], labels: tuple[str, ...]) -> Iterator[str]:
    members = frozenset(part)
    for node in part:
        for link in graph.links_at(node, "out", frozenset(labels)):
            if link.target in members and link.target != node:
                yield link.id


def no_self(rule: DeclaredRule, graph: Tables) -> Iterator[Issue]:
    """None of these edges leads back to where it begins."""
    for link in _links(graph, rule.edges):
        if link.source == link.target:
            yield rule.issue(f"{link.source!r:.80} {link.label} itself.", (link.source,), (link.id,))


def at_most_one(rule: DeclaredRule, graph: Tables) -> Iterator[Issue]:
    """A node of the label has such an edge with one other node at most."""
    for node in _nodes(graph, rule):
        links = list(graph.links_at(node.id, rule.direction, frozenset(rule.edges)))
        others = tuple(dict.fromkeys(link.other(node.id) for link in links))
        if len(others) > 1:
            message = f"{node.id!r:.80} has {_labels(rule)} {len(others)} times: {_few(others)}."
            yield rule.issue(message, (node.id, *others), tuple(link.id for link in links))


def at_least_one(rule: DeclaredRule, graph: Tables) -> Iterator[Issue]:
    """A node of the label has such an edge, unless its property `unless` is true.

    With `wanted`, only a node that has an edge of that label needs one; the nodes at its other ends are told, too.
    """
    for node in _nodes(graph, rule):
        if any(True for _ in graph.links_at(node.id, rule.direction, frozenset(rule.edges))):
            continue
        users = graph.links_at(node.id, "both", frozenset((rule.wanted,))) if rule.wanted else iter(())
        others = tuple(dict.fromkeys(link.other(node.id) for link in users))
        if others or not rule.wanted:
            yield rule.issue(f"{node.id!r:.80} has no {_labels(rule)}.", (node.id, *others))


def valid(rule: DeclaredRule, graph: Tables) -> Iterator[Issue]:
    """A property, where a node or an edge of the label has it, is what `wanted` names, or one of the rule's values."""
    for node in () if rule.edges else _nodes(graph, rule):
        fault = value_fault(rule, node.props)
        if fault:
            yield rule.issue(f"{rule.prop} of {node.id!r:.80} {fault}.", (node.id,))
    for link in _links(graph, rule.edges):
        fault = value_fault(rule, link.props)
        if fault:
            message = f"{rule.prop} of {link.label} {link.id!r:.80} {fault}."
            yield rule.issue(message, (link.source, link.target), (link.id,))


def value_fault(rule: DeclaredRule, props: Mapping[str, object]) -> str:
    """Return the fault of a `valid` rule's property; "" if it is missing or valid."""
    value = props.get(rule.prop)
    if value is None:
        return ""
    if rule.values:
        return "" if value in rule.values else f"is {value!r:.40}, not one of {', '.join(rule.values)}"
    return VALUES[rule.wanted](value)


def one_sign(rule: DeclaredRule, graph: Tables) -> Iterator[Issue]:
    """Of these edges, only one label leads from one node to another."""
    pairs: dict[tuple[str, str], list[Link]] = {}
    for link in _links(graph, rule.edges):
        pairs.setdefault((link.source, link.target), []).append(link)
    for pair, links in pairs.items():
        labels = sorted({link.label for link in links})
        if len(labels) > 1:
            message = f"{pair[0]!r:.80} both {' and '.join(labels)} {pair[1]!r:.80}."
            yield rule.issue(message, pair, tuple(link.id for link in links))


def ordered(rule: DeclaredRule, graph: Tables) -> Iterator[Issue]:
    """If both ends of such an edge have the property, the source has less of it than the target.

    Ends that both have the property `unless` are left to another rule.
    """
    for link in _links(graph, rule.edges):
        source, target = graph.nodes[link.source].props, graph.nodes[link.target].props
        if out_of_order(rule, source, target):
            first, second = source[rule.prop], target[rule.prop]
            message = f"{link.source!r:.80} ({first}) {link.label} {link.target!r:.80} ({second}), which is not later."
            yield rule.issue(message, (link.source, link.target), (link.id,))


def out_of_order(rule: DeclaredRule, source: Mapping[str, object], target: Mapping[str, object]) -> bool:
    """Whether the properties of two ends break an `ordered` rule."""
    first, second = source.get(rule.prop), target.get(rule.prop)
    if rule.unless and source.get(rule.unless) is not None and target.get(rule.unless) is not None:
        return False
    return isinstance(first, int | float) and isinstance(second, int | float) and first >= second


def _positive(value: object) -> str:
    fine = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    return "" if fine else f"is {value!r:.40}, no number above 0"


def _text(value: object) -> str:
    return "" if isinstance(value, str) and value.strip() else "is no text"


VALUES: Mapping[str, Callable[[object], str]] = {"cron": cron_fault, "positive": _positive, "text": _text}
"""What a property may have to be; each function says what is wrong, or nothing."""

KINDS: Mapping[str, Callable[[DeclaredRule, Tables], Iterator[Issue]]] = {
    "acyclic": acyclic,
    "no_self": no_self,
    "at_most_one": at_most_one,
    "at_least_one": at_least_one,
    "valid": valid,
    "one_sign": one_sign,
    "ordered": ordered,
}


def _links(graph: Tables, labels: tuple[str, ...]) -> Iterator[Link]:
    return (graph.links[name] for label in labels for name in graph.links_of_label(label))


def _nodes(graph: Tables, rule: DeclaredRule) -> Iterator[Node]:
    found = (graph.nodes[name] for name in (graph.of_label(rule.node) if rule.node else graph.nodes))
    return (node for node in found if not (rule.unless and node.props.get(rule.unless)))


def _labels(rule: DeclaredRule) -> str:
    return " or ".join(rule.edges)


def _few(names: tuple[str, ...]) -> str:
    """Some of the names, for a sentence; the issue has them all."""
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(f"{name:.60}" for name in names[:8]) + more
