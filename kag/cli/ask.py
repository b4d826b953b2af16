"""`kag ask` and `kag chat`: one question at the terminal, or several, one a line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from kag.agents.read.read_options import ReadOptions, checked
from kag.cli.options import PATH, added, agent_options, check_tape, json_option
from kag.cli.terminal import emit, note, say

if TYPE_CHECKING:
    from kag.core.errors import RunError
    from kag.core.evidence import Answer
    from kag.qa.answer_batch import Asking
    from kag.qa.answer_folder import Answered
    from kag.qa.library import Library


PATHS = "A run, a folder of runs, or a corpus."
EPILOG = "Exit codes: 0 done, with or without an answer, 2 bad input, 3 the model failed, 130 interrupted."


@dataclass(frozen=True, slots=True)
class Talk:
    """Papers that questions can be put to; `put` asks one of them (its id), or all ("")."""

    library: Library
    folder: Path
    put: Callable[[str, str], Answered]

    @property
    def only(self) -> str:
        """The one paper, where there is one alone."""
        return next(iter(self.library)) if len(self.library) == 1 else ""


def talk_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what both commands have: whom to ask, where answers go, and a model with its limits."""
    options = added(
        click.option("--paper", help="Ask only this paper: its id, or the start of its id."),
        click.option("--out-dir", type=PATH, help="Keep answers in this folder, for `kag verify` and `kag report`."),
        click.option(
            "--database",
            default="",
            metavar="URL",
            help="With --lm: let the model query the database that `kag push` filled with these papers, by Cypher.",
        ),
        agent_options(),
    )
    return options(command)


@contextmanager
def open_talk(paths: Sequence[Path], out_dir: Path | None, given: Mapping[str, Any]) -> Iterator[Talk]:
    """The papers of PATHs, ready to be asked; raises `RunError` for a path that has to be indexed first."""
    from kag.qa.answer_batch import Put, answer_all, clear_work
    from kag.qa.answer_folder import open_folder, question_name, write_overview
    from kag.qa.questions.file import Question

    check_tape(given)
    options = checked(ReadOptions(**{**given, "lm": given["lm"] or ""}))
    with TemporaryDirectory(prefix="kag-") as temporary:
        folder = out_dir or Path(temporary)
        open_folder(folder)
        with _opened(paths, options, folder) as (library, asking):

            def put(text: str, paper: str) -> Answered:
                question = Question(question_name(text, paper), text, paper)
                (outcome,) = answer_all([Put(question, paper)], asking, folder, options)
                asked[outcome.answer.id] = outcome
                return outcome

            asked: dict[str, Answered] = {}
            yield Talk(library, folder, put)
        if out_dir:
            write_overview(folder, [*asked.values()], {"mode": options.mode, "model": options.model})
        clear_work(folder)


@contextmanager
def _opened(paths: Sequence[Path], options: ReadOptions, work: Path) -> Iterator[tuple[Library, Asking]]:
    from kag.corpus.layout import is_corpus

    if any(map(is_corpus, paths)):
        if len(paths) > 1:
            raise click.UsageError("Give a corpus as the only PATH.")
        from kag.agents.read.asking import open_corpus_papers
        from kag.corpus.store import open_corpus, open_shelf

        corpus = open_corpus(paths[0])
        with open_corpus_papers(corpus, open_shelf(paths[0]), options, work) as asking:
            yield corpus.library(), asking
        return
    from kag.agents.read.asking import open_runs

    library = _library(paths)
    with open_runs(library, options, work) as asking:
        yield library, asking


def _library(paths: Sequence[Path]) -> Library:
    """Open the papers of runs; raises `RunError` that says how to index a path that is not one."""
    from kag.core.errors import RunError
    from kag.core.files import shown
    from kag.indexing.run import find_runs
    from kag.qa.library import open_library

    for path in paths:
        if not path.exists():
            raise RunError(f"{shown(path)}: there is no such folder", hint=f"Give {PATHS[0].lower()}{PATHS[1:]}")
        if not find_runs(path):
            raise _no_runs(path)
    return open_library(*paths)


def _no_runs(path: Path) -> RunError:
    """Return the error for a path that has to be indexed first, or cannot be."""
    from kag.core.errors import RunError
    from kag.core.files import shown
    from kag.sources.survey import survey

    if path.is_file() and not survey(path).papers:
        hint = f"Give {PATHS[0].lower()}{PATHS[1:]} `kag context` asks a graph of a story, of science or of a workflow."
        return RunError(f"{shown(path)} is not a paper that kag can read", hint=hint)
    hint = f"Index it first: kag index {shown(path)} --out-dir runs, then ask runs."
    return RunError(f"{shown(path)} is not indexed", hint=hint)


def words_of(outcome: Answered, talk: Talk, *, titled: bool = True) -> str:
    """An answer as it is shown; without its paper where that is clear."""
    from kag.qa.answer_text import composed

    return composed(outcome.answer, talk.library, titled=titled)


