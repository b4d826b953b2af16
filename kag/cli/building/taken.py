"""Report what of the given paths is skipped: other forms of a paper, and files that are no papers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from kag.cli.terminal import note

if TYPE_CHECKING:
    from kag.indexing.batch import Finding

MOST = 8  # names that a line tells; 20,000 files of one kind are one line, too


def tell_left(found: Finding) -> None:
    """A line for each reason, and one for each paper that is there in several forms."""
    from kag.core.files import shown

    same: dict[str, list[Path]] = {}
    for path, why in found.left:
        same.setdefault(why, []).append(path)
    for why, paths in same.items():
        together = len(paths) > 1 and len({path.parent for path in paths}) == 1
        note(f"skipped {_names(paths) if together or len(paths) > MOST else ', '.join(map(shown, paths))}: {why}")
    several = [job for job in found.jobs if job.others]
    for job in several[:MOST]:
        others = ", ".join(shown(form.path.name) for form in job.others)
        note(f"{job.name} is read from {shown(job.source.name)}, not from {others}")
    if len(several) > MOST:
        note(f"and {len(several) - MOST} more papers are there in several forms")


def _names(paths: list[Path]) -> str:
    """The names of some paths: "README.md, gold.json (35 of that name)"."""
    from kag.core.files import shown

    count = Counter(path.name for path in paths)
    told = [shown(name) + (f" ({n} of that name)" if n > 1 else "") for name, n in list(count.items())[:MOST]]
    return ", ".join(told) + (f" and {len(count) - MOST} more" if len(count) > MOST else "")
