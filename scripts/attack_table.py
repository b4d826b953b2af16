"""Run the attacks and print what held: `scripts/attack [--cases N] [--seed N] [--kind WORD]`.

Exit code 1 when any case failed. A case that fails is printed with its kind, so that the same seed shows it again.
"""

from __future__ import annotations

import argparse
import pkgutil
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from random import Random

import scripts.attacks
from scripts.attacks.case import Attack, Case, Unavailable


def kinds() -> dict[str, Attack]:
    """The attacks, by the name of their module; a module without `KIND` is no attack."""
    names = [found.name for found in pkgutil.iter_modules(scripts.attacks.__path__)]
    modules = {name: import_module(f"scripts.attacks.{name}") for name in sorted(names)}
    return {name: module for name, module in modules.items() if hasattr(module, "KIND")}  # type: ignore[misc]


def run(attack: Attack, cases: int, seed: int) -> list[Case]:
    """All cases of one kind, tried in a folder that goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="kag-attack-") as work:
        return list(attack.attack(Random(f"{seed} {attack.KIND}"), cases, Path(work)))


def main() -> int:
    """Print the table; 1 when a case failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, help="cases of each kind  [default: what the kind says]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=sorted(kinds()), help="only this one; may be given again")
    given = parser.parse_args()
    rows, failed = [], 0
    for name, attack in kinds().items():
        if given.kind and name not in given.kind:
            continue
        start = time.monotonic()
        try:
            found = run(attack, given.cases or attack.CASES, given.seed)
        except Unavailable as error:
            rows.append(f"| {attack.KIND} | not tried: {error} | |")
            continue
        broken = [case for case in found if case.failed]
        failed += len(broken)
        rows.append(f"| {attack.KIND} | {len(found)} | {len(broken)} |")
        print(f"{name}: {len(found)} cases in {time.monotonic() - start:.0f} s", file=sys.stderr)
        for case in broken:
            print(f"  {case.name!a}: {case.failed!a}", file=sys.stderr)
    print("\n".join(["| kind of attack | cases | failed |", "|---|---|---|", *rows]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
