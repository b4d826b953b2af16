"""`kag qa`: questions are put to papers; `kag verify`: answers checked again."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.agents.read.read_options import ReadOptions, checked
from kag.cli.options import PATH, agent_options, at_terminal, check_tape, json_option
from kag.cli.report import note_stale
from kag.cli.terminal import ShownProgress, emit_json, note, say

if TYPE_CHECKING:
    from kag.qa.answer_batch import Put
    from kag.qa.answer_folder import Answered
    from kag.qa.checking.verify import Checked
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


@click.command(epilog=QA_EPILOG)
@click.option("--graph-dir", type=PATH, help=GRAPHS)
@click.option("--corpus", "root", type=PATH, help=CORPUS)
@click.option("--questions", "file", type=PATH, help="File with questions: a JSON list, or one JSON object per line.")
@click.option("--question", "texts", multiple=True, help="A question; can be repeated.")
@click.option("--paper", help="Ask --question of this paper; of a file, ask only its questions about this paper.")
@click.option("--out-dir", type=PATH, help="Folder for the answers.  [default: GRAPH_DIR/qa; for a corpus runs/qa]")
@agent_options()
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
    from kag.agents.read.asking import answer_into, open_corpus_papers, open_runs
    from kag.corpus.store import open_corpus, open_shelf
    from kag.qa.library import open_library

    check_tape(given)
    source = one_of(graph_dir, root)
    asked = _questions(file, texts, paper or "")
    note_foreign(question.text for question in asked)
    approve = at_terminal if given.pop("approve") else None
    options = checked(ReadOptions(lm=given.pop("lm") or "", approve=approve, **given))
    folder = out_dir or (graph_dir or Path("runs")) / "qa"
    if graph_dir:
        library = open_library(graph_dir)
        opened = open_runs(library, options, folder)
    else:
        corpus, shelf = open_corpus(source), open_shelf(source)
        library = corpus.library()
        opened = open_corpus_papers(corpus, shelf, options, folder)
    puts = _puts(asked, library, paper, in_words=bool(texts))
    if options.ocr_dir:
        _note_stale_papers({put.paper for put in puts if put.paper}, library, options.ocr_dir)
    outcomes: list[Answered] = []
    with ShownProgress() as progress:
        for outcome in answer_into(folder, puts, opened, options, force=force):
            outcomes.append(outcome)
            progress.item(outcome.answer.id, _state(outcome), len(outcomes), len(puts))
    if as_json:
        emit_json({"folder": str(folder), "answers": [_row(one, folder) for one in outcomes]})
    else:
        say(folder)
    tried = [outcome for outcome in outcomes if outcome.answer.usage.get("calls") or outcome.cause]
    if tried and all(outcome.cause in ("model", "sandbox", "error") for outcome in tried):
        say(f"error: {options.model} answered no question: {tried[0].answer.stopped}", err=True)
        sys.exit(3)


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


def _puts(asked: Sequence[Question], library: Library, paper: str | None, *, in_words: bool) -> Sequence[Put]:
    """Each question with its own paper; questions in words with the one that is named."""
    from kag.qa.answer_batch import Put, assign
    from kag.qa.library import named_paper

    if in_words and paper is not None:
        return [Put(question, named_paper(paper, library)) for question in asked]
    puts = assign(asked, library, paper)
    if len(puts) < len(asked):
        note(f"{len(asked) - len(puts)} of {len(asked)} questions are about other papers")
    return puts


def _note_stale_papers(papers: set[str], library: Library, ocr_dir: Path) -> None:
    """Say which of the papers have other pages now than their graph was made from."""
    from kag.sources.names import folder_of

    for name in sorted(papers):
        folder = folder_of(name, ocr_dir)
        if folder != ocr_dir or len(library) == 1:
            note_stale(library.path(name), folder)


def _row(outcome: Answered, folder: Path) -> dict[str, Any]:
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


EPILOG = (
    "Exit codes: 0 all quotes hold and no claim is contradicted (with --strict: all claims "
    "are supported), 1 a quote does not hold or a claim is contradicted, 2 bad input."
)


@click.command(epilog=EPILOG)
@click.argument("answers", nargs=-1, required=True, type=PATH)
@click.option("--graph-dir", type=PATH, help=GRAPHS)
@click.option("--corpus", "root", type=PATH, help=CORPUS)
@click.option("--strict", is_flag=True, help="Also fail for claims that are undecided or not judged.")
@json_option("Print the result for each answer as JSON.")
def verify(answers: Sequence[Path], graph_dir: Path | None, root: Path | None, *, strict: bool, as_json: bool) -> None:
    """Check ANSWERS (files of `kag qa`, or folders of them) again against the graphs that they quote.

    A quote holds if its text, node, page, boxes, span and hash are right. A claim is supported if it repeats its quote
    or the graph gives it again, and undecided if it has a number that its quotes do not print. Other verdicts are those
    of the model that the file names; without one the claim is not judged. What an answer shows (text, value, found,
    papers) must agree with its claims. The last line names what no graph can prove, such as which model was asked.
    """
    from kag.core.evidence import read_answer
    from kag.qa.answer_folder import answer_files
    from kag.qa.checking.verify import UNCHECKED, checked
    from kag.qa.library import open_library

    source = one_of(graph_dir, root)
    library = open_library(source) if graph_dir else _papers_of(source)
    sound, rows = True, []
    for path in answer_files(answers):
        answer, shown = read_answer(path)
        found = checked(answer, library, shown, strict=strict)
        sound &= found.report.conforms
        rows.append({"answer": str(path), "ok": found.report.conforms, **_checked_row(found)})
        if as_json:
            continue
        say(f"{path}: {summary_line(found)}")
        for issue in found.report.issues:
            say(f"  {issue.component} {issue.focus}: {issue.message}")
    if as_json:
        emit_json({"answers": rows, "not_checked": list(UNCHECKED)})
    else:
        say(f"not checked: {', '.join(UNCHECKED)}")
    sys.exit(0 if sound else 1)


def _papers_of(root: Path) -> Library:
    from kag.corpus.store import open_corpus

    return open_corpus(root).library()


def _checked_row(found: Checked) -> dict[str, Any]:
    """Return both statements as data; null for a claim that nobody judged or whose quotes do not hold."""
    verdicts = [
        {"status": verdict.status, "checker": verdict.checker} if verdict else None for verdict in found.verdicts
    ]
    issues = [asdict(issue) for issue in found.report.issues]
    return {"quotes": found.quotes, "quoted": found.quoted, "claims": verdicts, "issues": issues}


def summary_line(found: Checked) -> str:
    """Both statements in one line: "7 of 7 quotes hold; 2 claims: 1 supported by graph, 1 not judged"."""
    if not found.verdicts:
        return "no claims" if found.report.conforms else "no claims, and something does not hold"
    counts = Counter(
        f"{verdict.status} by {verdict.checker}" if verdict else "not judged" for verdict in found.verdicts
    )
    words = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    return f"{found.quoted} of {found.quotes} quotes hold; {len(found.verdicts)} claims: {words}"
