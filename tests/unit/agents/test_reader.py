"""The agent that answers: real loop, real sandbox, real views, a script in the place of a model."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from kag.agents.read.desk import paper_desk, widened
from kag.agents.read.reader import LOOK_FIRST, MAX_REFUSALS, ask_agent

from kag.agents.model.budget import Limits
from kag.agents.model.token_ledger import Ledger
from kag.agents.offline.policy import OfflinePolicy
from kag.agents.sandbox.factory import sandbox_factory
from kag.questions.file import Question
from kag.read.checking.verify import verify
from kag.read.paper import PaperGraph
from kag.read.story import Reading
from kag.values.evidence import Answer
from kag.values.trajectory import Trajectory
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
        paper_desk(paper, question.text),
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
    assert (texts(reading), reading.searches, reading.stopped) == ([TRUE[0]], ("lithium charge",), "")
    assert [s.data["kwargs"] for s in trajectory if s.kind == "tool"] == [{"query": "lithium charge"}]
    assert "lost 31 %" in engine.prompt(1), "the view's words reach the model"
    answer = Answer("q", QUESTION.text, "agent", "m", reading.claims, papers=(paper.id,))
    assert verify(answer, {paper.id: paper}).issues == ()


def test_what_the_words_of_the_question_find_is_shown_at_first(paper: PaperGraph) -> None:
    engine = Replies(submit(TRUE))
    reading, _ = ask(paper, engine)
    assert texts(reading) == [TRUE[0]], "an answer that is shown needs no step of search"
    shown = engine.prompt(0)
    assert "1 Methods, p1" in shown
    assert "[ex:b_p001_0006 p1, 2 Results] Lithium cells lost 31 % of their charge." in shown
    assert shown.rstrip().endswith("`[[ ## completed ## ]]`.")
    nothing = paper_desk(paper, "?!").overview
    assert "find:" not in nothing


@pytest.mark.parametrize(
    ("start", "end", "more", "words"),
    [(8, 13, 5, "two three four"), (8, 13, 3, "three"), (0, 3, 100, "one two three four five"), (8, 13, 0, "three")],
)
def test_a_passage_is_widened_between_words(start: int, end: int, more: int, words: str) -> None:
    text = "one two three four five"
    first, last = widened(text, start, end, more)
    assert text[first:last] == words


def test_a_refused_claim_can_be_repaired(paper: PaperGraph) -> None:
    reading, trajectory = ask(paper, Replies(submit(FALSE), submit(INVENTED), submit(TRUE)))
    assert texts(reading) == [TRUE[0]]
    assert [one.text for one in reading.dropped] == [FALSE[0], INVENTED[0]], "what was refused on the way is told"
    assert reading.usage["refused"] == 2
    first, second = errors(trajectory)
    assert "SUBMIT refused: claims[0] does not hold: the number 13 is not in the evidence" in first
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
    assert (reading.claims, reading.searches, reading.stopped) == ((), ("lithium charge",), "")
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


def test_the_policy_answers_through_the_same_loop(paper: PaperGraph) -> None:
    question = Question("q1", "How much charge did lithium cells lose?")
    reading, _ = ask(paper, OfflinePolicy(), question=question)
    assert "Lithium cells lost 31 % of their charge." in texts(reading)
    nothing, _ = ask(paper, OfflinePolicy(), question=Question("q2", "Which telescope observed the nebula?"))
    assert (nothing.claims, nothing.stopped) == ((), "")
    assert nothing.searches


@pytest.mark.parametrize("asked", ["Which harbour pier did lithium batteries protect from gulls?", "Why?"])
def test_the_policy_does_not_take_scattered_words_for_absence(paper: PaperGraph, asked: str) -> None:
    reading, _ = ask(paper, OfflinePolicy(), question=Question("q3", asked))
    assert (reading.claims, reading.cause) == ((), "model")
