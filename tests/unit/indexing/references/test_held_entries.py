"""Made-up entries in many styles: all that is read of each, and how sure it is, is held as it was.

The file holds what is read, mistakes included. Run the test with `KAG_UPDATE_GOLDEN=1` to write an intended change
into it, and read its difference.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kag.indexing.references.parser import parse_reference

FILE = Path(__file__).with_name("entries.jsonl")
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def read(text: str) -> dict[str, Any]:
    found = {name: value for name, value in asdict(parse_reference(text)).items() if value}
    back: dict[str, Any] = json.loads(json.dumps(found))
    return back


def test_every_entry_is_read_as_before() -> None:
    now = [{"text": row["text"], "read": read(row["text"])} for row in ROWS]
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        FILE.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in now), encoding="utf-8")
    assert len(ROWS) >= 200
    assert [row for row, old in zip(now, ROWS, strict=True) if row != old] == []


def bare_end(value: str) -> str:
    return value.split()[-1].removesuffix(".")


def test_nothing_is_read_that_is_not_printed() -> None:
    """Each title, container, publisher and town stands in its entry, but for blanks and marks of print."""
    for row in ROWS:
        bare = "".join(char for char in row["text"] if char.isalnum())
        for field in ("title", "container", "publisher", "place", "volume"):
            value = str(row["read"].get(field, ""))
            assert "".join(char for char in value if char.isalnum()) in bare, row["text"]
            assert value.removesuffix(".") == value or f"{bare_end(value)}." in "".join(row["text"].split())
