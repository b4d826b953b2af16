"""The command line. Heavy imports wait until a command needs them.

Results go to stdout, messages to stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from kag import __version__
from kag.cli.asking.ask import ask
from kag.cli.asking.chat import chat
from kag.cli.asking.compare import compare
from kag.cli.asking.context import check, context
from kag.cli.asking.qa import qa
from kag.cli.asking.search import search
from kag.cli.asking.verify import verify
from kag.cli.building.import_ import import_
from kag.cli.building.ingest import ingest
from kag.cli.building.layers import layers
from kag.cli.building.outcomes import tell_left, tell_outcomes
from kag.cli.building.plan import plan
from kag.cli.building.proofs import audit, validate
from kag.cli.corpus.command import corpus
from kag.cli.doctor import doctor
from kag.cli.ending import run
from kag.cli.evaluate.command import evaluate
from kag.cli.graph import graph
from kag.cli.groups import Grouped
from kag.cli.options.limits import builder_options, check_tape, limit_options, tape_options
from kag.cli.options.machines import executor, machine_options, own_part
from kag.cli.options.values import PATH, Number, RenamedChoice, json_option
from kag.cli.output.export import export
from kag.cli.output.push import push
from kag.cli.output.report import report, trajectory
from kag.cli.serving.mcp import mcp, tools
from kag.cli.serving.serve import serve
from kag.cli.settings.config import config
from kag.cli.settings.configure import configure
from kag.cli.terminal import emit_json, say

if TYPE_CHECKING:
    from kag.agents.build.build_options import ModelMaking
    from kag.agents.ocr.options import PromptName
    from kag.agents.ocr.transcriber import Transcriber
    from kag.core.workers import Limits
    from kag.indexing.batch import Job, Outcome
    from kag.layers.runs import Layers

EPILOG = "Exit codes: 0 done, 1 does not conform, 2 bad input, 3 model or sandbox failure, 130 interrupted."


@click.group(cls=Grouped, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kag")
@click.option(
    "--config",
    "settings_file",
    envvar="KAG_CONFIG",
    type=PATH,
    help="Read settings from this file, not from ./kag.toml and ./pyproject.toml. Or KAG_CONFIG.",
)
@click.pass_context
def cli(context: click.Context, settings_file: Path | None) -> None:
    """Scientific papers into knowledge graphs that validate and can be traced to page and box."""
    context.obj = configure(context, settings_file)


cli.add_command(ask)
cli.add_command(audit)
cli.add_command(chat)
cli.add_command(check)
cli.add_command(compare)
cli.add_command(config)
cli.add_command(context)
cli.add_command(corpus)
cli.add_command(doctor)
cli.add_command(evaluate)
cli.add_command(export)
cli.add_command(graph)
cli.add_command(import_)
cli.add_command(ingest)
cli.add_command(layers)
cli.add_command(mcp)
cli.add_command(plan)
cli.add_command(push)
cli.add_command(qa)
cli.add_command(report)
cli.add_command(search)
cli.add_command(serve)
cli.add_command(tools)
cli.add_command(trajectory)
cli.add_command(validate)
cli.add_command(verify)


@cli.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, type=PATH)
@click.option("--ocr-dir", "ocr_dirs", multiple=True, type=PATH, help="Another way to give a PATH.")
@click.option("--source", default="", help="Read only this kind of source (see --list-sources).")
@click.option("--list-sources", is_flag=True, help="List the kinds of sources, the richest first, and stop.")
@click.option("--out-dir", type=PATH, default=Path("runs"), show_default=True, help="Where run folders go.")
@click.option("--workers", type=click.IntRange(1), default=None, help="Processes to use.  [default: one a core]")
@machine_options
@click.option("--paper-id", default=None, help="Name of the paper, for one alone.  [default: its file's or folder's]")
@click.option(
    "--figures-dir", type=PATH, default=None, help="Where the figures' pictures are, if not beside the pages."
)
@click.option("--force", is_flag=True, help="Index again what is up to date.")
@click.option("--layers", "said", default="", help="Also extract layers: entity, claim, or entity,claim.")
@click.option(
    "--paper-seconds",
    type=Number(0),
    default=None,
    help="Stop a paper that takes longer; 0 never.  [default: 600; with a model 0, see --max-seconds]",
)
@click.option(
    "--paper-mb",
    type=click.IntRange(0),
    default=4096,
    show_default=True,
    help="Stop a paper that needs so much more memory than a process begins with (on Linux); 0 never.",
)
@click.option(
    "--builder",
    type=RenamedChoice(["rlm", "review", "baseline"], {"hybrid": "review"}),
    default=None,
    help="rlm: a model builds the graph; review: a model corrects the rules' outline; baseline: rules alone.  "
    "[default: rlm with --lm, else baseline]",
)
@builder_options()
@click.option("--vision", default="", help="Model that describes the figures, as in anthropic/claude-haiku-4-5.")
@limit_options("paper", tokens="60000 for review")
@click.option("--max-iters", type=click.IntRange(1), default=20, show_default=True, help="Steps the model may take.")
@tape_options()
@click.option(
    "--password",
    default="",
    help="Opens locked PDFs. Better set KAG_PDF_PASSWORD: others may see a command.",
)
@click.option("--language", default="", help="Of scanned pages, as tesseract names it: deu, eng+fra.  [default: eng]")
@click.option(
    "--engine", type=click.Choice(["pdfium", "liteparse"]), default="pdfium", show_default=True, help="Who parses PDFs."
)
@click.option(
    "--ocr", default="", metavar="URL", help="Have a model read PDFs: a server that speaks /chat/completions."
)
@click.option("--ocr-model", default="", help="The model's name on that server, as in deepseek-ai/DeepSeek-OCR.")
@click.option(
    "--ocr-prompt",
    type=click.Choice(["deepseek", "olmocr", "markdown"]),
    default="deepseek",
    show_default=True,
    help="What the model is asked: the kind of model it is.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 if a paper has a warning: no title, no references, ...")
@json_option("Write what became of each paper as JSON.")
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
    force: bool,
    said: str,
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

    Its kind is recognised by its content; a folder may hold many papers, nested and of different kinds. Where one paper
    is there in several forms (paper.pdf and paper.xml, or all in a folder named by its DOI), the richest is read. What
    is skipped is reported.

    Each paper becomes OUT_DIR/<paper>_<UTC>/. Papers whose run is up to date are left alone, so an interrupted command
    can simply be given again. Papers that look incomplete are indexed with a warning.
    """
    from kag.indexing.batch import default_workers, limits_for, look_over
    from kag.sources.reading import Reading

    if list_sources:
        _list_sources(as_json=as_json)
        return

    options = _making(**agent)
    if not (paths or ocr_dirs):
        raise click.UsageError("Give at least one paper: a file, or a folder.")
    transcriber = _transcriber(ocr, ocr_model, ocr_prompt, language, agent)
    reading = Reading(source=source, password=password, engine=engine if engine != "pdfium" else "", language=language)
    found = look_over((*paths, *ocr_dirs), out_dir, figures=figures_dir, force=force, reading=reading)
    tell_left(found)
    jobs = _jobs(found.jobs, options, transcriber, own_part(list(found.jobs), shard, paper_id), said)
    limits = limits_for(options, paper_seconds, paper_mb, ocr=transcriber is not None)
    outcomes = _index_with_progress(jobs, executor(ray, workers or default_workers()), limits)
    tell_outcomes(outcomes, as_json=as_json, strict=strict)


