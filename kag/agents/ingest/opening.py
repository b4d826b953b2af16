"""`open_reader`: the model that ingestion was asked to use, within its limits, its replies kept or played back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kag.agents.ingest.asking import ModelReader
from kag.agents.ingest.options import IngestOptions
from kag.agents.model.budget import Budget, Ledger, Limits
from kag.agents.model.cassette import Cassette
from kag.agents.model.models import model_over, open_model
from kag.agents.model.options import OFFLINE
from kag.agents.offline.policy import source

REPLIES = "replies.jsonl"


@contextmanager
def open_reader(options: IngestOptions, name: str, work: Path, author: str) -> Iterator[ModelReader]:
    """The reader of one document; raises what `open_model` raises."""
    ledger = Ledger()
    limits = Limits(options.max_usd, options.max_tokens, options.max_calls, options.max_seconds)
    cassette = _cassette(options, name, work)
    if options.lm == OFFLINE:
        lm = model_over(source(), budget=Budget(limits), ledger=ledger, cassette=cassette)
    else:
        lm = open_model(options.lm, budget=Budget(limits), ledger=ledger, cassette=cassette)
    try:
        yield ModelReader(lm, ledger, author, rounds=options.rounds)
    finally:
        lm.engine.close()


def _cassette(options: IngestOptions, name: str, work: Path) -> Cassette:
    """The replies of one document: in the folder asked for, or in the work folder until it is done."""
    if options.replay:
        return Cassette(options.replay / f"{name}.jsonl", "replay")
    if options.record:
        return Cassette(options.record / f"{name}.jsonl", "auto")
    return Cassette(work / REPLIES, "auto")
