"""`Trajectory`: what a builder did, step by step, as JSON lines that can be read and replayed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kag.core.secrets import hide_secrets, safe_json

_DEEPEST = 100  # levels of lists and dicts
_LONGEST_NUMBER = 14_000  # bits of a whole number; Python writes none of more than 4,300 digits


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
        """The step as one line of JSON without secrets. A step is on record whatever is in it."""
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
