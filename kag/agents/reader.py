"""`ask_agent`: one run of the agent loop for one question, over the views; and `open_ask`, who is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kag.agents.budget import Budget, Limits
from kag.agents.cassette import Cassette
from kag.agents.claims import Judged, judge
from kag.agents.describers import open_vision
from kag.agents.ledger import Ledger
from kag.agents.models import model_over, open_model
from kag.agents.options import OFFLINE
from kag.agents.policy import source
from kag.agents.read_options import ReadOptions
from kag.agents.read_prompts import read_signature
from kag.agents.runner import Interpreters, run_agent
from kag.agents.sandbox import sandbox_factory
from kag.agents.single import ask_whole, settled
from kag.agents.vision import Vision, lm_describe
from kag.answering.router import REPLY_TOKENS, Rung
from kag.document.pictures import picture_path
from kag.errors import ModelError
from kag.questions import Question
from kag.read import Ask, Reading
from kag.reading.paper import Paper
from kag.tools.descriptions import Find
from kag.tools.figures import FigureTools
from kag.tools.tool import Tool, guard, toolset
from kag.tools.views import Views, overview
from kag.trajectory import Trajectory

if TYPE_CHECKING:
    import dspy

MAX_REFUSALS = 2  # after which what verifies is taken and the rest is dropped
MAX_TOLD = 2_000  # characters of a refusal
LOOK_FIRST = "search before you say that the paper does not say it: call g_search with several different words"


class ClaimGate:
    """Refuses SUBMIT while claims do not hold, at most `MAX_REFUSALS` times; keeps what held at last."""

    def __init__(self, paper: Paper, question: str, searches: Callable[[], tuple[str, ...]]) -> None:
        self._paper, self._question, self._searches = paper, question, searches
        self._refused = 0
        self.judged = Judged()

    def refusal(self, fields: Mapping[str, Any]) -> str | None:
        """Why SUBMIT is refused now; None when it is not."""
        draft = fields.get("answer")
        self.judged = judge(draft, self._paper, self._question)
        complaints = self.judged.complaints
        if self.judged.not_found and not self._searches():
            complaints = (LOOK_FIRST,)
        if not complaints or (self._refused >= MAX_REFUSALS and isinstance(draft, dict)):
            return None
        self._refused += 1
        return "; ".join(complaints)[:MAX_TOLD]


def ask_agent(
    lm: dspy.LM,
    question: Question,
    paper: Paper,
    trajectory: Trajectory,
    ledger: Ledger,
    *,
    interpreters: Interpreters,
    max_iters: int,
    tools: Iterable[Tool],
) -> Reading:
    """Let an agent answer a question with these tools; never raises for what a model or its code can do."""
    offered = {tool.name: _in_one_line(guard(tool, trajectory).call) for tool in tools}
    gate = ClaimGate(paper, question.text, lambda: searches_of(trajectory))
    finish = run_agent(
        read_signature(),
        {"overview": overview(paper), "question": question.text},
        offered,
        lm,
        interpreters=interpreters,
        gate=gate.refusal,
        trajectory=trajectory,
        max_iters=max_iters,
        usage=ledger.summary,
    )
    if finish.cause:
        return Reading(cause=finish.cause, stopped=finish.stopped)
    return settled(gate.judged, searches_of(trajectory))


def searches_of(trajectory: Trajectory) -> tuple[str, ...]:
    """What was searched for in truth, as the trajectory has it, each once in order."""
    found: list[str] = []
    for step in trajectory:
        if (step.kind, step.name, step.ok) == ("tool", "g_search", True):
            given = step.data.get("args") or [step.data.get("kwargs", {}).get("query", "")]
            found.append(str(given[0]))
    return tuple(dict.fromkeys(query for query in found if query.strip()))


def _in_one_line(call: Callable[..., Any]) -> Callable[..., Any]:
    """The tool with its description in one line: indentation is paid for in every prompt."""
    call.__doc__ = " ".join((call.__doc__ or "").split())
    return call


@contextmanager
def open_ask(options: ReadOptions, cassette: Cassette) -> Iterator[Ask]:
    """Who is asked, each question with a budget and a ledger of its own; raises what `open_model` raises."""
    _open(options, Budget(), Ledger(), cassette).engine.close()  # a wrong name or missing key is told at once

    def ask(rung: Rung, question: Question, paper: Paper, trajectory: Trajectory) -> Reading:
        ledger, budget = Ledger(), Budget(_limits(options, rung))
        with ExitStack() as opened:
            lm = _open(options, budget, ledger, cassette)
            opened.callback(lm.engine.close)
            if rung.name == "single":
                reading = ask_whole(lm, question, paper, trajectory, ledger)
            else:
                find = _pictures(options, paper)
                tools = toolset(Views(paper, find))
                if options.vision and find:
                    eye = open_vision(options.vision, budget, ledger, cassette)
                    opened.callback(eye.engine.close)
                    tools += toolset(FigureTools(paper, find, Vision(options.vision, lm_describe(eye)).ask))
                reading = ask_agent(
                    lm,
                    question,
                    paper,
                    trajectory,
                    ledger,
                    interpreters=partial(sandbox_factory, options.sandbox),
                    max_iters=options.max_iters,
                    tools=tools,
                )
        return replace(reading, usage=usage_of(ledger))

    yield ask


def _pictures(options: ReadOptions, paper: Paper) -> Find | None:
    """Where the pictures of a paper are: in the folder that was given, or in the one of its name in there."""
    if options.ocr_dir is None:
        return None
    own = options.ocr_dir / paper.id
    folder = own if own.is_dir() else options.ocr_dir
    return partial(picture_path, folder=folder, figures=folder)


def usage_of(ledger: Ledger) -> dict[str, float]:
    """What a question took: calls, tokens, US dollars (as recorded when replayed), calls whose price is not known."""
    totals = ledger.summary()
    usage = {name: totals[name] for name in ("calls", "tokens_in", "tokens_out")}
    usage["usd"] = round(totals["usd"] + totals["usd_replayed"], 9)
    return usage | ({"unpriced": totals["unpriced"]} if totals["unpriced"] else {})


def _limits(options: ReadOptions, rung: Rung) -> Limits:
    """The limits of one question; the last reply has its room below the limit on tokens."""
    tokens = None if rung.tokens is None else max(0, rung.tokens - REPLY_TOKENS)
    return Limits(usd=options.max_usd, tokens=tokens, calls=options.max_calls, seconds=options.max_seconds)


def _open(options: ReadOptions, budget: Budget, ledger: Ledger, cassette: Cassette) -> dspy.LM:
    stack: dict[str, Any] = {"budget": budget, "ledger": ledger, "cassette": cassette}
    if options.lm == OFFLINE:
        return model_over(source(), **stack)
    try:
        return open_model(options.lm, max_tokens=REPLY_TOKENS, **stack)
    except ModelError:  # a model that thinks before it speaks takes no such limit; any other error comes again
        return open_model(options.lm, **stack)
