"""`kag mcp`, `kag tools` and `kag serve`: papers for agents, and a corpus as pages and an HTTP API."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.config import started_with
from kag.cli.options import PATH, json_option, limit_options, listen_options, rerank_option
from kag.cli.terminal import emit_json, note, say

if TYPE_CHECKING:
    from kag.serve.mcp.toolset import ToolSet


tools_option = click.option(
    "--tools",
    "which",
    type=click.Choice(["reader", "views"]),
    default="reader",
    show_default=True,
    help="reader: ten tools such as search_papers and read_section; views: the g_* views and the search graph.",
)


@click.command(epilog="Exit codes: 0 done, 2 bad input, 3 the model cannot be asked, 130 interrupted.")
@click.argument("path", type=PATH, default=Path("runs"))
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp, not standard input and output.")
@listen_options(8041, "KAG_MCP_TOKEN")
@click.option(
    "--source",
    "sources",
    multiple=True,
    type=PATH,
    help=("PDFs or page folders of the papers, or a folder of these, for pictures of pages; can be repeated."),
)
@click.option(
    "--lm", default="", help="Model for answer_question, for example anthropic/claude-sonnet-4-5.  [default: none]"
)
@tools_option
@click.option("--approve", is_flag=True, help="Ask the person at the client before each call: run, refuse or edit it.")
@rerank_option()
@json_option("With --http: print the address, and a generated token, as JSON objects.")
@limit_options("question")
def mcp(
    path: Path,
    http: bool,
    host: str,
    port: int,
    token: str,
    names: tuple[str, ...],
    sources: tuple[Path, ...],
    approve: bool,
    which: ToolSet,
    as_json: bool,
    **model: Any,
) -> None:
    """Serve PATH (a run, a folder of runs or a corpus; default: runs) to agents over MCP, read-only.

    The agent's program starts this command and talks to it over standard input and output. With --http it is a server
    for many clients.
    """
    from kag.agents.read.read_options import ReadOptions
    from kag.core.errors import SourceError, needed_extra

    with needed_extra("mcp"):
        from kag.serve.mcp.papers import OpenPapers
        from kag.serve.mcp.server import mcp_server, serve_http, serve_stdio
    if as_json and not http:
        raise click.UsageError("--json needs --http; without it standard output carries the protocol")
    for source in sources:
        if not source.exists():
            raise SourceError(f"{source} is not there", hint="Give --source a PDF, or a folder.")
    papers = OpenPapers(path, ReadOptions(**model), sources)
    try:
        server = mcp_server(papers, approve=approve, tools=which)
        if http:
            serve_http(
                server, host, port, token, names, tell=_print_start if as_json else lambda text: say(text, err=True)
            )
        else:
            if sys.stdin.isatty():
                note("an agent's program starts this command; see docs/mcp.md for its settings. Ctrl-C ends it")
            serve_stdio(server)
    finally:
        papers.close()


def _print_start(text: str) -> None:
    """Print the server's address and token as JSON: {"address"}, {"token"}."""
    start, _, token = text.partition("Authorization: Bearer ")
    say(json.dumps({"token": token} if token else {"address": start}))


@click.command(epilog="Exit codes: 0 done, 2 a package is missing.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["openai", "anthropic", "mcp"]),
    default="mcp",
    show_default=True,
    help="Format of the declarations: OpenAI's functions, Anthropic's tools, or MCP's.",
)
@tools_option
@json_option("JSON is the only output format; accepted for consistency.")
def tools(form: str, which: ToolSet, as_json: bool) -> None:
    """Print the tools of `kag mcp` as JSON: names, descriptions and the schemas of their arguments."""
    from kag.serve.mcp.toolset import as_format

    emit_json(as_format(form, which))


FIELDS = ("command", "key", "value", "origin")


@click.command(epilog="Exit codes: 0 stopped, 2 bad input, or kag-papers[serve] is not installed, 130 interrupted.")
@click.argument("corpus", type=PATH, default=Path("corpus"))
@listen_options(7860, "KAG_SERVE_TOKEN")
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
        tell=_print_address if as_json else say,
        log=note if log else None,
        read_only=read_only,
        proxies=proxies,
        started_with=[{name: str(row[name]) for name in FIELDS} for row in started_with(context)],
    )


def _print_address(address: str) -> None:
    """The address that is listened at as JSON: {"address", "token"?}."""
    where, _, token = address.partition("?token=")
    say(json.dumps({"address": where, **({"token": token} if token else {})}))
