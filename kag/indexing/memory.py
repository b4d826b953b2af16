"""The memory of a builder, in three layers (seed 001, "Memory layers L0-L2").

L0 is the work as it stands, L1 what happened in this run, L2 the repairs that worked in earlier runs.
L0 and L1 are read off the workspace and the trajectory; only L2 is kept, as JSON lines beside the runs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.core.errors import BadValue
from kag.core.files import append_line, read_regular
from kag.core.tool import tool
from kag.core.trajectory import Step, Trajectory
from kag.rdf.namespaces import KAG
from kag.rdf.workspace import Workspace

MAX_NAMES = 10
MAX_EVENTS = 20
OFFERED = 8


@dataclass(frozen=True, slots=True)
class Procedure:
    """A repair that worked: the violation's message, the tool calls until it was gone, and its count."""

    pattern: str
    steps: tuple[str, ...]
    successes: int = 1


def working(workspace: Workspace) -> dict[str, Any]:
    """L0: how many blocks are placed, skipped and still open, and the first open ones."""
    placed = workspace.counts(KAG.sourceBlock)
    blocks = [block.id for block in workspace.document.blocks]
    unplaced = [block for block in blocks if block not in placed and block not in workspace.skipped]
    return {
        "blocks": len(blocks),
        "placed": sum(block in placed for block in blocks),
        "skipped": len(workspace.skipped),
        "unplaced": len(unplaced),
        "next_unplaced": unplaced[:MAX_NAMES],
        "triples": len(workspace.graph),
    }


def episode(trajectory: Trajectory) -> list[dict[str, Any]]:
    """L1: the last events of this run; successive calls of one tool with one outcome are one event."""
    events: list[dict[str, Any]] = []
    for step in trajectory:
        error = step.data.get("error", "")
        if events and (events[-1]["tool"], events[-1]["error"]) == (step.name, error):
            events[-1]["calls"] += 1
        else:
            events.append({"tool": step.name, "calls": 1, "error": error})
    return events[-MAX_EVENTS:]


def learn(trajectory: Iterable[Step]) -> tuple[Procedure, ...]:
    """L2: for each violation that a validation reported and the next one did not, the tools called between."""
    learned: list[Procedure] = []
    open_messages: set[str] = set()
    called: list[str] = []
    for step in trajectory:
        violations = step.data.get("violations")
        if violations is None:
            if step.ok and step.name.startswith("op_") and step.name not in called:
                called.append(step.name)
            continue
        messages = {row["message"] for row in violations}
        if called:
            learned.extend(Procedure(message, tuple(called)) for message in sorted(open_messages - messages))
        open_messages, called = messages, []
    return tuple(learned)


class ProcedureStore:
    """L2 on disk: a line a success, only ever appended, so that processes can share it without a lock."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def offer(self) -> list[dict[str, Any]]:
        """The procedures that worked most often, for the next run's prompt."""
        ranked = sorted(self._read(), key=lambda p: (-p.successes, p.pattern, p.steps))
        return [{"when": p.pattern, "call": list(p.steps), "worked": p.successes} for p in ranked[:OFFERED]]

    def record(self, procedures: Sequence[Procedure]) -> None:
        """Add procedures to what is known."""
        if not procedures:
            return
        lines = [json.dumps({"pattern": p.pattern, "steps": p.steps}) for p in procedures]
        append_line(self._path, "\n".join(lines))

    def _read(self) -> list[Procedure]:
        """Return the stored lines with their counts. Unreadable lines are skipped."""
        try:
            lines = read_regular(self._path).decode("utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            return []
        counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
        for line in lines:
            try:
                row = json.loads(line)
                counts[str(row["pattern"]), tuple(map(str, row["steps"]))] += 1
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
        return [Procedure(pattern, steps, successes) for (pattern, steps), successes in counts.items()]


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
