"""Addresses of object stores in place of paths, in any command: `kag ask "..." s3://bucket/runs`.

What is at an address is brought here before the command, which is given the folder, and published after it, unless it
is only read there (`--read-only`, and agents' tools).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from kag.cli.terminal import note

SCHEMES = ("s3://", "gs://", "az://", "file://")
READS_ONLY = "mcp"  # the command that never writes
READ_ONLY = "--read-only"


@contextmanager
def brought_here(arguments: Sequence[str]) -> Iterator[list[str]]:
    """The arguments with folders of this machine in place of addresses; also after a command that found fault."""
    given = [argument for argument in arguments if argument.startswith(SCHEMES)]
    if not given:
        yield list(arguments)
        return
    from kag.indexing.mirror import mirrored
    from kag.indexing.objects import URL

    with ExitStack() as stack:
        addresses = [url for url in dict.fromkeys(given) if URL.fullmatch(url)]
        publish = READ_ONLY not in arguments and arguments[0] != READS_ONLY
        folders = {url: str(stack.enter_context(mirrored(url, publish=publish))) for url in addresses}
        for url, folder in folders.items():
            note(f"{url} is at {folder}")
        try:
            yield [folders.get(argument, argument) for argument in arguments]
        except SystemExit:  # a command's own end: what it did is published
            stack.close()
            raise
