"""Options and arguments that several commands share, and their values."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kag.agents.read.read_options import MAX_ITERS
from kag.cli.terminal import note, one_line, say
from kag.qa.modes import FORMER_MODES, MODES

if TYPE_CHECKING:
    from kag.agents.retrieval_stages import ModelStages
    from kag.core.workers import Executor
    from kag.indexing.batch import Job
    from kag.qa.library import Library
    from kag.retrieval.property_graph.elements import GraphSnapshot


def json_option(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--json` as the flag `as_json`; `help_text` says what is written."""
    return click.option("--json", "as_json", is_flag=True, help=help_text)


_LARGEST = 1e9  # a number that an option takes: money, seconds, megabytes


class _Named(click.Path):
    """A path; an empty one is refused, as it would be the folder where the command is given: `kag index "$PAPERS"`."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if value == "":
            self.fail("a path is empty; give . for this folder", param, ctx)
        return super().convert(value, param, ctx)


class Number(click.FloatRange):
    """A number with bounds, which is finite: `nan` and `inf` are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number) or number > _LARGEST:
            self.fail(f"{value} is no number of at most 1,000,000,000", param, ctx)
        return number


class RenamedChoice(click.Choice[str]):
    """A choice that accepts earlier names of its values for one version, with a note on stderr."""

    def __init__(self, choices: Sequence[str], renamed: Mapping[str, str]) -> None:
        super().__init__(choices)
        self._renamed = renamed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if new := self._renamed.get(value):
            note(f"{value} is now called {new}; the old name will be removed in the next version")
        return super().convert(new or value, param, ctx)


PATH = _Named(path_type=Path)


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def limit_options(each: str = "", tokens: str = "") -> Decorator:
    """Adds --max-usd, --max-tokens, --max-calls and --max-seconds.

    `each` is what a limit counts for, as in "question", where a command asks for several; `tokens` is their default.
    """
    per = f", for each {each}" if each else ""
    default = f"  [default: {tokens}]" if tokens else ""
    return added(
        click.option("--max-usd", type=Number(0), help=f"Stop the model at this cost{per}."),
        click.option(
            "--max-tokens", type=click.IntRange(0), help=f"Stop the model at this number of tokens{per}.{default}"
        ),
        click.option("--max-calls", type=click.IntRange(0), help=f"Stop the model after this number of calls{per}."),
        click.option("--max-seconds", type=Number(0), help=f"Stop the model after this time{per}."),
    )


def max_iters_option(default: int) -> Decorator:
    """Adds --max-iters."""
    return click.option(
        "--max-iters", type=click.IntRange(1), default=default, show_default=True, help="Maximum number of model steps."
    )


def sandbox_option() -> Decorator:
    """Adds --sandbox: where the code runs that a model writes."""
    return click.option(
        "--sandbox",
        type=click.Choice(["monty", "deno"]),
        default="monty",
        show_default=True,
        help="Sandbox for the code that the model writes.",
    )


def lm_option() -> Decorator:
    """Adds --lm."""
    return click.option("--lm", help="Model, for example anthropic/claude-sonnet-4-5; offline for none. Or set KAG_LM.")


def builder_options() -> Decorator:
    """Adds the model that builds something of a paper, its limits, and its recorded replies."""
    limits = limit_options("paper", tokens="60000 for review")
    return added(lm_option(), sandbox_option(), limits, max_iters_option(20), tape_options())


def agent_options() -> Decorator:
    """Adds whom to ask, a model with its limits and judges, and its recorded replies."""
    return added(
        lm_option(),
        mode_option(),
        limit_options("question"),
        max_iters_option(MAX_ITERS),
        sandbox_option(),
        rerank_option(),
        judge_options(),
        tape_options(),
    )


def similarity_options(what_for: str) -> Decorator:
    """Adds --similar, --embed and --pdfs, the optional parts of a property graph of papers."""
    return added(
        click.option(
            "--similar",
            type=click.IntRange(0, 100),
            default=5,
            show_default=True,
            help=f"For {what_for}: number of SIMILAR edges of each chunk.",
        ),
        click.option(
            "--embed",
            is_flag=True,
            help=f"For {what_for}: add a vector to each chunk, and compare vectors for SIMILAR.",
        ),
        click.option(
            "--pdfs",
            multiple=True,
            type=PATH,
            help=f"For {what_for}: PDFs, or folders of them, for the pdf_path of papers; can be repeated.",
        ),
    )


