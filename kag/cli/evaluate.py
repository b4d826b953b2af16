"""`kag evaluate`: score graphs, answers and searches against your own annotations."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.agents.read.read_options import MAX_ITERS, ReadOptions, checked
from kag.cli.groups import Suggesting
from kag.cli.options import PATH, limit_options, max_iters_option, mode_option, rerank_option
from kag.cli.terminal import ShownProgress, complain, note, say
from kag.core.files import write_output

if TYPE_CHECKING:
    from kag.core.evidence import Answer
    from kag.evaluate.answers.score import Ask
    from kag.evaluate.answers.score import Summary as AnswersSummary
    from kag.evaluate.statistics import Difference
    from kag.evaluate.structure.report import Summary
    from kag.qa.library import Library
    from kag.qa.paper import PaperGraph
    from kag.qa.questions.file import Question
    from kag.retrieval.index import Index


MEASURED = "Exit codes: 0 done, 2 bad input or a missing package, 3 a model cannot be asked, 130 interrupted."


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON, one blank deep."""
    write_output(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def print_rows(rows: Sequence[Mapping[str, Any]], json_file: Path | None = None) -> None:
    """Show rows as a table, and write them to a file where one is given."""
    from kag.evaluate.statistics import shown

    say(shown(rows))
    if json_file:
        write_json(json_file, rows)


@click.command(epilog=MEASURED)
@click.argument("questions", type=PATH)
@click.option("--corpus", type=PATH, help="Corpus with an index (`kag corpus index`).")
@click.option(
    "--graph",
    type=PATH,
    help=(
        "Search the nodes of this graph instead, as STaRK does.  [default without --corpus: "
        "graph.json next to the questions]"
    ),
)
@click.option(
    "--plan", "plans", multiple=True, help="Search plan; can be repeated.  [default: the best that the index allows]"
)
@click.option(
    "--k",
    "ks",
    multiple=True,
    type=click.IntRange(1, 1000),
    default=(5, 10, 20),
    show_default=True,
    help="Rank to score at; can be repeated.",
)
@click.option("--json", "json_file", type=PATH, default=None, help="Write every question's scores to this file.")
def retrieval(
    questions: Path, corpus: Path | None, graph: Path | None, plans: Sequence[str], ks: Sequence[int],
    json_file: Path | None,
) -> None:  # fmt: skip
    """Score the search plans of a corpus on QUESTIONS.

    QUESTIONS has JSON lines: {"id": "q1", "question": "...", "relevant": ["smith2020/b_p003_0004"]}. An item is a paper
    id, PAPER/NODE, the IRI of a node, or a chunk id. A CSV is read as STaRK's queries (id, query, answer_ids), whose
    items are nodes of the graph. Figures have 95 % intervals over questions.
    """
    from kag.evaluate.retrieval import missing, read_judgements, score_plan
    from kag.retrieval.retrieve import usable

    if corpus and graph:
        raise click.UsageError("--corpus and --graph exclude each other.")
    judgements = read_judgements(questions)
    index = _index(corpus, graph or questions.parent / "graph.json")
    if lost := missing(judgements, index):
        note(f"{len(lost)} relevant items are in no chunk of the corpus, such as {lost[0]}")
    with ShownProgress() as progress:
        scores = [score_plan(judgements, index, plan, ks, progress) for plan in plans or (usable("", index)[0],)]
    for plan_scores in scores:
        for words in plan_scores.notes:
            note(f"{plan_scores.plan}: {words}")
    print_rows([plan_scores.as_row() for plan_scores in scores])
    if json_file:
        ids = [judgement.id for judgement in judgements]
        rows = {
            plan_scores.plan: {name: dict(zip(ids, own, strict=True)) for name, own in plan_scores.values.items()}
            for plan_scores in scores
        }
        write_json(json_file, rows)


def _index(corpus: Path | None, graph: Path) -> Index:
    """The index of a corpus, or one over the nodes of a graph."""
    if corpus:
        from kag.corpus.search_index import open_index

        return open_index(corpus)
    from kag.kgrag.files import record_index

    return record_index(graph)


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
@max_iters_option(MAX_ITERS)
@click.option("--out-dir", type=PATH, help="Folder for a model's answers.  [default: RUNS/evaluate_qa]")
@click.option("--json", "json_file", type=PATH, default=None, help="Write all figures and scores to this file.")
def qa(questions: Path, runs: Path, also: Sequence[tuple[str, Path, Path]], **given: Any) -> None:
    """Score the answers to QUESTIONS from the graphs in RUNS.

    QUESTIONS is a file with gold answers or hints, or a folder of papers with questions.json. Every answer is verified.
    You can interrupt a command with a model and run it again: answered questions are skipped.
    """
    from kag.evaluate.answers.score import as_json

    options = checked(ReadOptions(**{name: given[name] for name in ASKED}))
    summaries = [_answers_summary(*one, options, given) for one in ((_name(questions), questions, runs), *also)]
    for summary in summaries:
        _show_answers(summary)
    if given["json_file"]:
        write_json(given["json_file"], {"sets": {one.name: as_json(one) for one in summaries}})


def _name(path: Path) -> str:
    """Return the name of a set: its folder, or the folder it lies in."""
    path = path.resolve()
    return path.name if path.is_dir() else path.parent.name


def _answers_summary(
    name: str, questions: Path, runs: Path, options: ReadOptions, given: dict[str, Any]
) -> AnswersSummary:
    from kag.evaluate.answers.gold import read_gold
    from kag.evaluate.answers.score import Summary as AnswersSummary
    from kag.evaluate.answers.score import mark, paired
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
    return AnswersSummary(
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


def _show_answers(summary: AnswersSummary) -> None:
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
        from kag.retrieval.embedders import cross_encoder

        reader = cross_encoder()
    with ShownProgress() as progress:
        found = evidence_recall(read_evidence_questions(questions), open_library(runs), reader, progress)
    print_rows(found.rows())
    say(f"first question of a paper {found.first_ms:.0f} ms, next ones {found.next_ms:.0f} ms (median)")
    if found.unasked:
        note(f"{found.unasked} questions are about papers that are not there")
    if json_file:
        write_json(json_file, found.as_json())


EPILOG = "Exit codes: 0 done, 2 bad input, or a paper or run without a counterpart."


@click.group(cls=Suggesting, epilog=MEASURED)
def evaluate() -> None:
    """Score graphs, answers and searches against your own annotated data."""


@evaluate.command(epilog=EPILOG)
@click.argument("gold", type=PATH)
@click.argument("runs", type=PATH)
@click.option("--metric", "metrics", multiple=True, help="Metric to show; can be repeated.  [default: all]")
@click.option("--no-variants", is_flag=True, help="Leave out other renderings, <paper>__<style>.")
@click.option(
    "--worst",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="Number of worst papers to show for each metric.",
)
@click.option(
    "--compare", type=PATH, default=None, help="Other runs of the same papers: also show the paired difference."
)
@click.option(
    "--also", type=(str, PATH, PATH), multiple=True, help="Another data set: its name, gold and runs; can be repeated."
)
@click.option("--json", "json_file", type=PATH, default=None, help="Write all figures and worst cases to this file.")
def structure(gold: Path, runs: Path, also: Sequence[tuple[str, Path, Path]], **options: Any) -> None:
    """Score the graphs in RUNS against the annotated papers in GOLD.

    GOLD has papers with gold.json, or <paper>_gold.json; RUNS is an --out-dir of `kag index`. A paper without a
    readable run is scored as an empty graph and reported, and the exit code is 2.
    """
    from kag.evaluate.structure.report import as_json, differences_as_json

    metrics = _metrics(options["metrics"])
    summaries = [_summary(*one, metrics, options) for one in [(gold.resolve().name, gold, runs), *also]]
    differences = _differences(summaries[0], options, metrics) if options["compare"] else {}
    _show(summaries, differences)
    if options["json_file"]:
        sets = {"sets": {summary.name: as_json(summary) for summary in summaries}}
        more = {"difference": differences_as_json(differences)} if differences else {}
        write_json(options["json_file"], {**sets, **more})
    problems = [problem for summary in summaries for problem in summary.evaluation.problems]
    for problem in problems:
        complain(problem)
    sys.exit(2 if problems else 0)


def _metrics(names: Sequence[str]) -> Sequence[str]:
    from kag.evaluate.structure.score import METRICS

    for name in names:
        if name not in METRICS:
            raise click.UsageError(f"--metric {name}: choose from {', '.join(METRICS)}")
    return names or METRICS


def _summary(name: str, gold: Path, runs: Path, metrics: Sequence[str], options: dict[str, Any]) -> Summary:
    from kag.evaluate.structure.report import summarise
    from kag.evaluate.structure.runs import evaluate as scored

    with ShownProgress() as progress:
        evaluation = scored(gold, runs, variants=not options["no_variants"], progress=progress)
    return summarise(name, evaluation, metrics, options["worst"])


def _differences(summary: Summary, options: dict[str, Any], metrics: Sequence[str]) -> dict[str, Difference]:
    from kag.evaluate.structure.report import compare_summaries

    other = _summary("other", summary.evaluation.gold, options["compare"], metrics, options)
    for problem in other.evaluation.problems:
        note(problem)
    return compare_summaries(summary, other)


def _show(summaries: Sequence[Summary], differences: dict[str, Difference]) -> None:
    from kag.evaluate.structure.report import difference_table, paper_table, score_table, worst_text

    for summary in summaries:
        say(f"{summary.name}: {len(summary.evaluation.papers)} papers\n")
        tables = (score_table(summary), paper_table(summary), worst_text(summary.worst))
        for text in filter(None, tables):
            say(f"{text}\n")
    if differences:
        say(f"difference, RUNS minus the others\n\n{difference_table(differences)}\n")


evaluate.add_command(qa)
evaluate.add_command(passages)
evaluate.add_command(retrieval)
