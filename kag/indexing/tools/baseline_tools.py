"""The rules' own plan, for an agent that asks for it, and the comparison of its graph with that plan."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from kag.core.tool import tool
from kag.indexing.build_plan import Plan, plan_sections
from kag.indexing.changes import Change, changes, state_of_graph, state_of_plan
from kag.indexing.plan_rows import plan_rows
from kag.rdf.workspace import Workspace


class BaselineTools:
    """The plan of the deterministic rules for the document of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @cached_property
    def _plan(self) -> Plan:
        return plan_sections(self._workspace.document)

    @tool
    def baseline_plan(self) -> dict[str, Any]:
        """Return the rules' plan as rows by block id, in reading order, to compare or to correct.

        Returns {block or block-start: {"class", "more", "start", "end", "describes", "continues", "in"}, or {"depth"}
        of a heading, or {"skip": reason}}; "opens", "title", "depth" begin a section without a printed heading.
        """
        return plan_rows(self._workspace.document, self._plan)

    def changes(self) -> list[Change]:
        """What the graph has otherwise than the rules' plan, in reading order."""
        return changes(state_of_plan(self._plan), state_of_graph(self._workspace), self._workspace.document)
