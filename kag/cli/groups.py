"""`kag --help`: the commands in groups, a whole line for each, and a suggestion for a mistyped one."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import click

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Build": {
        "index": "turn papers (PDF, OCR folders, JATS, ...) into graphs",
        "layers": "extract entities, measurements and claims",
        "import": "index the PDFs that a BibTeX file or Zotero library names",
        "validate": "check graphs against their SHACL shapes",
        "audit": "prove that no block of a paper was lost or doubled",
        "plan": "estimate what papers will cost in time, memory and tokens",
    },
    "Ask": {
        "ask": "answer one question from a run, a folder of runs or a corpus",
        "qa": "answer a file of questions, each claim with its quotes",
        "chat": "answer questions from the terminal, one a line",
        "search": "find passages",
        "compare": "compare papers in a table, a row for each",
        "verify": "check answers against the graphs they quote",
        "report": "write a run and its answers as an HTML page",
        "trajectory": "show step by step what agents did",
    },
    "Many papers": {"corpus": "keep papers in one place; change, search and query them all"},
    "Graphs of any domain": {
        "graph": "make, check, slice and export graphs",
        "ingest": "read documents into one checked graph",
        "context": "collect what a graph and passages hold on a question",
        "check": "check a draft against a graph, sentence by sentence",
    },
    "Share": {
        "export": "write papers in another format",
        "push": "send graphs to SPARQL stores, Neo4j or ladybug",
        "serve": "serve a corpus as pages and an HTTP API",
        "mcp": "offer papers to other agents over MCP",
        "tools": "print these tools as JSON",
    },
    "Set up": {
        "doctor": "list which extras, programs and models are available",
        "config": "show settings and where they come from",
        "evaluate": "score graphs, answers and searches on your own data",
    },
}


class Suggesting(click.Group):
    """A group that suggests commands for a mistyped one."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        """The command that is called; `click.UsageError` names those that are spelled alike."""
        near = get_close_matches(args[0], self.commands) if args and args[0] not in self.commands else []
        if near:
            raise click.UsageError(f"No such command '{args[0]}'. Did you mean {' or '.join(near)}?", ctx)
        return super().resolve_command(ctx, args)


class Grouped(Suggesting):
    """The group of all commands; those that `GROUPS` does not have come last, with click's own short help."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group."""
        named = {name for group in GROUPS.values() for name in group}
        rest = {name: self.commands[name].get_short_help_str() for name in self.list_commands(ctx) if name not in named}
        for title, lines in {**GROUPS, "Other": rest}.items():
            if lines:
                with formatter.section(title):
                    formatter.write_dl(list(lines.items()))
