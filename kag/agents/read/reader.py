"""`ask_agent`: one run of the agent loop for one question at a desk; `open_ask` and `open_corpus_ask`, who is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kag.agents.build.describers import open_vision
from kag.agents.build.vision import Vision, lm_describe
from kag.agents.judge.hearing import open_hearing
from kag.agents.model.budget import Budget, Limits
from kag.agents.model.cassette import Cassette
from kag.agents.model.models import model_over, open_brief
from kag.agents.model.options import OFFLINE
from kag.agents.model.token_ledger import Ledger
from kag.agents.offline.policy import source
from kag.agents.read.claims import Judged, judge
from kag.agents.read.desk import Desk, corpus_desk, paper_desk
from kag.agents.read.read_options import ReadOptions
from kag.agents.read.read_prompts import read_signature
from kag.agents.read.single import ask_whole, settled
from kag.agents.sandbox.factory import sandbox_factory
from kag.agents.sandbox.runner import Interpreters, run_agent
from kag.questions.file import Question
from kag.read.across.shelf import Shelf
from kag.read.answer_folder import WORK
from kag.read.paper import PaperGraph
from kag.read.router import REPLY_TOKENS, Rung
from kag.read.story import Ask, AskCorpus, Reading
from kag.read.views.figure_tools import FigureTools
from kag.read.views.views import Views
from kag.safety.files import own_folder
from kag.sources.names import IN_RUN, folder_of
from kag.sources.pictures import picture_path
from kag.values.evidence import Dropped
from kag.values.tool import Tool, guard, toolset
from kag.values.trajectory import Trajectory
from kag.values.verdict import Hear
from kag.write.tools.descriptions import Find

if TYPE_CHECKING:
    import dspy

REPLIES = "replies.jsonl"  # of all questions that were asked
MAX_REFUSALS = 2  # after which what is supported is taken and the rest is dropped
MAX_TOLD = 2_000  # characters of a refusal
STEP_OUTPUT = 3_000  # characters of a step's output that the model sees
SEARCHES = {"g_search": "query", "search_knowledge_graph": "query", "query_graph": "sparql"}  # with what is asked
DRAFT = "an earlier draft of the model"  # why a claim was left out that came again otherwise
LOOK_FIRST = "search before you say that the paper does not say it: call a search tool with several different words"


class ClaimGate:
    """Refuses SUBMIT while claims do not hold, at most `MAX_REFUSALS` times; keeps what held at last."""

    def __init__(
        self,
        papers: Mapping[str, PaperGraph],
        question: str,
        searches: Callable[[], tuple[str, ...]],
        hear: Hear | None = None,
    ) -> None:
        self._papers, self._question, self._searches, self._hear = papers, question, searches, hear
        self.refused = 0
        self.judged = Judged()
        self._left: list[Dropped] = []

    def refusal(self, fields: Mapping[str, Any]) -> str | None:
        """Why SUBMIT is refused now; None when it is not."""
        draft = fields.get("answer")
        self.judged = judge(draft, self._papers, self._question, self._hear)
        complaints = self.judged.complaints
        if self.judged.not_found and not self._searches():
            complaints = (LOOK_FIRST,)
        if not complaints or (self.refused >= MAX_REFUSALS and isinstance(draft, dict)):
            return None
        self.refused += 1
        self._left += self.judged.dropped
        return "; ".join(complaints)[:MAX_TOLD]

    def settled(self, searches: tuple[str, ...]) -> Reading:
        """The last verdict as a reading; what was refused on the way and is in no claim counts as dropped."""
        said = {one.text for one in self.judged.claims} | {one.text for one in self.judged.dropped}
        left = {one.text: Dropped(one.text, f"{DRAFT}: {one.why}") for one in self._left if one.text not in said}
        return settled(replace(self.judged, dropped=(*self.judged.dropped, *left.values())), searches)


def ask_agent(
    lm: dspy.LM,
    question: Question,
    desk: Desk,
    trajectory: Trajectory,
    ledger: Ledger,
    *,
    interpreters: Interpreters,
    max_iters: int,
    hear: Hear | None = None,
) -> Reading:
    """Let an agent answer a question at a desk; never raises for what a model or its code can do."""
    offered = {tool.name: guard(tool, trajectory).call for tool in desk.tools}
    gate = ClaimGate(desk.papers, question.text, lambda: searches_of(trajectory), hear)
    finish = run_agent(
        read_signature(desk.task),
        {"question": question.text},
        offered,
        lm,
        interpreters=interpreters,
        gate=gate.refusal,
        trajectory=trajectory,
        max_iters=max_iters,
        usage=ledger.summary,
        shown={"question": f"{desk.overview}\n\nQuestion: {question.text}"},
        most_shown=STEP_OUTPUT,
    )
    if finish.cause:
        return Reading(cause=finish.cause, stopped=finish.stopped)
    return replace(gate.settled(searches_of(trajectory)), usage={"refused": gate.refused} if gate.refused else {})


def searches_of(trajectory: Trajectory) -> tuple[str, ...]:
    """What was searched for in truth, as the trajectory has it, each once in order; behind it the papers it was
    searched for in, where only some were."""
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
def open_ask(options: ReadOptions, cassette: Cassette) -> Iterator[Ask]:
    """Who is asked, each question with a budget and a ledger of its own; raises what `open_model` raises."""
    _open(options, Budget(), Ledger(), cassette).engine.close()  # a wrong name or missing key is told at once

    def ask(rung: Rung, question: Question, paper: PaperGraph, trajectory: Trajectory) -> Reading:
        ledger, budget = Ledger(), Budget(_limits(options, rung))
        with ExitStack() as opened:
            lm = _open(options, budget, ledger, cassette)
            opened.callback(lm.engine.close)
            hear = open_hearing(options, lm, budget, ledger, trajectory, opened, cassette)
            if rung.name == "single":
                reading = ask_whole(lm, question, paper, trajectory, ledger, hear)
            else:
                find = _pictures(options, paper)
                tools = toolset(Views(paper, find))
                if options.vision and find:
                    eye = open_vision(options.vision, budget, ledger, cassette)
                    opened.callback(eye.engine.close)
                    tools += toolset(FigureTools(paper, find, Vision(options.vision, lm_describe(eye)).ask))
                desk = paper_desk(paper, question.text, tools)
                reading = _asked(lm, question, desk, trajectory, ledger, options, hear)
        return replace(reading, usage={**ledger.usage(), **reading.usage})

    yield ask


@contextmanager
def open_corpus_ask(options: ReadOptions, cassette: Cassette, tools: tuple[Tool, ...] = ()) -> Iterator[AskCorpus]:
    """Who is asked about many papers at once: the agent, with these tools besides its own; as `open_ask` else."""
    _open(options, Budget(), Ledger(), cassette).engine.close()

    def ask(rung: Rung, question: Question, shelf: Shelf, trajectory: Trajectory) -> Reading:
        ledger, budget = Ledger(), Budget(_limits(options, rung))
        with ExitStack() as opened:
            lm = _open(options, budget, ledger, cassette)
            opened.callback(lm.engine.close)
            hear = open_hearing(options, lm, budget, ledger, trajectory, opened, cassette)
            reading = _asked(lm, question, corpus_desk(shelf, tools), trajectory, ledger, options, hear)
        return replace(reading, usage={**ledger.usage(), **reading.usage})

    yield ask


def _asked(
    lm: dspy.LM,
    question: Question,
    desk: Desk,
    trajectory: Trajectory,
    ledger: Ledger,
    options: ReadOptions,
    hear: Hear | None,
) -> Reading:
    interpreters, most = partial(sandbox_factory, options.sandbox), options.max_iters
    return ask_agent(lm, question, desk, trajectory, ledger, interpreters=interpreters, max_iters=most, hear=hear)


def _pictures(options: ReadOptions, paper: PaperGraph) -> Find | None:
    """Where the pictures of a paper are: in its run, in the folder that was given, or the one of its name in there."""
    if options.ocr_dir is None:
        made = paper.path if paper.path and own_folder(paper.path / IN_RUN) else None
        return partial(picture_path, folder=made) if made else None
    folder = folder_of(paper.id, options.ocr_dir)
    return partial(picture_path, folder=folder, figures=folder, run=paper.path)


def _limits(options: ReadOptions, rung: Rung) -> Limits:
    """The limits of one question; the last reply has its room below the limit on tokens."""
    tokens = None if rung.tokens is None else max(0, rung.tokens - REPLY_TOKENS)
    return Limits(usd=options.max_usd, tokens=tokens, calls=options.max_calls, seconds=options.max_seconds)


def _open(options: ReadOptions, budget: Budget, ledger: Ledger, cassette: Cassette) -> dspy.LM:
    stack: dict[str, Any] = {"budget": budget, "ledger": ledger, "cassette": cassette}
    if options.lm == OFFLINE:
        return model_over(source(), **stack)
    return open_brief(options.lm, REPLY_TOKENS, **stack)
