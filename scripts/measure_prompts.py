"""How long the prompts of the build agents are, over papers, with the offline policy in the model's place.

    python scripts/measure_prompts.py PAPER... [--builder hybrid]

A token is 4 characters. `constant` is the system prompt, which is the same for all papers and steps; `in` are all
requests of a run together, each with its system prompt. Papers without doubts cost hybrid nothing.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from dspy.lm15 import Request, Response

from kag.agents.build.review import review_builder
from kag.agents.build.rlm import rlm_builder
from kag.agents.model.budget import Budget
from kag.agents.model.engines import Source
from kag.agents.model.models import model_over
from kag.agents.model.token_ledger import Ledger
from kag.agents.offline.policy import OfflinePolicy
from kag.agents.sandbox.factory import sandbox_factory
from kag.sources.survey import read_paper
from kag.values.trajectory import Trajectory
from kag.write.story import index_document

CHARACTERS = 4  # of a token


@dataclass
class Counting(OfflinePolicy):
    """The policy, which keeps the sizes of what it is asked and of what it says."""

    system: int = 0
    asked: list[int] = field(default_factory=list)
    said: int = 0

    def complete(self, request: Request) -> Response:
        system = _length(request.system)
        self.system = system
        self.asked.append(system + sum(_length(message.parts) for message in request.messages))
        response = super().complete(request)
        self.said += _length(response.message.parts)
        return response


def _length(value: Any) -> int:
    """The length of a text or of its parts."""
    return len(value) if isinstance(value, str) else sum(len(getattr(part, "text", "") or "") for part in value or ())


def main() -> int:
    """Print a line a paper, and the middle of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", nargs="+", type=Path)
    parser.add_argument("--builder", choices=("rlm", "review"), default="rlm")
    options = parser.parse_args()
    make = rlm_builder if options.builder == "rlm" else review_builder
    totals = []
    print(f"{'paper':24} {'pages':>5} {'calls':>5} {'constant':>8} {'in':>7} {'out':>6}")
    for path in options.papers:
        engine, ledger = Counting(), Ledger()
        source = Source("offline-policy/counted", partial(_same, engine), tariff="policy")
        lm = model_over(source, budget=Budget(), ledger=ledger)
        interpreters = partial(sandbox_factory, "monty")
        builder = make(lm, ledger, interpreters=interpreters, max_iters=20, trajectory=Trajectory())
        document = read_paper(path)
        index_document(document, builder)
        constant, taken, given = (n // CHARACTERS for n in (engine.system, sum(engine.asked), engine.said))
        print(f"{path.name[:24]:24} {document.pages:5} {len(engine.asked):5} {constant:8} {taken:7} {given:6}")
        if engine.asked:
            totals.append(taken)
    if totals:
        middle, most = statistics.median(totals), max(totals)
        print(f"{len(totals)} of {len(options.papers)} papers asked: median {middle:.0f} in, at most {most}")
    return 0


def _same(engine: Counting) -> Counting:
    return engine


if __name__ == "__main__":
    raise SystemExit(main())
