"""The record of thresholds and weights says what the modules say, and leaves none out where answers are weighed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import asdict, is_dataclass
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("questions", "read", "search")  # of these each fraction at the top of a module is in the record
ELSEWHERE = {  # bounds of time and sizes, and what is no number of ours
    ("kag.qa.exact.compose", "GRAPH"),
    ("kag.retrieval.embedders", "LONGEST_WAIT"),
    ("kag.retrieval.engines.opensearch", "SECONDS"),
    ("kag.retrieval.engines.stores", "SAME"),
    ("kag.retrieval.hits_json_ld", "CONTEXT"),
}
IN_MODULE = "in the module"


def rows() -> list[tuple[str, str, str]]:
    """The module, name and value of each row of the table."""
    lines = (ROOT / "reports/fitted.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines if line[:3] == "| `"]
    return [(row[0], row[1], row[2]) for row in cells]


def value_of(module: str, name: str) -> Any:
    return reduce(
        lambda one, part: defaults(one).get(part, getattr(one, part, None)), name.split("."), import_module(module)
    )


def defaults(one: Any) -> Mapping[str, Any]:
    fields = getattr(one, "__dataclass_fields__", {})
    return {name: field.default for name, field in fields.items()}


def told(value: Any) -> str:
    """A value as the table has it."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {told(one)}" for name, one in value.items())
    if isinstance(value, tuple):
        return "; ".join(f"{one.label}: {told(one.weights)}" for one in value)
    return str(value)


def fractions() -> Iterator[tuple[str, str]]:
    """The names at the top of modules that are given a fraction, alone or in a tuple of names."""
    for path in sorted(path for room in ROOMS for path in (ROOT / "kag" / room).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign):
                yield from ((module, name) for name in _given(node.targets[0], node.value))


def _given(target: ast.expr, value: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, given in zip(target.elts, value.elts, strict=True):
            yield from _given(one, given)
    elif isinstance(target, ast.Name) and any(
        isinstance(one, ast.Constant) and isinstance(one.value, float) for one in ast.walk(value)
    ):
        yield target.id


@pytest.mark.parametrize(("module", "name", "value"), rows())
def test_the_record_has_the_values_of_the_modules(module: str, name: str, value: str) -> None:
    found = value_of(module, name)
    assert found is not None
    assert value.endswith(IN_MODULE) or value == told(found)


def test_the_record_leaves_none_out() -> None:
    listed = {(module, name) for module, name, _ in rows()}
    assert set(fractions()) - listed - ELSEWHERE == set()


def test_the_record_names_each_once() -> None:
    names = [(module, name) for module, name, _ in rows()]
    assert len(names) == len(set(names)) > 40
