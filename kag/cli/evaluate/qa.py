"""`kag evaluate qa` and `kag evaluate passages`: how right answers are, and how high their evidence ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.agents.read.read_options import MAX_ITERS, ReadOptions, checked
from kag.cli.evaluate.retrieval import MEASURED, print_rows, write_json
from kag.cli.options.model import limit_options, mode_option, rerank_option
from kag.cli.options.values import PATH
from kag.cli.progress import ShownProgress
from kag.cli.terminal import note, say

if TYPE_CHECKING:
    from kag.core.evidence import Answer
    from kag.evaluate.answers.score import Ask, Summary
    from kag.qa.library import Library
    from kag.qa.paper import PaperGraph
    from kag.qa.questions.file import Question

ASKED = "mode", "lm", "max_usd", "max_tokens", "max_calls", "max_seconds", "max_iters"
REPEATS = 5  # of what a model answers, as a rule


@click.command(epilog=MEASURED)
@click.argument("questions", type=PATH)
@click.argument("runs", type=PATH)
@click.option(
    "--also",
    type=(str, PATH, PATH),
    multiple=True,
    help="Another data set: its name, questions and runs; can be repeated.",
)
@click.option("--lm", default="", help="Model that answers, for example anthropic/claude-sonnet-4-5.  [default: none]")
@mode_option()
@click.option("--repeats", type=click.IntRange(1), help="Number of repetitions.  [default: 5 with --lm, else 1]")
@limit_options("question")
@click.option(
    "--max-iters",
    type=click.IntRange(1),
    default=MAX_ITERS,
    show_default=True,
    help="Maximum number of steps of the agent.",
)
@click.option("--out-dir", type=PATH, help="Folder for a model's answers.  [default: RUNS/evaluate_qa]")
@click.option("--json", "json_file", type=PATH, default=None, help="Write all figures and scores to this file.")
def qa(questions: Path, runs: Path, also: Sequence[tuple[str, Path, Path]], **given: Any) -> None:
    """Score the answers to QUESTIONS from the graphs in RUNS.

    QUESTIONS is a file with gold answers or hints, or a folder of papers with questions.json. Every answer is verified.
    You can interrupt a command with a model and run it again: answered questions are skipped.
    """
    from kag.evaluate.answers.score import as_json

    options = checked(ReadOptions(**{name: given[name] for name in ASKED}))
    summaries = [_summary(*one, options, given) for one in ((_name(questions), questions, runs), *also)]
    for summary in summaries:
        _show(summary)
    if given["json_file"]:
        write_json(given["json_file"], {"sets": {one.name: as_json(one) for one in summaries}})


def _name(path: Path) -> str:
    """Return the name of a set: its folder, or the folder it lies in."""
    path = path.resolve()
    return path.name if path.is_dir() else path.parent.name


def _summary(name: str, questions: Path, runs: Path, options: ReadOptions, given: dict[str, Any]) -> Summary:
    from kag.evaluate.answers.gold import read_gold
    from kag.evaluate.answers.score import Summary, mark, paired
    from kag.qa.answering import answer
    from kag.qa.library import open_library

    golds, library = read_gold(questions), open_library(runs)
    repeats = []
    folder = (given["out_dir"] or runs / "evaluate_qa") / name.replace("/", "_")
    for number in range(given["repeats"] or (REPEATS if options.model else 1)):
        if not options.model:
            with ShownProgress() as progress:
                repeats.append(mark(golds, library, answer, progress))
            continue
        with _asking(options, library, folder / f"repeat_{number + 1}") as ask, ShownProgress() as progress:
            repeats.append(mark(golds, library, ask, progress))
    return Summary(
        name=name,
        mode=f"{options.model}, mode {options.mode}" if options.model else "no model",
        unasked=len(golds) - len(paired(golds, library)),
        repeats=tuple(repeats),
    )


@contextmanager
def _asking(options: ReadOptions, library: Library, folder: Path) -> Iterator[Ask]:
    """A model answers, as `kag qa` asks it; its answers are kept in a folder of their own."""
    from kag.agents.read.asking import open_runs
    from kag.qa.answer_batch import Put, answer_all, clear_work

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
    from kag.evaluate.answers.score import tables

    say(f"{summary.name}: {len(summary.repeats[0])} questions, {summary.mode}\n")
    for title, text in tables(summary):
        say(f"{title}\n\n{text}\n")
    if summary.unasked:
        note(f"{summary.unasked} questions of {summary.name} are about papers that are not there")


@click.command(epilog=MEASURED)
@click.argument("questions", type=PATH)
@click.argument("runs", type=PATH)
@rerank_option()
@click.option("--json", "json_file", type=PATH, default=None, help="Write figures and misses to this file.")
def passages(questions: Path, runs: Path, rerank: bool, json_file: Path | None) -> None:
    """Measure how high evidence ranks among the passages of the papers in RUNS.

    QUESTIONS has one JSON object per line: {"paper", "question", "quotes": [...]}, or "evidence" with block ids. A
    passage contains a quote if it has 60 % of its words. recall@k is the share of questions with evidence in the first
    k passages.
    """
    from kag.evaluate.retrieval import evidence_recall, read_evidence_questions
    from kag.qa.library import open_library

    reader = None
    if rerank:
        from kag.retrieval.meaning.packaged import cross_encoder

        reader = cross_encoder()
    with ShownProgress() as progress:
        found = evidence_recall(read_evidence_questions(questions), open_library(runs), reader, progress)
    print_rows(found.rows())
    say(f"first question of a paper {found.first_ms:.0f} ms, next ones {found.next_ms:.0f} ms (median)")
    if found.unasked:
        note(f"{found.unasked} questions are about papers that are not there")
    if json_file:
        write_json(json_file, found.as_json())