def property_graph(library: Library, similar: int, embed: bool, pdfs: Sequence[Path]) -> GraphSnapshot:
    """The property graph of papers that `similarity_options` ask for."""
    from kag.corpus.search_index import LOCAL, embedder_named
    from kag.export.property_graph import paper_graph, pdfs_at

    return paper_graph(library, similar, embed=embedder_named(LOCAL) if embed else None, pdfs=pdfs_at(pdfs))


def listen_options(port: int, variable: str) -> Decorator:
    """Adds --host, --port, --token and --allow-host: where a server listens, and to whom."""
    return added(
        click.option(
            "--host",
            default="127.0.0.1",
            show_default=True,
            help="Address to listen on; any other address needs a token.",
        ),
        click.option(
            "--port", type=click.IntRange(0, 65535), default=port, show_default=True, help="Port; 0 chooses a free one."
        ),
        click.option("--token", default="", help=f"Token that clients must send. Prefer {variable}."),
        click.option(
            "--allow-host",
            "names",
            multiple=True,
            help="Another host name of this server, for example behind a proxy; can be repeated.",
        ),
    )


DOMAIN = click.option(
    "--domain", default="", help="story, science, workflow, or a TOML file.  [default: the domain of FILE]"
)
SEEDS = click.option("--seeds", default="", help="Ids or names of nodes to start from, separated by commas.")
EDGE_LABEL = click.option(
    "--edge-label", "edge_labels", multiple=True, help="Follow only edges with this label; can be repeated."
)
CUT = click.option(
    "--cut",
    type=click.Choice(["near", "degree", "random"]),
    default="near",
    show_default=True,
    help="How to cut a part that is too large; near uses the question or the seeds.",
)


def judge_options() -> Decorator:
    """Adds --no-judge, --checker and --checker-prompt: who judges a model's claims after the rules."""
    return added(
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
    return added(
        click.option("--record", type=PATH, help="Write the model's replies to this file."),
        click.option("--replay", type=PATH, help="Read the model's replies from this file; no network."),
    )


def check_tape(given: Mapping[str, Any]) -> None:
    """Raises `UsageError` where replies are to be both recorded and replayed."""
    if given["record"] and given["replay"]:
        raise click.UsageError("--record and --replay exclude each other")


def added(*options: Decorator) -> Decorator:
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
    from kag.agents.model.budget import Cassette
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


def machine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--shard` and `--ray`."""
    part = click.option(
        "--shard",
        default="",
        metavar="I/N",
        help="Index only part I of N of the papers, to share the work between machines.",
    )
    return part(cluster_option("Index on a Ray cluster: auto, local or an address.")(command))


def cluster_option(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--ray`."""
    return click.option("--ray", default="", metavar="ADDRESS", help=words)


def spread(ray: str) -> Executor | None:
    """The cluster at an address; None without an address, and one process does all."""
    if not ray:
        return None
    from kag.indexing.over_ray import over_ray

    return over_ray(ray)


def own_part(jobs: list[Job], shard: str, paper_id: str | None) -> list[Job]:
    """Return the jobs of one part of several, or the one job with a given name."""
    from kag.indexing.over_ray import read_shard
    from kag.sources.names import safe_paper_id

    if paper_id is not None:
        if len(jobs) != 1:
            raise click.UsageError(f"--paper-id names one paper, {len(jobs)} were given")
        jobs = [replace(jobs[0], name=safe_paper_id(paper_id))]
    if shard:
        jobs = list(read_shard(shard).own(jobs))
        if not jobs:
            note(f"none of these papers is in part {shard}")
    return jobs


def executor(ray: str, workers: int) -> dict[str, Any]:
    """Return the executor: processes of this machine, or a cluster."""
    if not ray:
        return {"workers": workers}
    from kag.indexing.over_ray import over_ray

    return {"executor": over_ray(ray)}
