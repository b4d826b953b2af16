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
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; any other address needs a token."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=7860, show_default=True, help="Port; 0 chooses a free one."
)
@click.option("--token", default="", help="Token that clients must send. Prefer KAG_SERVE_TOKEN.")
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    help="Another host name of this server, for example behind a proxy; can be repeated.",
)
@click.option(
    "--proxy", "proxies", multiple=True, metavar="ADDRESS", help="Proxy whose X-Forwarded-For header is trusted."
)
@click.option("--lm", "models", multiple=True, help="Model that users may choose; can be repeated.")
@click.option(
    "--workers",
    type=click.IntRange(1, 16),
    default=2,
    show_default=True,
    help="Number of jobs that run at the same time.",
)
@click.option(
    "--max-upload-mb",
    type=click.IntRange(1, 2000),
    default=100,
    show_default=True,
    help="Maximum size of an upload in MB.",
)
@click.option("--read-only", is_flag=True, help="Never write to the corpus: run as a replica.")
@click.option("--log", is_flag=True, help="Print each request to standard error: method, path, status, time.")
@json_option("Print the address, and the token if there is one, as JSON on one line.")
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
    """Serve CORPUS (an existing or new corpus) as web pages and an API until you stop it.

    The pages let you add, read, ask and correct papers; the API at /api/v1 does the same. Other addresses than this
    machine's own need a token, which is printed once at the start.

    With --read-only any number of servers can share a corpus, a copy of it, or one in an object store.
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
