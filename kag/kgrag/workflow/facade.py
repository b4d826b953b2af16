"""A workflow in its own words: tasks, data, schedules and conditions added and asked for."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from kag.kgrag.facade import DomainGraph
from kag.retrieval.property_graph.elements import Direction, Growth
from kag.retrieval.property_graph.schema import Checked

DEPENDS = "depends_on"
STRUCTURE = (
    "duplicate_node_id",
    "duplicate_edge_id",
    "dangling_edge",
    "unknown_label",
    "wrong_direction",
    "wrong_ends",
)
DAG = ("cycle", "self_dependency", "schedule_to_nowhere", "condition_to_nowhere", "invalid_cron", "invalid_interval")
DATA_FLOW = ("missing_producer", "two_producers", "undeclared_data")


@dataclass(frozen=True, slots=True)
class Lineage:
    """The tasks that write a data set, and those that read it."""

    producers: tuple[str, ...]
    consumers: tuple[str, ...]


class WorkflowGraph(DomainGraph):
    """A workflow. Its methods add and ask in the words of the domain; `graph` is the engine beneath."""

    given = "workflow"

    def add_task(self, name: str, *, description: str | None = None, runtime: str | None = None, id: str = "") -> str:
        """Add a task."""
        return self.add("Task", {"name": name, "description": description, "runtime": runtime}, id)

    def add_data_asset(
        self,
        name: str,
        *,
        format: str | None = None,
        size_mb: float | None = None,
        external: bool | None = None,
        id: str = "",
    ) -> str:
        """Add data; `external` comes from outside, and needs no task that makes it."""
        return self.add("DataAsset", {"name": name, "format": format, "size_mb": size_mb, "external": external}, id)

    def add_schedule(self, *, cron: str | None = None, interval_seconds: float | None = None, id: str = "") -> str:
        """Add a schedule, by cron or by an interval."""
        return self.add("Schedule", {"cron": cron, "interval_seconds": interval_seconds}, id)

    def add_condition(self, expression: str, *, id: str = "") -> str:
        """Add a condition. It is kept as it is written, and never run."""
        return self.add("Condition", {"expression": expression}, id)

    def add_dependency(self, task: str, depends_on: str) -> str:
        """One task waits for another."""
        return self.link(DEPENDS, task, depends_on)

    def add_produced_data(self, task: str, data: str) -> str:
        """A task writes data."""
        return self.link("produces", task, data)

    def add_consumed_data(self, task: str, data: str) -> str:
        """A task reads data."""
        return self.link("consumes", task, data)

    def add_trigger(self, schedule: str, task: str) -> str:
        """A schedule starts a task."""
        return self.link("triggers", schedule, task)

    def add_condition_link(self, condition: str, task: str) -> str:
        """A task runs only under a condition."""
        return self.link("enables", condition, task)

    def get_task_dependencies(self, task: str) -> tuple[str, ...]:
        """The tasks that this one waits for itself."""
        return self.graph.neighbors(task, direction="out", edge_labels=[DEPENDS])

    def get_downstream_tasks(self, task: str) -> tuple[str, ...]:
        """All tasks that wait for this one, the nearest first."""
        return self._reached(task, "in")

    def get_upstream_tasks(self, task: str) -> tuple[str, ...]:
        """All tasks that this one waits for, the nearest first."""
        return self._reached(task, "out")

    def _reached(self, task: str, direction: Direction) -> tuple[str, ...]:
        self.graph.node(task)
        reached = self.graph.breadth_first([task], direction=direction, edge_labels=[DEPENDS])
        return tuple(node for node in reached if node != task)

    def get_execution_order(self) -> tuple[str, ...]:
        """The tasks, each after those that it waits for; without those on a circle or behind one (Kahn 1962).

        Of the tasks that could be next, the one added first comes first.
        """
        names = self.graph.find_nodes("Task")
        place = {task: number for number, task in enumerate(names)}
        waits_for = {task: sum(need in place for need in self.get_task_dependencies(task)) for task in names}
        ready = [place[task] for task in names if not waits_for[task]]
        order: list[str] = []
        while ready:
            order.append(names[heapq.heappop(ready)])
            for following in self.graph.neighbors(order[-1], direction="in", edge_labels=[DEPENDS]):
                if following in place:
                    waits_for[following] -= 1
                    if not waits_for[following]:
                        heapq.heappush(ready, place[following])
        return tuple(order)

    def get_data_lineage(self, data: str) -> Lineage:
        """The tasks that write data, and those that read it."""
        producers, consumers = (
            self.graph.neighbors(data, direction="in", edge_labels=[label]) for label in ("produces", "consumes")
        )
        return Lineage(producers, consumers)

    def validate_dag(self) -> Checked:
        """No circles, nothing that leads nowhere, schedules that can be."""
        return self.validate(*STRUCTURE, *DAG)

    def validate_data_flow(self) -> Checked:
        """All data that is read is written by one task, or comes from outside."""
        return self.validate(*DATA_FLOW)

    def expand_seeds(self, seeds: Iterable[str], growth: Growth | None = None) -> tuple[str, ...]:
        """Expand to upstream and downstream tasks, then their data and schedules."""
        how = growth or self.domain.growth
        tasks = self.graph.any_of([list(seeds)], Growth(how.depth, frozenset((DEPENDS,)), how.max_nodes)).node_ids
        return self.graph.any_of([tasks], Growth(1, how.edge_labels, how.max_nodes)).node_ids
