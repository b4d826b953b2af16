"""Runs of the real agent loop over a paper, for tests: real sandbox, real tools, an engine in the place of a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kag.agents import offline_policy
from kag.agents.build.builders import review_builder, rlm_builder
from kag.agents.build.prompts import WRITE
from kag.agents.model.budget import Budget, Ledger, Limits
from kag.agents.model.engines import Source
from kag.agents.model.models import model_over
from kag.agents.sandbox.sandbox import sandbox_factory
from kag.core.trajectory import Step, Trajectory
from kag.indexing.pipeline import Indexed, index_document
from kag.sources.ocr.folder import read_document

# All that the offline policy does before it asks whether the graph is finished, as one step.
BUILD = offline_policy.EXPLORE + WRITE


@dataclass(frozen=True, slots=True)
class AgentRun:
    """What a run left behind."""

    indexed: Indexed
    steps: tuple[Step, ...]
    ledger: Ledger

    @property
    def outputs(self) -> list[str]:
        """What each iteration showed the model: its output, or its error."""
        done = [step.data for step in self.steps if (step.kind, step.name) == ("iteration", "outcome")]
        return [data.get("error") or data["output"] for data in done]

    def calls(self, name: str) -> list[Step]:
        return [step for step in self.steps if step.kind == "tool" and step.name == name]


def run(
    paper: Path, engine: Any, *, review: bool = False, max_iters: int = 20, limits: Limits | None = None
) -> AgentRun:
    """Index a paper with an agent whose replies come from `engine`."""
    ledger, trajectory = Ledger(), Trajectory()
    lm = model_over(
        Source("scripted/engine", lambda: engine, tariff="local"), budget=Budget(limits), ledger=ledger, retries=0
    )
    builder = (review_builder if review else rlm_builder)(
        lm,
        ledger,
        interpreters=partial(sandbox_factory, "monty"),
        max_iters=max_iters,
        trajectory=trajectory,
    )
    return AgentRun(index_document(read_document(paper), builder), tuple(trajectory), ledger)
