"""What the commands that measure share: exit codes, rows, JSON, notes, and the command as it was given."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from kag.cli.terminal import say
from kag.safety.files import write_output
from kag.values.errors import RunError

MEASURED = "Exit codes: 0 done, 2 bad input or a missing package, 3 a model cannot be asked, 130 interrupted."


def command_line(context: click.Context) -> str:
    """The command as it was given, options in the order of the help."""
    words = context.command_path.split()
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


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON, one blank deep."""
    write_output(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def tell(rows: Sequence[Mapping[str, Any]], json_file: Path | None = None) -> None:
    """Show rows as a table, and write them to a file where one is given."""
    from kag.evaluate.text_tables import shown

    say(shown(rows))
    if json_file:
        write_json(json_file, rows)
