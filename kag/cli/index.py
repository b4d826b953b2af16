"""`kag index`: papers become run folders; which paths are skipped, and what became of the papers."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options import (
    PATH,
    Number,
    RenamedChoice,
    builder_options,
    check_tape,
    executor,
    json_option,
    machine_options,
    own_part,
)
from kag.cli.terminal import ShownProgress, emit_json, note, one_line, say

if TYPE_CHECKING:
    from kag.agents.build.build_options import ModelMaking
    from kag.agents.ocr.folder import Transcriber
    from kag.agents.ocr.transcript import PromptName
    from kag.core.workers import Limits
    from kag.indexing.batch import Finding, Job, Outcome
    from kag.layers.pipeline import Layers
    from kag.qa.passage_ranking import PassageVectors


EPILOG = "Exit codes: 0 done, 1 does not conform, 2 bad input, 3 model or sandbox failure, 130 interrupted."


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, type=PATH)
@click.option("--ocr-dir", "ocr_dirs", multiple=True, type=PATH, help="The same as PATH.")
@click.option("--source", default="", help="Read only this format (see --list-sources).")
@click.option("--list-sources", is_flag=True, help="List the source formats, the richest first, and exit.")
@click.option("--out-dir", type=PATH, default=Path("runs"), show_default=True, help="Folder for the run folders.")
@click.option("--workers", type=click.IntRange(1), default=None, help="Number of processes.  [default: one per core]")
@machine_options
@click.option(
    "--paper-id",
    default=None,
    help="Name of the paper, if there is only one.  [default: the name of its file or folder]",
)
@click.option(
    "--figures-dir",
    type=PATH,
    default=None,
    help="Folder with the images of the figures, if they are not next to the pages.",
)
@click.option("--url", default="", help="Address of the paper, if there is only one; kept in its graph.")
@click.option("--force", is_flag=True, help="Index papers again that are up to date.")
@click.option("--layers", "layers", default="", help="Also extract layers: entity, claim, or entity,claim.")
@click.option(
    "--vectors", is_flag=True, help="Also keep vectors of the passages, which later questions use; see kag doctor."
)
@click.option(
    "--paper-seconds",
    type=Number(0),
    default=None,
    help="Stop a paper that takes longer than this; 0 for no limit.  [default: 600; with a model 0, see --max-seconds]",
)
@click.option(
    "--paper-mb",
    type=click.IntRange(0),
    default=4096,
    show_default=True,
    help="Stop a paper that needs more memory than this, in MB (on Linux); 0 for no limit.",
)
@click.option(
    "--builder",
    type=RenamedChoice(["rlm", "review", "baseline"], {"hybrid": "review"}),
    default=None,
    help="rlm: a model builds the graph; review: a model corrects the outline made by rules; baseline: rules only.  "
    "[default: rlm with --lm, else baseline]",
)
@click.option("--vision", default="", help="Model that describes figures, for example anthropic/claude-haiku-4-5.")
@builder_options()
@click.option(
    "--password",
    default="",
    help="Password of encrypted PDFs. Prefer KAG_PDF_PASSWORD: other users can see your command line.",
)
@click.option(
    "--language", default="", help="Language of scanned pages, by its tesseract code: deu, eng+fra.  [default: eng]"
)
@click.option(
    "--engine", type=click.Choice(["pdfium", "liteparse"]), default="pdfium", show_default=True, help="PDF parser."
)
@click.option(
    "--ocr",
    default="",
    metavar="URL",
    help="Read PDFs with an OCR model on this server (OpenAI-compatible, /chat/completions).",
)
@click.option(
    "--ocr-model", default="", help="Name of the OCR model on that server, for example deepseek-ai/DeepSeek-OCR."
)
@click.option(
    "--ocr-prompt",
    type=click.Choice(["deepseek", "olmocr", "markdown"]),
    default="deepseek",
    show_default=True,
    help="Prompt format of the OCR model.",
)
@click.option(
    "--strict", is_flag=True, help="Exit with code 1 if a paper has a warning, such as no title or no references."
)
@json_option("Print the result of each paper as JSON.")
def index(
    paths: Sequence[Path],
    ocr_dirs: Sequence[Path],
    source: str,
    list_sources: bool,
    out_dir: Path,
    workers: int | None,
    shard: str,
    ray: str,
    paper_id: str | None,
    figures_dir: Path | None,
    url: str,
    force: bool,
    layers: str,
    vectors: bool,
    paper_seconds: float | None,
    paper_mb: int,
    password: str,
    language: str,
    engine: str,
    ocr: str,
    ocr_model: str,
    ocr_prompt: PromptName,
    strict: bool,
    as_json: bool,
    **agent: Any,
) -> None:
    """Index papers: each PATH is a PDF, a folder of OCR pages, a converter's output, JATS or TEI, or Markdown.

    The format is recognised from the content. A folder may hold many papers, nested and in different formats. If a
    paper exists in several formats (paper.pdf and paper.xml, or all in a folder named after its DOI), the richest one
    is read. Skipped files are reported.

    Each paper becomes OUT_DIR/<paper>_<UTC>/. Papers that are up to date are skipped, so you can interrupt the command
    and run it again. Papers that look incomplete are indexed with a warning. A table of all papers comes last.
    """
    from kag.agents.build.build_options import making
    from kag.indexing.batch import default_workers, limits_for, look_over
    from kag.sources.reading import Reading

    if list_sources:
        _list_sources(as_json=as_json)
        return
    check_tape(agent)
    options = making(**agent)
    if not (paths or ocr_dirs):
        raise click.UsageError("Give at least one paper: a file or a folder, as in: kag index papers/")
    transcriber = _transcriber(ocr, ocr_model, ocr_prompt, language, agent)
    parser = {"pdfium": ""}.get(engine, engine)
    reading = Reading(source=source, password=password, engine=parser, language=language, url=url)
    finding = look_over((*paths, *ocr_dirs), out_dir, figures=figures_dir, force=force, reading=reading)
    report_skipped(finding)
    if url and len(finding.jobs) != 1:
        raise click.UsageError(f"--url is the address of one paper, {len(finding.jobs)} were given")
    jobs = _jobs(finding.jobs, options, transcriber, own_part(list(finding.jobs), shard, paper_id))
    wanted_layers, wanted_vectors = _layers(layers), _vectors(wanted=vectors)
    jobs = [replace(job, layers=wanted_layers, vectors=wanted_vectors) for job in jobs]
    limits = limits_for(options, paper_seconds, paper_mb, ocr=transcriber is not None)
    outcomes = _index_all(jobs, executor(ray, workers or default_workers()), limits)
    report_outcomes(outcomes, as_json=as_json, strict=strict)


def _jobs(jobs: Sequence[Job], options: ModelMaking, transcriber: Transcriber | None, own: Sequence[Job]) -> list[Job]:
    """The jobs of this command with their options; raises `UsageError` for options that do not fit the papers."""
    from kag.sources.reader_registry import is_pdf

    if transcriber and not any(is_pdf(job.kind) for job in jobs):
        raise click.UsageError("--ocr reads PDFs, and there is no PDF to read")
    if (options.record or options.replay) and len(own) != 1:
        raise click.UsageError(f"--record and --replay need exactly one paper; {len(own)} were given")
    return [replace(job, options=options, ocr=transcriber) for job in own]


def _transcriber(
    url: str, model: str, prompt: PromptName, language: str, limits: Mapping[str, Any]
) -> Transcriber | None:
    """The OCR model for PDFs, if a server is named; the limits of a paper also limit its OCR."""
    if not url:
        if model:
            raise click.UsageError("--ocr-model needs --ocr URL, the address of its server")
        return None
    if not model:
        raise click.UsageError("--ocr needs --ocr-model NAME, the name of the model on that server")
    from kag.agents.ocr.folder import Transcriber
    from kag.agents.ocr.transcript import OcrOptions

    bounds = {name: limits[name] for name in ("max_usd", "max_tokens", "max_calls", "max_seconds")}
    return Transcriber(OcrOptions(url=url, model=model, prompt=prompt, language=language or "eng", **bounds))


def _layers(names: str) -> Layers | None:
    """The requested layers, if any; raises `BadValue`."""
    if not names:
        return None
    from kag.layers.pipeline import Layers, chosen

    return Layers(chosen(names))


def _vectors(*, wanted: bool) -> PassageVectors | None:
    """Return the embedder of passages, if vectors are requested; raises `MissingExtra` before the first paper."""
    if not wanted:
        return None
    from kag.qa.passage_ranking import PassageVectors

    vectors = PassageVectors()
    vectors.prepare()
    return vectors


def _list_sources(*, as_json: bool) -> None:
    from kag.sources.reader_registry import SOURCES

    if as_json:
        emit_json([{"name": source.name, "what": source.what} for source in SOURCES])
        return
    width = max(len(source.name) for source in SOURCES)
    for source in SOURCES:
        say(f"{source.name:{width}}  {source.what}")


def _index_all(jobs: Sequence[Job], by: dict[str, Any], limits: Limits) -> list[Outcome]:
    """Run the jobs, with a bar on a terminal and a line for each paper elsewhere."""
    from kag.indexing.batch import index_all

    outcomes: list[Outcome] = []
    with ShownProgress() as progress:
        for outcome in index_all(jobs, **by, limits=limits):
            outcomes.append(outcome)
            progress.item(outcome.job.name, outcome.state, len(outcomes), len(jobs))
    return outcomes


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
