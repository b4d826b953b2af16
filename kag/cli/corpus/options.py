"""What the commands of `kag corpus` share: the corpus, the cluster that changes it, a word on the way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kag.cli.options.machines import cluster_option, side_by_side
from kag.cli.options.values import PATH
from kag.cli.terminal import say
from kag.values.errors import CorpusError

if TYPE_CHECKING:
    from kag.safety.workers import Executor

EPILOG = "Exit codes: 0 done, 1 the check found something, 2 bad input, 130 interrupted."
HERE = click.option("--corpus", "root", type=PATH, required=True, help="The corpus, a folder.")
RAY = cluster_option("Change shards over a Ray cluster, which sees the same files: auto, local or an address.")


def progress(what: str, done: int, of: int) -> None:
    """A line now and then, where it takes a while."""
    if done % 25 == 0 and of > 25:
        say(f"{done} of {of} {what}", err=True)


def executor_for(root: Path, ray: str, much: bool) -> Executor | None:
    """Who changes the shards of a corpus side by side; nobody where it is in one piece, or processes do not pay."""
    from kag.corpus.shard_set import shard_set

    if shard_set(root) is None:
        if ray:
            hint = "`kag corpus create --shards N` makes one in shards."
            raise CorpusError("a corpus in one piece has one writer: no cluster can change it", hint=hint)
        return None
    return side_by_side(ray) if ray or much else None
