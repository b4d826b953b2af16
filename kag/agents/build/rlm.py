"""`rlm_builder`: the context-first agent of the KAG design, which builds the graph from the blocks by `op_*` calls.

`document` (the paper's Markdown), `task` and `blocks` (the pre-parsed blocks) are variables of its sandbox; the prompt
shows bounded previews of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kag.agents.build.gate import Gate, run_facts
from kag.agents.build.paper_views import blocks_preview, document_preview, markdown, repl_blocks
from kag.agents.build.prompts import GOAL, INDEX_TASK, index_signature
from kag.agents.model.budget import Ledger
from kag.agents.sandbox.runner import Interpreters, run_agent
from kag.core.trajectory import Trajectory
from kag.core.types import Document
from kag.indexing.pipeline import Builder, Tools


def rlm_builder(
    lm: Any,
    ledger: Ledger,
    *,
    interpreters: Interpreters,
    max_iters: int,
    trajectory: Trajectory,
    why: str = "",
    task: str = INDEX_TASK,
) -> Builder:
    """A builder that lets `lm` (a `dspy.LM`) build the graph through the tools; iterations go to `trajectory`.

    Its facts: `iterations`, `answer`, `usage` (the ledger's totals), and `stopped` with `cause` when the
    agent did not finish.
    """

    def build(document: Document, tools: Tools) -> Mapping[str, Any]:
        gate = Gate(document, tools, trajectory)
        text = markdown(document)
        finish = run_agent(
            index_signature(task),
            {"document": text, "task": GOAL, "blocks": repl_blocks(document)},
            gate.tools,
            lm,
            interpreters=interpreters,
            gate=gate.refusal,
            trajectory=trajectory,
            max_iters=max_iters,
            usage=ledger.summary,
            shown={"document": document_preview(text), "task": f"`task`: {GOAL}", "blocks": blocks_preview(document)},
        )
        return run_facts(finish, ledger)

    return Builder("rlm", build, why, lm.model, trajectory)
