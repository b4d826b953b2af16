"""Questions on papers one by one: how they are read, and that each paper has one claim."""

from __future__ import annotations

import pytest

from kag.read.across.each import read_each
from kag.read.across.naming import find, several
from kag.read.across.shelf import Volume
from tests.growth import linear
from tests.unit.read.across.conftest import MOSS, RAIN, Ask

VOLUMES = (
    Volume("moss_1", "Moss on the piers of northern bridges", "2018", "holm"),
    Volume("rain_2", "Rain and what becomes of it", "2020", "vik"),
    Volume("snow_3", "Snow on the roofs of northern towns", "2018", "holm"),
)


@pytest.mark.parametrize(
    ("question", "topic", "papers", "lists"),
    [
        ("Which papers study moss on piers?", "moss on piers", (), True),
        ("List all articles that deal with rain.", "rain", (), True),
        ("In which papers is rain measured?", "rain measured", (), True),
        ("Are there any papers about gulls?", "gulls", (), True),
        ("What methods do the papers use for drying moss?", "use for drying moss", (), False),
        ("What does each paper say about rain?", "say about rain", (), False),
        ("What do the papers say about rain?", "say about rain", (), False),
        ("Compare the rain in moss_1 and rain_2.", "the rain in and", ("moss_1", "rain_2"), False),
        ("How do Vik (2020) and the moss paper differ in rain?", "How do and in rain", ("rain_2", "moss_1"), False),
    ],
)
def test_what_is_asked_of_each(question: str, topic: str, papers: tuple[str, ...], lists: bool) -> None:
    each = read_each(question, VOLUMES)
    assert each is not None
    assert (each.topic, each.papers, each.lists) == (topic, papers, lists)


@pytest.mark.parametrize(
    "question",
    [
        "How is rain held on a pier?",
        "What do works of stone weigh?",
        "Compare moss_1 and rain_2.",
        "Which papers are there?",
        "Compare moss with rain.",
        "How much rain is in moss_1?",
    ],
)
def test_other_questions_are_not_read(question: str) -> None:
    assert read_each(question, VOLUMES) is None


def test_a_paper_is_named_by_words_that_only_its_title_has() -> None:
    assert find("How wet is the moss paper?", VOLUMES) == ("moss_1", "How wet is this paper?")
    assert find("How wet is the northern bridges study?", VOLUMES) == ("moss_1", "How wet is this paper?")
    assert find("How wet is the northern paper?", VOLUMES) is None
    assert find("How wet is the gulls paper?", VOLUMES) is None


def test_a_name_that_fits_two_names_none() -> None:
    assert several("Compare the rain of Holm (2018) and rain_2.", VOLUMES)[0] == ()


@pytest.mark.parametrize("part", ["the papers ", "the a b c d ", "which papers that ", "papers mention about "])
def test_reading_takes_time_in_proportion(part: str) -> None:
    assert linear(lambda text: read_each(f"Which {text}", VOLUMES), (part * 100)[:900])


def test_papers_that_say_something_have_one_claim_each(ask: Ask) -> None:
    given = ask("Which papers mention nests of gulls on bridges?")
    assert sorted(given.value) == sorted([MOSS, RAIN])
    assert [[one.paper for one in claim.evidence] for claim in given.claims] in (
        [["moss", "moss"], ["rain", "rain"]],
        [["rain", "rain"], ["moss", "moss"]],
    )
    for claim in given.claims:
        title = next(one for one in (MOSS, RAIN) if claim.text.startswith(f"{one}: "))
        assert claim.evidence[-1].quote.lstrip("# ") == title


def test_two_papers_are_set_side_by_side(ask: Ask) -> None:
    given = ask(f"Compare the rain that moss holds on a pier in “{MOSS}” and the galls paper.")
    assert given.papers == ("moss",)  # the other says nothing on it
    given = ask(f"Compare the nest of gulls in “{RAIN}” and “{MOSS}”.")
    assert sorted(claim.evidence[0].paper for claim in given.claims) == ["moss", "rain"]
    assert given.value is None


def test_no_paper_on_a_topic(ask: Ask) -> None:
    given = ask("Which papers study tungsten lamps?")
    assert (given.found, given.value) == (False, None)
    assert given.searches[0].startswith("tungsten lamps (")
