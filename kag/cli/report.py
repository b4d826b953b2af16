"""`kag report` and `kag trajectory`: a run as an HTML page, and what builders and agents did, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from kag.cli.options import PATH, Number, json_option
from kag.cli.proofs import note_stale
from kag.cli.terminal import emit, emit_json, say


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
