"""`kag validate` and `kag audit`: runs proved again from their files; and whether a run is stale."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kag.cli.options import PATH, json_option
from kag.cli.terminal import emit_json, note, say

if TYPE_CHECKING:
    from kag.core.report import Report


EPILOG = "Exit codes: 0 all checks pass, 1 a check fails, 2 bad input."


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


@click.command(epilog=EPILOG)
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


@click.command(epilog=EPILOG)
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
