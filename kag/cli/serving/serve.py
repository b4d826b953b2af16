"""`kag serve`: a corpus as pages and an HTTP API, on this machine's own address unless another is given."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kag.cli.options.values import PATH, json_option
from kag.cli.settings.config import started_with
from kag.cli.terminal import note, say

FIELDS = ("command", "key", "value", "origin")


@click.command(epilog="Exit codes: 0 stopped, 2 bad input, or kag-papers[serve] is not installed, 130 interrupted.")
@click.argument("corpus", type=PATH, default=Path("corpus"))
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; others need a token.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=7860, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--token", default="", help="Ask for this token. Better set KAG_SERVE_TOKEN.")
@click.option("--allow-host", "names", multiple=True, help="A further name that leads here, as behind a proxy.")
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS", help="A proxy whose X-Forwarded-For is believed.")
@click.option("--lm", "models", multiple=True, help="A model that may be asked; may be repeated.")
@click.option("--workers", type=click.IntRange(1, 16), default=2, show_default=True, help="Jobs at a time.")
@click.option("--max-upload-mb", type=click.IntRange(1, 2000), default=100, show_default=True, help="Of one file.")
@click.option("--read-only", is_flag=True, help="Read the corpus and never write to it: a replica.")
@click.option("--log", is_flag=True, help="Say each request on standard error: method, path, status, time.")
@json_option("Say the address, and the token where there is one, as JSON on one line.")
@click.pass_context
def serve(
    context: click.Context,
    /,
    corpus: Path,
    host: str,
    port: int,
    token: str,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    models: tuple[str, ...],
    workers: int,
    max_upload_mb: int,
    read_only: bool,
    log: bool,
    as_json: bool,
) -> None:
    """Serve CORPUS, a folder that `kag corpus` made or a new one, until it is stopped.

    Pages to add, read, ask and put right papers, and the same as an API at /api/v1. At an address that others reach a
    token is asked for, which is shown once at the start.

    With --read-only any number of servers may read one corpus, a copy of it, or one in an object store.
    """
    from kag.serve.start import serve_corpus

    serve_corpus(
        corpus,
        host=host,
        port=port,
        token=token,
        names=names,
        models=models,
        workers=workers,
        file_bytes=max_upload_mb * 1_000_000,
        tell=_tell_json if as_json else say,
        log=note if log else None,
        read_only=read_only,
        proxies=proxies,
        started_with=[{name: str(row[name]) for name in FIELDS} for row in started_with(context)],
    )


def _tell_json(address: str) -> None:
    """The address that is listened at as JSON: {"address", "token"?}."""
    where, _, token = address.partition("?token=")
    say(json.dumps({"address": where, **({"token": token} if token else {})}))
