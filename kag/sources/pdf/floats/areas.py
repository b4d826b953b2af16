"""Rectangles beside, within and around each other; all in points, origin top left."""

from __future__ import annotations

from collections.abc import Iterable

from kag.sources.pdf.file.content import Rect


def around(rects: Iterable[tuple[float, float, float, float]]) -> Rect:
    """The smallest rectangle that holds them all; there is at least one."""
    x0s, y0s, x1s, y1s = zip(*rects, strict=True)
    return Rect(min(x0s), min(y0s), max(x1s), max(y1s))


def shared(a0: float, a1: float, b0: float, b1: float) -> float:
    """The length that two spans share; below zero the gap between them."""
    return min(a1, b1) - max(a0, b0)


def beside(one: Rect, other: Rect) -> float:
    """The height that two rectangles share."""
    return shared(one.y0, one.y1, other.y0, other.y1)


def stacked(one: Rect, other: Rect) -> float:
    """The width that two rectangles share."""
    return shared(one.x0, one.x1, other.x0, other.x1)


def meet(one: Rect, other: Rect) -> bool:
    """Whether two rectangles share an area."""
    return stacked(one, other) > 0 and beside(one, other) > 0


def holds(outer: Rect, inner: Rect, slack: float = 0.0) -> bool:
    """Whether one rectangle lies within another, but for `slack` points on each side."""
    return (
        inner.x0 >= outer.x0 - slack
        and inner.x1 <= outer.x1 + slack
        and inner.y0 >= outer.y0 - slack
        and inner.y1 <= outer.y1 + slack
    )


def holds_middle(outer: Rect, inner: Rect) -> bool:
    """Whether the middle of a rectangle lies within another."""
    return outer.x0 <= (inner.x0 + inner.x1) / 2 <= outer.x1 and outer.y0 <= (inner.y0 + inner.y1) / 2 <= outer.y1


def grown(rect: Rect, by: float) -> Rect:
    """The rectangle with `by` points more on each side."""
    return Rect(rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by)


def area(rect: Rect) -> float:
    """Square points."""
    return max(rect.width, 0.0) * max(rect.height, 0.0)
