"""Which rung answers, and within how many tokens."""

from __future__ import annotations

import pytest

from kag.read.router import FIXED_TOKENS, WINDOW_TOKENS, Mode, choose, is_sure
from kag.read.story import _standing
from kag.values.evidence import Answer, Claim, Dropped, Value

PAPER = 5_000
ONCE = PAPER + FIXED_TOKENS


def extracted(value: Value, *confidences: float) -> Answer:
    claims = tuple(Claim(f"claim {n}", (), confidence) for n, confidence in enumerate(confidences))
    return Answer("q", "What?", "extractive", "rules", claims, value)


SURE, UNSURE, NOTHING = extracted(["a"], 1.0, 0.9), extracted(["a"], 1.0, 0.89), extracted(None)


def test_who_is_sure() -> None:
    assert is_sure(SURE)
    assert not is_sure(UNSURE)
    assert not is_sure(NOTHING)
    assert not is_sure(extracted(None, 1.0)), "a passage is no data"
    assert not is_sure(extracted(3)), "no claim, no answer"


@pytest.mark.parametrize(
    ("mode", "answer", "tokens", "limit", "name", "allowed"),
    [
        ("extractive", NOTHING, PAPER, None, "extractive", None),
        ("auto", SURE, PAPER, None, "extractive", None),
        ("auto", UNSURE, PAPER, None, "single", ONCE),
        ("auto", NOTHING, PAPER, 10 * ONCE, "single", ONCE),
        ("auto", NOTHING, PAPER, ONCE - 1, "agent", ONCE - 1),
        ("auto", NOTHING, WINDOW_TOKENS, None, "single", WINDOW_TOKENS + FIXED_TOKENS),
        ("auto", NOTHING, WINDOW_TOKENS + 1, None, "agent", WINDOW_TOKENS + 1 + FIXED_TOKENS),
        ("single", SURE, PAPER, None, "single", ONCE),
        ("single", SURE, PAPER, 300, "single", 300),
        ("agent", SURE, PAPER, None, "agent", None),
        ("agent", SURE, PAPER, 300, "agent", 300),
    ],
)
def test_rungs(mode: Mode, answer: Answer, tokens: int, limit: int | None, name: str, allowed: int | None) -> None:
    rung = choose(mode, answer, tokens, limit)
    assert (rung.name, rung.tokens) == (name, allowed)
    assert rung.why


@pytest.mark.parametrize(
    ("mode", "limit", "name", "allowed"),
    [
        ("auto", None, "agent", WINDOW_TOKENS + FIXED_TOKENS),  # no more than the longest single reading
        ("single", None, "agent", WINDOW_TOKENS + FIXED_TOKENS),
        ("auto", 300, "agent", 300),
        ("extractive", None, "extractive", None),
        ("agent", None, "agent", None),
    ],
)
def test_many_papers_are_not_read_in_one_call(mode: Mode, limit: int | None, name: str, allowed: int | None) -> None:
    rung = choose(mode, NOTHING, None, limit)
    assert (rung.name, rung.tokens) == (name, allowed)


@pytest.mark.parametrize("limit", [None, 10, 10**9])
def test_unless_an_agent_is_asked_for_the_paper_is_paid_for_once(limit: int | None) -> None:
    for tokens in (1, 1_000, WINDOW_TOKENS, 10**6):
        for mode in ("auto", "single"):
            rung = choose(mode, NOTHING, tokens, limit)
            assert rung.tokens is not None
            assert rung.tokens <= tokens + FIXED_TOKENS


@pytest.mark.parametrize(
    ("refused", "stands"),
    [("Lithium cells lost 31 % of their charge.", True), ("Lithium cells lost 48 % of their charge.", False)],
)
def test_what_contradicts_a_refused_claim_does_not_stand_in(refused: str, stands: bool) -> None:
    told = Claim("Lithium cells lost 31 % of their charge.", (), 0.7)
    given = Answer("q", "?", "extractive", "rules", (told,), papers=("p",))
    left = _standing(given, (Dropped(refused, "no"),))
    assert left.found == stands
    assert ("nearest passages" in left.text) != stands


def test_an_exact_answer_stands_whatever_was_refused() -> None:
    told = Claim("The paper has 3 figures.", (), 1.0)
    given = Answer("q", "?", "extractive", "rules", (told,), 3)
    assert _standing(given, (Dropped("The paper has no figures.", "no"),)) == given
