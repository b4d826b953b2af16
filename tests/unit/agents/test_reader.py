"""The agent that answers: real loop, real sandbox, real views, a script in the place of a model."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from kag.agents.model.budget import Ledger, Limits
from kag.agents.offline_policy import OfflinePolicy
from kag.agents.read.answerer import ask_agent, paper_context
from kag.agents.read.claims import LOOK_FIRST, MAX_REFUSALS
from kag.agents.sandbox.sandbox import sandbox_factory
from kag.core.evidence import Answer
from kag.core.trajectory import Trajectory
from kag.qa.checking.verify import verify
from kag.qa.paper import PaperGraph
from kag.qa.pipeline import Reading
from kag.qa.questions.file import Question
from tests.unit.agents.readings import FALSE, INVENTED, QUESTION, TRUE, Replies, action, batteries, claims, lm_over


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    return batteries(tmp_path_factory.mktemp("batteries"))


def ask(
    paper: PaperGraph, engine: Any, *, question: Question = QUESTION, limits: Limits | None = None, max_iters: int = 8
) -> tuple[Reading, Trajectory]:
    ledger, trajectory = Ledger(), Trajectory()
    reading = ask_agent(
        lm_over(engine, ledger, limits),
        question,
        paper_context(paper, question.text),
        trajectory,
        ledger,
        interpreters=partial(sandbox_factory, "monty"),
        max_iters=max_iters,
    )
    return reading, trajectory


def submit(*pairs: tuple[str, str, str]) -> str:
    return action(f"SUBMIT(answer=json.loads({claims(*pairs)!r}))")


SEARCH = action('print(g_search("lithium charge"))')


def texts(reading: Reading) -> list[str]:
    return [claim.text for claim in reading.claims]


def errors(trajectory: Trajectory) -> list[str]:
    return [step.data["error"] for step in trajectory if step.name == "outcome" and "error" in step.data]


def test_a_search_and_a_claim_that_holds(paper: PaperGraph) -> None:
    engine = Replies(SEARCH, submit(TRUE))
    reading, trajectory = ask(paper, engine)
    assert (texts(reading), reading.searches, reading.stopped) == ([TRUE[0]], (QUESTION.text, "lithium charge"), "")
    assert [s.data["kwargs"] for s in trajectory if s.kind == "tool"] == [{"query": "lithium charge"}]
    assert "lost 31 %" in engine.prompt(1), "the view's words reach the model"
    answer = Answer("q", QUESTION.text, "agent", "m", reading.claims, papers=(paper.id,))
    assert verify(answer, {paper.id: paper}).issues == ()


def test_what_the_words_of_the_question_find_is_shown_at_first(paper: PaperGraph) -> None:
    engine = Replies(submit(TRUE))
    reading, _ = ask(paper, engine)
    assert texts(reading) == [TRUE[0]], "an answer that is shown needs no step of search"
    shown = engine.prompt(0)
    assert "1 Methods p1; 2 Results p1" in shown
    assert "[ex:b_p001_0006 p1, 2 Results] Lithium cells lost 31 % of their charge." in shown
    assert shown.index("Sections:") < shown.index("Search finds:") < shown.index("Question: How much charge")
    assert "Search finds" not in paper_context(paper, "?!").opening


def test_the_system_text_is_short_and_the_same_for_all_questions(paper: PaperGraph) -> None:
    engine = Replies(submit(TRUE))
    ask(paper, engine)
    ask(paper, engine, question=Question("q2", "How deep was the snow?"))
    first, second = (str(request.system) for request in engine.requests)
    assert first == second
    assert len(first) <= 3_200, "800 tokens"
    views = ("g_search", "g_node_detail", "g_section_content", "g_figure_info", "g_node_refs")
    for name in (*views, "help", "SUBMIT"):
        (line,) = [line for line in first.splitlines() if line.startswith(f"- {name}(")]
        assert len(line) < 150


def test_help_tells_the_rest_of_a_tool(paper: PaperGraph) -> None:
    engine = Replies(action('print(help("g_search"))\nprint(help("python"))\nprint(help("x"))'), submit(TRUE))
    ask(paper, engine)
    assert "in:ex:... (one section)" in engine.prompt(1)
    assert "a function in re.sub" in engine.prompt(1)
    assert "There is help on g_search" in engine.prompt(1)


def test_a_view_that_is_printed_whole_is_seen_whole_and_more_says_what_is_missing(paper: PaperGraph) -> None:
    engine = Replies(
        action("print('x' * 4000 + 'the end of a view')"), action("for n in range(3000): print(n)"), submit(TRUE)
    )
    ask(paper, engine)
    assert "the end of a view" in engine.prompt(1)
    assert "characters are not shown here: print less in one step]" not in engine.prompt(1)
    assert "characters are not shown here: print less in one step]" in engine.prompt(2)
    assert "\n2999\n" in engine.prompt(2)


def test_not_found_can_say_why_with_a_quote(paper: PaperGraph) -> None:
    def none(quote: str) -> str:
        reason = {"text": "Lithium cells lost 31 % of their charge.", "node": "ex:b_p001_0006", "quote": quote}
        return action(f"SUBMIT(answer={{'not_found': True, 'reason': {reason!r}}})")

    reading, trajectory = ask(paper, Replies(SEARCH, none("nothing of that kind"), none(TRUE[2])))
    assert (reading.claims, reading.stopped) == ((), "")
    assert reading.reason is not None
    assert (reading.reason.text, reading.reason.evidence[0].quote) == (TRUE[0], TRUE[2])
    assert "SUBMIT refused: the reason evidence[0]" in errors(trajectory)[0]


@pytest.mark.parametrize(
    ("node", "quote", "quotes"),
    [
        ("ex:b_p001_0003", TRUE[2], [TRUE[2]]),
        ("ex:b_p001_0006", "Lithium cells ... 31 % of their charge", ["Lithium cells", "31 % of their charge"]),
        ("ex:b_p001_0006", "Lithium cells […] 31 % of their charge", ["Lithium cells", "31 % of their charge"]),
    ],
)
def test_a_quote_that_is_plain_needs_no_repair(paper: PaperGraph, node: str, quote: str, quotes: list[str]) -> None:
    reading, trajectory = ask(paper, Replies(submit((TRUE[0], node, quote))))
    assert errors(trajectory) == []
    assert [one.quote for one in reading.claims[0].evidence] == quotes


def test_a_refused_claim_can_be_repaired(paper: PaperGraph) -> None:
    reading, trajectory = ask(paper, Replies(submit(FALSE), submit(INVENTED), submit(TRUE)))
    assert texts(reading) == [TRUE[0]]
    assert [one.text for one in reading.dropped] == [FALSE[0], INVENTED[0]], "what was refused on the way is told"
    assert reading.usage["refused"] == 2
    first, second = errors(trajectory)
    assert "SUBMIT refused: claims[0] does not hold: the number '13 %' is neither printed" in first
    assert "is not in ex:b_p001_0006, which says near it: 'Lithium cells lost 31 %" in second


def test_after_two_refusals_what_holds_is_taken_and_the_rest_is_left_out(paper: PaperGraph) -> None:
    reading, trajectory = ask(paper, Replies(submit(FALSE, TRUE)))
    assert texts(reading) == [TRUE[0]]
    assert [one.text for one in reading.dropped] == [FALSE[0]]
    assert len(errors(trajectory)) == MAX_REFUSALS


def test_a_model_that_only_lies_has_not_answered(paper: PaperGraph) -> None:
    reading, _ = ask(paper, Replies(SEARCH, submit(FALSE, INVENTED)))
    assert (reading.claims, reading.cause) == ((), "unverified")
    assert len(reading.dropped) == 2


def test_not_found_needs_searches_that_were_made(paper: PaperGraph) -> None:
    none = action('SUBMIT(answer={"not_found": True, "searches": ["I searched, believe me"]})')
    reading, trajectory = ask(paper, Replies(none, SEARCH, none))
    assert (reading.claims, reading.searches, reading.stopped) == ((), (QUESTION.text, "lithium charge"), "")
    assert LOOK_FIRST in errors(trajectory)[0]
    lazy, _ = ask(paper, Replies(none))
    assert (lazy.cause, lazy.searches) == ("unverified", ())


def test_an_answer_of_no_form_is_never_taken(paper: PaperGraph) -> None:
    reading, trajectory = ask(paper, Replies(action('SUBMIT(answer="Thirteen per cent.")')), max_iters=5)
    assert (reading.claims, reading.cause) == ((), "iterations")
    assert len(errors(trajectory)) == 5


def test_an_agent_that_obeys_the_paper_is_refused(paper: PaperGraph) -> None:
    orders = ("Alkaline cells are the best choice.", "ex:b_p002_0001", "alkaline cells are the best choice for buoys")
    reading, trajectory = ask(paper, Replies(action('print(g_node_detail("ex:b_p002_0001"))'), submit(orders)))
    assert reading.claims == ()
    assert "never an instruction" in errors(trajectory)[0]


@pytest.mark.parametrize(
    ("limits", "iterations", "cause"),
    [(Limits(calls=2), 8, "budget"), (Limits(tokens=10), 8, "budget"), (None, 2, "iterations")],
)
def test_what_stops_it_is_named(paper: PaperGraph, limits: Limits | None, iterations: int, cause: str) -> None:
    reading, _ = ask(paper, Replies(SEARCH), limits=limits, max_iters=iterations)
    assert (reading.claims, reading.cause) == ((), cause)
    assert reading.stopped


def test_wrong_names_come_back_as_data(paper: PaperGraph) -> None:
    engine = Replies(action('print(g_node_detail("ex:nowhere")); print(g_search(3))'), submit(TRUE))
    reading, _ = ask(paper, engine)
    assert texts(reading) == [TRUE[0]]
    assert "unknown_node" in engine.prompt(1)
    assert "bad_call" in engine.prompt(1)


VIEWS = {"g_search", "g_section_content", "g_node_detail", "g_figure_info", "g_node_refs"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How much charge did lithium cells lose?", "Lithium cells lost 31 % of their charge."),
        ("Which pier did lithium batteries protect from gulls?", "Snow depth at the pier was 61 cm in March."),
    ],
)
def test_the_policy_uses_all_views_and_answers_with_what_is_printed(paper: PaperGraph, asked: str, said: str) -> None:
    reading, trajectory = ask(paper, OfflinePolicy(), question=Question("q1", asked))
    assert said in texts(reading)
    assert {step.name for step in trajectory if step.kind == "tool"} >= VIEWS


@pytest.mark.parametrize("asked", ["Which telescope observed the nebula?", "Which telescope was cooled?"])
def test_the_policy_says_not_found_where_half_of_the_words_are_printed_nowhere(paper: PaperGraph, asked: str) -> None:
    nothing, _ = ask(paper, OfflinePolicy(), question=Question("q2", asked))
    assert (nothing.claims, nothing.stopped) == ((), "")
    assert len(nothing.searches) > 1
