"""The written report of an evaluation: Markdown with its plots beside it, figures and names only."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from kag import __version__
from kag.evaluate import plots
from kag.evaluate.statistics import Difference
from kag.evaluate.structure.faults import Seen
from kag.evaluate.structure.report import NOT_MEASURED, Summary, difference_table, fault_table, section
from kag.safety.files import write_output


def write_report(
    path: Path,
    summaries: Sequence[Summary],
    *,
    command: str,
    notes: str = "",
    seen: Sequence[Seen] = (),
    differences: Mapping[str, Difference] | None = None,
) -> None:
    """Write the report, and its plots into `plots/` beside it. `notes` are put before the figures."""
    pictures = _pictures(summaries)
    links = {name: f"![{name.replace('_', ' ')}](plots/{path.stem}_{name}.svg)" for name in pictures}
    first = [links[name] for name in ("papers", "styles") if name in links]
    parts = [
        "# Structure: figures",
        f"{made_with()}. Command:\n\n    {command}",
        "Metrics are defined in `kag/evaluate/structure/score.py`: "
        "their score is F1 for kinds of facts, recall for shares.",
        notes.strip(),
        links["scores"],
        *(section(summary, () if n else first) for n, summary in enumerate(summaries)),
        f"## Difference to the other runs\n\n{difference_table(differences)}" if differences else "",
        f"## Planted faults\n\n{FAULTS_SAY}\n\n{fault_table(seen)}" if seen else "",
        f"## Not measured\n\n{NOT_MEASURED}",
    ]
    for name, picture in pictures.items():
        write_output(path.parent / "plots" / f"{path.stem}_{name}.svg", picture)
    write_output(path, "\n\n".join(part for part in parts if part) + "\n")


FAULTS_SAY = """\
Each graph of the first set is spoilt in one known way and scored again. A fault is seen when every metric that is meant
to see it falls and every metric that has nothing to do with it stays as it is, to the last digit."""


def _pictures(summaries: Sequence[Summary]) -> dict[str, str]:
    made = {
        "scores": plots.scores(summaries),
        "papers": plots.papers(summaries[0]),
        "styles": plots.styles(summaries[0]),
    }
    return {name: picture for name, picture in made.items() if picture}


def made_with() -> str:
    """Version, commit if the code lies in a repository, and the size of the machine."""
    memory = round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)
    return f"kag {__version__}{_commit()}, Python {platform.python_version()}, {os.cpu_count()} cores, {memory} GiB"


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return f", commit {done.stdout.strip()}" if done.returncode == 0 else ""
