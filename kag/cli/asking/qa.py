"""`kag qa`: questions are put to papers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.agents.read.read_options import MAX_ITERS, ReadOptions, checked
from kag.cli.building.proofs import note_stale
from kag.cli.options.model import (
    at_terminal,
    check_tape,
    judge_options,
    limit_options,
    mode_option,
    rerank_option,
    tape_options,
)
from kag.cli.options.values import PATH, json_option
from kag.cli.progress import ShownProgress
from kag.cli.terminal import emit_json, note, say

if TYPE_CHECKING:
    from kag.qa.answer_batch import Asking, Put
    from kag.qa.answer_folder import Answered
    from kag.qa.library import Library
    from kag.qa.questions.file import Question


def note_foreign(questions: Iterable[str]) -> None:
    """Say once for each language that questions are asked in it, and that their answers are worth nothing."""
    from kag.text.language import ONLY, foreign

    for language in dict.fromkeys(filter(None, map(foreign, questions))):
        note(f"a question is in {language}; {ONLY}")


GRAPHS = "A run folder, or a folder of run folders."
CORPUS = "A corpus, instead of --graph-dir."
QA_EPILOG = (
    "Exit codes: 0 each question has an answer or passages (`stopped` says why a model "
    "stopped), 2 bad input, 3 the model failed for all questions, 130 interrupted."
)


@dataclass(frozen=True, slots=True)
class Way:
    """How questions are answered: output folder, model, whether finished ones are repeated, and the format."""

    folder: Path
    options: ReadOptions
    force: bool
    as_json: bool


@click.command(epilog=QA_EPILOG)
@click.option("--graph-dir", type=PATH, help=GRAPHS)
@click.option("--corpus", "root", type=PATH, help=CORPUS)
@click.option("--questions", "file", type=PATH, help="File with questions: a JSON list, or one JSON object per line.")
@click.option("--question", "texts", multiple=True, help="A question; can be repeated.")
@click.option(
    "--paper",
    help="Ask --question of this paper; of a file, ask only its questions about this paper.",
)
@click.option("--out-dir", type=PATH, help="Folder for the answers.  [default: GRAPH_DIR/qa; for a corpus runs/qa]")
@click.option("--lm", help="Model, for example anthropic/claude-sonnet-4-5; offline for none. Or set KAG_LM.")
@mode_option()
@limit_options("question")
@click.option(
    "--max-iters",
    type=click.IntRange(1),
    default=MAX_ITERS,
    show_default=True,
    help="Maximum number of steps of the agent.",
)
@click.option(
    "--sandbox",
    type=click.Choice(["monty", "deno"]),
    default="monty",
    help="Sandbox for the code that the agent writes.",
)
@rerank_option()
@judge_options()
@tape_options()
@click.option("--vision", default="", help="Model that the agent may ask about figures; needs --ocr-dir.")
@click.option("--ocr-dir", type=PATH, help="Folder with the figures: the source of the paper, or its parent folder.")
@click.option("--approve", is_flag=True, help="Ask at the terminal before the agent calls a tool.")
@click.option("--force", is_flag=True, help="Answer questions again that have answers.")
@json_option("Print the answers' states and files as JSON.")
def qa(
    graph_dir: Path | None,
    root: Path | None,
    file: Path | None,
    texts: Sequence[str],
    paper: str | None,
    out_dir: Path | None,
    force: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Answer questions about indexed papers; each claim has a quote, a page and a node of the graph.

    A question without a paper is asked of all papers and gets one answer. Without a model, the graph answers exactly or
    the best passages are shown. With --lm an agent reads the papers when the graph has no exact answer. You can
    interrupt the command and run it again; it resumes.
    """
    check_tape(given)
    source = one_of(graph_dir, root)
    asked = _questions(file, texts, paper or "")
    note_foreign(question.text for question in asked)
    approve = at_terminal if given.pop("approve") else None
    options = checked(ReadOptions(lm=given.pop("lm") or "", approve=approve, **given))
    if graph_dir:
        way = Way(out_dir or graph_dir / "qa", options, force, as_json)
        _ask_papers(asked, graph_dir, paper, way, in_words=bool(texts))
    else:
        _ask_corpus(asked, source, Way(out_dir or Path("runs") / "qa", options, force, as_json))


def one_of(graph_dir: Path | None, root: Path | None) -> Path:
    """The one source of papers that was given."""
    source = graph_dir or root
    if source is None or (graph_dir and root):
        raise click.UsageError("Give --graph-dir DIR or --corpus DIR.")
    return source


