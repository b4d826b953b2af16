"""The written report of an evaluation: Markdown, figures and names only."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kag import __version__
from kag.core.files import write_output
from kag.evaluate.statistics import DRAWS, Difference
from kag.evaluate.structure.report import (
    Summary,
    difference_table,
    paper_table,
    score_table,
    style_table,
    summarise,
)
from kag.evaluate.structure.runs import VARIANT
from kag.evaluate.text_tables import table
from scripts.benchmarks.structure_faults import Seen

NOT_MEASURED = """\
The scorer reads blocks, numbers and links. It does not read page numbers and boxes, the characters of call-outs,
call-outs in captions, tables and notes, links to equations, sections and supplements, cells of tables, section types,
a paper's own title, authors and dates, nor volume, pages and container of references. Fields of references are asked
for only where the entry prints them."""


def write_report(
    path: Path,
    summaries: Sequence[Summary],
    *,
    command: str,
    notes: str = "",
    seen: Sequence[Seen] = (),
    differences: Mapping[str, Difference] | None = None,
) -> None:
    """Write the report; `notes` are put before the figures."""
    parts = [
        "# Structure: figures",
        f"{made_with()}. Command:\n\n    {command}",
        "Metrics are defined in `kag/evaluate/structure/score.py`: "
        "their score is F1 for kinds of facts, recall for shares.",
        notes.strip(),
        *map(section, summaries),
        f"## Difference to the other runs\n\n{difference_table(differences)}" if differences else "",
        f"## Planted faults\n\n{FAULTS_SAY}\n\n{fault_table(seen)}" if seen else "",
        f"## Not measured\n\n{NOT_MEASURED}",
    ]
    write_output(path, "\n\n".join(part for part in parts if part) + "\n")


FAULTS_SAY = """\
Each graph of the first set is spoilt in one known way and scored again. A fault is seen when every metric that is meant
to see it falls and every metric that has nothing to do with it stays as it is, to the last digit."""


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


def worst_table(summary: Summary) -> str:
    """The worst cases without words."""
    rows = [[case.metric, case.paper, str(case.missing), str(case.wrong)] for case in summary.worst]
    return table(["metric", "paper", "missing", "wrong"], rows) if rows else "Nothing is missing or wrong."


def fault_table(seen: Sequence[Seen]) -> str:
    """One row a fault: by how much each metric changes, blank where it stays; and the verdict."""
    metrics = list(seen[0].before) if seen else []
    rows = ([one.fault.name, *(_change(one.before[m], one.after[m]) for m in metrics), verdict(one)] for one in seen)
    return table(["fault", *metrics, "verdict"], rows)


def _change(before: float, after: float) -> str:
    return "" if before == after else f"{after - before:+.4f}"


def verdict(seen: Seen) -> str:
    """`seen`, or which metrics were blind to the fault or disturbed by it."""
    said = [f"blind: {', '.join(seen.blind)}"] if seen.blind else []
    said += [f"disturbed: {', '.join(seen.disturbed)}"] if seen.disturbed else []
    return "; ".join(said) or "seen"


def section(summary: Summary) -> str:
    """A set of papers as a section of a report."""
    papers = summary.evaluation.papers
    variants = sum(VARIANT in paper.name for paper in papers)
    again = f", {variants} of them further renderings of others" if variants else ""
    alone = tuple(paper for paper in papers if VARIANT not in paper.name)
    once = summarise(summary.name, replace(summary.evaluation, papers=alone), list(summary.scores), 0)
    details = {
        "Without further renderings": score_table(once) if variants else "",
        "By style": style_table(summary),
        "Most losses": worst_table(summary),
        "By paper": paper_table(summary),
    }
    parts = [
        f"## {summary.name}",
        f"{len(papers)} papers{again}. Intervals: {DRAWS} draws of papers, renderings of one paper drawn together.",
        *(f"Problem: {problem}" for problem in summary.evaluation.problems),
        score_table(summary),
        *(f"### {title}\n\n{body}" for title, body in details.items() if body),
    ]
    return "\n\n".join(parts)
