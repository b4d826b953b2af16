"""Report which paths are skipped, and what became of the indexed papers."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.cli.terminal import emit_json, note, one_line, say

if TYPE_CHECKING:
    from kag.indexing.batch import Finding, Outcome

MOST_NAMES = 8  # names on a line: 20,000 files of one kind are one line, too
MOST_ROWS = 30  # papers in the table; with more, only those that need attention are listed
COLUMNS = ("paper", "pages", "sections", "references", "warnings")
_CLASSES = {"sections": "doco:Section", "references": "deo:BibliographicReference"}


def report_skipped(finding: Finding) -> None:
    """Print a line for each reason to skip files, and one for each paper that exists in several formats."""
    from kag.core.files import shown

    by_reason: dict[str, list[Path]] = {}
    for path, reason in finding.left:
        by_reason.setdefault(reason, []).append(path)
    for reason, paths in by_reason.items():
        one_folder = len(paths) > 1 and len({path.parent for path in paths}) == 1
        names = _names(paths) if one_folder or len(paths) > MOST_NAMES else ", ".join(map(shown, paths))
        note(f"skipped {names}: {reason}")
    several = [job for job in finding.jobs if job.others]
    for job in several[:MOST_NAMES]:
        others = ", ".join(shown(form.path.name) for form in job.others)
        note(f"{job.name} is read from {shown(job.source.name)}, not from {others}")
    if len(several) > MOST_NAMES:
        note(f"{len(several) - MOST_NAMES} more papers exist in several formats")


def _names(paths: list[Path]) -> str:
    """The names of some paths: "README.md, gold.json (35 of that name)"."""
    from kag.core.files import shown

    count = Counter(path.name for path in paths)
    names = [shown(name) + (f" ({n} of that name)" if n > 1 else "") for name, n in list(count.items())[:MOST_NAMES]]
    return ", ".join(names) + (f" and {len(count) - MOST_NAMES} more" if len(count) > MOST_NAMES else "")


def report_outcomes(outcomes: Sequence[Outcome], *, as_json: bool, strict: bool = False) -> None:
    """Print run folders, errors, warnings and the table; exit if a paper failed, with `strict` also on a warning."""
    done = sorted(outcomes, key=lambda outcome: outcome.job.name)
    if as_json:
        emit_json([_row(outcome) for outcome in done])
    for outcome in done if not as_json else ():
        if outcome.run:
            say(outcome.run)
    for outcome in outcomes:
        if outcome.message:
            kind = "error" if outcome.state == "failed" else "note"
            say(f"{kind}: {outcome.message}\n  {outcome.hint}", err=True)
    copies = _copies(done)
    warned = _report_warnings(done, copies)
    if not as_json:
        _print_table(done, copies)
    if len(outcomes) > 1:
        say(_totals(outcomes, warned), err=True)
    if failed := sum(outcome.state == "failed" for outcome in outcomes):
        rest = "; the others are indexed" if failed < len(outcomes) else ""
        say(f"{failed} of {len(outcomes)} papers failed{rest}.", err=True)
    code = max((outcome.exit_code for outcome in outcomes), default=0)
    if code or (strict and warned):
        sys.exit(code or 1)


def _copies(outcomes: Sequence[Outcome]) -> dict[str, Path]:
    """The papers that are byte-identical copies, by name, each with the source that it copies."""
    from kag.indexing.run import digest_of

    first: dict[str, Path] = {}
    copies: dict[str, Path] = {}
    for outcome in outcomes:
        if outcome.run is not None:
            original = first.setdefault(digest_of(outcome.run), outcome.job.source)
            if original != outcome.job.source:
                copies[outcome.job.name] = original
    return copies


def _report_warnings(outcomes: Sequence[Outcome], copies: dict[str, Path]) -> int:
    """Print the warnings of each paper with the command that shows more; return how many papers have some."""
    from kag.core.files import shown
    from kag.indexing.run import warnings_of

    warned = 0
    for outcome in outcomes:
        if outcome.run is None:
            continue
        warnings = warnings_of(outcome.run)
        for warning in warnings:
            say(f"warning: {outcome.job.name}: {warning['message']}", err=True)
            say(f"  {warning['command']} {shown(outcome.run)}", err=True)
        if original := copies.get(outcome.job.name):
            say(f"warning: {shown(outcome.job.source)} is a byte-identical copy of {shown(original)}", err=True)
        warned += bool(warnings) or outcome.job.name in copies
    return warned


def _print_table(outcomes: Sequence[Outcome], copies: dict[str, Path]) -> None:
    """Print a row for each paper to stderr; of very many papers only those that failed or have warnings."""
    rows = [_cells(outcome, outcome.job.name in copies) for outcome in outcomes]
    if len(rows) > MOST_ROWS:
        rows = [row for row in rows if row[-1] != "0"][:MOST_ROWS]
    if not rows:
        return
    widths = [max(len(row[at]) for row in (COLUMNS, *rows)) for at in range(len(COLUMNS))]
    for row in (COLUMNS, *rows):
        name, *numbers = (
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        say("  ".join((name, *numbers)), err=True)


def _cells(outcome: Outcome, copied: bool) -> tuple[str, ...]:
    """The cells of a paper in the table."""
    from kag.core.files import read_object
    from kag.indexing.run import SUMMARY, warnings_of

    name = one_line(outcome.job.name)
    if outcome.run is None:
        return (name, *["-"] * (len(COLUMNS) - 2), outcome.state)
    try:
        summary = read_object(outcome.run / SUMMARY)
        pages, classes = summary["source"]["pages"], summary["graph"]["classes"]
        counts = [pages, *(classes.get(kind, 0) for kind in _CLASSES.values())]
    except (OSError, ValueError, KeyError, TypeError):
        counts = ["-"] * (len(COLUMNS) - 2)
    return (name, *map(str, counts), str(len(warnings_of(outcome.run)) + copied))


def _row(outcome: Outcome) -> dict[str, Any]:
    """An outcome as `--json` prints it."""
    from kag.indexing.run import warnings_of

    run = str(outcome.run) if outcome.run else None
    fields = {name: getattr(outcome, name) for name in ("state", "pages", "triples", "message", "hint")}
    warnings = warnings_of(outcome.run) if outcome.run else []
    return {"paper": outcome.job.name, "source": str(outcome.job.source), "run": run, **fields, "warnings": warnings}


def _totals(outcomes: Sequence[Outcome], warned: int) -> str:
    """Return the number of papers by state, and the files written."""
    states = Counter(outcome.state for outcome in outcomes)
    counts = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    pages = sum(outcome.pages for outcome in outcomes if outcome.state == "indexed")
    triples = sum(outcome.triples for outcome in outcomes)
    notes = sum(bool(outcome.message) for outcome in outcomes if outcome.state != "failed")
    noted = f"; {notes} with a note above" if notes else ""
    noted += f"; {warned} with a warning above" if warned else ""
    return f"{len(outcomes)} papers: {counts}; {pages} pages and {triples} triples written{noted}"
