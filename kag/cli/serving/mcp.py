"""`kag mcp` and `kag tools`: papers as tools and resources for agents."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.model import limit_options, rerank_option
from kag.cli.options.values import PATH, json_option
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
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; any other address needs a token."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8041, show_default=True, help="Port; 0 chooses a free one."
)
@click.option("--token", default="", help="Token that HTTP clients must send. Prefer KAG_MCP_TOKEN.")
@click.option(
    "--allow-host", "names", multiple=True, help="Another host name of this server, for example behind a proxy."
)
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
    from kag.core.errors import MissingExtra, SourceError

    try:
        from kag.serve.mcp.papers import OpenPapers
        from kag.serve.mcp.run import serve_http, serve_stdio
        from kag.serve.mcp.server import mcp_server
    except ImportError as error:
        if error.name and error.name.startswith("kag."):
            raise
        raise MissingExtra(f"{error.name} is not installed", hint="Run: pip install 'kag-papers[mcp]'") from error
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
                server, host, port, token, names, tell=_tell_json if as_json else lambda text: say(text, err=True)
            )
        else:
            if sys.stdin.isatty():
                note("an agent's program starts this command; see docs/mcp.md for its settings. Ctrl-C ends it")
            serve_stdio(server)
    finally:
        papers.close()


def _tell_json(text: str) -> None:
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
