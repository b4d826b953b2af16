"""All output of commands goes through here: names and titles are untrusted, and terminals execute control characters.

Control characters (escape sequences among them), marks that turn the direction of writing, and characters that show
nothing are made visible, so that a title can neither colour, retitle or clear a terminal nor look like another one.
Secrets (`kag/core/secrets.py`) are not shown.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any

import click

from kag.core.secrets import hide_secrets, safe_json

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""A text with all that a terminal would obey, or not show, written out; line breaks and tabs stay.

    >>> visible("ice\x1b[31m \u202eecalg")
    'ice\\u001b[31m \\u202eecalg'
    """
    return _UNSEEN.sub(_written, text)


def _written(match: re.Match[str]) -> str:
    """As JSON writes it, so that JSON which is made visible stays JSON."""
    return "\\u007f" if match[0] == "\x7f" else json.dumps(match[0])[1:-1]


def say(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print for people: results to standard output, with `err` progress and notes to standard error."""
    click.echo(visible(hide_secrets(str(text))), err=err, nl=nl)


def note(text: str) -> None:
    """Print a note that is not an error."""
    say(f"note: {text}", err=True)


def complain(message: str, hint: str = "") -> None:
    """Say what went wrong and how to put it right."""
    say(f"error: {message}" + (f"\n  {hint}" if hint else ""), err=True)


def emit(parts: str | Iterable[str]) -> None:
    """Write data for a program or a file as UTF-8, byte for byte, unless a terminal would have to show it."""
    for part in (parts,) if isinstance(parts, str) else parts:
        if sys.stdout.isatty():
            click.echo(visible(part), nl=False)
        else:
            sys.stdout.buffer.write(part.encode("utf-8", "replace"))


def emit_json(value: Any) -> None:
    """Write a value as JSON, two blanks deep; what a terminal would obey is escaped, which JSON reads as the same."""
    click.echo(visible(safe_json(value, ensure_ascii=False, indent=2)))


def one_line(text: str) -> str:
    """A text on one line, without what a terminal would obey."""
    return "".join(char for char in " ".join(text.split()) if char.isprintable())
