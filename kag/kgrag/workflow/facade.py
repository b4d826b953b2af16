"""A workflow in its own words: tasks, data, schedules and conditions added and asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from kag.kgrag.cron import cron_next
from kag.kgrag.facade import DomainGraph
from kag.kgrag.workflow.order import DEPENDS, Order, critical_path, execution_order, reach
from kag.retrieval.property_graph.elements import Growth
from kag.retrieval.property_graph.schema import Checked

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
    """Who writes a data set and who reads it, and all that it was made of and that was made of it."""

    producers: tuple[str, ...]
    consumers: tuple[str, ...]
    upstream: tuple[str, ...]
    downstream: tuple[str, ...]


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
        self.graph.node(task)
        return reach(self.graph, task, [DEPENDS], up=False)

    def get_upstream_tasks(self, task: str) -> tuple[str, ...]:
        """All tasks that this one waits for, the nearest first."""
        self.graph.node(task)
        return reach(self.graph, task, [DEPENDS], up=True)

    def get_execution_order(self) -> tuple[str, ...]:
        """The tasks, each after those that it waits for; without those that a circle keeps from running."""
        return self.order().tasks

    def order(self) -> Order:
        """The order with its levels, and what is stuck."""
        return execution_order(self.graph)

    def critical_path(self, prop: str = "seconds") -> tuple[tuple[str, ...], float]:
        """The chain of tasks that takes longest by a property of tasks, and how long; 1 where a task has none."""

        def seconds(node: object) -> float:
            value = getattr(node, "props", {}).get(prop)
            return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 1.0

        return critical_path(self.graph, seconds)

    def get_data_lineage(self, data: str) -> Lineage:
        """Who writes and reads data, and the data before and after it."""
        graph = self.graph
        producers = graph.neighbors(data, direction="in", edge_labels=["produces"])
        consumers = graph.neighbors(data, direction="in", edge_labels=["consumes"])
        return Lineage(
            producers, consumers, self._data(data, "produces", "consumes"), self._data(data, "consumes", "produces")
        )

    def _data(self, data: str, back: str, on: str) -> tuple[str, ...]:
        """All data reached from some by going back along one edge to a task and on along another."""
        seen, border = {data: None}, [data]
        while border:
            tasks = [t for d in border for t in self.graph.neighbors(d, direction="in", edge_labels=[back])]
            found = [d for t in tasks for d in self.graph.neighbors(t, direction="out", edge_labels=[on])]
            border = [d for d in dict.fromkeys(found) if d not in seen]
            seen.update(dict.fromkeys(border))
        return tuple(seen)[1:]

    def next_runs(self, after: datetime) -> dict[str, datetime]:
        """When each task that a schedule triggers runs next after that; schedules that are wrong are left out."""
        found: dict[str, datetime] = {}
        for schedule in self.graph.find_nodes("Schedule"):
            moment = self._next(self.graph.node(schedule).props, after)
            for task in self.graph.neighbors(schedule, direction="out", edge_labels=["triggers"]):
                if moment is not None:
                    found[task] = min(moment, found.get(task, moment))
        return found

    @staticmethod
    def _next(props: object, after: datetime) -> datetime | None:
        about = props if isinstance(props, dict) else {}
        cron, interval = about.get("cron"), about.get("interval_seconds")
        try:
            if isinstance(cron, str):
                return cron_next(cron, after)
            return after + timedelta(seconds=interval) if isinstance(interval, int | float) and interval > 0 else None
        except (ValueError, OverflowError):
            return None

    def validate_dag(self) -> Checked:
        """No circles, nothing that leads nowhere, schedules that can be."""
        return self.validate(*STRUCTURE, *DAG)

    def validate_data_flow(self) -> Checked:
        """All data that is read is written by one task, or comes from outside."""
        return self.validate(*DATA_FLOW)

    def expand_seeds(self, seeds: Iterable[str], growth: Growth | None = None) -> tuple[str, ...]:
        """Tasks up and down from the seeds, then the data and schedules beside them."""
        how = growth or self.domain.growth
        tasks = self.graph.any_of([list(seeds)], Growth(how.depth, frozenset((DEPENDS,)), how.max_nodes)).node_ids
        return self.graph.any_of([tasks], Growth(1, how.edge_labels, how.max_nodes)).node_ids
