"""`kag import`: the papers of a reference manager, by their keys."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.values import PATH, json_option
from kag.cli.progress import ShownProgress
from kag.cli.terminal import complain, emit_json, note, say
from kag.core.display import Progress, counted

if TYPE_CHECKING:
    from kag.indexing.batch import Job
    from kag.indexing.references.library_file import Entry

REPORT = "library.json"
FORMAT = "kag-library/1"


@click.command("import", epilog="Exit codes: 0 done, 2 the file is not a library or names no paper, or a paper failed.")
@click.argument("kind", type=click.Choice(["bibtex", "zotero"]))
@click.argument("file", type=PATH)
@click.option(
    "--files", type=PATH, default=None, help="Also look for PDFs in this folder.  [default: next to FILE only]"
)
@click.option("--out-dir", type=PATH, default=Path("runs"), show_default=True, help="Folder for the run folders.")
@click.option("--workers", type=click.IntRange(1), default=None, help="Number of processes.  [default: one per core]")
@json_option("Print the content of OUT_DIR/library.json.")
def import_(kind: str, file: Path, files: Path | None, out_dir: Path, workers: int | None, as_json: bool) -> None:
    """Index the PDFs that FILE (BibTeX or Zotero RDF) names; the id of a paper is its key.

    Title, year and DOI in FILE do not change the graph. Differences from the printed ones are reported, and
    OUT_DIR/library.json has both, with key, run and PDF of each entry.
    """
    from kag.core.errors import SourceError
    from kag.core.files import shown, write_output
    from kag.indexing.references.library_file import read_bibtex, read_zotero

    entries, problems = (read_bibtex if kind == "bibtex" else read_zotero)(file)
    for problem in problems:
        note(f"{shown(file)}: {problem}")
    jobs = _jobs(entries, [file.parent, *([files] if files else [])], out_dir)
    if not jobs:
        hint = "Export the library with its files, or say with --files where they are."
        raise SourceError(f"{shown(file)} has {len(entries)} entries, none with a PDF that is there", hint=hint)
    with ShownProgress() as progress:
        rows, failed = _indexed(jobs, workers, progress)
    for row in rows if not as_json else ():
        if "run" in row:
            say(row["run"])
    rows += [
        {"key": entry.key, "files": list(entry.files)} for entry in entries if entry.key not in {r["key"] for r in rows}
    ]
    report = {"format": FORMAT, "papers": sorted(rows, key=lambda row: str(row["key"]))}
    write_output(out_dir / REPORT, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    if as_json:
        emit_json(report)
    say(f"{len(entries)} entries: {len(jobs) - failed} papers, {failed} failed", err=True)
    if failed:
        sys.exit(2)


def _jobs(entries: Sequence[Entry], folders: Sequence[Path], out_dir: Path) -> dict[str, tuple[Entry, Job]]:
    """Return the jobs by paper id."""
    from dataclasses import replace

    from kag.indexing.batch import look_over
    from kag.indexing.references.library_file import pdf_of
    from kag.sources.names import safe_paper_id

    jobs: dict[str, tuple[Entry, Job]] = {}
    for entry in entries:
        name, pdf = safe_paper_id(entry.key), pdf_of(entry, folders)
        if pdf is None:
            note(f"{entry.key}: {'its PDF is not there' if entry.files else 'it names no PDF'}; it is left out")
        elif name in jobs:
            note(f"{entry.key}: there is an entry of this key already; it is left out")
        else:
            job = look_over([pdf], out_dir).jobs[0]
            jobs[name] = entry, replace(job, name=name)
    return jobs


def _indexed(
    jobs: dict[str, tuple[Entry, Job]], workers: int | None, progress: Progress
) -> tuple[list[dict[str, Any]], int]:
    """Index the papers; return their outcomes and the number of failures."""
    import kag
    from kag.indexing.batch import default_workers, index_all
    from kag.indexing.isolated_reader import LIMITS
    from kag.indexing.references.library_file import compared

    rows, failed = [], 0
    made = index_all([job for _, job in jobs.values()], workers=workers or default_workers(), limits=LIMITS)
    for outcome in counted(made, "papers", len(jobs), progress):
        entry, job = jobs[outcome.job.name]
        row: dict[str, Any] = {"key": entry.key, "paper": job.name, "pdf": str(job.source)}
        if outcome.run is None:
            complain(f"{entry.key}: {outcome.message}", outcome.hint)
            failed += 1
        else:
            paper = kag.open(outcome.run)
            printed = {"title": paper.title, "year": str(paper.year or ""), "doi": paper.doi}
            row |= {"run": str(outcome.run), "fields": compared(entry, printed)}
            for name, both in row["fields"].items():
                if both["state"] == "differs":
                    note(f"{entry.key}: {name} is printed as {both['printed']!r}, the library has {both['found']!r}")
        rows.append(row)
    return rows, failed
