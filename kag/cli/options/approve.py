"""A person at the terminal decides before each call of a tool: run it, refuse it, or run it with other arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from kag.cli.terminal import one_line, say


def at_terminal(name: str, arguments: Mapping[str, Any]) -> bool | Mapping[str, Any]:
    """Ask about one call; the arguments are edited as JSON. An end of input refuses."""
    words = one_line(json.dumps(dict(arguments), ensure_ascii=False, default=str))
    say(f"{name} {words}", err=True)
    try:
        choice = click.prompt("run it? yes, no, edit", type=click.Choice(["y", "n", "e"]), default="y", err=True)
        while choice == "e":
            edited = click.prompt("arguments as JSON", default=words, err=True)
            try:
                value = json.loads(edited)
            except ValueError as error:
                say(f"no JSON: {error}", err=True)
                continue
            if isinstance(value, dict):
                return value
            say("no JSON object", err=True)
    except click.Abort:
        return False
    return bool(choice == "y")
