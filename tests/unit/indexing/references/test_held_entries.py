"""Made-up entries in many styles, held as they were: what the labeller is told of each, and all that is read of it.

`entries.jsonl` holds what is read, mistakes included, `features.txt` a digest of the attributes of each entry's tokens.
Run the tests with `KAG_UPDATE_GOLDEN=1` to write an intended change, and read its difference. Where the attributes
differ, the labeller reads other words than it learnt from: train it anew first
(`scripts/benchmarks/train_references.py`), and measure.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kag.indexing.references.features import features
from kag.indexing.references.parser import cleaned, parse_reference
from kag.indexing.references.tokens import tokens

ENTRIES, DIGESTS = (Path(__file__).with_name(name) for name in ("entries.jsonl", "features.txt"))
ROWS = [json.loads(line) for line in ENTRIES.read_text(encoding="utf-8").splitlines()]


def held(file: Path, lines: list[str]) -> list[str]:
    """The lines of a file as they were, after writing them anew where that is asked for."""
    if os.environ.get("KAG_UPDATE_GOLDEN"):
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file.read_text(encoding="utf-8").splitlines()


def test_every_entry_is_read_as_before() -> None:
    now = []
    for row in ROWS:
        found = {name: value for name, value in asdict(parse_reference(row["text"])).items() if value}
        now.append(json.dumps({"text": row["text"], "read": found}, ensure_ascii=False))
    assert len(now) > 400
    assert [line for line, old in zip(now, held(ENTRIES, now), strict=True) if line != old] == []


def test_the_labeller_is_told_what_it_was_trained_with() -> None:
    def digest(text: str) -> str:
        words = cleaned(text)[1]
        told = json.dumps([*map(sorted, features(words, tokens(words)))], ensure_ascii=False)
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    now = [digest(row["text"]) for row in ROWS]
    changed = [row["text"] for row, one, old in zip(ROWS, now, held(DIGESTS, now), strict=True) if one != old]
    assert changed == []


def test_nothing_is_read_that_is_not_printed() -> None:
    """Each title, container, publisher and town stands in its entry, but for blanks and marks of print."""

    def bare(text: str) -> str:
        return "".join(char for char in text if char.isalnum())

    for row in ROWS:
        read: dict[str, Any] = row["read"]
        for field in ("title", "container", "publisher", "place", "volume"):
            value = str(read.get(field, ""))
            assert bare(value) in bare(row["text"]) or bare(value) in bare(cleaned(row["text"])[1]), row["text"]
            abbreviated = value.endswith(".")
            assert not abbreviated or value.split()[-1] in "".join(row["text"].split()), row["text"]
