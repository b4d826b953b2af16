"""What the commands of `kag corpus` share: the corpus and progress lines."""

from __future__ import annotations

import click

from kag.cli.options.values import PATH
from kag.cli.terminal import say

EPILOG = "Exit codes: 0 done, 1 the check found something, 2 bad input, 130 interrupted."
HERE = click.option("--corpus", "root", type=PATH, required=True, help="The corpus, a folder.")


def progress(what: str, done: int, of: int) -> None:
    """A line now and then, where it takes a while."""
    if done % 25 == 0 and of > 25:
        say(f"{done} of {of} {what}", err=True)
