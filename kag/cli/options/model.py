"""Options of commands with a model: its name, limits, judges, recorded replies, mode, approval at the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.values import PATH, Number
from kag.cli.terminal import note, one_line, say
from kag.qa.modes import FORMER_MODES, MODES

if TYPE_CHECKING:
    from kag.agents.retrieval_stages import ModelStages


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def limit_options(each: str = "", tokens: str = "") -> Decorator:
    """Adds --max-usd, --max-tokens, --max-calls and --max-seconds.

    `each` is what a limit counts for, as in "question", where a command asks for several; `tokens` is their default.
    """
    per = f", for each {each}" if each else ""
    default = f"  [default: {tokens}]" if tokens else ""
    return _added(
        click.option("--max-usd", type=Number(0), help=f"Stop the model at this cost{per}."),
        click.option(
            "--max-tokens", type=click.IntRange(0), help=f"Stop the model at this number of tokens{per}.{default}"
        ),
        click.option("--max-calls", type=click.IntRange(0), help=f"Stop the model after this number of calls{per}."),
        click.option("--max-seconds", type=Number(0), help=f"Stop the model after this time{per}."),
    )


def builder_options() -> Decorator:
    """Adds --lm and --sandbox: the model that builds, and where its code runs."""
    return _added(
        click.option("--lm", help="Model, for example anthropic/claude-sonnet-4-5; offline for none. Or set KAG_LM."),
        click.option(
            "--sandbox",
            type=click.Choice(["monty", "deno"]),
            default="monty",
            show_default=True,
            help="Sandbox for the code that the model writes.",
        ),
    )


def judge_options() -> Decorator:
    """Adds --no-judge, --checker and --checker-prompt: who judges a model's claims after the rules."""
    return _added(
        click.option("--judge/--no-judge", default=True, help="Let the model judge each claim by its quotes."),
        click.option(
            "--checker", default="", metavar="URL#MODEL", help="Let a fact-checking model on a server judge the claims."
        ),
        click.option(
            "--checker-prompt", type=PATH, help="File with the system prompt that this model was trained with."
        ),
    )


def rerank_option() -> Decorator:
    """Adds --rerank: a small local model reads the best sentences again."""
    help_text = "Rank the best sentences again with a small local model; see kag doctor."
    return click.option("--rerank/--no-rerank", default=False, help=help_text)


def tape_options() -> Decorator:
    """Add --record and --replay; `check_tape` validates their combination."""
    return _added(
        click.option("--record", type=PATH, help="Write the model's replies to this file."),
        click.option("--replay", type=PATH, help="Read the model's replies from this file; no network."),
    )


def check_tape(given: Mapping[str, Any]) -> None:
    """Raises `UsageError` where replies are to be both recorded and replayed."""
    if given["record"] and given["replay"]:
        raise click.UsageError("--record and --replay exclude each other")


def _added(*options: Decorator) -> Decorator:
    """All these options in this order: click shows first what is added last."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class _ModeType(click.Choice[str]):
    """A mode; the names of earlier versions are taken with a note, and "" is none."""

    def __init__(self) -> None:
        super().__init__(MODES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value == "":
            return ""
        if value in FORMER_MODES:
            note(f"the mode {value} is now called {FORMER_MODES[value]}; the old name will go with the next version")
            return "" if value == "auto" else FORMER_MODES[value]
        return super().convert(value, param, ctx)


def mode_option() -> Decorator:
    """Adds --mode; "" where it is not given: the agent with a model, else exact."""
    return click.option(
        "--mode",
        type=_ModeType(),
        default="",
        help=(
            "agent: a model reads the papers; exact: only the graph answers.  [default: agent with --lm, else exact]"
        ),
    )


def at_terminal(name: str, arguments: Mapping[str, Any]) -> bool | Mapping[str, Any]:
    """Ask about one call; the arguments are edited as JSON. An end of input refuses."""
    words = one_line(json.dumps(dict(arguments), ensure_ascii=False, default=str))
    say(f"{name} {words}", err=True)
    try:
        choice = click.prompt("run it? yes, no, edit", type=click.Choice(["y", "n", "e"]), default="y", err=True)
        while choice == "e":
            edited = click.prompt("arguments as JSON", default=words, err=True)
            try:
                value = json.loads(edited)
            except ValueError as error:
                say(f"no JSON: {error}", err=True)
                continue
            if isinstance(value, dict):
                return value
            say("not a JSON object", err=True)
    except click.Abort:
        return False
    return bool(choice == "y")


def model_options(what_for: str) -> Decorator:
    """Add the options of a model, its limits, and recording or replay; `what_for` says what it is asked."""
    lm = click.option("--lm", default="", help=f"Model, for example anthropic/claude-sonnet-4-5; {what_for}.")
    return lambda command: lm(limit_options()(tape_options()(command)))


@contextmanager
def open_model_stages(given: Mapping[str, Any], kept: Path | None = None) -> Iterator[ModelStages | None]:
    """The model that the options ask for, None where they ask for none; raises `ModelError`, `UsageError`.

    "offline" has no rules for this: in a call it is an error, as a setting for all commands it is none.

    Replies are kept in the file `kept` unless the options say otherwise, so that a command that was interrupted and is
    given again does not ask twice; done, the model not stopped, it is deleted.
    """
    check_tape(given)
    if not given["lm"] or (given["lm"] == "offline" and not _given_in_call()):
        yield None
        return
    from kag.agents.model.cassette import Cassette
    from kag.agents.read.read_options import ReadOptions
    from kag.agents.retrieval_stages import open_stages

    tape = Cassette(given["replay"], "replay") if given["replay"] else None
    tape = Cassette(given["record"], "record") if given["record"] else tape
    own = kept if tape is None else None
    with open_stages(ReadOptions(**given), Cassette(own, "auto") if own else tape) as model:
        yield model
        done = not model.stopped()
    if own and done:
        own.unlink(missing_ok=True)


def _given_in_call() -> bool:
    """Whether the model was named in the call itself, and not by a setting."""
    source = click.get_current_context().get_parameter_source("lm")
    return source is click.core.ParameterSource.COMMANDLINE


def model_usage(model: ModelStages) -> str:
    """Return a model's usage, and the reason if it failed."""
    usage = model.usage()
    cost = f"{usage['calls']:g} calls, {usage['tokens_in'] + usage['tokens_out']:g} tokens, {usage['usd']:.4f} USD"
    cost += f", {usage['unpriced']:g} without a price" if "unpriced" in usage else ""
    return cost + (f"; the model was stopped, rules did the rest: {model.stopped()}" if model.stopped() else "")
