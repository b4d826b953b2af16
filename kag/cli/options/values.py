"""Types of options and arguments that several commands share, and `--json`."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from kag.cli.terminal import note


def json_option(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--json` as the flag `as_json`; `help_text` says what is written."""
    return click.option("--json", "as_json", is_flag=True, help=help_text)


_LARGEST = 1e9  # a number that an option takes: money, seconds, megabytes


class _Named(click.Path):
    """A path; an empty one is refused, as it would be the folder where the command is given: `kag index "$PAPERS"`."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if value == "":
            self.fail("a path is empty; give . for this folder", param, ctx)
        return super().convert(value, param, ctx)


class Number(click.FloatRange):
    """A number with bounds, which is finite: `nan` and `inf` are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number) or number > _LARGEST:
            self.fail(f"{value} is no number of at most 1,000,000,000", param, ctx)
        return number


class RenamedChoice(click.Choice[str]):
    """A choice that accepts earlier names of its values for one version, with a note on stderr."""

    def __init__(self, choices: Sequence[str], renamed: Mapping[str, str]) -> None:
        super().__init__(choices)
        self._renamed = renamed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if new := self._renamed.get(value):
            note(f"{value} is now called {new}; the old name will be removed in the next version")
        return super().convert(new or value, param, ctx)


PATH = _Named(path_type=Path)
