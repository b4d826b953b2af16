"""What is counted of a set of domains: rows of its files, and right, wrong and missing a figure and document."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError
from kag.core.files import read_regular, shown
from kag.evaluate.statistics import Counts

HINT = "A set is a folder workflow_dags, story_states, story_litbank, science_graph or metaqa."
Tally = dict[str, dict[str, Counts]]
"""Counts by figure and document."""


def rows_of(folder: Path, name: str, kind: type = dict) -> list[Any]:
    """The rows of a file of a set, objects or lists; raises `SourceError`."""
    path = folder / f"{name}.jsonl.gz"
    try:
        text = gzip.decompress(read_regular(path)).decode("utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line]
    except (OSError, EOFError, ValueError) as error:
        raise SourceError(f"{shown(path)}: {str(error)[:200]}", hint=HINT) from error
    if not all(isinstance(row, kind) for row in rows):
        raise SourceError(f"{shown(path)}: holds no rows of {kind.__name__}", hint=HINT)
    return rows


def counted(found: set[Any], gold: set[Any]) -> Counts:
    """What was found against what is there."""
    return len(found & gold), len(found - gold), len(gold - found)


def put(tally: Tally, what: str, document: str, counts: Counts) -> None:
    """Add the counts of a document to a figure."""
    known = tally.setdefault(what, {}).get(document, (0, 0, 0))
    tally[what][document] = known[0] + counts[0], known[1] + counts[1], known[2] + counts[2]
