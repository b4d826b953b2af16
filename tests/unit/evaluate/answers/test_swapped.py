"""Questions with a noun exchanged for one that their paper does not print."""

from __future__ import annotations

from kag.evaluate.answers.natural import Natural
from kag.evaluate.answers.swapped import SwapMark, Swapped, swap_rows, swapped
from kag.questions.file import Question
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage


def natural(paper: str, text: str, *, answered: bool = True) -> Natural:
    return Natural(f"{paper}.1", paper, "which", text, "a", "g", 0, (("x",),) if answered else (), "")


def index(text: str) -> SearchIndex:
    return SearchIndex([Passage("1", text)])


INDEXES = {
    "bees": index("Mason bees lived in the verges of the city."),
    "lakes": index("Sensors hung in the lakes, and the buoys were red."),
}


def test_the_noun_asked_for_is_exchanged_and_so_is_one_that_is_named() -> None:
    made = swapped(
        [natural("bees", "which bees were in the verges?"), natural("lakes", "which sensors were in the lakes?")],
        INDEXES,
    )
    assert [(one.paper, one.how, one.question.text) for one in made] == [
        ("bees", "asked", "which sensors were in the verges?"),
        ("lakes", "asked", "which bees were in the lakes?"),
        ("bees", "named", "which bees were in the lakes?"),
        ("lakes", "named", "which sensors were in the verges?"),
    ]


def test_what_the_paper_prints_is_not_put_in() -> None:
    both = INDEXES | {"lakes": index("Sensors hung in the lakes, and bees flew over the verges.")}
    made = swapped(
        [natural("bees", "which bees were in the verges?"), natural("lakes", "which sensors were in the lakes?")], both
    )
    assert {one.paper for one in made} == {"bees"}


def test_neither_a_question_of_two_parts_nor_one_without_an_answer_is_used() -> None:
    lone = natural("lakes", "which sensors were in the lakes?", answered=False)
    assert swapped([natural("bees", "which bees were in the verges and why were they there?"), lone], INDEXES) == ()


def test_rows() -> None:
    one = Swapped(Question("q", "?"), "bees", "a", "asked", "sensors")
    (row,) = swap_rows([SwapMark(one, 0.0), SwapMark(one, 0.0), SwapMark(one, 0.7), SwapMark(one, 0.3)])
    assert row == {"exchanged": "asked", "asked": 4, "silent": 0.5, "answered, confident": 0.25}
    assert swap_rows([]) == []
