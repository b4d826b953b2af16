"""A pytest plugin: which lines of which modules each test runs, and how long it takes.

Lines that a fixture runs count for every test that asks for it, whoever asked first.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

Lines = dict[str, set[int]]


class Touched:
    """Records into `out`, as JSON: {test: {"seconds": s, "lines": {module: [line, ...]}}}."""

    def __init__(self, root: Path, modules: list[str], out: Path) -> None:
        self._paths = {str(root / module): module for module in modules}
        self._out = out
        self._now: list[Lines] = []
        self._of_fixture: dict[Any, Lines] = {}
        self._tests: dict[str, dict[str, Any]] = {}

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        module = self._paths.get(frame.f_code.co_filename)
        if module is None or not self._now:
            return None
        lines = self._now[-1][module]
        lines.add(frame.f_lineno)

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
        self._now.append(lines)
        try:
            return (yield)
        finally:
            self._now.pop()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[Any]:
        lines: Lines = defaultdict(set)
        self._now.append(lines)
        start = time.perf_counter()
        try:
            return (yield)
        finally:
            self._now.pop()
            for module, more in self._of_fixtures(item):
                lines[module] |= more
            kept = self._tests.setdefault(item.nodeid, {})
            kept["seconds"] = time.perf_counter() - start
            kept["lines"] = {module: sorted(numbers) for module, numbers in lines.items()}

    def _of_fixtures(self, item: Any) -> Iterator[tuple[str, set[int]]]:
        if hasattr(item, "_fixtureinfo"):  # a doctest may have none
            for known in item._fixtureinfo.name2fixturedefs.values():
                for fixture in known:
                    yield from self._of_fixture.get(fixture, {}).items()
