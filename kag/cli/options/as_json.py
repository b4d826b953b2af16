"""`--json`: what a command tells people, as data on standard output; remarks stay on standard error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def json_option(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds `--json` as the flag `as_json`; `help_text` says what is written."""
    return click.option("--json", "as_json", is_flag=True, help=help_text)
