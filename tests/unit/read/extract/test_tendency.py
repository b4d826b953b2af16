"""What results lean to: which questions may be answered so, what a sentence reports, yes and no, and when not."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.evaluate.answers.text_set_score import indexed
from kag.evaluate.answers.text_sets import Text
from kag.questions.file import Question
from kag.read.checking.verify import verify
from kag.read.composed import composed
from kag.read.exact.compose import answer
from kag.read.extract.asking import asked
from kag.read.extract.results import Report, is_of_results, report_of, summary_of
from kag.read.extract.tendency import ABSENT, BAR, GUESS, asks_whether, is_title, tendency
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage, passages
from kag.values.evidence import LEANT

AIM = "We wanted to know whether night lamps reduce sleep in herons."
FOUND = "Herons with lamps slept significantly less (p<0.001). Their sleep was shorter and reduced by two hours."
NOTHING = "No difference in sleep was seen between herons with and without lamps (p = 0.41). Weight did not differ."
FILLER = "Reeds were cut in March. " * 400


def summary(results: str) -> tuple[Passage, ...]:
    return (
        Passage("a", AIM, kind="paragraph", roles=("Motivation",)),
        Passage("b", results, kind="paragraph", roles=("Results",)),
    )


@pytest.mark.parametrize(
    ("question", "so"),
    [
        ("Do night lamps reduce sleep in herons?", True),
        ("Night lamps and herons: do they sleep less?", True),
        ("Night lamps. Are they harmful to herons?", True),
        ("Night lamps: a danger to sleeping herons?", True),
        ("Night lamps as a cause of bad sleep?", True),
        ("Isn't sleep shorter under lamps?", True),
        ("What do night lamps do?", False),
        ("How is sleep measured, and is it short?", False),
        ("number of herons?", False),
        ("study area", False),
        ("Herons under lamps: how many hours of sleep?", False),
        ("Is it so? " * 100, False),
    ],
)
def test_questions_for_yes_or_no(question: str, so: bool) -> None:
    assert asks_whether(question) is so


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Sleep was shorter (p < 0.01).", Report(2, 0, False)),
        ("Age was an independent predictor of sleep.", Report(1, 0, False)),
        ("Sleep was not associated with lamps.", Report(0, 1, True)),
        ("The groups were similar (p=0.41).", Report(0, 2, False)),
        ("Sleep differed (P = .004).", Report(1, 0, False)),
        ("Not only did sleep improve, but so did weight.", Report(0, 0, True)),
        ("Forty herons were seen.", Report(0, 0, False)),
    ],
)
def test_what_a_sentence_reports(sentence: str, said: Report) -> None:
    assert report_of(sentence) == said


def test_a_short_text_is_its_own_summary_and_a_long_one_has_its_abstract() -> None:
    abstract, body = Passage("a", FOUND, kind="paragraph", roles=("Abstract",)), Passage("b", FILLER, kind="paragraph")
    heading = Passage("c", "Results", kind="sectiontitle")
    assert summary_of((*summary(FOUND), heading)) == (summary(FOUND), True)
    assert summary_of((abstract, body)) == ((abstract,), False)
    assert summary_of((body,)) == ((), False)


def test_what_was_done_is_no_result() -> None:
    assert not is_of_results(Passage("a", AIM, roles=("Methods",)))
    assert is_of_results(Passage("a", AIM, roles=("Methods", "Results")))
    assert is_of_results(Passage("a", AIM))


@pytest.mark.parametrize(
    ("question", "results", "says", "by"),
    [
        ("Do night lamps reduce sleep in herons?", FOUND, "yes", "significantly less"),
        ("Do night lamps affect sleep in herons?", NOTHING, "no", "No difference in sleep"),
        ("Is sleep in herons equal with and without lamps?", NOTHING, "yes", "No difference in sleep"),
    ],
)
def test_yes_and_no(question: str, results: str, says: str, by: str) -> None:
    found = tendency(question, "", summary(results))
    assert found is not None
    text = found.index.passages[found.one.number].text[found.one.start : found.one.end]
    assert (found.answer, by in text) == (says, True)
    assert found.sure == GUESS or found.sure >= BAR


@pytest.mark.parametrize(
    ("question", "title", "given"),
    [
        ("Why do night lamps reduce sleep in herons?", "", summary(FOUND)),
        ("Do night lamps reduce sleep in herons?", "", (Passage("a", FILLER, kind="paragraph"),)),
        ("Do ferries disturb the feeding of young otters?", "", summary(FOUND)),
        (
            "Do herons with lamps sleep at two?",
            "Reeds",
            (Passage("a", FOUND, roles=("Abstract",)), Passage("b", FILLER)),
        ),
    ],
)
def test_what_is_not_leant_to(question: str, title: str, given: tuple[Passage, ...]) -> None:
    assert tendency(question, title, given) is None


def test_of_a_paper_in_full_the_question_in_its_title() -> None:
    given = (Passage("a", FOUND, kind="paragraph", roles=("Abstract",)), Passage("b", FILLER, kind="paragraph"))
    found = tendency("Do lamps at night shorten the sleep of herons?", "Sleep of herons under lamps at night", given)
    assert found is not None
    assert found.answer == "yes"
    assert not is_title(asked("Were the herons of the lake ringed?"), "Sleep of herons under lamps")


def test_a_question_that_is_not_said_outright(tmp_path: Path) -> None:
    parts = (("Background", (AIM,)), ("Results", (NOTHING,)))
    papers = indexed([Text("herons", "a", parts, (), ())], tmp_path)
    paper = papers["herons"]
    question = Question("q", "Do night lamps affect the sleep of herons?")
    told = answer(question, paper, SearchIndex(passages(paper)))
    assert told.value == "no"
    assert told.claims[0].text.endswith(": no.")
    assert verify(told, papers).conforms
    if told.dropped:
        assert f"No {LEANT}" in composed(told, papers)


def test_a_fitting_share() -> None:
    assert 0 < ABSENT < BAR < 1
