"""The option --mode: who answers questions."""

from __future__ import annotations

from typing import Any

import click

from kag.cli.options.limits import Decorator
from kag.cli.terminal import note
from kag.qa.modes import FORMER_MODES, MODES


class _ModeType(click.Choice[str]):
    """A mode; the names of earlier versions are taken with a note, and "" is none."""

    def __init__(self) -> None:
        super().__init__(MODES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value == "":
            return ""
        if value in FORMER_MODES:
            note(f"the mode {value} is now called {FORMER_MODES[value]}; the old name will go with the next version")
            return "" if value == "auto" else FORMER_MODES[value]
        return super().convert(value, param, ctx)


def mode_option() -> Decorator:
    """Adds --mode; "" where it is not given: the agent with a model, else exact."""
    return click.option(
        "--mode",
        type=_ModeType(),
        default="",
        help="An agent with a model that reads the papers, or the graph alone.  [default: agent with --lm, else exact]",
    )
