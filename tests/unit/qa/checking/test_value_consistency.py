"""An answer's value is what its claims state: all of it, in order, and nothing else."""

from __future__ import annotations

import pytest

from kag.core.evidence import Answer, Claim, Dropped, Evidence, Value
from kag.qa.checking.verify import value_problems

PLACE = Evidence("ice", "node", 3, (), "x", 0, 1, "")
LIST = "3.2 Results has these subsections: Sites; Losses, by site; 2.1 Weather."
PARAGRAPH = "Figure 2 is referred to in the paragraph on page 1 that begins: "


def said(value: Value, *texts: str | tuple[str, int], searches: tuple[str, ...] = (), lost: bool = False) -> list[str]:
    """What is wrong with a value, given claims as texts, those that count with their count."""
    told = [(text, None) if isinstance(text, str) else text for text in texts]
    claims = tuple(Claim(text, (PLACE,), 1.0, count) for text, count in told)
    dropped = (Dropped("a", "b"),) if lost else ()
    return list(
        value_problems(Answer("q", "?", "m", "l", claims, value, dropped=dropped, searches=searches, papers=("ice",)))
    )


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (["Sites", "Losses, by site", "Weather"], [LIST]),
        (["Sites", "Losses, by site", "2.1 Weather"], [LIST]),
        (["1", "2"], ["The Introduction cites references 1, 2."]),
        (["Sites", "Weather"], ["The paper has these sections: Sites; Weather; Sites."]),
        (["Ice", "Snow"], ["Ice.", "Snow: the entry that cites it."]),
        (["Ice is cold.", "Snow"], [f"{PARAGRAPH}Ice is cold.", f"{PARAGRAPH}Snow", "The Methods begin on page 3."]),
        (["Ice", "Snow"], ["Ice.", ("3 entries.", 3), "Snow.", ("2 entries.", 2)]),
        (3, [("The paper has 3 figures.", 3)]),
        (3, ["Figure 1 is on page 3."]),
        ({"figures": 1, "tables": 0}, [("The paper has 1 figure.", 1)]),
        ({"Ice": 3, "Snow (ice)": 2, "Fog": 0}, ["Ice.", ("3 entries.", 3), "Snow.", ("2 entries.", 2), "Fog."]),
        ("yes", ["Figure 1 is in Results: yes."]),
        ("1.9 µJ", ["Table 1: Sending | Value | 1.9 µJ"]),
        (None, ["Ice is cold."]),
    ],
)  # fmt: skip
def test_what_is_told(value: Value, texts: list[str | tuple[str, int]]) -> None:
    assert said(value, *texts, searches=("tables",)) == []


def test_without_claims_there_is_nothing_to_tell() -> None:
    for nothing in (None, 0, "no", [], {"figures": 0, "tables": 0}):
        assert said(nothing, searches=("tables", "figures")) == []
    for something in (1, "yes", ["x"], {}, {"figures": 1, "tables": 0}):
        assert said(something, searches=("tables", "figures")) == ["there is a value but no claim"]


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (["Sites", "Losses, by site"], [LIST]),
        (["Losses, by site", "Weather"], [LIST]),
        (["Weather"], [LIST]),
        (["Sites", "Weather", "Losses, by site"], [LIST]),
        (["Sites", "Losses", "Weather"], [LIST]),
        (["Sites", "Losses, by site", "Weather", "Ice"], [LIST]),
        (["Sites", "Losses, by site", "Weather", "Weather"], [LIST]),
        (["Sites", "Losses, by site", ""], [LIST]),
        ([], [LIST]),
        (["Sites; Losses, by site", "Weather"], [LIST]),
        (["1, 2"], ["The Introduction cites references 1, 2."]),
        (["2"], ["The Introduction cites references 1, 2."]),
        (["Ice"], ["Ice.", "Snow."]),
        (["Snow", "Ice"], ["Ice.", "Snow."]),
        (["Snow"], [f"{PARAGRAPH}Ice is cold.", f"{PARAGRAPH}Snow"]),
        (2, [("The paper has 3 figures.", 3)]),
        (4, ["Figure 1 is on page 4."]),  # the evidence is on page 3
        (0, [("The paper has 3 figures.", 3)]),
        ("3", ["It took 13 days, or 3.5 months."]),
        (None, [("The paper has 3 figures.", 3)]),
        ({"figures": 2, "tables": 0}, [("The paper has 1 figure.", 1)]),
        ({"figures": 1, "tables": 0, "mice": 0}, [("The paper has 1 figure.", 1)]),
        ({"mice": 1}, [("The paper has 1 figure.", 1)]),
        ({"figures": 1}, [("The paper has 1 figure.", 1), ("The paper has 2 tables.", 2)]),
        ({"Ice": 2, "Snow": 3}, ["Ice.", ("3 entries.", 3), "Snow.", ("2 entries.", 2)]),
        ({"Ice": 0}, ["Ice.", ("3 entries.", 3)]),
        ({}, ["Ice."]),
        ("no", ["Figure 1 is in Results: yes."]),
        ("Sit", [LIST]),
        ("yes", []),
        (3, []),
        (["Ice"], []),
        ({}, []),
        ("", ["Ice."]),
    ],
)  # fmt: skip
def test_what_is_not(value: Value, texts: list[str | tuple[str, int]]) -> None:
    assert said(value, *texts, searches=("tables",)) != []


def test_a_count_that_was_dropped_leaves_no_value() -> None:
    assert said(None, ("The paper has 3 figures.", 3), lost=True) == []


@pytest.mark.parametrize(
    ("value", "left"), [(3, "Ice is cold."), (["Ice", "Snow"], "Ice."), ({"Ice": 3}, "Ice."), ("Snow", "Ice is cold.")]
)
def test_a_value_does_not_outlive_its_claim(value: Value, left: str) -> None:
    assert said(value, left, lost=True) != []
