"""The columns of a query, which its parse tree tells: the query is not run for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from kag.corpus.sparql.grammar import Node, Tree

FORMS = ("SelectQuery", "AskQuery", "ConstructQuery", "DescribeQuery")
TRIPLE = ("subject", "predicate", "object")
# What only tests (FILTER, expressions) or takes away (MINUS) binds nothing; of a query inside, its columns are bound.
_BINDS_NOTHING = ("Filter", "Minus", "Expression", "SubSelect")


def columns(tree: Tree) -> tuple[str, ...]:
    """The names of a query's columns in their order, which for `SELECT *` is that of the alphabet.

    Those of CONSTRUCT and DESCRIBE are subject, predicate and object, that of ASK is boolean.
    """
    form = next(number for number, node in enumerate(tree.nodes) if node.rule in FORMS)
    if tree.nodes[form].rule != "SelectQuery":
        return ("boolean",) if tree.nodes[form].rule == "AskQuery" else TRIPLE
    parts = defaultdict[int, list[int]](list)
    for number, node in enumerate(tree.nodes):
        parts[node.parent].append(number)
    found: dict[int, Sequence[str]] = {}
    for number in reversed(range(len(tree.nodes))):  # queries inside of others come later, and are known before these
        if tree.nodes[number].rule in ("SelectQuery", "SubSelect"):
            clause, *rest = parts[number]
            items = [tree.nodes[part] for part in parts[clause]]
            found[number] = [item_name(tree, item) for item in items] or _bound(tree, rest, parts, found)
    return tuple(found[form])


def item_name(tree: Tree, item: Node) -> str:
    """The variable of a `SelectItem`: the variable itself, or that behind AS."""
    return tree.tokens[item.end - 1 if item.end - item.start == 1 else item.end - 2].text[1:]


def _bound(
    tree: Tree, start: Sequence[int], parts: Mapping[int, list[int]], queries: Mapping[int, Sequence[str]]
) -> list[str]:
    """The variables that the patterns of some nodes bind."""
    names = set[str]()
    left = [number for number in start if tree.nodes[number].rule in ("Where", "Values")]
    while left:
        number = left.pop()
        at = tree.nodes[number].start
        for part in parts.get(number, ()):
            node = tree.nodes[part]
            names |= _variables(tree, at, node.start)
            at = node.end
            names.update(queries.get(part, ()))
            if node.rule not in _BINDS_NOTHING:
                left.append(part)
        names |= _variables(tree, at, tree.nodes[number].end)
    return sorted(names)


def _variables(tree: Tree, start: int, end: int) -> set[str]:
    return {token.text[1:] for token in tree.tokens[start:end] if token.kind == "variable"}
