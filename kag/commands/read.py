"""The commands of the read side: `kag qa` puts questions to papers, `kag verify` re-checks answers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.agents.read_options import MAX_ITERS, ReadOptions, checked

if TYPE_CHECKING:
    from kag.answer_batch import Put
    from kag.answer_folder import Answered
    from kag.read import Ask
    from kag.reading.library import Library

PATH = click.Path(path_type=Path)
GRAPHS = "A run folder, or a folder of run folders."
QA_EPILOG = (
    "Exit codes: 0 each question has an answer (one of the rules where a model was stopped: `stopped` says why), "
    "2 bad input, 3 a model was asked and failed for all questions, 130 interrupted."
)
VERIFY_EPILOG = "Exit codes: 0 all verify, 1 some do not, 2 bad input."


def _limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that bound what a model may take, each for one question."""
    for option in (
        click.option("--max-usd", type=click.FloatRange(0), help="Stop the model at this cost, for each question."),
        click.option("--max-tokens", type=click.IntRange(0), help="Stop it at so many tokens, for each question."),
        click.option("--max-calls", type=click.IntRange(0), help="Stop it after so many calls, for each question."),
        click.option("--max-seconds", type=click.FloatRange(0), help="Stop it after so long, for each question."),
        click.option("--max-iters", type=click.IntRange(1), default=MAX_ITERS, show_default=True, help="Its steps."),
    ):
        command = option(command)
    return command


@click.command(epilog=QA_EPILOG)
@click.option("--graph-dir", type=PATH, required=True, help=GRAPHS)
@click.option("--questions", "file", type=PATH, help="Questions: a JSON list, or one object a line.")
@click.option("--question", "texts", multiple=True, help="A question in words; may be given several times.")
@click.option("--paper", help="Ask only the questions of this paper; with one run, whatever the run calls it.")
@click.option("--out-dir", type=PATH, help="Where answers go.  [default: GRAPH_DIR/qa]")
@click.option("--lm", envvar="KAG_LM", help="Model, as in anthropic/claude-sonnet-4-5; offline for none. Or KAG_LM.")
@click.option(
    "--mode",
    type=click.Choice(["auto", "extractive", "single", "agent"]),
    default="auto",
    show_default=True,
    help="Rules, the whole paper in one call, or an agent; auto takes the cheapest that will do.",
)
@_limits
@click.option("--sandbox", type=click.Choice(["monty", "deno"]), default="monty", help="Where an agent's code runs.")
@click.option("--record", type=PATH, help="Write the model's replies to this file.")
@click.option("--replay", type=PATH, help="Take the model's replies from this file; no network.")
@click.option("--vision", default="", help="Model that the agent can ask about figures; needs --ocr-dir.")
@click.option("--ocr-dir", type=PATH, help="Where the figures are: what the paper was indexed from, or its parent.")
@click.option("--force", is_flag=True, help="Answer again what is answered.")
def qa(
    graph_dir: Path,
    file: Path | None,
    texts: Sequence[str],
    paper: str | None,
    out_dir: Path | None,
    force: bool,
    **given: Any,
) -> None:
    """Answer questions about indexed papers; each claim with a quote, its page and its place in the graph.

    Without a model the answers are taken from the graph and the text by rules. A command that was interrupted can
    simply be given again.
    """
    from kag.answer_batch import assign
    from kag.questions import Question, read_questions
    from kag.reading.library import open_library

    if given["record"] and given["replay"]:
        raise click.UsageError("--record and --replay exclude each other")
    if bool(file) == bool(texts):
        raise click.UsageError("Give --questions FILE or --question TEXT.")
    if any(not text.strip() for text in texts):
        raise click.UsageError("--question has no words")
    options = checked(ReadOptions(lm=given.pop("lm") or "", **given))
    library = open_library(graph_dir)
    asked = (
        read_questions(file)
        if file
        else tuple(Question(f"q{n}", text, paper or "") for n, text in enumerate(texts, start=1))
    )
    puts = assign(asked, library, paper)
    if len(puts) < len(asked):
        click.echo(f"note: {len(asked) - len(puts)} of {len(asked)} questions are about other papers", err=True)
    _run(puts, library, out_dir or graph_dir / "qa", options, force)


def _run(puts: Sequence[Put], library: Library, folder: Path, options: ReadOptions, force: bool) -> None:
    """Answer, tell what came of it, and leave with the exit code that belongs to it."""
    from kag.answer_batch import answer_all, clear_work, extractor
    from kag.answer_folder import open_folder, write_overview

    open_folder(folder)
    outcomes: list[Answered] = []
    if force:
        clear_work(folder)
    with ExitStack() as stack:
        ask = _ask(options, folder, stack)
        for outcome in answer_all(puts, library, folder, options, extractor(), ask, force=force):
            outcomes.append(outcome)
            click.echo(f"[{len(outcomes)}/{len(puts)}] {outcome.answer.id}: {_state(outcome)}", err=True)
    write_overview(folder, outcomes, {"mode": options.mode, "model": options.model})
    if not any(outcome.answer.stopped for outcome in outcomes):
        clear_work(folder)
    click.echo(folder)
    asked = [outcome for outcome in outcomes if outcome.answer.usage.get("calls") or outcome.cause]
    if asked and all(outcome.cause in ("model", "sandbox", "error") for outcome in asked):
        click.echo(f"error: {options.model} answered no question: {asked[0].answer.stopped}", err=True)
        sys.exit(3)


def _ask(options: ReadOptions, folder: Path, stack: ExitStack) -> Ask | None:
    """Who is asked beside the rules; a model's packages are imported only when one is."""
    if not options.model:
        return None
    from kag.agents.reader import open_ask
    from kag.answer_batch import open_cassette

    return stack.enter_context(open_ask(options, open_cassette(options, folder)))


def _state(outcome: Answered) -> str:
    answer = outcome.answer
    words = f"{len(answer.claims)} claims" if answer.found else "not in the paper"
    words += f" ({answer.mode}{', kept' if outcome.kept else ''})"
    if answer.stopped:
        words += f"; the model was stopped: {answer.stopped}"
    return words + (f"; {len(outcome.issues)} issues" if outcome.issues else "")


@click.command(epilog=VERIFY_EPILOG)
@click.argument("answers", nargs=-1, required=True, type=PATH)
@click.option("--graph-dir", type=PATH, required=True, help=GRAPHS)
def verify(answers: Sequence[Path], graph_dir: Path) -> None:
    """Re-check ANSWERS against the graphs they quote: every quote, span, hash, page, box, number and name.

    An answer is a file that `kag qa` wrote, or a folder of them.
    """
    from kag.answer_folder import answer_files
    from kag.evidence import read_answer
    from kag.reading.library import open_library
    from kag.verify import verify as check

    library = open_library(graph_dir)
    sound = True
    for path in answer_files(answers):
        answer, shown = read_answer(path)
        issues = check(answer, library, shown).issues
        sound &= not issues
        words = f"{len(issues)} issues" if issues else f"verified, {len(answer.claims)} claims"
        click.echo(f"{path}: {words}")
        for issue in issues:
            click.echo(f"  {issue.component} {issue.focus}: {issue.message}")
    sys.exit(0 if sound else 1)
