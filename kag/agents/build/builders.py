"""`open_builder`: the builder that was asked for, with its model, budget and records opened, and closed at the end.

A run of an agent keeps its records in a work folder while it goes on: the steps as they happen, and the
model's replies. A run that was killed is given again, answers from the recorded replies as far as they go,
and so comes to the same graph; the sandbox is deterministic, which makes that possible.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from kag import __version__
from kag.agents.build.review import review_builder
from kag.agents.build.rlm import rlm_builder
from kag.agents.model.budget import Budget, Ledger, Limits
from kag.agents.model.cassette import Cassette
from kag.agents.model.models import open_model
from kag.agents.model.options import AgentOptions
from kag.agents.model.spans import traced
from kag.agents.sandbox.factory import sandbox_factory
from kag.core.secrets import safe_json
from kag.core.trajectory import Trajectory
from kag.core.types import Document
from kag.indexing.pipeline import Builder

IDENTITY, STEPS, REPLIES = "run.json", "trajectory.jsonl", "replies.jsonl"


@contextmanager
def open_builder(options: AgentOptions, document: Document, work: Path, *, afresh: bool = False) -> Iterator[Builder]:
    """The builder of one paper's run; `work` is its work folder, which is made, or found from a run before.

    `afresh` forgets a run before. Raises what `open_model` raises.
    """
    if afresh:
        shutil.rmtree(work, ignore_errors=True)
    _prepare(work, options, document)
    ledger = Ledger()
    budget = Budget(replace(Limits.of(options), tokens=options.token_limit))
    lm = open_model(options.lm, budget=budget, ledger=ledger, cassette=_cassette(options, work))
    make = review_builder if options.builder == "review" else rlm_builder
    with (
        closing(lm.engine),
        (work / STEPS).open("w", encoding="utf-8", buffering=1) as steps,
        traced(steps.write, builder=options.builder, model=options.model) as write,
    ):
        yield make(
            lm,
            ledger,
            interpreters=partial(sandbox_factory, options.sandbox),
            max_iters=options.max_iters,
            trajectory=Trajectory(write),
            why=options.why,
        )


def _prepare(work: Path, options: AgentOptions, document: Document) -> None:
    """Keep a work folder of the same run; begin anew when anything that decides the run has changed."""
    identity = safe_json(
        {
            "kag_version": __version__,
            "source": document.sha256,
            "builder": options.builder,
            "model": options.model,
            "sandbox": options.sandbox,
        }
    )
    known = work / IDENTITY
    if known.is_file() and known.read_text(encoding="utf-8") == identity:
        if (work / STEPS).is_file():
            (work / STEPS).replace(work / f"earlier-{STEPS}")
        return
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    known.write_text(identity, encoding="utf-8")


def _cassette(options: AgentOptions, work: Path) -> Cassette:
    """The recorded calls: the file asked for, or the one in the work folder."""
    if options.replay:
        return Cassette(options.replay, "replay")
    if options.record:
        return Cassette(options.record, "auto" if (work / f"earlier-{STEPS}").is_file() else "record")
    return Cassette(work / REPLIES, "auto")
