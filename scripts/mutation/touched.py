"""A pytest plugin: which lines of which modules each test runs, and how long it takes.

Lines that a fixture runs count for every test that asks for it, whoever asked first. What a module remembers (`@cache`)
is forgotten before each test, so that each runs what it asks for.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

Lines = dict[str, set[int]]


class Touched:
    """Records into `out`, as JSON: {test: {"seconds": s, "lines": {module: [line, ...]}}}; seconds of computing."""

    def __init__(self, root: Path, modules: list[str], out: Path) -> None:
        self._paths = {str(root / module): module for module in modules}
        self._names = [module.removesuffix(".py").replace("/", ".") for module in modules]
        self._out = out
        self._now: list[Lines] = []
        self._whole: list[set[CodeType]] = []
        self._of_fixture: dict[Any, Lines] = {}
        self._tests: dict[str, dict[str, Any]] = {}

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        module = self._paths.get(code.co_filename)
        if module is None or not self._now or code in self._whole[-1]:
            return None
        lines = self._now[-1][module]
        lines.add(frame.f_lineno)
        if _lines_of(code) <= lines:  # it has nothing more to tell, however often it runs
            self._whole[-1].add(code)
            return None

        def local(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                lines.add(frame.f_lineno)
            return local

        return local

    @contextmanager
    def tracing(self) -> Iterator[None]:
        sys.settrace(self._called)
        threading.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(None)
            self._out.write_text(json.dumps(self._tests), encoding="utf-8")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        lines = self._of_fixture[fixturedef] = defaultdict(set)
        with self._into(lines):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[Any]:
        lines: Lines = defaultdict(set)
        self._forget()
        start = sum(os.times()[:4])
        try:
            with self._into(lines):
                return (yield)
        finally:
            for module, more in self._of_fixtures(item):
                lines[module] |= more
            kept = self._tests.setdefault(item.nodeid, {})
            kept["seconds"] = sum(os.times()[:4]) - start
            kept["lines"] = {module: sorted(numbers) for module, numbers in lines.items()}

    @contextmanager
    def _into(self, lines: Lines) -> Iterator[None]:
        self._now.append(lines)
        self._whole.append(set())
        try:
            yield
        finally:
            self._now.pop(), self._whole.pop()

    def _forget(self) -> None:
        for name in self._names:
            for value in list(vars(sys.modules.get(name, sys)).values()):
                if getattr(value, "__module__", None) == name and hasattr(value, "cache_clear"):
                    value.cache_clear()

    def _of_fixtures(self, item: Any) -> Iterator[tuple[str, set[int]]]:
        if hasattr(item, "_fixtureinfo"):  # a doctest may have none
            for known in item._fixtureinfo.name2fixturedefs.values():
                for fixture in known:
                    yield from self._of_fixture.get(fixture, {}).items()


@cache
def _lines_of(code: CodeType) -> frozenset[int]:
    return frozenset(line for *_, line in code.co_lines() if line)
