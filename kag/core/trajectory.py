"""`Trajectory`: what a builder did, step by step, as JSON lines; and the phases of one that is read back."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kag.core.secrets import hide_secrets, safe_json

_DEEPEST = 100  # levels of lists and dicts
_LONGEST_NUMBER = 14_000  # bits of a whole number; Python writes none of more than 4,300 digits


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `kind` is its sort ("tool", "note"), `name` its name, `data` its content.

    `data` holds JSON values only, and no clock: the same input gives the same steps.
    """

    kind: str
    name: str
    ok: bool = True
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self, number: int) -> str:
        """The step as one line of JSON without secrets."""
        return self.line(number, safe_json)

    def line(self, number: int, dumps: Callable[..., str]) -> str:
        """The step as `dumps` writes it."""
        row = {"step": number, "kind": self.kind, "name": self.name, "ok": self.ok, **self.data}
        try:
            line = dumps(row, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            line = dumps(as_json(row), ensure_ascii=False)
        return line if line.isascii() else line.encode("utf-8", "replace").decode()


class Trajectory:
    """Steps in the order they happened; `sink` is given each one as a JSON line when it happens."""

    def __init__(self, sink: Callable[[str], object] | None = None) -> None:
        self._steps: list[Step] = []
        self._sink = sink

    def append(self, step: Step) -> None:
        self._steps.append(step)
        if self._sink:
            self._sink(step.to_json(len(self._steps)) + "\n")

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    def to_jsonl(self) -> str:
        """All steps as JSON lines without secrets."""
        numbered = list(enumerate(self._steps, start=1))
        text = "".join(step.line(number, json.dumps) + "\n" for number, step in numbered)
        if hide_secrets(text) == text:  # looked through once: most runs have nothing to hide
            return text
        return "".join(step.to_json(number) + "\n" for number, step in numbered)


def as_json(value: Any, depth: int = 0) -> Any:
    """Any value as one that JSON has: what it has not is named by its type, what is too deep is left out."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int) and value.bit_length() <= _LONGEST_NUMBER:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth < _DEEPEST and isinstance(value, Mapping):
        return {key if isinstance(key, str) else repr(key): as_json(item, depth + 1) for key, item in value.items()}
    if depth < _DEEPEST and isinstance(value, list | tuple):
        return [as_json(item, depth + 1) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((as_json(item, depth + 1) for item in value), key=repr)
    return f"<{type(value).__name__}>"


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
    """Return the number of violations that a step reported; None if it is not a validation step."""
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
