from __future__ import annotations

from kag.write.structure.nesting import Clue, best_depths

OPEN = (2, 3, 4)


def test_depths_that_are_given_stay() -> None:
    assert best_depths([Clue("A", (1,)), Clue("B", (3,), adjacent=True), Clue("C", (1,))]) == (1, 3, 1)


def test_each_heading_right_under_another_lies_below_it() -> None:
    under = [Clue(title, OPEN, adjacent=True) for title in ("Sites", "Lakes", "Depths")]
    assert best_depths([Clue("Methods", (1,)), *under, Clue("Ice", OPEN)]) == (1, 2, 3, 4, 4)


def test_a_long_text_announces_nothing() -> None:
    words = "We looked at lakes and rivers. "
    sites = [Clue("Methods", (1,)), Clue("Sites", OPEN, text=words + "They are described below.")]
    assert best_depths([*sites, Clue("Lakes", OPEN), Clue("Rivers", OPEN)]) == (1, 2, 3, 3)
    sites[1] = Clue("Sites", OPEN, text=words * 80 + "They are described below.")
    assert best_depths([*sites, Clue("Lakes", OPEN), Clue("Rivers", OPEN)]) == (1, 2, 2, 2)
