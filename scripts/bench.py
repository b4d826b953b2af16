"""Measure indexing: pages a second on one core, peak memory, growth with the number of papers, cost of a validation.

Everything runs in fresh processes, one paper after the other; a figure is the median of several runs with its range.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from rdflib import Literal

from kag import __version__
from kag.agents.build.build_options import ModelMaking
from kag.indexing.batch import Job, find_papers, index_all, run_job
from kag.indexing.run import load_run
from kag.rdf.namespaces import KAG, XSD
from kag.rdf.ontology import load_shapes
from kag.rdf.profile import DOC
from kag.rdf.pyshacl_validator import referee
from kag.rdf.shacl import Session, Validator
from kag.rdf.workspace import Workspace
from kag.sources.survey import read_paper

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data" / "jats_gold"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=Path, default=SHARED if SHARED.is_dir() else ROOT / "test_data")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(index_papers(options.papers, options.child)))
        return
    print(heading(options.papers))
    print(throughput(options.papers, options.runs))
    print(growth(options.papers, min(options.runs, 3)))
    print(validation(options.papers))
    print(agents(options.runs))


def heading(papers: Path) -> str:
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return (
        f"Command `scripts/bench --papers {os.path.relpath(papers, ROOT)}`, kag {__version__}, "
        f"commit {commit.stdout.strip()}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, {memory_size()} GiB, load {os.getloadavg()[0]:.1f}, "
        f"yardstick {yardstick():.0f} ms.\n"
    )


def yardstick() -> float:
    """Milliseconds this machine takes now for a fixed piece of Python, the best of five: it tells runs apart."""

    def work() -> None:
        table = {str(number): number for number in range(200_000)}
        sum(table[key] for key in sorted(table))

    return min(timed(work) for _ in range(5)) * 1000


def memory_size() -> int:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)


def index_papers(papers: Path, count: int) -> dict[str, float]:
    """Index `count` papers in this process, again from the first when there are fewer; what it cost."""
    with tempfile.TemporaryDirectory() as out:
        jobs = find_papers([papers], Path(out))
        start, cpu, pages = time.perf_counter(), time.process_time(), 0
        copies = [Job(job.source, f"{job.name}.{n}", job.out_dir) for n, job in zip(range(count), cycle(jobs))]
        for outcome in index_all(copies):
            if outcome.state != "indexed":
                raise SystemExit(outcome.message)
            pages += outcome.pages
        return {
            "pages": pages,
            "seconds": time.perf_counter() - start,
            "cpu": time.process_time() - cpu,
            "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }


def child(papers: Path, count: int) -> dict[str, float]:
    """`index_papers` in a fresh process."""
    command = [sys.executable, __file__, "--papers", str(papers), "--child", str(count)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def throughput(papers: Path, runs: int) -> str:
    count = len(find_papers([papers], Path("unused")))
    costs = [child(papers, count) for _ in range(runs)]
    rates = [cost["pages"] / cost["seconds"] for cost in costs]
    cpu = [cost["pages"] / cost["cpu"] for cost in costs]
    return "\n".join(
        [
            f"## All {count} papers, {costs[0]['pages']:.0f} pages, one process, {runs} runs",
            "",
            "| | median | range |",
            "|---|---|---|",
            row("pages a second, wall clock", rates, 1),
            row("pages a second, CPU time", cpu, 1),
            row("peak memory, MB", [cost["memory"] for cost in costs], 0),
            "",
        ]
    )


def growth(papers: Path, runs: int) -> str:
    lines = [
        f"## Growth, one process, {runs} runs each",
        "",
        "| papers | pages | ms a page, CPU | range | peak MB |",
        "|---|---|---|---|---|",
    ]
    for count in (1, 10, 100):
        costs = [child(papers, count) for _ in range(runs)]
        spent = [cost["cpu"] / cost["pages"] * 1000 for cost in costs]
        memory = statistics.median(cost["memory"] for cost in costs)
        lines.append(
            f"| {count} | {costs[0]['pages']:.0f} | {statistics.median(spent):.1f} | {min(spent):.1f}-{max(spent):.1f} "
            f"| {memory:.0f} |"
        )
    return "\n".join([*lines, ""])


def validation(papers: Path, changes: int = 300) -> str:
    """One report after each of `changes` random changes of a finished graph, beside a whole one and pyshacl's."""
    with tempfile.TemporaryDirectory() as out:
        jobs = find_papers([papers], Path(out))
        job = min(jobs, key=lambda job: abs(size(job.source) - statistics.median(size(j.source) for j in jobs)))
        run = load_run(run_job(job).run or Path(out))
    workspace, shapes = Workspace(read_paper(job.source)), load_shapes(DOC)
    for triple in run.graph:
        workspace.add(*triple)
    validator = Validator(shapes)
    pyshacl = [timed(lambda: referee(workspace.graph, shapes)) for _ in range(5)]
    whole = [timed(lambda: validator.full(workspace.graph)) for _ in range(20)]
    session = Session(validator, workspace)
    session.report()
    pick, spent = random.Random(1), list[float]()
    triples = sorted(workspace.graph)
    for _ in range(changes):
        subject, predicate, value = pick.choice(triples)
        if not workspace.remove(subject, predicate, value):
            workspace.add(subject, predicate, value)
        elif pick.random() < 0.3:
            workspace.add(subject, KAG.depth, Literal("x", datatype=XSD.string))
        spent.append(timed(session.report))
    measured = {
        f"after one change, {changes} random changes": spent,
        "whole graph, compiled, 20 runs": whole,
        "whole graph, pyshacl, 5 runs": pyshacl,
    }
    return "\n".join(
        [
            f"## A validation, graph of {len(run.graph)} triples ({job.name})",
            "",
            "| | median ms | p99 ms | of pyshacl |",
            "|---|---|---|---|",
            *(timing_row(name, times, pyshacl) for name, times in measured.items()),
            "",
        ]
    )


