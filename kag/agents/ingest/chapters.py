"""Chapters in order: documents of a story are told one after the other, in the order of their names.

Each document counts its events from 0. In the graph of all of them what is told in a later document is told later, and
happens later unless it says otherwise, so that who has what is known over chapters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kag.retrieval.property_graph.contributions import Contribution
from kag.retrieval.property_graph.property_graph import Node

COUNTED = ("told", "chronology")


def in_order(said: Mapping[str, Sequence[Contribution]]) -> dict[str, tuple[Contribution, ...]]:
    """What each document says, with its events counted on from those of the documents before."""
    found: dict[str, tuple[Contribution, ...]] = {}
    begin = 0
    for name in sorted(said):
        found[name] = tuple(_later(one, begin) for one in said[name])
        begin += max((int(_number(one, "told")) for one in said[name]), default=-1) + 1
    return found


def _number(one: Contribution, key: str) -> float:
    value = one.element.props.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else -1


def _later(one: Contribution, begin: int) -> Contribution:
    if not begin or not isinstance(one.element, Node) or _number(one, "told") < 0:
        return one
    fresh = {
        key: one.element.props[key] + begin for key in COUNTED if isinstance(one.element.props.get(key), int | float)
    }
    return replace(one, element=replace(one.element, props={**one.element.props, **fresh}))
