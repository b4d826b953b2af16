"""Put small faults into the modules that hold rules, and tell which of them no test tells.

    scripts/mutate [MODULE ...] [--count 30 | --all] [--seed 1] [--workers 2] [--json FILE]

Each fault is tried in a copy of the tree that goes afterwards, against the tests that run its line, quickest first.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

from scripts.mutation.bench import Tried, copied, entered, run
from scripts.mutation.mutants import Mutant, is_one, mutants
from scripts.mutation.rooms import SAMPLED, is_allowed, modules, sizes, tests_of

ROOT = Path(__file__).resolve().parent.parent


def drawn(name: str, count: int | None, seed: int) -> list[Mutant]:
    """The faults of a module to try, in the order of its text."""
    if count is not None:
        count = min([count, *(most for room, most in SAMPLED.items() if name.startswith(room))])
    source = (ROOT / name).read_text(encoding="utf-8")
    known = mutants(source)
    order = Random(f"{seed} {name}").sample(range(len(known)), len(known))
    chosen = islice((place for place in order if is_one(known[place], source)), count)
    return [known[place] for place in sorted(chosen)]


def grouped(work: Sequence[tuple[str, Mutant]]) -> dict[tuple[str, ...], list[tuple[str, Mutant]]]:
    """Faults by the tests that hold their modules."""
    groups: dict[tuple[str, ...], list[tuple[str, Mutant]]] = {}
    for name, mutant in work:
        groups.setdefault(tests_of(name), []).append((name, mutant))
    return groups


def _printed(results: Sequence[Tried], names: Sequence[str]) -> None:
    print("| module | faults | caught | share |\n|---|---:|---:|---:|")
    for name in [*names, *(f"all but {room}" for room in SAMPLED), "all"]:
        apart = name.removeprefix("all but ") if name.startswith("all but ") else None
        whole = name == "all" or apart is not None
        mine = [r for r in results if name == r.module or (whole and not (apart and r.module.startswith(apart)))]
        caught = sum(one.is_caught for one in mine)
        if mine:
            print(f"| {name} | {len(mine)} | {caught} | {100 * caught / len(mine):.0f} % |")
    for one in sorted(results, key=lambda one: (one.module, one.mutant.start)):
        if not one.is_caught:
            print(f"{one.module}:{one.mutant.line} [{one.outcome}, {one.tests} tests] {one.mutant.change}")


def _print_sizes() -> None:
    print("\n| room | lines of code | of tests | tests / code |\n|---|---:|---:|---:|")
    for room, (code, tests) in sizes(ROOT).items():
        print(f"| {room} | {code:,} | {tests:,} | {tests / code:.2f} |")


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
    work = [(name, mutant) for name in names for mutant in drawn(name, None if given.all else given.count, given.seed)]
    results: list[Tried] = []
    with tempfile.TemporaryDirectory(prefix="kag-mutate-") as folder:
        copy = copied(ROOT, Path(folder).resolve() / "copy")
        entered(copy)
        for tests, part in grouped(work).items():
            own = sorted({name for name, _ in part})
            for one in run(copy, [*own, *tests], part, given.workers):
                results.append(one)
                print(f"{len(results)}/{len(work)}", end="\r", file=sys.stderr)
        os.chdir(ROOT)
    _printed(results, names)
    _print_sizes()
    if given.json:
        rows = [
            {"module": r.module, "line": r.mutant.line, "change": r.mutant.change, "outcome": r.outcome}
            for r in results
        ]
        given.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