def note_which(answer: Answer, talk: Talk) -> None:
    """Say what an answer did without, and how to ask one paper, where a question to all has no exact answer."""
    for words in answer.notes:
        note(words)
    if not answer.claims and len(talk.library) > 1 and len(answer.papers) != 1:
        names = list(talk.library)
        more = f", and {len(names) - 5} more" if len(names) > 5 else ""
        note(f"{len(names)} papers were asked together; for one, give --paper: {', '.join(names[:5])}{more}")


@click.command(epilog=EPILOG)
@click.argument("question")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON, which `kag verify` reads.")
@talk_options
def ask(
    question: str, paths: Sequence[Path], as_json: bool, paper: str | None, out_dir: Path | None, **given: Any
) -> None:
    """Answer QUESTION from the papers at PATH: a run, a folder of runs, or a corpus.

    Prints the answer, then its evidence with page and section; on a terminal also what to do next. Without a model,
    questions about structure, references, figures, tables and counts are answered exactly; for other questions the best
    passages are shown. To answer a file of questions, use `kag qa`.
    """
    from kag.qa.library import named_paper

    text = legible(question)
    with open_talk(paths, out_dir, given) as talk:
        outcome = talk.put(text, named_paper(paper, talk.library) if paper is not None else talk.only)
        if as_json:
            emit(outcome.answer.to_json())
        else:
            say(words_of(outcome, talk))
            note_which(outcome.answer, talk)
            if sys.stdout.isatty():
                say(f"next: {next_step(outcome.answer, paths[0], out_dir, model=bool(given['lm']))}", err=True)
    if outcome.cause in ("model", "sandbox", "error"):
        sys.exit(3)


def next_step(answer: Answer, path: Path, out_dir: Path | None, *, model: bool) -> str:
    """Return the next step for an answer: check it, or get a better one."""
    from kag.core.files import shown
    from kag.corpus.layout import is_corpus

    source = f"{'--corpus' if is_corpus(path) else '--graph-dir'} {shown(path)}"
    if answer.claims:
        verify = f"kag verify {shown(out_dir or 'answers')} {source}"
        return f"check the answer again: {verify}" if out_dir else f"keep it with --out-dir answers, then {verify}"
    if answer.passages and not model:
        return "read the passages, or let a model answer: --lm anthropic/claude-sonnet-4-5 (`kag doctor` lists keys)"
    return f"use words of the papers, or search them: kag search WORDS {source}"


def legible(question: str) -> str:
    """A question that can be put; raises `BadValue` for one without words, too long, or in another language."""
    from kag.qa.questions.file import LONGEST
    from kag.text.language import require_english, require_question

    text = question.encode("utf-8", "replace").decode().strip()
    require_question(text if re.search(r"\w", text) else "", LONGEST)
    require_english(text)
    return text


PROMPT = "? "
HELP = "Type questions, one a line. Ctrl-D ends."


@click.command(epilog=EPILOG)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@json_option("Print each answer as JSON, one per line.")
@talk_options
def chat(paths: Sequence[Path], as_json: bool, paper: str | None, out_dir: Path | None, **given: Any) -> None:
    """Answer questions about the papers at PATH, one after the other, until the input ends.

    Each question stands for itself. Blank lines are ignored.
    """
    from kag.qa.library import named_paper

    with open_talk(paths, out_dir, given) as talk:
        asked_paper = named_paper(paper, talk.library) if paper is not None else talk.only
        if sys.stdin.isatty():
            note(HELP)
        titled = ""  # the paper whose title was shown last
        for number, line in enumerate(_lines()):
            if number and not as_json:
                say()
            titled = _answered(line, talk, asked_paper, titled, as_json=as_json)


def _lines() -> Iterator[str]:
    """Yield the lines that are typed or piped in; a terminal shows a prompt."""
    asked = sys.stdin.isatty()
    while True:
        if asked:
            say(PROMPT, nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


def _answered(line: str, talk: Talk, paper: str, titled: str, *, as_json: bool) -> str:
    """Print the answer to one question; returns the paper whose title was shown last.

    A question that cannot be asked is reported, and the next one is read.
    """
    from kag.core.errors import BadValue

    try:
        question = legible(line)
    except BadValue as error:
        note(f"{error.message}. {error.hint}")
        return titled
    if not as_json and not sys.stdin.isatty():
        say(f"{PROMPT}{question}")
    outcome = talk.put(question, paper)
    papers = outcome.answer.papers
    only = papers[0] if len(papers) == 1 else ""
    if as_json:
        emit(json.dumps(json.loads(outcome.answer.to_json()), ensure_ascii=False) + "\n")
        return only
    say(words_of(outcome, talk, titled=only != titled))
    note_which(outcome.answer, talk)
    return only
