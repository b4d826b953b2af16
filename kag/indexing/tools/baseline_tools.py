"""What an agent may ask for beside building: the rules' own plan, how its graph differs from that, and its memory."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from kag.core.errors import BadValue
from kag.core.tool import tool
from kag.core.trajectory import Trajectory
from kag.indexing.build_plan import Plan, plan_sections
from kag.indexing.changes import Change, changes, plan_rows, state_of_graph, state_of_plan
from kag.indexing.memory import ProcedureStore, episode, working
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


class RecallTools:
    """Memory over one run, and over the runs before it when there is a store."""

    def __init__(self, workspace: Workspace, trajectory: Trajectory, procedures: ProcedureStore | None = None) -> None:
        self._workspace = workspace
        self._trajectory = trajectory
        self._procedures = procedures

    @tool
    def recall(self, layer: int = 0) -> list[dict[str, Any]]:
        """Ask the memory: layer 0 the work as it stands, 1 what happened in this run, 2 repairs that worked before.

        Returns 0: [{"blocks", "placed", "skipped", "unplaced", "next_unplaced": [...], "triples"}];
        1: [{"tool", "calls", "error"}]; 2: [{"when": violation, "call": [tools], "worked": times}].
        """
        if layer == 0:
            return [working(self._workspace)]
        if layer == 1:
            return episode(self._trajectory)
        if layer == 2:
            return self._procedures.offer() if self._procedures else []
        raise BadValue(f"there is no layer {layer}", hint="Layers are 0 (now), 1 (this run), 2 (earlier runs).")
