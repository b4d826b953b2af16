"""The command line. Heavy imports wait until a command needs them.

Results go to stdout, messages to stderr.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from kag import __version__
from kag.cli.ask import ask, chat
from kag.cli.bulk import import_, plan
from kag.cli.config import config, configure
from kag.cli.context import check, context
from kag.cli.corpus import corpus
from kag.cli.doctor import doctor
from kag.cli.ending import run
from kag.cli.evaluate import evaluate
from kag.cli.export import export, push
from kag.cli.graph import graph
from kag.cli.groups import Grouped
from kag.cli.index import index
from kag.cli.ingest import ingest
from kag.cli.layers import compare, layers
from kag.cli.options import PATH
from kag.cli.qa import qa, verify
from kag.cli.report import audit, report, trajectory, validate
from kag.cli.search import search
from kag.cli.serving import mcp, serve, tools

EPILOG = "Exit codes: 0 done, 1 does not conform, 2 bad input, 3 model or sandbox failure, 130 interrupted."


@click.group(cls=Grouped, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kag")
@click.option(
    "--config",
    "settings_file",
    envvar="KAG_CONFIG",
    type=PATH,
    help=("Read settings from this file instead of ./kag.toml and ./pyproject.toml. Or set KAG_CONFIG."),
)
@click.pass_context
def cli(context: click.Context, settings_file: Path | None) -> None:
    """Scientific papers into knowledge graphs that validate and can be traced to page and box."""
    context.obj = configure(context, settings_file)


COMMANDS = (
    *(ask, audit, chat, check, compare, config, context, corpus, doctor, evaluate, export, graph, import_, index),
    *(ingest, layers, mcp, plan, push, qa, report, search, serve, tools, trajectory, validate, verify),
)
for command in COMMANDS:
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line."""
    run(cli, arguments)
