"""`Trajectory`: what a builder did, step by step, as JSON lines that can be read and replayed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `kind` says what sort ("tool", "note"), `name` which, `data` what it was about.

    `data` holds JSON values only, and no clock: the same input gives the same steps.
    """

    kind: str
    name: str
    ok: bool = True
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self, number: int) -> str:
        row = {"step": number, "kind": self.kind, "name": self.name, "ok": self.ok, **self.data}
        return json.dumps(row, ensure_ascii=False)


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
        return "".join(step.to_json(number) + "\n" for number, step in enumerate(self._steps, start=1))
