"""How right domains are: readers of workflows, planted faults, stories, claims, and what slices lose.

A set is a folder `workflow_dags`, `story_states` or `science_graph` of JSON lines (.jsonl.gz). A figure counts right,
wrong and missing a document; intervals come from drawing documents again.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.evaluate.statistics import Counts, score
from kag.safety.files import read_regular, shown
from kag.values.errors import SourceError

HINT = "A set is a folder workflow_dags, story_states or science_graph with its files (.jsonl.gz)."
Tally = dict[str, dict[str, Counts]]
"""Counts by figure and document."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a set; `mean_recall` is over documents; `worst` are those with most that was wrong or missing."""

    set: str
    what: str
    precision: float
    recall: float
    f1: float
    low: float
    high: float
    mean_recall: float
    right: int
    wrong: int
    missing: int
    documents: int
    worst: tuple[str, ...]

    def as_row(self) -> dict[str, Any]:
        """As a row of a table."""
        interval = f"{self.low:.3f} to {self.high:.3f}"
        shares = {"precision": f"{self.precision:.3f}", "recall": f"{self.recall:.3f}", "F1": f"{self.f1:.3f}"}
        mean = {"mean recall": f"{self.mean_recall:.3f}"}
        counts = {"right": self.right, "wrong": self.wrong, "missing": self.missing, "documents": self.documents}
        return {"set": self.set, "what": self.what, **shares, "95 % of F1": interval, **mean, **counts}


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    """The objects of a file of a set; raises `SourceError`."""
    path = folder / f"{name}.jsonl.gz"
    try:
        text = gzip.decompress(read_regular(path)).decode("utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line]
    except (OSError, EOFError, ValueError) as error:
        raise SourceError(f"{shown(path)}: {str(error)[:200]}", hint=HINT) from error
    if not all(isinstance(row, dict) for row in rows):
        raise SourceError(f"{shown(path)}: holds no objects", hint=HINT)
    return rows


def counted(found: set[Any], gold: set[Any]) -> Counts:
    """What was found against what is there."""
    return len(found & gold), len(found - gold), len(gold - found)


def put(tally: Tally, what: str, document: str, counts: Counts) -> None:
    """Add the counts of a document to a figure."""
    known = tally.setdefault(what, {}).get(document, (0, 0, 0))
    tally[what][document] = known[0] + counts[0], known[1] + counts[1], known[2] + counts[2]


def evaluate_domains(folder: Path) -> tuple[Figure, ...]:
    """The figures of a set; raises `SourceError`."""
    from kag.evaluate.domain_sets import science, story, workflow

    measures: Mapping[str, Callable[[Path], Tally]] = {
        "workflow_dags": workflow,
        "story_states": story,
        "science_graph": science,
    }
    name = folder.resolve().name
    if name not in measures:
        raise SourceError(f"{shown(folder)} is no set of domains", hint=HINT)
    try:
        tally = measures[name](folder)
    except (KeyError, TypeError, AttributeError) as error:
        raise SourceError(f"{shown(folder)}: {error!r}", hint="A file is damaged or of another form.") from error
    return tuple(
        _figure(name, what, documents) for what, documents in tally.items() if any(map(any, documents.values()))
    )


def _figure(name: str, what: str, documents: Mapping[str, Counts]) -> Figure:
    # `__` would join documents that are drawn apart
    one = score({key.replace("__", "_"): counts for key, counts in documents.items()}, share=False)
    each = [right / (right + missing) for right, _, missing in documents.values() if right + missing]
    bad = sorted(documents, key=lambda key: (-documents[key][1] - documents[key][2], key))
    worst = tuple(key for key in bad[:5] if documents[key][1] + documents[key][2])
    shares = (one.precision, one.recall, one.f1, one.low, one.high, sum(each) / len(each) if each else 0.0)
    return Figure(name, what, *shares, one.right, one.wrong, one.missing, one.papers, worst)
