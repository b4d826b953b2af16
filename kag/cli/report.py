"""`kag validate`, `kag audit`, `kag report`, `kag trajectory`: runs proved again, as a page, and step by step."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kag.cli.options import PATH, Number, json_option
from kag.cli.terminal import emit, emit_json, note, say

if TYPE_CHECKING:
    from kag.core.report import Report


@click.command(epilog="Exit codes: 0 done, 2 bad input, or the file cannot be written.")
@click.argument("run", type=PATH)
@click.option("--answers", type=PATH, default=None, help="Answers of `kag qa`.  [default: RUN/qa, if it exists]")
@click.option(
    "--source",
    "--ocr-dir",
    "source",
    type=PATH,
    default=None,
    help="PDF of the paper, or folder with page_NNN.png and figures; without it, boxes are drawn.",
)
@click.option("--max-mb", type=Number(0), default=20, show_default=True, help="Maximum size of all pictures.")
@click.option("--out", type=PATH, default=None, help="Output file.  [default: RUN/report.html]")
@json_option("Print what was written as JSON.")
def report(
    run: Path, answers: Path | None, source: Path | None, max_mb: float, out: Path | None, as_json: bool
) -> None:
    """Write RUN, a run of `kag index`, as one HTML page that needs no network.

    Click on a claim to see where its evidence is printed. report.html#b_p001_0004 opens at that block.
    """
    from kag.core.files import write_output, write_whole
    from kag.export.references import fields_by_entry
    from kag.qa.answer_folder import answer_files
    from kag.qa.page import build_page

    if source:
        note_stale(run, source)
    default = run / "qa"
    path = answers or (default if (default / "answers").is_dir() else None)
    files = answer_files([path]) if path else ()
    page = build_page(run, files, source, int(max_mb * 1_000_000), fields_by_entry)
    target = out or run / "report.html"
    write_output(target, page) if out else write_whole(target, page)
    if as_json:
        emit_json({"out": str(target), "bytes": len(page.encode()), "answers": len(files)})
    else:
        say(target)


EPILOG = "Exit codes: 0 done, 2 no trajectory, or it cannot be read."


@click.command(epilog=EPILOG)
@click.argument("runs", nargs=-1, required=True, type=PATH)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write all reports to this file.")
@click.option("--out-dir", type=PATH, help="Write one file for each run or question to this folder.")
@json_option("Print names and reports, or the files written, as JSON.")
def trajectory(runs: Sequence[Path], out: Path | None, out_dir: Path | None, as_json: bool) -> None:
    """Show step by step what builders and agents did in RUNS: runs, folders of answers, or trajectory.jsonl files.

    A run that was killed has a trajectory too. Without --out or --out-dir the reports are printed.
    """
    from kag.core.files import write_output
    from kag.export.trajectory_report import report_of

    if out and out_dir:
        raise click.UsageError("Give --out or --out-dir.")
    reports = [(name, report_of(path)) for run in runs for name, path in _trajectories(run)]
    if out_dir:
        out_dir.mkdir(parents=True, exist_ok=True)
        files = {out_dir / f"{name}.md": report for name, report in reports}
    else:
        files = {out: "\n".join(report for _, report in reports)} if out else {}
    for file, text in files.items():
        write_output(file, text)
    if as_json:
        emit_json([{"out": str(file)} for file in files] or [{"name": n, "report": text} for n, text in reports])
    elif out_dir:
        say(out_dir)
    elif not out:
        emit("\n".join(report for _, report in reports))


def _trajectories(run: Path) -> Iterator[tuple[str, Path]]:
    """The trajectories of a run or of a folder of answers, each with a name."""
    from kag.indexing.run import find_runs
    from kag.qa.answer_folder import trajectories_of

    paths = trajectories_of(run) or (find_runs(run) if run.is_dir() else []) or [run]
    for path in paths:
        yield (path.resolve().name if path.is_dir() else path.stem), path


CHECK_EPILOG = "Exit codes: 0 all checks pass, 1 a check fails, 2 bad input."


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of checking one layer of a run (`layer` is "" for many runs together); `well` is the message without
    issues."""

    run: str
    layer: str
    report: Report
    well: str

    @property
    def name(self) -> str:
        """A run's document by the run's name, its layers by their own, too."""
        return self.run if self.layer in ("", "doc") else f"{self.run}, {self.layer} layer"


