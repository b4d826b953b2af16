"""Questions that lean on the one before them become questions of their own; others stay as they are."""

from __future__ import annotations

import time

import pytest

from kag.qa.follow_up import Before, follow_up, of_this_paper


def after(question: str) -> Before:
    return follow_up(question, Before(paper="bees"))[1]


@pytest.mark.parametrize(
    ("before", "said", "full"),
    [
        # another group, place, time or means
        ("How many species were found in cemeteries?", "and in parks?", "How many species were found in parks?"),
        ("How many species were found in cemeteries?", "what about verges?", "How many species were found in verges?"),
        ("What was the hazard ratio in the first cohort?", "and in the second cohort?",
         "What was the hazard ratio in the second cohort?"),
        ("What was the uptake in the femur at 24 h?", "and at 72 h?", "What was the uptake in the femur at 72 h?"),
        ("What was the uptake in the femur at 24 h?", "in the liver?", "What was the uptake in the liver at 24 h?"),
        ("How long did it live with LEAP in Arden?", "And with MI?", "How long did it live with MI in Arden?"),
        ("How long did it live in Arden?", "how about Brunnholm", "How long did it live in Brunnholm?"),
        ("What was the yield?", "and at 50 °C?", "What was the yield at 50 °C?"),
        # another thing of the same group
        ("How many bees were found in cemeteries?", "and the flower cover?", "What is the flower cover in cemeteries?"),
        ("What does the Introduction cite?", "and the Discussion?", "What does the Discussion cite?"),
        ("Who funded the work?", "and the data?", "Where can the data be found?"),
        # another table, figure, section or reference
        ("What does Table 1 show?", "what about Table 2?", "What does Table 2 show?"),
        ("What does Table 1 show?", "and figure 3?", "What does figure 3 show?"),
        ("What is section 2.8 about?", "and section 3?", "What is section 3 about?"),
        ("Who funded the work?", "table A1", "What does table A1 show?"),
        ("What is reference 7?", "and ref. 8?", "What is ref. 8?"),
        # its
        ("What is reference 7?", "its DOI?", "What is the DOI of reference 7?"),
        ("What is reference 7?", "and its authors?", "Who are the authors of reference 7?"),
        ("How long did the network live with LEAP?", "its DOI?", "What is the DOI of the paper?"),
        ("What is LEAP?", "what are its limitations?", "What are the limitations of the paper?"),
        ("What is LEAP?", "what is its error in Brunnholm?", "What is the error of LEAP in Brunnholm?"),
        ("Who funded the work?", "and the limitations?", "What are the limitations of the paper?"),
        ("Who wrote reference 7?", "and the funding?", "Who funded the work?"),
        ("wht is the halflife of zr-89?", "and its mean energy", "What is the mean energy of zr-89?"),
        # it, and a question word alone
        ("What is LEAP?", "how fast is it?", "how fast is LEAP?"),
        ("Who wrote reference 7?", "when was it published?", "when was reference 7 published?"),
        ("Did distance matter in Halvern?", "why?", "Why did distance matter in Halvern?"),
        ("How was the study done?", "when?", "When was the study done?"),
    ],
)  # fmt: skip
def test_what_leans_on_the_question_before_is_made_whole(before: str, said: str, full: str) -> None:
    assert follow_up(said, after(before))[0] == full


@pytest.mark.parametrize(
    "said",
    [
        "Who funded the work?",
        "How many bees were found in allotments?",
        "In which cities were the bees sampled?",
        "For how many hours?",
        "What does Table 2 show?",
        "is it true that bees fly?",
        "Which habitats have their own committees?",
        "funding",
        "and",
        "?",
        "",
    ],
)
def test_what_leans_on_nothing_is_left_alone(said: str) -> None:
    assert follow_up(said, after("What is LEAP?"))[0] == said
    assert follow_up(said, Before())[0] == said


def test_group_and_subject_are_kept_over_several_turns() -> None:
    talk = after("How long did the network live with LEAP in Arden?")
    for said, full in (
        ("and in Brunnholm?", "How long did the network live with LEAP in Brunnholm?"),
        ("and with MI?", "How long did the network live with MI in Brunnholm?"),
        ("why?", "Why did the network live with MI in Brunnholm?"),
    ):
        asked, talk = follow_up(said, talk)
        assert asked == full
        assert talk.paper == "bees"


def test_a_question_that_starts_anew_forgets_the_group() -> None:
    _, talk = follow_up("Who funded the work?", after("How many species were found in cemeteries?"))
    assert follow_up("and in parks?", talk)[0] == "Who funded the work in parks?"


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("What do the authors conclude?", True),
        ("What does this paper show?", True),
        ("Which papers cite Smith?", False),
    ],
)
def test_of_this_paper(text: str, yes: bool) -> None:
    assert of_this_paper(text) is yes


def test_long_input_takes_no_long_time() -> None:
    began = time.perf_counter()
    for text in (
        "in " * 1300,
        "and in " + "a" * 3900,
        "Table 1 " * 480,
        "its " * 900,
        "of " * 1300,
        "of " + "a" * 3900 + "!",
    ):
        follow_up(text, after("How many " + "in the A " * 400))
    assert time.perf_counter() - began < 2
