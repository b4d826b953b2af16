"""Questions over many papers without a model: exactly, or else passages of the named papers or of any."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from kag.core.errors import ModelError
from kag.qa.answering import answer_across
from kag.qa.library import Shelf
from kag.qa.questions.file import Question
from tests.unit.qa.across.conftest import MOSS, Ask


def test_passages_come_from_any_paper_best_first(ask: Ask) -> None:
    answer = ask("How is rain held on a pier by moss?")
    assert (answer.mode, answer.found) == ("passages", False)
    assert [passage.paper for passage in answer.passages[:2]] == ["rain", "moss"]
    assert set(answer.papers) == {passage.paper for passage in answer.passages}


def test_a_paper_that_is_named_is_asked_alone(ask: Ask) -> None:
    answer = ask(f"What holds rain in “{MOSS}”?")
    assert {passage.paper for passage in answer.passages} == {"moss"}


def test_a_paper_that_is_named_answers_exactly(ask: Ask) -> None:
    answer = ask(f"How many sections does “{MOSS}” have?")
    assert (answer.mode, answer.papers) == ("exact", ("moss",))


def test_no_word_of_the_question_finds_nothing(ask: Ask) -> None:
    answer = ask("What is the melting point of tungsten?")
    assert (answer.passages, answer.text) == ((), "No exact answer, and no passage has the words of the question.")


def test_a_note_says_that_words_ranked_where_the_server_of_vectors_is_down(shelf: Shelf) -> None:
    def down(texts: object) -> None:
        raise ModelError("the server is down", hint="Start it.")

    index = copy(shelf.index)
    index.vectors, index.embed = {}, down  # type: ignore[assignment]
    answer = answer_across(Question("q", "How is rain held on a pier?"), replace(shelf, index=index), lambda _: None)
    assert answer.passages
    assert answer.notes == ("no vector for the question (the server is down): ranked by words alone",)
    assert answer_across(Question("q", "How is rain held on a pier?"), shelf, lambda _: None).notes == ()
