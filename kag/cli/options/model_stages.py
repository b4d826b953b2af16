"""The options that let a model do steps of a search, and the model behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.cli.options.limits import Decorator, check_tape, limit_options, tape_options

if TYPE_CHECKING:
    from kag.agents.retrieval_stages import ModelStages


def model_options(what_for: str) -> Decorator:
    """Adds which model, within which limits, recorded or replayed; `what_for` says what it is asked."""
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
    """What a model took, and what kept it from doing its part."""
    usage = model.usage()
    cost = f"{usage['calls']:g} calls, {usage['tokens_in'] + usage['tokens_out']:g} tokens, {usage['usd']:.4f} USD"
    cost += f", {usage['unpriced']:g} without a price" if "unpriced" in usage else ""
    return cost + (f"; the model was stopped, rules did the rest: {model.stopped()}" if model.stopped() else "")
