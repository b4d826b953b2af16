"""Prints what became of indexed papers: their runs, warnings, errors and totals."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.cli.terminal import emit_json, say

if TYPE_CHECKING:
    from kag.indexing.batch import Outcome


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
