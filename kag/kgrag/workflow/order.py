"""In which order tasks can run: one after another, by levels, and along the way that takes longest."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kag.retrieval.property_graph.engine import GraphEngine
from kag.retrieval.property_graph.property_graph import Node

DEPENDS = "depends_on"


@dataclass(frozen=True, slots=True)
class Order:
    """Tasks in an order in which each comes after what it needs, and by level: those of a level can run together.

    `stuck` are tasks on a circle or behind one; they are in neither.
    """

    tasks: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    stuck: tuple[str, ...]


def needs(graph: GraphEngine) -> dict[str, tuple[str, ...]]:
    """What each task waits for."""
    return {task: graph.neighbors(task, direction="out", edge_labels=[DEPENDS]) for task in graph.find_nodes("Task")}


def execution_order(graph: GraphEngine) -> Order:
    """The order of all tasks; among those that could be next, the one added first is. Kahn's algorithm (1962)."""
    before = needs(graph)
    place = {task: number for number, task in enumerate(before)}
    left = {task: sum(need in place for need in wanted) for task, wanted in before.items()}
    level = {task: 0 for task in before}
    ready = [place[task] for task in before if not left[task]]
    names, tasks = tuple(before), []
    while ready:
        task = names[heapq.heappop(ready)]
        tasks.append(task)
        for following in graph.neighbors(task, direction="in", edge_labels=[DEPENDS]):
            if following not in left:
                continue
            level[following] = max(level[following], level[task] + 1)
            left[following] -= 1
            if not left[following]:
                heapq.heappush(ready, place[following])
    done = set(tasks)
    height = max((level[task] for task in tasks), default=-1) + 1
    levels = tuple(tuple(task for task in tasks if level[task] == n) for n in range(height))
    return Order(tuple(tasks), levels, tuple(task for task in before if task not in done))


def critical_path(graph: GraphEngine, seconds: Callable[[Node], float]) -> tuple[tuple[str, ...], float]:
    """The chain of tasks that takes longest, in the order in which they run, and its seconds."""
    order = execution_order(graph)
    before = needs(graph)
    best: dict[str, tuple[float, str]] = {}
    for task in order.tasks:
        until, last = max(((best[need][0], need) for need in before[task] if need in best), default=(0.0, ""))
        best[task] = until + max(seconds(graph.node(task)), 0.0), last
    if not best:
        return (), 0.0
    end = max(best, key=lambda task: best[task][0])
    path, total = [end], best[end][0]
    while best[path[-1]][1]:
        path.append(best[path[-1]][1])
    return tuple(reversed(path)), total


def reach(graph: GraphEngine, task: str, labels: Iterable[str], *, up: bool) -> tuple[str, ...]:
    """What a task waits for, directly or not (`up`), or what waits for it; never the task itself."""
    found = graph.breadth_first([task], direction="out" if up else "in", edge_labels=labels)
    return tuple(node for node in found if node != task)
