"""`kag import`: the papers of a reference manager; `kag plan`: what many papers will cost."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options import PATH, Number, json_option
from kag.cli.terminal import ShownProgress, complain, emit_json, note, say
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
    jobs = _library_jobs(entries, [file.parent, *([files] if files else [])], out_dir)
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


def _library_jobs(entries: Sequence[Entry], folders: Sequence[Path], out_dir: Path) -> dict[str, tuple[Entry, Job]]:
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


@click.command(epilog="Exit codes: 0 done, 2 bad input.")
@click.argument("paths", nargs=-1, required=True, type=PATH)
@click.option(
    "--shards", type=click.IntRange(1, 100_000), default=1, show_default=True, help="Number of parts of the work."
)
@click.option(
    "--out", type=PATH, help="Write the list of papers to this file, one JSON object per line, and estimate nothing."
)
@click.option(
    "--papers", type=click.IntRange(1), help="Estimate for this many papers like these.  [default: these papers]"
)
@click.option("--pages", type=Number(1), help="Pages of a paper.  [default: the average of these]")
@click.option("--machines", type=click.IntRange(1), default=1, show_default=True, help="Number of machines.")
@click.option("--cores", type=click.IntRange(1), help="Cores of a machine.  [default: of this machine]")
@click.option("--tokens", type=Number(0), default=0.0, help="Tokens that a model takes for a paper.")
@click.option("--usd", type=Number(0), default=3.0, show_default=True, help="Price of a million tokens in US dollars.")
@click.option(
    "--sample",
    type=click.IntRange(2, 200),
    default=32,
    show_default=True,
    help="Number of papers to index for the estimate.",
)
@json_option("Print the costs, or what was written, as JSON.")
def plan(
    paths: Sequence[Path], shards: int, out: Path | None, papers: int | None, pages: float | None, machines: int,
    cores: int | None, tokens: float, usd: float, sample: int, as_json: bool,
) -> None:  # fmt: skip
    """Estimate what papers cost, by indexing a sample of the papers at PATHS.

    With --out, nothing is indexed: the papers at PATHS are listed with their source and their part for `kag index
    --shard I/N`.
    """
    from kag.indexing.batch import find_papers

    jobs = find_papers(paths, Path("runs"))
    if out:
        _write_list(jobs, shards, out)
        if as_json:
            emit_json({"out": str(out), "papers": len(jobs), "shards": shards})
        return
    from kag.corpus.planning import Machines, measured
    from kag.corpus.planning import plan as estimate
    from kag.evaluate.statistics import shown
    from kag.indexing.batch import default_workers

    step = max(1, len(jobs) // sample)
    tried = jobs[::step][:sample]
    note(f"indexing {len(tried)} papers to learn from ...")
    with ShownProgress() as progress:
        found = measured(tried, progress)
    for message in found.failed:
        note(f"left out: {message}")
    each = pages or found.pages / found.papers
    park = Machines(machines, cores or default_workers())
    costs = estimate(found, papers or len(jobs), each, park, tokens, usd)
    if as_json:
        emit_json([asdict(cost) for cost in costs])
        return
    note(f"{found.pages / found.index_seconds:.1f} pages a CPU second; {each:.1f} pages a paper")
    say(shown([{"what": cost.what, "amount": f"{cost.amount:,.2f}", "unit": cost.unit} for cost in costs]))


def _write_list(jobs: Sequence[Job], shards: int, out: Path) -> None:
    from kag.core.files import write_output
    from kag.indexing.over_ray import shard_of

    rows = [
        {"paper": job.name, "source": str(job.source), "kind": job.kind, "shard": shard_of(job.name, shards)}
        for job in jobs
    ]
    write_output(out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    note(f"{len(rows)} papers in {shards} parts written to {out}")