def _jobs(
    found: Sequence[Job], options: ModelMaking, transcriber: Transcriber | None, own: Sequence[Job], layers: str
) -> list[Job]:
    """The jobs of this command with what was asked for; raises `UsageError` where that does not fit them."""
    from kag.sources.reader_registry import is_pdf

    if transcriber and not any(is_pdf(job.kind) for job in found):
        raise click.UsageError("--ocr reads PDFs, and none is to be read")
    if (options.record or options.replay) and len(own) != 1:
        raise click.UsageError(f"--record and --replay belong to one paper, {len(own)} were given")
    wanted = _layers(layers)
    return [replace(job, options=options, ocr=transcriber, layers=wanted) for job in own]


def _transcriber(
    url: str, model: str, prompt: PromptName, language: str, limits: Mapping[str, Any]
) -> Transcriber | None:
    """Who reads the pages of PDFs, if a server was named; the limits of a paper are those of its reading, too."""
    if not url:
        if model:
            raise click.UsageError("--ocr-model needs --ocr, the address of its server")
        return None
    if not model:
        raise click.UsageError("--ocr needs --ocr-model, the name under which the server knows it")
    from kag.agents.ocr.options import OcrOptions
    from kag.agents.ocr.transcriber import Transcriber

    bounds = {name: limits[name] for name in ("max_usd", "max_tokens", "max_calls", "max_seconds")}
    return Transcriber(OcrOptions(url=url, model=model, prompt=prompt, language=language or "eng", **bounds))


def _layers(names: str) -> Layers | None:
    """The layers that were asked for, if any; raises `BadValue`."""
    if not names:
        return None
    from kag.layers.pipeline import chosen
    from kag.layers.runs import Layers

    return Layers(chosen(names))


def _list_sources(*, as_json: bool) -> None:
    from kag.sources.reader_registry import SOURCES

    if as_json:
        emit_json([{"name": source.name, "what": source.what} for source in SOURCES])
        return
    width = max(len(source.name) for source in SOURCES)
    for source in SOURCES:
        say(f"{source.name:{width}}  {source.what}")


def _making(**given: Any) -> ModelMaking:
    """The agent's options with the builder chosen."""
    from kag.agents.build.build_options import making

    check_tape(given)
    return making(**given)


def _index_with_progress(jobs: Sequence[Job], by: dict[str, Any], limits: Limits) -> list[Outcome]:
    """Run the jobs behind a progress bar on a terminal, a line a paper elsewhere.

    The bar is drawn after each paper, and not by a thread: where there is none, workers are started faster.
    """
    from kag.indexing.batch import index_all

    outcomes: list[Outcome] = []
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("indexing"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[paper]}"),
        )
        with Progress(*columns, console=Console(stderr=True), auto_refresh=False) as progress:
            task = progress.add_task("", total=len(jobs), paper="")
            for outcome in index_all(jobs, **by, limits=limits):
                outcomes.append(outcome)
                progress.update(task, advance=1, paper=outcome.job.name, refresh=True)
        return outcomes
    for outcome in index_all(jobs, **by, limits=limits):
        outcomes.append(outcome)
        say(f"[{len(outcomes)}/{len(jobs)}] {outcome.job.name}: {outcome.state}", err=True)
    return outcomes


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line."""
    run(cli, arguments)
