"""Questions in free words, put to the papers that come with the project: tables, reasons, parts, silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.questions.file import Question
from kag.read.checking.verify import verify
from kag.read.exact.compose import answer
from kag.read.library import open_library
from kag.read.passage_index import SearchIndex
from kag.read.passages import passages
from kag.values.evidence import FALSE, NEAREST, Answer

SENSORS, BEES = "reservoir_sensors", "urban_pollinators"


@pytest.fixture(scope="module")
def ready(bundled_runs: Path) -> dict[str, tuple]:
    library = open_library(bundled_runs)
    return {name: (library[name], SearchIndex(passages(library[name]))) for name in library}


def put(ready: dict[str, tuple], paper: str, text: str) -> Answer:
    graph, index = ready[paper]
    given = answer(Question("q", text), graph, index)
    assert verify(given, {graph.id: graph}).issues == ()
    return given


VALUES = [
    (SENSORS, "What is the depth of Brunnholm?", "22"),
    (SENSORS, "temperature RMSE of the uniform grid in Arden?", "0.94"),
    (SENSORS, "Which reservoir has the most candidate sites?", "Arden"),
    (SENSORS, "What is the smallest reservoir by area?", "Callowmere"),
    (SENSORS, "what is the mean greatest depth of the reservoirs", "22.33"),
    (SENSORS, "What does MI stand for?", "mutual information"),
    (SENSORS, "Did the path loss exponent influence the sites?", "no"),
    (BEES, "Do allotments have more species than parks?", "yes"),
    (BEES, "Is the data publicly available?", "yes"),
    (BEES, "sward height of cemeteries?", "17 (7)"),
]


@pytest.mark.parametrize(("paper", "question", "value"), VALUES)
def test_values(ready: dict[str, tuple], paper: str, question: str, value: str) -> None:
    assert put(ready, paper, question).value == value


SAID = [
    (SENSORS, "Why did the stations have no solar panels?", "banned"),
    (SENSORS, "why is the gain per joule not strictly submodular", "Routes change"),  # "thus" points back
    (SENSORS, "Why does a budget-bound method do better than a free one?", "packets that are not sent"),
    (SENSORS, "Who funded the study?", "Ostermeer Research Council"),
    (SENSORS, "What do the authors conclude?", "short-sighted"),
    (SENSORS, "What are the limitations of the study?", "severe storm"),
    (SENSORS, "What is section 3.2 about?", "energy"),
    (SENSORS, "What is shown in fig. 3?", "deepest point of Arden"),
    (SENSORS, "Tell me what figure 3 is about", "deepest point of Arden"),
    (SENSORS, "Give me the abstract.", "pull apart"),
    (SENSORS, "What was the lifetme of the nettwork in Arden with LEAP?", "211"),
    (BEES, "Which paper should be cited for the theory of planned behaviour?", "Quist"),
]


@pytest.mark.parametrize(("paper", "question", "words"), SAID)
def test_words_of_the_answer(ready: dict[str, tuple], paper: str, question: str, words: str) -> None:
    given = put(ready, paper, question)
    assert words in " ".join(claim.text for claim in given.claims)


def test_a_false_premise_is_told(ready: dict[str, tuple]) -> None:
    given = put(ready, SENSORS, "How did the network with LEAP live for 300 days in Arden?")
    assert "300" not in given.text
    assert "211 days" in given.text
    assert any(one.why.startswith(FALSE) and "300" in one.text for one in given.dropped)


def test_each_part_of_a_question_is_answered(ready: dict[str, tuple]) -> None:
    given = put(ready, SENSORS, "How many candidate sites did Arden have and how deep is it?")
    assert [claim.text.rpartition(" ")[2] for claim in given.claims] == ["60", "31"]


SILENT = [
    (SENSORS, "What was the salinity of the water?"),
    (SENSORS, "Which deep neural network architecture was trained?"),
    (SENSORS, "How many fish died in Callowmere?"),
    (SENSORS, "What is the DOI of this paper?"),
    (SENSORS, "What does Figure 2 not show?"),
    (BEES, "How many hoverflies were caught?"),
    (BEES, "What was the budget of the project?"),
    (SENSORS, "Which bees live in the reservoir?"),
    (SENSORS, "which tracer has the farthest site from the gateway"),
    (SENSORS, "Who funded the Mars mission?"),
    (BEES, "Which snails hold water on old roofs?"),
    (BEES, "What dose of aspirin was given?"),
    (BEES, ""),
    (BEES, "???"),
    (BEES, "Какие пчёлы?"),
    (BEES, "<script>alert(1)</script>"),
]


@pytest.mark.parametrize(("paper", "question"), SILENT)
def test_silence(ready: dict[str, tuple], paper: str, question: str) -> None:
    given = put(ready, paper, question)
    assert not given.found
    assert all(one.why.startswith(NEAREST) for one in given.dropped)
