"""`kag evaluate qa` and `kag evaluate passages`: how right answers are. Tables go to stdout, notes to stderr."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.agents.read.read_options import MAX_ITERS, ReadOptions, checked
from kag.cli.evaluate.shown import MEASURED, command_line, read_notes, tell, write_json
from kag.cli.options.limits import limit_options, rerank_option
from kag.cli.options.machines import cluster_option, shared_work, spread
from kag.cli.options.mode import mode_option
from kag.cli.options.values import PATH
from kag.cli.terminal import note, say

if TYPE_CHECKING:
    from kag.evaluate.answers.report import Summary
    from kag.evaluate.answers.score import Ask
    from kag.questions.file import Question
    from kag.read.library import Library
    from kag.read.paper import PaperGraph
    from kag.values.evidence import Answer

ASKED = "mode", "lm", "max_usd", "max_tokens", "max_calls", "max_seconds", "max_iters"
REPEATS = 5  # of what a model answers, as a rule


@click.command(epilog=MEASURED)
@click.argument("questions", type=PATH)
@click.argument("runs", type=PATH)
@click.option(
    "--also",
    type=(str, PATH, PATH),
    multiple=True,
    help="Another set: a name, its questions and runs. Can be repeated.",
)
@click.option("--passages", "articles", type=PATH, default=None, help="Score `kag evaluate passages` FILE as well.")
@click.option("--unanswerable", "silent", is_flag=True, help="Ask for what is not there: made from the same questions.")
@click.option("--ablate", is_flag=True, help="Answer by rules again without enrichment, without search normalisation.")
@click.option("--lm", default="", help="Let this model answer, as in anthropic/claude-sonnet-4-5.  [default: rules]")
@mode_option()
@click.option("--repeats", type=click.IntRange(1), help="Answer so many times.  [default: 5 with --lm, else 1]")
@limit_options("question")
@click.option("--max-iters", type=click.IntRange(1), default=MAX_ITERS, show_default=True, help="An agent's steps.")
@cluster_option("Ask by rules over a Ray cluster: auto, local or an address.")
@click.option("--out-dir", type=PATH, help="Where a model's answers are kept.  [default: RUNS/evaluate_qa]")
@click.option("--json", "json_file", type=PATH, default=None, help="Write all figures and marks to this file.")
@click.option("--report", type=PATH, default=None, help="Write a Markdown report here.")
@click.option("--notes", type=PATH, default=None, help="Markdown to put before the figures of the report.")
@click.pass_context
def qa(
    context: click.Context, /, questions: Path, runs: Path, also: Sequence[tuple[str, Path, Path]], **wish: Any
) -> None:
    """Score answers: the QUESTIONS of a file, with gold or hints, put to the graphs in RUNS.

    QUESTIONS may also be a folder of papers with questions.json. Every answer is checked. A command with a model
    that was interrupted can be given again: what is answered is not asked again.
    """
    from kag.evaluate.answers.passages import figures
    from kag.evaluate.answers.report import as_json, write_report

    notes, file = read_notes(wish["notes"]), wish["articles"]
    options = checked(ReadOptions(**{name: wish[name] for name in ASKED}))
    if wish["ray"] and options.model:
        raise click.UsageError("--ray goes without --lm: a model's limits are kept by one process.")
    wish["by"] = spread(wish["ray"])
    found = [_summary(*one, options, wish) for one in ((_name(questions), questions, runs), *also)]
    for summary in found:
        _show(summary)
    read = {_name(file): figures(file, ablate=wish["ablate"], executor=wish["by"])} if file else {}
    for tables in read.values():
        _show_tables(tables)
    if wish["json_file"]:
        write_json(wish["json_file"], {"sets": {one.name: as_json(one) for one in found}, "articles": read})
    if wish["report"]:
        write_report(wish["report"], found, read, command=command_line(context), notes=notes)


def _name(path: Path) -> str:
    """What a set is called: the folder that it lies in, or is."""
    path = path.resolve()
    return path.name if path.is_dir() else path.parent.name


def _summary(name: str, questions: Path, runs: Path, options: ReadOptions, wish: dict[str, Any]) -> Summary:
    from kag.evaluate.answers.ablations import ablations
    from kag.evaluate.answers.gold import read_gold
    from kag.evaluate.answers.report import Summary
    from kag.evaluate.answers.score import extractive, mark, mark_spread, paired
    from kag.evaluate.answers.unanswerable import put, put_spread, unanswerable
    from kag.read.library import open_library

    golds, library = read_gold(questions), open_library(runs)
    items = unanswerable(golds, library) if wish["silent"] else ()
    repeats, silences = [], []
    folder = (wish["out_dir"] or runs / "evaluate_qa") / name.replace("/", "_")
    for number in range(wish["repeats"] or (REPEATS if options.model else 1)):
        if not options.model:
            repeats.append(mark_spread(golds, library, extractive, wish["by"]))
            silences.append(put_spread(items, library, extractive, wish["by"]))
            continue
        with _asking(options, library, folder / f"repeat_{number + 1}") as ask:
            repeats.append(mark(golds, library, ask))
            silences.append(put(items, library, ask))
    return Summary(
        name=name,
        mode=f"{options.model}, mode {options.mode}" if options.model else "rules, no model",
        unasked=len(golds) - len(paired(golds, library)),
        repeats=tuple(repeats),
        silences=tuple(silences) if items else (),
        ablated=ablations(golds, library, wish["by"]) if wish["ablate"] else {},
    )


@contextmanager
def _asking(options: ReadOptions, library: Library, folder: Path) -> Iterator[Ask]:
    """A model answers, as `kag qa` asks it; its answers are kept in a folder of their own."""
    from kag.agents.read.asking import open_runs
    from kag.read.answer_batch import Put, answer_all, clear_work

    stopped = list[str]()
    with open_runs(library, options, folder) as asking:

        def ask(question: Question, paper: PaperGraph) -> Answer:
            (answered,) = answer_all([Put(question, paper.id)], asking, folder, options)
            stopped.extend(filter(None, [answered.answer.stopped]))
            return answered.answer

        yield ask
    if not stopped:
        clear_work(folder)  # as `kag qa` does: replies are kept for a command that is given again


def _show(summary: Summary) -> None:
    from kag.evaluate.answers.report import tables

    say(f"{summary.name}: {len(summary.repeats[0])} questions, {summary.mode}\n")
    for title, text in tables(summary):
        say(f"{title}\n\n{text}\n")
    if summary.unasked:
        note(f"{summary.unasked} questions of {summary.name} are about papers that are not there")


@click.command(epilog=MEASURED)
@click.argument("file", type=PATH)
@click.option("--ablate", is_flag=True, help="Rank again with each feature turned off, and with plain words.")
@click.option("--pool", is_flag=True, help="Put each question to all articles together, as `kag qa --corpus` does.")
@cluster_option("Ask over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, default=None, help="Write the figures to this file.")
def passages(file: Path, ablate: bool, pool: bool, ray: str, json_file: Path | None) -> None:
    """Score answers to questions on the text, without a model, on the annotated articles of FILE (JSON lines).

    Evidence recall beside plain BM25 over the same paragraphs, F1 of answers, silence where another article is asked.
    """
    from kag.evaluate.answers.passages import figures

    by = spread(ray)
    if pool:
        from kag.evaluate.answers.pooled import pooled, pooled_rows

        tables = {"figures": pooled_rows(pooled(file, by))}
    else:
        tables = figures(file, ablate=ablate, executor=by)
    _show_tables(tables)
    if json_file:
        write_json(json_file, tables)


def _show_tables(tables: dict[str, list[dict[str, Any]]]) -> None:
    from kag.evaluate.answers.passages import shown_tables

    for rows in shown_tables(tables).values():
        tell(rows)
        say()


@click.command(epilog=MEASURED)
@click.argument("runs", type=PATH)
@click.argument("questions", type=PATH, nargs=-1, required=True)
@click.option(
    "--half", "halves", multiple=True, help="Only the questions of this half; may be repeated.  [default: each, apart]"
)
@rerank_option()
@cluster_option("Ask over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, default=None, help="Write all figures and marks to this file.")
@click.option("--report", type=PATH, default=None, help="Write a Markdown report here.")
@click.option("--notes", type=PATH, default=None, help="Markdown to put before the figures of the report.")
@click.pass_context
def natural(context: click.Context, /, runs: Path, questions: Sequence[Path], **wish: Any) -> None:
    """Score answers to natural questions, without a model: QUESTIONS of files (JSON lines) put to the papers in RUNS.

    Right, silent, wrong with confidence, by kind of question; calibration; wordings answered alike; beside it a plain
    BM25 over sentences.
    """
    from kag.evaluate.answers.natural_report import natural_marks, natural_tables, write_natural
    from kag.evaluate.answers.score import extractive, rereading

    notes = read_notes(wish["notes"])
    maker = rereading if wish["rerank"] else extractive
    marks = natural_marks(questions, runs, wish["halves"], spread(wish["ray"]), maker)
    tables = {half: natural_tables(marks, half) for half in marks.halves()}
    for half, found in tables.items():
        for title, rows in found.items():
            say(f"half {half}: {title}\n")
            tell(rows)
            say()
    if wish["json_file"]:
        write_json(wish["json_file"], {"halves": tables, "marks": marks.as_json()})
    if wish["report"]:
        write_natural(wish["report"], tables, command=command_line(context), notes=notes)


@click.command("text-questions", epilog=MEASURED)
@click.argument("file", type=PATH)
@click.option("--half", default="", help="Only the texts of this half, a or b.  [default: each, apart]")
@click.option("--first", type=click.IntRange(1), default=None, help="Only the first texts of the file.")
@rerank_option()
@cluster_option("Index and ask over a Ray cluster: auto, local or an address.")
@click.option("--json", "json_file", type=PATH, default=None, help="Write the figures to this file.")
def text_questions(file: Path, half: str, first: int | None, rerank: bool, ray: str, json_file: Path | None) -> None:
    """Score answers to the questions of FILE on its own texts, without a model: PubMedQA, TAT-QA, QASPER or COVID-QA.

    The texts are indexed as papers are. Right, silent, wrong with confidence, silence where another text is asked;
    beside it a plain BM25 over sentences.
    """
    from kag.evaluate.answers.score import extractive, rereading
    from kag.evaluate.answers.text_set_score import text_set_tables
    from kag.evaluate.answers.text_sets import read_text_set

    name, texts = read_text_set(file)
    chosen = [one for one in texts if one.half == half or not half][:first]
    by = spread(ray)
    with shared_work(file.resolve().parent if by else None) as work:
        tables = text_set_tables(chosen, work, by, rereading if rerank else extractive)
    say(f"{name}: {len(chosen)} texts, {sum(len(one.questions) for one in chosen)} questions\n")
    for title, rows in tables.items():
        say(f"{title}\n")
        tell(rows)
        say()
    if json_file:
        write_json(json_file, {"set": name, "texts": len(chosen), "tables": tables})
