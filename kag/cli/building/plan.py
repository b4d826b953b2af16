"""`kag plan`: what many papers will cost, and the list of work for machines that share it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kag.cli.options.values import PATH, Number, json_option
from kag.cli.progress import ShownProgress
from kag.cli.terminal import emit_json, note, say

if TYPE_CHECKING:
    from kag.indexing.batch import Job


@click.command(epilog="Exit codes: 0 done, 2 bad input.")
@click.argument("paths", nargs=-1, required=True, type=PATH)
@click.option(
    "--shards", type=click.IntRange(1, 100_000), default=1, show_default=True, help="Number of parts of the work."
)
@click.option(
    "--out", type=PATH, help="Write the list of papers to this file, one JSON object per line, and estimate nothing."
)
@click.option(
    "--papers", type=click.IntRange(1), help="Estimate for this many papers like these.  [default: these papers]"
)
@click.option("--pages", type=Number(1), help="Pages of a paper.  [default: the average of these]")
@click.option("--machines", type=click.IntRange(1), default=1, show_default=True, help="Number of machines.")
@click.option("--cores", type=click.IntRange(1), help="Cores of a machine.  [default: of this machine]")
@click.option("--tokens", type=Number(0), default=0.0, help="Tokens that a model takes for a paper.")
@click.option("--usd", type=Number(0), default=3.0, show_default=True, help="Price of a million tokens in US dollars.")
@click.option(
    "--sample",
    type=click.IntRange(2, 200),
    default=32,
    show_default=True,
    help="Number of papers to index for the estimate.",
)
@json_option("Print the costs, or what was written, as JSON.")
def plan(
    paths: Sequence[Path], shards: int, out: Path | None, papers: int | None, pages: float | None, machines: int,
    cores: int | None, tokens: float, usd: float, sample: int, as_json: bool,
) -> None:  # fmt: skip
    """Estimate what papers cost, by indexing a sample of the papers at PATHS.

    With --out, nothing is indexed: the papers at PATHS are listed with their source and their part for `kag index
    --shard I/N`.
    """
    from kag.indexing.batch import find_papers

    jobs = find_papers(paths, Path("runs"))
    if out:
        _write_list(jobs, shards, out)
        if as_json:
            emit_json({"out": str(out), "papers": len(jobs), "shards": shards})
        return
    from kag.corpus.planning import Machines, measured
    from kag.corpus.planning import plan as foretell
    from kag.evaluate.statistics import shown
    from kag.indexing.batch import default_workers

    step = max(1, len(jobs) // sample)
    tried = jobs[::step][:sample]
    note(f"indexing {len(tried)} papers to learn from ...")
    with ShownProgress() as progress:
        found = measured(tried, progress)
    for message in found.failed:
        note(f"left out: {message}")
    each = pages or found.pages / found.papers
    park = Machines(machines, cores or default_workers())
    costs = foretell(found, papers or len(jobs), each, park, tokens, usd)
    if as_json:
        emit_json([asdict(cost) for cost in costs])
        return
    note(f"{found.pages / found.index_seconds:.1f} pages a CPU second; {each:.1f} pages a paper")
    say(shown([{"what": cost.what, "amount": f"{cost.amount:,.2f}", "unit": cost.unit} for cost in costs]))


def _write_list(jobs: Sequence[Job], shards: int, out: Path) -> None:
    from kag.core.files import write_output
    from kag.indexing.over_ray import shard_of

    rows = [
        {"paper": job.name, "source": str(job.source), "kind": job.kind, "shard": shard_of(job.name, shards)}
        for job in jobs
    ]
    write_output(out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    note(f"{len(rows)} papers in {shards} parts written to {out}")
