"""`ask_agent`: the agent with the five views answers one question; `open_agent` makes it ready to be asked.

One paper or many, it is the same agent: only its instructions, its opening and its tools differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kag.agents.build.vision import Vision, lm_describe, open_vision
from kag.agents.model.budget import Budget, Ledger, Limits
from kag.agents.model.cassette import Cassette
from kag.agents.model.models import open_brief
from kag.agents.read.claims import ClaimGate
from kag.agents.read.judges import open_judge
from kag.agents.read.qa_context import QaContext, paper_context, papers_context, read_signature
from kag.agents.read.read_options import ReadOptions
from kag.agents.sandbox.factory import sandbox_factory
from kag.agents.sandbox.runner import Interpreters, run_agent
from kag.core.files import own_folder
from kag.core.tool import Approval, Tool, guard, toolset
from kag.core.trajectory import Trajectory
from kag.core.verdict import ClaimJudge
from kag.indexing.tools.descriptions import Find
from kag.qa.answer_folder import WORK
from kag.qa.library import Shelf
from kag.qa.paper import PaperGraph
from kag.qa.pipeline import Ask, Reading, note
from kag.qa.questions.file import Question
from kag.qa.views.query_rows import KeptRows
from kag.qa.views.view_figures import FigureTools
from kag.qa.views.views import Views
from kag.sources.names import IN_RUN, folder_of
from kag.sources.pictures import picture_path

if TYPE_CHECKING:
    import dspy

_NODE = re.compile(r"^\[(?:\S+ )?(ex:\S+) p\d", re.M)

REPLIES = "replies.jsonl"  # of all questions that were asked
STEP_OUTPUT = 4_500  # characters of a step's output that the model sees: a view that is printed whole
REPLY_TOKENS = 3_000  # of one reply
MOST_TOKENS = 60_000  # of one question, unless its limits say otherwise
SEARCHES = {
    "g_search": "query",
    "search_knowledge_graph": "query",
    "query_graph": "sparql",
    "query_database": "cypher",
}  # with what is asked


def ask_agent(
    lm: dspy.LM,
    question: Question,
    context: QaContext,
    trajectory: Trajectory,
    ledger: Ledger,
    *,
    interpreters: Interpreters,
    max_iters: int,
    judge_all: ClaimJudge | None = None,
    approve: Approval | None = None,
    rows: KeptRows | None = None,
) -> Reading:
    """Let the agent answer a question; never raises for what a model or its code can do."""
    offered = {tool.name: guard(tool, trajectory, approve).call for tool in context.tools}
    gate = ClaimGate(context.papers, question.text, lambda: searches_of(trajectory), judge_all, rows)
    opening = (context.overview, context.opening, f"Question: {question.text}")
    note(trajectory, "opening", nodes=list(dict.fromkeys(_NODE.findall(context.opening))), chars=len(context.opening))
    finish = run_agent(
        read_signature(context.task),
        {"question": question.text},
        offered,
        lm,
        interpreters=interpreters,
        gate=gate.refusal,
        trajectory=trajectory,
        max_iters=max_iters,
        usage=ledger.summary,
        shown={"question": "\n\n".join(filter(None, opening))},
        most_shown=STEP_OUTPUT,
        tool_help=True,
    )
    if finish.cause:
        return Reading(cause=finish.cause, stopped=finish.stopped)
    reading = gate.reading(question.text)
    return replace(reading, usage={"refused": gate.refused} if gate.refused else {})


def searches_of(trajectory: Trajectory) -> tuple[str, ...]:
    """Return the searches that the trajectory records, each once in order, followed by the papers searched if not all
    were."""
    found: dict[tuple[str, bool], dict[str, None]] = {}
    for step in trajectory:
        if step.kind == "tool" and step.name in SEARCHES and step.ok:
            given = step.data.get("kwargs", {})
            query, paper = " ".join(str(given.get(SEARCHES[step.name], "")).split()), str(given.get("paper", ""))
            if query:
                found.setdefault((query, bool(paper)), {})[paper] = None
    return tuple(f"{query} (in {', '.join(papers)})" if some else query for (query, some), papers in found.items())


def open_cassette(options: ReadOptions, folder: Path) -> Cassette:
    """The recorded replies: the file asked for, or what a command that was interrupted here had kept."""
    if options.replay:
        return Cassette(options.replay, "replay")
    if options.record:
        return Cassette(options.record, "auto" if (folder / WORK).is_dir() else "record")
    return Cassette(folder / WORK / REPLIES, "auto")


@contextmanager
def open_agent(
    options: ReadOptions, cassette: Cassette, tools: tuple[Tool, ...] = (), rows: KeptRows | None = None
) -> Iterator[Ask]:
    """Open the agent; each question has its own budget and ledger. `tools` are offered for many papers, and their query
    results are in `rows`.

    Raises what `open_model` raises.
    """
    open_brief(
        options.lm, REPLY_TOKENS, budget=Budget(), ledger=Ledger()
    ).engine.close()  # a wrong name or missing key is an error at once

    def ask(question: Question, source: PaperGraph | Shelf, trajectory: Trajectory) -> Reading:
        ledger, budget = Ledger(), Budget(_limits(options))
        with ExitStack() as opened:
            lm = open_brief(options.lm, REPLY_TOKENS, budget=budget, ledger=ledger, cassette=cassette)
            opened.callback(lm.engine.close)
            judge_all = open_judge(options, lm, budget, ledger, trajectory, opened, cassette)
            if isinstance(source, PaperGraph):
                views = _paper_tools(options, source, budget, ledger, cassette, opened)
                context = paper_context(source, question.text, views)
            else:
                context = papers_context(source, question.text, tools)
            reading = ask_agent(
                lm,
                question,
                context,
                trajectory,
                ledger,
                interpreters=partial(sandbox_factory, options.sandbox),
                max_iters=options.max_iters,
                judge_all=judge_all,
                approve=options.approve,
                rows=rows,
            )
        return replace(reading, usage={**ledger.usage(), **reading.usage})

    yield ask


def _paper_tools(
    options: ReadOptions, paper: PaperGraph, budget: Budget, ledger: Ledger, cassette: Cassette, opened: ExitStack
) -> tuple[Tool, ...]:
    """The views of one paper, and tools that ask a vision model about its figures where one is named."""
    find = _pictures(options, paper)
    tools = toolset(Views(paper, find))
    if options.vision and find:
        eye = open_vision(options.vision, budget, ledger, cassette)
        opened.callback(eye.engine.close)
        tools += toolset(FigureTools(paper, find, Vision(options.vision, lm_describe(eye)).ask))
    return tools


def _pictures(options: ReadOptions, paper: PaperGraph) -> Find | None:
    """Return the folder of a paper's pictures: its run, the folder that was given, or the subfolder of its name."""
    if options.ocr_dir is None:
        made = paper.path if paper.path and own_folder(paper.path / IN_RUN) else None
        return partial(picture_path, folder=made) if made else None
    folder = folder_of(paper.id, options.ocr_dir)
    return partial(picture_path, folder=folder, figures=folder, run=paper.path)


def _limits(options: ReadOptions) -> Limits:
    """The limits of one question; the last reply has its room below the limit on tokens."""
    tokens = MOST_TOKENS if options.max_tokens is None else options.max_tokens
    return replace(Limits.of(options), tokens=max(0, tokens - REPLY_TOKENS))
