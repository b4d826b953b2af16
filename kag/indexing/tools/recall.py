"""The tool by which a builder asks its memory."""

from __future__ import annotations

from typing import Any

from kag.core.errors import BadValue
from kag.core.tool import tool
from kag.core.trajectory import Trajectory
from kag.indexing.memory import ProcedureStore, episode, working
from kag.rdf.workspace import Workspace


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
