"""What the commands of `kag evaluate` share: exit codes, tables and JSON files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kag.cli.terminal import say
from kag.core.files import write_output

MEASURED = "Exit codes: 0 done, 2 bad input or a missing package, 3 a model cannot be asked, 130 interrupted."


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON, one blank deep."""
    write_output(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def tell(rows: Sequence[Mapping[str, Any]], json_file: Path | None = None) -> None:
    """Show rows as a table, and write them to a file where one is given."""
    from kag.evaluate.text_tables import shown

    say(shown(rows))
    if json_file:
        write_json(json_file, rows)
