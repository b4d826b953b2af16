"""Put small faults into the modules that hold rules, and tell which of them no test tells.

    scripts/mutate [MODULE ...] [--count 30 | --all] [--seed 1] [--workers 2] [--json FILE]

Each fault is tried in a copy of the tree that goes afterwards, against the tests that run its line, quickest first.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from scripts.mutation.bench import Running, copied, start, touched
from scripts.mutation.mutants import Mutant, is_one, mutants
from scripts.mutation.rooms import is_allowed, modules, tests_of

ROOT = Path(__file__).resolve().parent.parent
MAPPING = 600.0  # seconds for all tests of a module, traced
MARGIN = 10.0  # seconds that tests may take beside five times their usual time
PATIENCE = 6.0  # seconds of tests that one fault is tried against


@dataclass(frozen=True, slots=True)
class Tried:
    """A fault and what became of it: `failed` or `time` is caught, `passed` and `unreached` are not."""

    module: str
    mutant: Mutant
    outcome: str
    tests: int

    @property
    def is_caught(self) -> bool:
        return self.outcome in ("failed", "time")


@dataclass(frozen=True, slots=True)
class Held:
    """The tests of a module: each with its seconds and the lines of the module that it runs, quickest first."""

    tests: tuple[tuple[str, float, frozenset[int]], ...]
    imported: frozenset[int]

    def against(self, mutant: Mutant) -> tuple[list[str], float]:
        """The tests for a fault, and the seconds they usually take: those that run its line.

        A line that runs when the module is imported is held by all tests that run any line of it.
        """
        taken, seconds = [], 0.0
        last = mutant.line + mutant.old.count("\n")
        wanted = frozenset(range(mutant.line, last + 1))
        everywhere = mutant.function == "module" or not wanted.isdisjoint(self.imported)
        for name, takes, lines in self.tests:
            if (everywhere or not wanted.isdisjoint(lines)) and (not taken or seconds + takes < PATIENCE):
                taken.append(name)
                seconds += takes
        return taken, seconds


def held(copy: Path, names: Sequence[str]) -> dict[str, Held]:
    """Which tests hold each module, found by running them all once."""
    found: dict[str, Held] = {}
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        groups.setdefault(tests_of(name)[1:], []).append(name)
    for tests, group in groups.items():
        ran = touched(copy, group, [*group, *tests], MAPPING)
        _sound(copy, sorted(ran))
        for name in group:
            mine = [(test, said["seconds"], frozenset(said["lines"].get(name, ()))) for test, said in ran.items()]
            quick = sorted((one for one in mine if one[2]), key=lambda one: (round(one[1], 2), one[0]))
            found[name] = Held(tuple(quick), _class_lines(copy / name))
    return found


def _class_lines(path: Path) -> frozenset[int]:
    """Lines of class bodies outside their functions, which run when the module is imported."""
    import ast

    tree = ast.parse(path.read_text(encoding="utf-8"))
    bodies = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    plain = [one for body in bodies for one in body.body if not isinstance(one, (ast.FunctionDef, ast.ClassDef))]
    return frozenset(line for one in plain for line in range(one.lineno, (one.end_lineno or 0) + 1))


def drawn(name: str, count: int | None, seed: int) -> list[Mutant]:
    """The faults of a module to try, in the order of its text."""
    source = (ROOT / name).read_text(encoding="utf-8")
    known = mutants(source)
    order = Random(f"{seed} {name}").sample(range(len(known)), len(known))
    chosen = islice((place for place in order if is_one(known[place], source)), count)
    return [known[place] for place in sorted(chosen)]


def tried(copies: Sequence[Path], work: Sequence[tuple[str, Mutant]], known: dict[str, Held]) -> Iterator[Tried]:
    """Each fault with what became of it, as they end; one at a time in each copy."""
    waiting, running = list(reversed(work)), dict[Path, tuple[str, Mutant, int, Running]]()
    try:
        while waiting or running:
            for copy in copies:
                if copy not in running and waiting:
                    name, mutant = waiting.pop()
                    tests, seconds = known[name].against(mutant)
                    if not tests:
                        yield Tried(name, mutant, "unreached", 0)
                        continue
                    _written(copy / name, mutant.applied((ROOT / name).read_text(encoding="utf-8")))
                    running[copy] = (name, mutant, len(tests), start(copy, tests, MARGIN + 5 * seconds))
            for copy, (name, mutant, number, process) in list(running.items()):
                if (outcome := process.outcome()) is not None:
                    del running[copy]
                    _written(copy / name, (ROOT / name).read_text(encoding="utf-8"))
                    yield Tried(name, mutant, outcome, number)
            time.sleep(0.01)
    finally:
        for *_, process in running.values():
            process.end()


def _written(path: Path, source: str) -> None:
    path.write_text(source, encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def _sound(copy: Path, tests: Sequence[str]) -> None:
    """Raise unless tests pass by the names they are called by, without any fault."""
    running = start(copy, tests, MAPPING)
    while (outcome := running.outcome()) is None:
        time.sleep(0.02)
    if outcome != "passed":
        raise RuntimeError(f"the tests {outcome} without a fault\n{(copy / 'last.log').read_text()[-2000:]}")


def _preloaded() -> None:
    """Import what all tests need and no fault is put into, once for all forks."""
    import hypothesis
    import lxml.etree
    import numpy
    import pyoxigraph
    import pyshacl
    import pytest
    import rdflib

    assert all((hypothesis, lxml.etree, numpy, pyoxigraph, pyshacl, pytest, rdflib))
    assert not any(name == "kag" or name.startswith("kag.") for name in sys.modules)


def _printed(results: Sequence[Tried], names: Sequence[str]) -> None:
    print("| module | faults | caught | share |\n|---|---:|---:|---:|")
    for name in [*names, "all"]:
        mine = [one for one in results if name in (one.module, "all")]
        caught = sum(one.is_caught for one in mine)
        if mine:
            print(f"| {name} | {len(mine)} | {caught} | {100 * caught / len(mine):.0f} % |")
    for one in sorted(results, key=lambda one: (one.module, one.mutant.start)):
        if not one.is_caught:
            print(f"{one.module}:{one.mutant.line} [{one.outcome}, {one.tests} tests] {one.mutant.change}")


def main() -> int:
    """Print the table and the faults that no test tells."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", nargs="*", help="paths from the root  [default: all that hold rules]")
    parser.add_argument("--count", type=int, default=30, help="faults of each module  [default: 30]")
    parser.add_argument("--all", action="store_true", help="all faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--json", type=Path, help="write what became of each fault into this file")
    given = parser.parse_args()
    names = given.module or modules(ROOT)
    if refused := [name for name in names if not is_allowed(name)]:
        parser.error(f"no faults are put into {', '.join(refused)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the copies go
    _preloaded()
    work = [(name, mutant) for name in names for mutant in drawn(name, None if given.all else given.count, given.seed)]
    with tempfile.TemporaryDirectory(prefix="kag-mutate-") as folder:
        copies = [copied(ROOT, Path(folder).resolve() / f"copy{n}") for n in range(given.workers)]
        for copy in copies:
            compileall.compile_dir(copy / "kag", quiet=2)
        known = held(copies[0], names)
        results = []
        for one in tried(copies, work, known):
            results.append(one)
            print(f"{len(results)}/{len(work)} {one.outcome}", end="\r", file=sys.stderr)
    _printed(results, names)
    if given.json:
        rows = [
            {"module": r.module, "line": r.mutant.line, "change": r.mutant.change, "outcome": r.outcome}
            for r in results
        ]
        given.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
