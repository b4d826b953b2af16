"""Questions on papers one by one: each paper that says something has one claim."""

from __future__ import annotations

import pytest

from tests.unit.read.across.conftest import MOSS, RAIN, Ask


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


@pytest.mark.parametrize("question", ["Which papers are there?", f"Compare “{MOSS}” and “{RAIN}”."])
def test_papers_without_a_topic_are_not_asked_one_by_one(ask: Ask, question: str) -> None:
    assert not any("one by one" in search for search in ask(question).searches)
