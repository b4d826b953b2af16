"""Improve an agent's instructions on annotated papers.

    python -m scripts.benchmarks.optimize_agent PAPERS... --lm MODEL

PAPERS are folders of OCR pages with a gold.json, or folders of such folders. The metric is the structure score of
the built graph, 0 to 1. With --lm offline there is nothing to improve: rules follow no instructions.
"""

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import click

from kag.agents.model.options import MAX_ITERS, OFFLINE
from kag.cli.ending import run as run_command
from kag.cli.terminal import say
from kag.core.errors import ModelError, SourceError

FOLDER = click.Path(path_type=Path)


def annotated(paths: Sequence[Path]) -> list[Path]:
    """The folders among the paths, or right below them, that hold a gold.json; raises `SourceError` without any."""
    found = [
        folder for path in paths for folder in (path, *sorted(path.glob("*/"))) if (folder / "gold.json").is_file()
    ]
    if paths and not found:
        raise SourceError(f"no gold.json in {', '.join(map(str, paths))}", hint="Give annotated papers.")
    return list(dict.fromkeys(found))


def open_models(lm: str, reflection_lm: str | None, record: Path | None, **limits: Any) -> tuple[Any, Any, Any]:
    """The model that indexes and the one that reflects, over one budget, ledger and record."""
    from kag.agents.model.budget import Budget, Ledger, Limits
    from kag.agents.model.cassette import Cassette
    from kag.agents.model.models import open_model

    stack: dict[str, Any] = {
        "budget": Budget(Limits(usd=limits["max_usd"], tokens=limits["max_tokens"])),
        "ledger": Ledger(),
        "cassette": Cassette(record, "auto") if record else None,
    }
    main_lm = open_model(lm, **stack)
    return main_lm, open_model(reflection_lm or lm, role="sub", **stack) if lm != OFFLINE else main_lm, stack["ledger"]


def work(papers: list[Path], valid: list[Path], builder: str, evaluate: Path | None, **options: Any) -> None:
    """Search and write what was found, or score what was found before."""
    from kag.agents.build.optimize import load_instructions, optimize, save_instructions, trials_of
    from kag.agents.build.review import review_builder
    from kag.agents.build.rlm import rlm_builder
    from kag.agents.sandbox.factory import sandbox_factory

    text = load_instructions(evaluate, builder) if evaluate else ""
    search = {name: options.pop(name) for name in ("method", "runs")}
    interpreters = partial(sandbox_factory, options.pop("sandbox"))
    max_iters, out = options.pop("max_iters"), options.pop("out")
    lm, thinker, ledger = open_models(**options)
    make = review_builder if builder == "review" else rlm_builder
    with closing(lm.engine), closing(thinker.engine):
        trials = trials_of(make, lm, ledger, interpreters=interpreters, max_iters=max_iters)
        if evaluate:
            show_scores(trials, text, papers, lm.model)
            return
        found = optimize(trials, lm, builder=builder, train=papers, valid=valid, reflection_lm=thinker, **search)
    save_instructions(found, out)
    totals = ledger.summary()
    say(f"{found.model}, {found.method}: {found.score_before:.4f} -> {found.score_after:.4f}")
    say(f"{totals['calls']} calls, {totals['tokens_in'] + totals['tokens_out']} tokens, {totals['usd']:.4f} USD")
    say(out)
    if found.stopped:
        raise ModelError(f"stopped early: {found.stopped}", hint=f"What was found until then is in {out}.")


def show_scores(trials: Any, text: str, papers: list[Path], model: str) -> None:
    for paper in papers:
        trial = trials.run(text, paper)
        say(f"{paper.name}: {trial.score:.4f}{f' ({trial.cause})' if trial.cause else ''}")
    say(f"{model}: structure score {trials.score(text, papers):.4f} on {len(papers)} papers")


@click.command(help=__doc__)
@click.argument("papers", nargs=-1, required=True, type=FOLDER)
@click.option("--valid", multiple=True, type=FOLDER, help="Papers that decide which text is best.  [default: PAPERS]")
@click.option("--builder", type=click.Choice(["rlm", "review"]), default="rlm", show_default=True, help="Whose task.")
@click.option("--lm", envvar="KAG_LM", required=True, help="Model that indexes; offline for none. Or set KAG_LM.")
@click.option("--reflection-lm", help="Model that writes new texts.  [default: that of --lm]")
@click.option("--method", type=click.Choice(["gepa", "bootstrap"]), default="gepa", show_default=True)
@click.option("--runs", type=click.IntRange(1), default=30, show_default=True, help="Papers to index at most.")
@click.option("--evaluate", type=FOLDER, help="Only score the instructions in this file.")
@click.option("--sandbox", type=click.Choice(["monty", "deno"]), default="monty", show_default=True)
@click.option("--max-iters", type=click.IntRange(1), default=MAX_ITERS, show_default=True, help="Steps for each paper.")
@click.option("--max-usd", type=click.FloatRange(0), help="Stop at this cost, for all papers together.")
@click.option("--max-tokens", type=click.IntRange(0), help="Stop at so many tokens, for all papers together.")
@click.option("--record", type=FOLDER, help="Keep the replies in this file; given again, the search goes on from them.")
@click.option("--out", type=FOLDER, default=Path("instructions.json"), show_default=True, help="File to write.")
def main(papers: Sequence[Path], valid: Sequence[Path], **options: Any) -> None:
    given = annotated(papers)
    work(given, annotated(valid) or given, **options)


if __name__ == "__main__":
    run_command(main, name="optimize_agent.py")
