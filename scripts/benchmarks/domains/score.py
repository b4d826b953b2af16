"""How right domains are: readers of workflows, planted faults, stories, claims, and what slices lose.

A set is a folder of JSON lines (.jsonl.gz): `workflow_dags`, `story_states`, `story_litbank`,
`science_graph` or `metaqa`. A figure counts right, wrong and missing a document; intervals come from drawing documents
again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.core.errors import SourceError
from kag.core.files import shown
from kag.evaluate.statistics import Counts, Mean, means, score
from scripts.benchmarks.domains.counts import HINT, Tally
from scripts.benchmarks.domains.questions import metaqa
from scripts.benchmarks.domains.sets import science, story, workflow
from scripts.benchmarks.domains.stories import reading


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a set. `low` to `high` is of F1; `mean_recall` is over documents, `mean_low` to `mean_high` of it;
    `worst` are those with most that was wrong or missing.
    """

    set: str
    what: str
    precision: float
    recall: float
    f1: float
    low: float
    high: float
    mean_recall: float
    mean_low: float
    mean_high: float
    right: int
    wrong: int
    missing: int
    documents: int
    worst: tuple[str, ...]

    def as_row(self) -> dict[str, Any]:
        """As a row of a table."""
        interval = f"{self.low:.3f} to {self.high:.3f}"
        shares = {"precision": f"{self.precision:.3f}", "recall": f"{self.recall:.3f}", "F1": f"{self.f1:.3f}"}
        mean = {
            "mean recall": f"{self.mean_recall:.3f}",
            "95 % of it": f"{self.mean_low:.3f} to {self.mean_high:.3f}",
        }
        counts = {"right": self.right, "wrong": self.wrong, "missing": self.missing, "documents": self.documents}
        return {"set": self.set, "what": self.what, **shares, "95 % of F1": interval, **mean, **counts}


def evaluate_domains(folder: Path) -> tuple[Figure, ...]:
    """The figures of a set; raises `SourceError`."""
    measures: Mapping[str, Callable[[Path], Tally]] = {
        "workflow_dags": workflow,
        "story_states": story,
        "science_graph": science,
        "metaqa": metaqa,
        "story_litbank": reading,
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
    mean = means({what: each})[what] if each else Mean(0.0, 0.0, 0.0)
    shares = (one.precision, one.recall, one.f1, one.low, one.high, mean.value, mean.low, mean.high)
    return Figure(name, what, *shares, one.right, one.wrong, one.missing, one.papers, worst)