def agents(runs: int) -> str:
    """The sandbox alone, and the loop of the agent around it: rules in the place of a model, so no model's time."""
    from kag.agents.sandbox.sandbox import MontyInterpreter

    def started() -> None:
        interpreter = MontyInterpreter()
        interpreter.start()
        interpreter.shutdown()

    interpreter = MontyInterpreter()
    interpreter.tools["double"] = lambda number: number * 2
    interpreter.start()
    step = [timed(lambda: interpreter.execute("x = 1")) for _ in range(50)]
    calls = [timed(lambda: interpreter.execute("for n in range(300):\n    double(n)")) for _ in range(10)]
    interpreter.shutdown()
    baseline, rlm = (
        [timed(lambda options=options: index_bundled(options)) for _ in range(runs + 1)][1:]
        for options in (ModelMaking(), ModelMaking("rlm", "offline", "bench"))
    )
    rows = {
        "sandbox, start and stop, 20 runs": [timed(started) for _ in range(20)],
        "sandbox, an empty step, 50 runs": step,
        "sandbox, a step of 300 tool calls, 10 runs": calls,
        f"a paper of 114 blocks, baseline, {runs} runs": baseline,
        f"the same through the agent's loop, offline policy, {runs} runs": rlm,
    }
    lines = [
        f"| {name} | {ms(times):.1f} | {min(times) * 1000:.1f}-{max(times) * 1000:.1f} |"
        for name, times in rows.items()
    ]
    return "\n".join(
        ["## The agent without a model's time", "", "| | median ms | range |", "|---|---|---|", *lines, ""]
    )


def index_bundled(options: ModelMaking) -> None:
    with tempfile.TemporaryDirectory() as out:
        outcome = run_job(Job(ROOT / "test_data" / "zirconium_tracers", "paper", Path(out), options=options))
    if outcome.state != "indexed":
        raise SystemExit(outcome.message)


def timing_row(name: str, times: list[float], peer: list[float]) -> str:
    p99 = sorted(times)[int(len(times) * 0.99)] * 1000
    return f"| {name} | {ms(times):.2f} | {p99:.2f} | 1/{ms(peer) / ms(times):.0f} |"


def size(folder: Path) -> int:
    return sum(page.stat().st_size for page in folder.glob("page_*.md"))


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def ms(seconds: list[float]) -> float:
    return statistics.median(seconds) * 1000


def row(name: str, values: list[float], digits: int) -> str:
    return f"| {name} | {statistics.median(values):.{digits}f} | {min(values):.{digits}f}-{max(values):.{digits}f} |"


if __name__ == "__main__":
    main()
