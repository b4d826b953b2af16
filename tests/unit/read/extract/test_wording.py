"""Wordings that ask the same read as one question; what they ask about stays word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.read.extract.asking import asked
from kag.read.extract.cells import line_value
from kag.read.extract.fragments import is_statement
from kag.read.extract.kin import kin_of
from kag.read.extract.kinds import asked_kinds
from kag.read.extract.premise import without_given
from kag.read.extract.values import value_in, without_callouts
from kag.read.extract.whether import verdict
from kag.read.extract.wording import plainly
from kag.read.library import open_library


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Can you tell me what a buoy is?", "what is a buoy"),
        ("buoys moored, how many", "how many buoys moored"),
        ("moss - why not cut?", "why not cut moss"),
        ("The moss was cut in which two years?", "in which two years The moss was cut"),
        ("total count of frogs", "total count of frogs"),
        ("number of frogs", "how many frogs"),
        ("frog count?", "how many frog"),
        ("TNT = ?", "What does TNT stand for?"),
        ("What is TNT short for?", "What does TNT stand for?"),
        ("TNT?", "What does TNT stand for?"),
        ("definition of a hollow", "how is a hollow defined"),
        ("What do the authors mean by a hollow?", "how is a hollow defined"),
        ("reason for cutting moss", "why cutting moss"),
        ("What explains that moss is wet?", "why moss is wet?"),
        ("moss on roofs: lower?", "whether moss on roofs lower"),
        ("Moss grows faster on slate?", "whether Moss grows faster on slate?"),
        ("effect of rain on moss yes or no", "whether effect of rain on moss"),
        ("Moss on roofs: is it wet?", "is Moss on roofs wet"),
        ("Moss of old roofs. Is it always wet?", "Is Moss of old roofs always wet"),
        ("Moss of old roofs: do towns like it?", "do towns like it, Moss of old roofs"),
        ("Moss of old roofs: a single species?", "whether Moss of old roofs a single species"),
        ("Moss of old roofs: cause of rot?", "whether Moss of old roofs cause of rot"),
        ("Moss of old roofs: how many species?", "how many species Moss of old roofs"),
        ("Define moss.", "what is moss"),
        ("Define a wet moss.", "how is a wet moss defined"),
        ("frogs counted n=?", "how many frogs counted"),
        ("How many seconds did the frog need?", "how long did the frog need?"),
        ("what's the depth?", "what is the depth?"),
        ("According to the authors, how deep is the lake?", "how deep is the lake?"),
        ("Do the authors say why moss is wet?", "why moss is wet?"),
        ("does the paper mention if moss is wet", "whether moss is wet"),
        ("Is it true that moss is wet?", "whether moss is wet?"),
        ("any moss on roofs?", "whether any moss on roofs?"),
        ("Are the moss counts kept, and where?", "where Are the moss counts kept"),
        ("I'm interested in the depth of the lake", "the depth of the lake"),
        ("how much moss at 25 degrees Celsius", "how much moss at 25 °C"),
        ("By what means were the roofs cleaned?", "how were the roofs cleaned?"),
        ("In what way did moss dry?", "how did moss dry?"),
        ("What amount of moss was cut?", "how much moss was cut?"),
        ("What number of frogs was seen?", "how many frogs was seen?"),
        ("In which season was the moss cut?", "when was the moss cut?"),
        ("Which years do the frogs come from?", "when do the frogs come from?"),
        ("date of the moss survey", "when was the moss survey"),
        ("At which place was the moss cut?", "where was the moss cut?"),
        ("reason moss is cut", "why moss is cut"),
        ("How do the authors justify cutting moss?", "why cutting moss?"),
        ("how did they dry the moss?", "how was the moss dried"),
        ("In what month did the authors cut the moss?", "when was the moss cut"),
        ("Which roofs did they clean in May?", "Which roofs was cleaned in May"),
        ("Moss of old roofs: distance between cushions?", "Moss of old roofs: distance between cushions?"),
    ],
)
def test_wordings(question: str, read: str) -> None:
    assert plainly(question) == read


@pytest.mark.parametrize(
    "question",
    [
        "How deep is the lake?",
        "Which model did they use?",
        "How did they do it?",
        "date of publication",
        "In which lakes was moss found?",
        "what did the authors find?",
        "Who and where are they?",
        "Which moss, if wet, is heavier?",
        "",
        "?",
        "Wie tief ist der See?",
        "x" * 900,
    ],
)
def test_what_is_plain_stays(question: str) -> None:
    assert plainly(question) == question


@pytest.mark.parametrize(
    ("question", "kind", "holds", "lacks"),
    [
        ("What does a buoy cost?", "cost", "A buoy is sold at US$380.", "A buoy weighs 380 kg."),
        ("At what temperature was it kept?", "degrees", "It was kept at 37 °C.", "It was kept for 37 days."),
        ("How old were the divers?", "age", "Divers were 31 years old.", "31 divers came."),
        ("which company supplied the rope", "maker", "Rope came from Tow Ltd.", "The rope held 3 boats."),
        ("runtime of the search", "lasts", "The search took 41 s.", "The search took 41 boats."),
    ],
)
def test_what_is_measured_is_told_by_its_unit(question: str, kind: str, holds: str, lacks: str) -> None:
    found = next(one for one in asked_kinds(question) if one.name == kind)
    assert found.has_it(holds)
    assert not found.has_it(lacks)


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("Moss holds water.", "paragraph", True),
        ("Conclusions.", "paragraph", False),
        ("In three towns we ask:", "paragraph", False),
        ("Does moss hold water on roofs?", "paragraph", False),
        ("Keywords: moss, roofs, slate", "paragraph", False),
        ("Moss", "table", True),
    ],
)
def test_what_says_something_itself(text: str, kind: str, says: bool) -> None:
    assert is_statement(text, kind) is says


def test_a_number_that_counts_something_else_is_no_count() -> None:
    assert value_in("We read complaints over the last 15 y.", asked("How many complaints were read?")) == ""
    assert value_in("There were 15 of them.", asked("How many complaints were read?")) == "15"
    assert "2" not in without_callouts("Table 2 has them.")


def test_spellings_of_both_sides_of_the_sea() -> None:
    assert "analyzed" in kin_of("analysed")
    assert "tumour" in kin_of("tumor")


def test_yes_needs_what_the_question_says_together() -> None:
    assert verdict("Did moss grow on slate roofs?", "Moss grew well on slate roofs.") == "yes"
    apart = "Moss was read of by farmers of the north who grow wheat in wide and open fields far behind slate roofs."
    assert verdict("Did moss grow on slate roofs?", apart) == ""


def test_numbers_that_a_question_takes_for_granted() -> None:
    bare = without_given(asked("Why did 80% leave dead wood?"))
    assert bare is not None
    assert "80" not in bare.words
    assert without_given(asked("How many left 80 pieces?")) is None
    assert without_given(asked("Why did they leave wood?")) is None


@pytest.mark.parametrize(
    ("paper", "question", "value"),
    [
        ("reservoir_sensors", "mean of the dissolved oxygen errors for MI", "1.02"),
        ("reservoir_sensors", "sum of the areas", "6.3"),
        ("zirconium_tracers", "mean molar activity of HX4-VNB7", "27.6"),
        ("urban_pollinators", "which habitat has the tallest sward", "Allotment"),
    ],
)
def test_lines_of_groups(bundled_runs: Path, paper: str, question: str, value: str) -> None:
    found = line_value(question, open_library(bundled_runs)[paper])
    assert found is not None
    assert found[0].value == value
