"""Entries of many styles, each with all that is to be read from it: no field is missing, none is invented."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from kag.indexing.references.parser import parse_reference

ROWS = [json.loads(line) for line in Path(__file__).with_name("whole_entries.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row["text"][:40] for row in ROWS])
def test_all_fields(row):
    """The fields are those of the row; people as one text."""
    found = {name: value for name, value in asdict(parse_reference(row["text"])).items() if name != "confidence"}
    for role in ("authors", "editors"):
        found[role] = "; ".join(f"{one['family']}, {one['given']}" for one in found[role])
    assert {"text": row["text"], **{name: value for name, value in found.items() if value}} == row


def test_names_that_no_label_finds_are_read_by_their_style() -> None:
    found = parse_reference("Birch B. Mowing and bees. Meadows. 2005;5:10-19.")
    assert [str(name) for name in found.authors] == ["Birch, B"]
    assert found.title == "Mowing and bees"
