"""A trajectory read back from its lines, whatever is left of it: steps, the phases they form, and what they report."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]

_ERROR_CLASS = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*(?:Error|Exception|Exceeded|Warning))\b")
_PHASES = {
    "op_skip_block": "leave blocks out",
    "validate_graph": "validate",
    "finalize_graph": "finalize",
    "read_window": "read",
    "recall": "remember",
}


@dataclass(slots=True)
class Phase:
    """Steps that belong together: one iteration of an agent, or successive calls of one sort."""

    title: str
    number: int | None = None  # of the iteration
    steps: list[Row] = field(default_factory=list)

    @property
    def tools(self) -> list[Row]:
        return [step for step in self.steps if step.get("kind") == "tool"]

    def total(self, key: str) -> float:
        """The sum of a figure over the steps."""
        return sum(v for step in self.steps if isinstance(v := step.get(key), int | float))

    def text(self, key: str) -> str:
        """The first text of that name."""
        return next((str(step[key]) for step in self.steps if step.get(key)), "")


def read_steps(text: str) -> tuple[list[Row], int]:
    """The steps, and how many lines could not be read (the last one, after a crash)."""
    steps: list[Row] = []
    damaged = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            steps.append(row)
        else:
            damaged += 1
    return steps, damaged


def find_phases(steps: Sequence[Row]) -> list[Phase]:
    """Iterations with the tool calls made inside them; other steps by the sort of their tool."""
    phases: list[Phase] = []
    inside = False  # an iteration whose outcome is still to come
    count = 0
    for step in steps:
        if step.get("kind") == "iteration":
            if not inside or "code" in step:
                count += 1
                number = step.get("iteration")
                phases.append(Phase(f"iteration {count}", number if isinstance(number, int) else count))
            inside = "output" not in step
        elif not inside:
            title = _sort(step)
            if not phases or phases[-1].title != title:
                phases.append(Phase(title))
        phases[-1].steps.append(step)
    return phases


def _sort(step: Row) -> str:
    name = str(step.get("name", ""))
    if step.get("kind") != "tool":
        return name or str(step.get("kind", "step"))
    return _PHASES.get(name, "write" if name.startswith("op_") else name)


def violation_count(step: Row) -> int | None:
    """How many violations a step reported; None when it reported none and was not meant to."""
    rows = step.get("violations")
    if not isinstance(rows, list):
        return None
    counts = [row.get("count") for row in rows if isinstance(row, dict)]
    return sum(count for count in counts if isinstance(count, int))


def error_class(step: Row) -> str:
    """The class of a failure: its code, the Python class its text names last, or "refused" for a tool's refusal."""
    if isinstance(step.get("code"), str) and step.get("kind") == "tool":
        return str(step["code"])
    if cause := step.get("cause"):
        return str(cause)
    named = _ERROR_CLASS.findall(str(step.get("error", "")))
    return named[-1] if named else "refused"
