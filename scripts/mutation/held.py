"""Which tests hold a module: those that run its lines, quickest first."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.mutation.mutants import Mutant

PATIENCE = 60.0  # seconds of computing, traced, of the tests that one fault is tried against


@dataclass(frozen=True, slots=True)
class Held:
    """The tests of a module: each with its seconds and the lines of the module that it runs, quickest first.

    `imported` are the lines outside of all functions, which no test runs again.
    """

    tests: tuple[tuple[str, float, frozenset[int]], ...]
    imported: frozenset[int]

    def against(self, mutant: Mutant) -> tuple[list[str], float]:
        """The tests for a fault, and the seconds they usually take: those that run its line.

        A line that runs when the module is imported, and one that nobody was seen to run (a process of its own may),
        is held by all tests that run any line of the module.
        """
        taken, seconds = [], 0.0
        wanted = frozenset(range(mutant.line, mutant.line + mutant.old.count("\n") + 1))
        seen = any(not wanted.isdisjoint(lines) for _, _, lines in self.tests)
        everywhere = not seen or not wanted.isdisjoint(self.imported)
        for name, takes, lines in self.tests:
            if (everywhere or not wanted.isdisjoint(lines)) and (not taken or seconds + takes < PATIENCE):
                taken.append(name)
                seconds += takes
        return taken, seconds


def held(path: Path, name: str, ran: Mapping[str, Any]) -> Held:
    """The tests of the module at a path, named `name` in what each test `ran`: those of its own file go first.

    The tests of `test_<module>.py` count whatever they run: a table of values has no lines that run.
    """
    mine = [(test, said["seconds"], frozenset(said["lines"].get(name, ()))) for test, said in ran.items()]
    own = path.stem
    tests = sorted(
        (one for one in mine if one[2] or _file(one[0]) == f"test_{own}.py"),
        key=lambda one: (own not in _file(one[0]), round(one[1], 2), one[0]),
    )
    return Held(tuple(tests), _imported(ast.parse(path.read_text(encoding="utf-8"))))


def _file(test: str) -> str:
    """The name of the file that a test stands in."""
    return test.partition("::")[0].rpartition("/")[2]


def _imported(tree: ast.Module) -> frozenset[int]:
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            inside |= set(range(node.body[0].lineno, (node.end_lineno or 0) + 1))
    last = max((getattr(node, "end_lineno", 0) or 0 for node in ast.walk(tree)), default=0)
    return frozenset(range(1, last + 1)) - inside
