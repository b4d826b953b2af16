"""`open_reader`: the model that ingestion was asked to use, within its limits, its replies kept or played back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from kag.agents.ingest.asking import ModelReader
from kag.agents.ingest.options import IngestOptions
from kag.agents.model.budget import Budget, Ledger, Limits
from kag.agents.model.cassette import Cassette
from kag.agents.model.models import open_model

REPLIES = "replies.jsonl"


@contextmanager
def open_reader(options: IngestOptions, name: str, work: Path, author: str) -> Iterator[ModelReader]:
    """The reader of one document; raises what `open_model` raises."""
    ledger, cassette = Ledger(), _cassette(options, name, work)
    lm = open_model(options.lm, budget=Budget(Limits.of(options)), ledger=ledger, cassette=cassette)
    with closing(lm.engine):
        yield ModelReader(lm, ledger, author, rounds=options.rounds)


def _cassette(options: IngestOptions, name: str, work: Path) -> Cassette:
    """The replies of one document: in the folder asked for, or in the work folder until it is done."""
    if options.replay:
        return Cassette(options.replay / f"{name}.jsonl", "replay")
    if options.record:
        return Cassette(options.record / f"{name}.jsonl", "auto")
    return Cassette(work / REPLIES, "auto")
