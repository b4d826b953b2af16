"""Several machines for one command: the options that name a part of the work or a cluster, and what they come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from kag.cli.terminal import note

if TYPE_CHECKING:
    from kag.core.workers import Executor
    from kag.indexing.batch import Job


def machine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--shard` and `--ray`."""
    part = click.option(
        "--shard",
        default="",
        metavar="I/N",
        help="Index only part I of N of the papers, to share the work between machines.",
    )
    return part(cluster_option("Index on a Ray cluster: auto, local or an address.")(command))


def cluster_option(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--ray`."""
    return click.option("--ray", default="", metavar="ADDRESS", help=words)


def spread(ray: str) -> Executor | None:
    """The cluster at an address; None without an address, and one process does all."""
    if not ray:
        return None
    from kag.indexing.over_ray import over_ray

    return over_ray(ray)


def own_part(jobs: list[Job], shard: str, paper_id: str | None) -> list[Job]:
    """The jobs of one part of several, or the one that has a name of its own."""
    from kag.indexing.shards import read_shard
    from kag.sources.names import safe_paper_id

    if paper_id is not None:
        if len(jobs) != 1:
            raise click.UsageError(f"--paper-id names one paper, {len(jobs)} were given")
        jobs = [replace(jobs[0], name=safe_paper_id(paper_id))]
    if shard:
        jobs = list(read_shard(shard).own(jobs))
        if not jobs:
            note(f"none of these papers is in part {shard}")
    return jobs


def executor(ray: str, workers: int) -> dict[str, Any]:
    """Who does the work: processes of this machine, or a cluster."""
    if not ray:
        return {"workers": workers}
    from kag.indexing.over_ray import over_ray

    return {"executor": over_ray(ray)}
