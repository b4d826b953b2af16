"""`kag index`: papers become run folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.building.outcomes import report_outcomes, report_skipped
from kag.cli.options.model import builder_options, check_tape, limit_options, tape_options
from kag.cli.options.papers import executor, machine_options, own_part
from kag.cli.options.values import PATH, Number, RenamedChoice, json_option
from kag.cli.progress import ShownProgress
from kag.cli.terminal import emit_json, say

if TYPE_CHECKING:
    from kag.agents.build.build_options import ModelMaking
    from kag.agents.ocr.folder import Transcriber
    from kag.agents.ocr.options import PromptName
    from kag.core.workers import Limits
    from kag.indexing.batch import Job, Outcome
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
@builder_options()
@click.option("--vision", default="", help="Model that describes figures, for example anthropic/claude-haiku-4-5.")
@limit_options("paper", tokens="60000 for review")
@click.option(
    "--max-iters", type=click.IntRange(1), default=20, show_default=True, help="Maximum number of steps for the model."
)
@tape_options()
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
    from kag.indexing.batch import default_workers, limits_for, look_over
    from kag.sources.reading import Reading

    if list_sources:
        _list_sources(as_json=as_json)
        return

    options = _builder_options(**agent)
    if not (paths or ocr_dirs):
        raise click.UsageError("Give at least one paper: a file or a folder, as in: kag index papers/")
    transcriber = _transcriber(ocr, ocr_model, ocr_prompt, language, agent)
    engine = engine if engine != "pdfium" else ""
    reading = Reading(source=source, password=password, engine=engine, language=language, url=url)
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
    from kag.agents.ocr.options import OcrOptions

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


def _builder_options(**given: Any) -> ModelMaking:
    """The options of the chosen builder."""
    from kag.agents.build.build_options import making

    check_tape(given)
    return making(**given)


def _index_all(jobs: Sequence[Job], by: dict[str, Any], limits: Limits) -> list[Outcome]:
    """Run the jobs, with a bar on a terminal and a line for each paper elsewhere."""
    from kag.indexing.batch import index_all

    outcomes: list[Outcome] = []
    with ShownProgress() as progress:
        for outcome in index_all(jobs, **by, limits=limits):
            outcomes.append(outcome)
            progress.item(outcome.job.name, outcome.state, len(outcomes), len(jobs))
    return outcomes
