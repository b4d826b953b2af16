"""Says what of the given paths is not read: other forms of a paper, and what is no paper at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kag.cli.terminal import note

if TYPE_CHECKING:
    from kag.write.batch import Finding

MOST_LINES = 20


def tell_left(found: Finding) -> None:
    """A line for each reason and name, so that `gold.json` beside a hundred papers is one line and not a hundred."""
    from kag.safety.files import shown

    same: dict[tuple[str, str], list[Path]] = {}
    for path, why in found.left:
        same.setdefault((path.name, why), []).append(path)
    lines = [
        f"{shown(paths[0]) if len(paths) == 1 else f'{shown(name)} ({len(paths)} of that name)'} {why}; left out"
        for (name, why), paths in same.items()
    ]
    for job in found.jobs:
        if job.others:
            others = ", ".join(shown(form.path.name) for form in job.others)
            lines.append(f"{job.name} is read from {shown(job.source.name)}, not from {others}")
    for line in lines[:MOST_LINES]:
        note(line)
    if len(lines) > MOST_LINES:
        note(f"and {len(lines) - MOST_LINES} more")
