"""A model as a judge of claims: what it is shown, what is made of its words, and what of its silence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kag.agents.model.budget import Ledger, Limits
from kag.agents.read.judges import JUDGE_TASK, MOST_CLAIMS, Jury, passages
from kag.core.evidence import Context, Quote, Verdict
from kag.core.trajectory import Trajectory
from tests.unit.agents.readings import Replies, lm_over

LOST = Quote(
    "Lithium cells lost 31 % of their charge.",
    section=("2 Results", "2.1 Charge"),
    before="Six of each were cooled.",
    after="Alkaline cells lost 48 %.",
)
TABLE = {"label": "Table 1", "caption": "The reservoirs.", "headers": ("Site", "Area (km²)")}
ROW = Quote("Arden | 3.8", "row", cells=("Arden", "3.8"), **TABLE)  # type: ignore[arg-type]
OTHER = Quote("Brunn | 1.6", "row", cells=("Brunn", "1.6"), **TABLE)  # type: ignore[arg-type]
CLAIM = "Lithium cells lost 31 % of their charge."


def facts(*rows: tuple[str, str, str], claim: int = 0) -> dict[str, Any]:
    return {"claim": claim, "facts": [dict(zip(("fact", "verdict", "words"), row, strict=True)) for row in rows]}


def judged(*claims: dict[str, Any] | str, quotes: tuple[Quote, ...] = (LOST,), cases: int = 1) -> list[Verdict | None]:
    reply = claims[0] if claims and isinstance(claims[0], str) else json.dumps({"claims": claims})
    return jury(Replies(str(reply))).judge_all([(CLAIM, quotes, Context())] * cases)


def jury(engine: Any, trajectory: Trajectory | None = None) -> Jury:
    return Jury(lm_over(engine, Ledger(), Limits()), trajectory)


def test_rows_of_a_table_stand_below_their_headers_and_words_between_their_neighbours() -> None:
    assert passages([LOST, ROW, OTHER]) == [
        "(2 Results > 2.1 Charge)\n"
        "Six of each were cooled. Lithium cells lost 31 % of their charge. Alkaline cells lost 48 %.",
        "(Table 1: The reservoirs.)\nSite | Area (km²)\nArden | 3.8\nBrunn | 1.6",
    ]


def test_all_claims_go_in_one_call_behind_the_question() -> None:
    engine, trajectory = Replies(json.dumps({"claims": []})), Trajectory()
    context = Context(
        question="What did the gulls do?", abbreviations={"GP": "Gaussian process", "MI": "mutual information"}
    )
    verdicts = jury(engine, trajectory).judge_all([(CLAIM, (LOST,), context), ("The GP won.", (ROW,), context)])
    (request,) = engine.requests
    assert request.system == JUDGE_TASK or JUDGE_TASK in str(request.system)
    asked = engine.prompt(0)
    assert asked.count("What did the gulls do?") == 1
    assert "In this paper GP: Gaussian process." in asked
    assert "mutual information" not in asked
    assert verdicts == [None, None]
    assert [step.name for step in trajectory] == ["judge"]


def test_a_claim_is_borne_when_every_fact_is() -> None:
    good = ("lithium cells lost 31 %", "supported", "Lithium cells lost 31 % of their charge")
    (verdict,) = judged(facts(good))
    assert (verdict.status, verdict.reasons) == ("supported", ())
    assert verdict.score > 0.9
    (verdict,) = judged(facts(good, ("within a night", "not stated", "")))
    assert (verdict.status, verdict.reasons) == ("undecided", ("'within a night' is not stated there",))
    (verdict,) = judged(facts(good, ("of alkaline cells", "contradicted", "Alkaline cells lost 48 %")))
    assert verdict.status == "contradicted"
    assert "'Alkaline cells lost 48 %'" in verdict.reasons[0]
    assert verdict.score < 0.1


@pytest.mark.parametrize("said", ["supported", "contradicted"])
def test_words_that_are_in_no_passage_decide_nothing(said: str) -> None:
    (verdict,) = judged(facts(("it is so", said, "I happen to know this from elsewhere")))
    assert verdict.status == "undecided"
    (verdict,) = judged(facts(("it is so", said, "")))
    assert verdict.status == "undecided"


@pytest.mark.parametrize(
    "reply",
    ["All is well.", "{}",
     '{"claims": 3}', '{"claims": [7, {"claim": "0"}]}', '{"claims": [{"claim": 0, "facts": []}]}',
     '{"claims": [{"claim": 0, "facts": ["yes"]}]}', "[" * 5_000],
)  # fmt: skip
def test_a_reply_of_no_use_leaves_the_word_of_the_rules(reply: str) -> None:
    assert judged(reply) == [None]
    assert jury(Replies(reply)).check(CLAIM, (LOST,), Context()).status == "undecided"


def test_verdicts_stand_at_their_claims_in_whatever_order_they_come() -> None:
    good = ("lithium", "supported", "Lithium cells")
    verdicts = judged(facts(("x", "not stated", ""), claim=1), facts(good, claim=0), cases=3)
    assert [verdict and verdict.status for verdict in verdicts] == ["supported", "undecided", None]


def test_more_claims_than_fit_are_undecided() -> None:
    verdicts = judged(facts(("lithium", "supported", "Lithium cells")), cases=MOST_CLAIMS + 2)
    assert len(verdicts) == MOST_CLAIMS + 2
    assert verdicts[-1] is None


def test_no_claims_are_no_call() -> None:
    engine = Replies("")
    assert jury(engine).judge_all([]) == []
    assert engine.requests == []


def test_a_judge_that_cannot_be_asked_is_noted_and_stops_nothing() -> None:
    trajectory = Trajectory()
    lm = lm_over(Replies("{}"), Ledger(), Limits(calls=0))
    assert Jury(lm, trajectory).judge_all([(CLAIM, (LOST,), Context())]) == [None]
    (step,) = trajectory
    assert (step.ok, step.data["cause"]) == (False, "budget")


def test_passages_of_several_papers_name_theirs_and_break_off_between_words() -> None:
    words = "snow " * 100
    one = Quote("Ice grew.", before=words, after=words, label="Table 2", paper="smith2020")
    (shown,) = passages([one])
    assert shown.startswith("(smith2020, Table 2)\n...snow ")
    assert shown.endswith(" snow...")
