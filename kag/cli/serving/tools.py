"""`kag tools`: the tools that agents are offered, as JSON for the interface that is used."""

from __future__ import annotations

import click

from kag.cli.options.as_json import json_option
from kag.cli.terminal import emit_json


@click.command(epilog="Exit codes: 0 done, 2 a package is missing.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["openai", "anthropic", "mcp"]),
    default="mcp",
    show_default=True,
    help="Whose words: OpenAI's functions, Anthropic's tools, or what MCP lists.",
)
@json_option("As it is in any case.")
def tools(form: str, as_json: bool) -> None:
    """Print the tools of `kag mcp` as JSON: names, descriptions, JSON schemas of what they take."""
    from kag.serve.mcp.toolset import as_format

    emit_json(as_format(form))
