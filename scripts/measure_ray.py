"""What a Ray cluster of four one-core machines on this one costs beside processes of this machine, and what kills do.

    python scripts/measure_ray.py --work /tmp/ray --papers 2000

The papers are copies of the first pages of a bundled one of six (`--pages`), each with words of its own. `kag index`
takes them three times: by two processes, over the cluster, and over the cluster while a process at work on a paper is
killed every 20 seconds. Prints Markdown: seconds by the clock, seconds of CPU of all processes of the run and of the
cluster (looked at five times a second), and whether each paper is there once with the bytes of a run in one process.
That the cluster starts is not counted; that its processes import kag is.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from faults_machines import Trial, done, kag, workers  # noqa: E402

from kag.write.run import find_runs  # noqa: E402

MACHINES = 4
EVERY = 20.0  # seconds between kills
LOOK = 0.2  # seconds between looks at who has used how much
TICK = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Index three times, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--papers", type=int, default=2000)
    parser.add_argument("--pages", type=int, default=6, choices=range(1, 7))
    asked = parser.parse_args()
    shutil.rmtree(asked.work, ignore_errors=True)
    trial = Trial(asked.work, asked.papers, asked.pages)
    print(f"{asked.papers} papers of {asked.pages} pages; load {os.getloadavg()[0]:.1f}\n", flush=True)
    print("| by | s by the clock | CPU s | killed | papers |\n|---|---|---|---|---|", flush=True)
    for row in rows(trial):
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def rows(trial: Trial) -> Iterator[tuple[object, ...]]:
    from ray.cluster_utils import Cluster

    yield "two processes", *timed(trial, "processes", None, "--workers", 2)
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        for _ in range(MACHINES - 1):
            made.add_node(num_cpus=1)
        for name, struck in (("Ray", None), ("Ray, a kill every 20 s", made)):
            yield name, *timed(trial, name.replace(" ", "-"), struck, "--ray", made.address)
    finally:
        made.shutdown()


def timed(trial: Trial, name: str, struck: Any, *how: object) -> tuple[object, ...]:
    """Index all papers in some way; kill what is at work in a cluster where one is given."""
    began, killed, out = time.monotonic(), 0, trial.work / name
    before = used = spent()
    process = kag("index", trial.pages, "--out-dir", out, *how)
    while process.poll() is None:
        time.sleep(LOOK)
        used = used | spent()
        if struck and time.monotonic() - began > EVERY * (killed + 1):
            for worker in workers(struck)[:1]:
                os.kill(worker, signal.SIGKILL)
            killed += 1
    seconds = time.monotonic() - began
    cpu = sum(ticks - before.get(one, 0) for one, ticks in used.items()) / TICK
    done(process)
    twice = len(find_runs(out)) - len(trial.wanted)
    said = trial.compared(out) + (f", {twice} too many" if twice else ", each once")
    shutil.rmtree(out)
    return f"{seconds:.0f}", f"{cpu:.0f}", killed, said


def spent() -> dict[tuple[str, str], int]:
    """Ticks of CPU of each process that comes from this one, by its number and when it began."""
    times: dict[str, tuple[tuple[str, str], int]] = {}
    below: dict[str, list[str]] = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        name = stat.parent.name
        times[name] = (name, fields[19]), int(fields[11]) + int(fields[12])
        below[fields[1]].append(name)
    left, found = [*below[str(os.getpid())]], {}
    while left:
        one = left.pop()
        key, ticks = times[one]
        found[key] = ticks
        left += below[one]
    return found


if __name__ == "__main__":
    main()