def _questions(file: Path | None, texts: Sequence[str], paper: str) -> tuple[Question, ...]:
    """The questions of a file, or those given in words."""
    from kag.qa.answer_folder import question_name
    from kag.qa.questions.file import Question, read_questions

    if bool(file) == bool(texts):
        raise click.UsageError("Give --questions FILE or --question TEXT.")
    if any(not text.strip() for text in texts):
        raise click.UsageError("--question has no words")
    if file:
        return read_questions(file)
    return tuple(Question(question_name(text, paper), text, paper) for text in dict.fromkeys(texts))


def _ask_papers(
    asked: Sequence[Question],
    graph_dir: Path,
    paper: str | None,
    way: Way,
    *,
    in_words: bool,
) -> None:
    """Put each question to its own paper; questions in words to the one that is named."""
    from kag.agents.read.asking import open_runs
    from kag.qa.answer_batch import Put, assign
    from kag.qa.library import named_paper, open_library

    library = open_library(graph_dir)
    if in_words and paper is not None:
        puts = [Put(question, named_paper(paper, library)) for question in asked]
    else:
        puts = assign(asked, library, paper)
    if way.options.ocr_dir:
        _note_stale_papers({put.paper for put in puts if put.paper}, library, way.options.ocr_dir)
    if len(puts) < len(asked):
        note(f"{len(asked) - len(puts)} of {len(asked)} questions are about other papers")
    _run(puts, open_runs(library, way.options, way.folder), way)


def _note_stale_papers(papers: set[str], library: Library, ocr_dir: Path) -> None:
    """Say which of the papers have other pages now than their graph was made from."""
    from kag.sources.names import folder_of

    for name in sorted(papers):
        folder = folder_of(name, ocr_dir)
        if folder != ocr_dir or len(library) == 1:
            note_stale(library.path(name), folder)


def _ask_corpus(asked: Sequence[Question], root: Path, way: Way) -> None:
    """Put each question to its paper where it has one, else to all papers of a corpus."""
    from kag.agents.read.asking import open_corpus_papers
    from kag.corpus.store import open_corpus, open_shelf
    from kag.qa.answer_batch import assign

    corpus, shelf = open_corpus(root), open_shelf(root)
    asking = open_corpus_papers(corpus, shelf, way.options, way.folder)
    _run(assign(asked, corpus.library()), asking, way)


def _run(puts: Sequence[Put], opened: AbstractContextManager[Asking], way: Way) -> None:
    """Answer the questions, report the results, and exit with the matching code."""
    from kag.agents.model.spans import traced
    from kag.qa.answer_batch import answer_all, clear_work
    from kag.qa.answer_folder import open_folder, write_overview

    folder, options = way.folder, way.options
    open_folder(folder)
    outcomes: list[Answered] = []
    if way.force:
        clear_work(folder)
    with opened as asking, ShownProgress() as progress:
        for outcome in answer_all(puts, asking, folder, options, force=way.force, trace=traced):
            outcomes.append(outcome)
            progress.item(outcome.answer.id, _state(outcome), len(outcomes), len(puts))
    write_overview(folder, outcomes, {"mode": options.mode, "model": options.model})
    if not any(outcome.answer.stopped for outcome in outcomes):
        clear_work(folder)
    if way.as_json:
        emit_json({"folder": str(folder), "answers": [_row(one, folder) for one in outcomes]})
    else:
        say(folder)
    asked = [outcome for outcome in outcomes if outcome.answer.usage.get("calls") or outcome.cause]
    if asked and all(outcome.cause in ("model", "sandbox", "error") for outcome in asked):
        say(f"error: {options.model} answered no question: {asked[0].answer.stopped}", err=True)
        sys.exit(3)


def _row(outcome: Answered, folder: Path) -> dict[str, Any]:
    """Return a question's outcome as a row of `--json`."""
    from kag.qa.answer_folder import answer_path

    answer = outcome.answer
    fields = {name: getattr(answer, name) for name in ("id", "question", "found", "mode", "stopped")}
    counts = {
        "claims": len(answer.claims),
        "passages": len(answer.passages),
        "issues": len(outcome.issues),
        "kept": outcome.kept,
    }
    return {**fields, **counts, "papers": list(answer.papers), "file": str(answer_path(folder, answer.id))}


def _state(outcome: Answered) -> str:
    answer = outcome.answer
    words = f"{len(answer.claims)} claims" if answer.found else "no answer"
    words = f"{len(answer.passages)} passages" if answer.passages else words
    words += f" ({answer.mode}{', kept' if outcome.kept else ''})"
    if answer.stopped:
        words += f"; the model was stopped: {answer.stopped}"
    return words + (f"; {len(outcome.issues)} issues" if outcome.issues else "")
