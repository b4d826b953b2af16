"""Report what is skipped of the given paths, and what became of indexed papers."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.cli.terminal import emit_json, note, say

if TYPE_CHECKING:
    from kag.indexing.batch import Finding, Outcome


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


def tell_outcomes(outcomes: Sequence[Outcome], *, as_json: bool, strict: bool = False) -> None:
    """Print the run folders, warnings and errors; exits when anything failed, and with `strict` on a warning."""
    failed = [outcome for outcome in outcomes if outcome.state == "failed"]
    done = sorted(outcomes, key=lambda one: one.job.name)
    if as_json:
        emit_json([_row(one) for one in done])
    for outcome in done if not as_json else ():
        if outcome.run:
            say(outcome.run)
    for outcome in outcomes:
        if outcome.message:
            kind = "error" if outcome.state == "failed" else "note"
            say(f"{kind}: {outcome.message}\n  {outcome.hint}", err=True)
    warned = _tell_warnings(done)
    if len(outcomes) > 1:
        say(_totals(outcomes, warned), err=True)
    if failed:
        rest = "; the others are indexed" if len(failed) < len(outcomes) else ""
        say(f"{len(failed)} of {len(outcomes)} papers failed{rest}.", err=True)
    code = max((outcome.exit_code for outcome in outcomes), default=0)
    if code or (strict and warned):
        sys.exit(code or 1)


def _tell_warnings(outcomes: Sequence[Outcome]) -> int:
    """Print the warnings of each paper, with the command that shows more; returns how many papers have some."""
    from kag.core.files import shown
    from kag.indexing.run import digest_of, warnings_of

    warned = 0
    runs: dict[str, Path] = {}
    for outcome in outcomes:
        if outcome.run is None:
            continue
        warnings = warnings_of(outcome.run)
        for warning in warnings:
            say(f"warning: {outcome.job.name}: {warning['message']}", err=True)
            say(f"  {warning['command']} {shown(outcome.run)}", err=True)
        first = runs.setdefault(digest_of(outcome.run), outcome.job.source)
        if first != outcome.job.source:
            say(f"warning: {shown(outcome.job.source)} is a byte-identical copy of {shown(first)}", err=True)
        warned += bool(warnings) or first != outcome.job.source
    return warned


def _row(outcome: Outcome) -> dict[str, Any]:
    """An outcome as `--json` has it."""
    from kag.indexing.run import warnings_of

    run = str(outcome.run) if outcome.run else None
    told = {name: getattr(outcome, name) for name in ("state", "pages", "triples", "message", "hint")}
    warnings = warnings_of(outcome.run) if outcome.run else []
    return {"paper": outcome.job.name, "source": str(outcome.job.source), "run": run, **told, "warnings": warnings}


def _totals(outcomes: Sequence[Outcome], papers: int) -> str:
    """How many papers came to which end, and what was written."""
    states = Counter(outcome.state for outcome in outcomes)
    told = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    pages = sum(outcome.pages for outcome in outcomes if outcome.state == "indexed")
    triples = sum(outcome.triples for outcome in outcomes)
    notes = sum(bool(outcome.message) for outcome in outcomes if outcome.state != "failed")
    warned = f"; {notes} with a note above" if notes else ""
    warned += f"; {papers} with a warning above" if papers else ""
    return f"{len(outcomes)} papers: {told}; {pages} pages and {triples} triples written{warned}"
