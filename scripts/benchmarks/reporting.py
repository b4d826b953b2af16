"""What written reports share: the command as it was given, and the notes before the figures."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from kag.core.errors import RunError


def command_line(context: click.Context) -> str:
    """The command as it was given, options in the order of the help."""
    words = context.command_path.split(" ")
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter, click.Argument):
            words += map(str, value if isinstance(value, tuple) else (value,))
        elif value is True:
            words.append(parameter.opts[0])
        elif value is not None and value is not False and value != parameter.default:
            for one in value if isinstance(value, tuple) else (value,):
                words += [parameter.opts[0], *map(str, one if isinstance(one, tuple) else (one,))]
    return shlex.join(words)


def read_notes(path: Path | None) -> str:
    """The words to put before the figures of a report; raises `RunError`."""
    try:
        return path.read_text(encoding="utf-8") if path else ""
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: {error}", hint="Give a Markdown file.") from error