@click.command(epilog=CHECK_EPILOG)
@click.argument("runs", nargs=-1, required=True, type=PATH)
@click.option("--union", is_flag=True, help="Also validate the union of all graphs.")
@json_option("Print issues by run and layer as JSON.")
def validate(runs: Sequence[Path], union: bool, as_json: bool) -> None:
    """Validate the graphs of RUNS (runs or folders of them) with pyshacl, the reference engine."""
    _report(_validated(runs, union), as_json=as_json)


def _validated(runs: Sequence[Path], union: bool) -> Iterator[Proof]:
    from kag.indexing.run import find_runs
    from kag.layers.gate import validate_run, validate_union

    paths = [run for path in runs for run in find_runs(path) or [path]]
    for path in paths:
        for layer, report in validate_run(path).items():
            yield Proof(str(path), layer, report, "conforms")
    if union:
        yield Proof(f"union of {len(paths)} graphs", "", validate_union(paths), "conforms")


@click.command(epilog=CHECK_EPILOG)
@click.argument("runs", nargs=-1, required=True, type=PATH)
@click.option(
    "--ocr-dir",
    type=PATH,
    default=None,
    help="Source of the paper, to check the list of input blocks too (one RUN only).",
)
@click.option("--password", default="", help="Password of an encrypted PDF. Prefer KAG_PDF_PASSWORD.")
@click.option("--language", default="", help="Language of scanned pages, as given to `kag index`.")
@json_option("Print issues by run and layer as JSON.")
def audit(runs: Sequence[Path], ocr_dir: Path | None, password: str, language: str, as_json: bool) -> None:
    """Prove that no input block of a paper was lost, doubled or changed in RUNS."""
    if ocr_dir is not None and len(runs) != 1:
        raise click.UsageError("--ocr-dir belongs to one run")
    _report((proof for run in runs for proof in _audited(run, ocr_dir, password, language)), as_json=as_json)


def _audited(path: Path, ocr_dir: Path | None, password: str, language: str) -> Iterator[Proof]:
    from kag.indexing.audit import audit as check
    from kag.indexing.isolated_reader import read_apart
    from kag.indexing.run import kind_of_source, load_run
    from kag.layers.pipeline import audit_run
    from kag.sources.reading import Reading

    run = load_run(path)
    reading = Reading(run.summary["paper"], source=kind_of_source(path), password=password, language=language)
    source = read_apart(ocr_dir, reading) if ocr_dir else None
    blocks = f"{len(run.ledger)} blocks: {len(run.ledger) - len(run.skipped)} in the graph, {len(run.skipped)} skipped"
    yield Proof(str(path), "doc", check(run, source), f"conserved ({blocks})")
    for layer, (report, count) in audit_run(path).items():
        yield Proof(str(path), layer, report, f"all {count} quotes stand where they say")


def _report(proofs: Iterator[Proof], *, as_json: bool) -> None:
    """Print each proof as it is made; exits with 1 when anything is not well."""
    done = []
    for proof in proofs:
        done.append(proof)
        if not as_json:
            _show(proof)
    if as_json:
        emit_json([_row(proof) for proof in done])
    sys.exit(0 if not any(proof.report.issues for proof in done) else 1)


def _show(proof: Proof) -> None:
    issues = proof.report.issues
    say(f"{proof.name}: {f'{len(issues)} issues' if issues else proof.well}")
    for issue in issues:
        say(f"  {issue.component} {issue.focus}: {issue.message}")


def _row(proof: Proof) -> dict[str, object]:
    from dataclasses import asdict

    issues = [asdict(issue) for issue in proof.report.issues]
    return {
        "run": proof.run,
        "layer": proof.layer,
        "ok": not issues,
        "told": proof.well if not issues else "",
        "issues": issues,
    }


def note_stale(run: Path, source: Path) -> None:
    """Warn if a run is stale; nothing if its source is missing or the run has no ledger."""
    from kag.core.errors import RunError, SourceError
    from kag.core.files import shown
    from kag.indexing.audit import is_stale
    from kag.indexing.isolated_reader import read_apart
    from kag.indexing.run import kind_of_source
    from kag.sources.reading import Reading

    try:
        stale = is_stale(run, read_apart(source, Reading(source=kind_of_source(run))))
    except (SourceError, RunError):
        return
    if stale:
        where = shown(source)
        note(f"{shown(run)} is stale: {where} has other pages now; `kag index {where}` makes a run of them")
