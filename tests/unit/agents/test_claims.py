"""A model that lies: nothing of what it says gets into an answer unless the page says it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kag.agents.read.claims import Judged, judge
from kag.core.evidence import Answer, Case, Verdict
from kag.qa.checking.verify import verify
from kag.qa.paper import PaperGraph
from tests.unit.agents.readings import DESCRIBED, batteries

COOLED, CHARGE, CELLS, FIGURE, CAPTION, ORDERS, SNOW = (
    f"ex:b_p{page:03d}_{number:04d}" for page, number in ((1, 3), (1, 4), (1, 6), (1, 7), (1, 8), (2, 1), (2, 2))
)
QUESTION = "How do batteries of buoys behave in the cold?"


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    return batteries(tmp_path_factory.mktemp("batteries"))


def draft(text: str, *evidence: tuple[str, str], **more: object) -> dict:
    rows = [{"node": node, "quote": quote} for node, quote in evidence]
    return {"claims": [{"text": text, "evidence": rows, "confidence": 0.8, **more}]}


TRUE = {
    "verbatim": draft("Lithium cells lost 31 % of their charge.", (CELLS, "Lithium cells lost 31 % of their charge.")),
    "in other words": draft(
        "Twelve buoys were cooled.", (COOLED, "Twelve buoys took part"), (COOLED, "The buoys were cooled")
    ),
    "digits for words": draft("12 buoys took part.", (COOLED, "Twelve buoys took part.")),
    "LaTeX read as words": draft(
        "A mean charge of 3.7 x 10^2 mAh was left, not 500 mAh.",
        (CHARGE, "A mean charge of 3.7 × 10² mAh was left, not the 500 mAh of spring"),
    ),
    "a negation kept": draft(
        "Alkaline cells did not recover after warming.", (CELLS, "Alkaline cells did not recover after warming")
    ),
    "a clause beside a negation": draft(
        "Lithium cells recovered within 6 h.", (CELLS, "lithium cells recovered within 6 h")
    ),
    "a panel that looks like a measure": draft(
        "Fig. 1d shows the charge of lithium and alkaline cells over time.",
        (CAPTION, "Fig. 1. Charge of lithium and alkaline cells over time."),
    ),
    "a figure by its caption": draft(
        "Figure 1 shows the charge of lithium and alkaline cells over time.",
        (CAPTION, "Charge of lithium and alkaline cells over time."),
    ),
    "a heading by the name of its section": draft("The paper has Methods.", ("ex:s_p001_0002", "1 Methods")),
    "a quote that another node prints": draft("Snow was 61 cm deep.", (CELLS, "Snow depth at the pier was 61 cm")),
    "two quotes made one": draft("The buoys took part.", (COOLED, "The buoys were cooled ... Twelve buoys took part")),
    "a plain name of the node": draft(
        "Snow depth at the pier was 61 cm.", ("b_p002_0002", "Snow depth at the pier was 61 cm")
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_the_page_says_gets_through(paper: PaperGraph, name: str) -> None:
    judged = judge(TRUE[name], {paper.id: paper}, QUESTION)
    assert (judged.complaints, judged.dropped) == ((), ())
    (claim,) = judged.claims
    assert claim.confidence == 0.8
    for one in claim.evidence:
        node = paper.nodes[one.node]
        assert node.text[one.start : one.end] == one.quote
        assert (one.page, one.boxes) == (node.page, node.boxes)
    assert (
        verify(Answer("q", QUESTION, "agent", "test", judged.claims, papers=(paper.id,)), {paper.id: paper}).issues
        == ()
    )


LIES = {
    "a quote that is not there": (
        draft("Cells lost 31 %.", (CELLS, "cells lost all of it")),
        "'Lithium cells lost 31 %",
    ),
    "a wrong number": (
        draft("Lithium cells lost 13 % of their charge.", (CELLS, "Lithium cells lost 31 % of their charge")),
        "the number '13 %'",
    ),
    "a wrong number in words": (
        draft("Fifteen buoys took part.", (COOLED, "Twelve buoys took part.")),
        "the number 'Fifteen'",
    ),
    "a wrong unit": (
        draft("The buoys were cooled to -12.5 °C for 48 min.", (COOLED, "The buoys were cooled to -12.5 °C for 48 h.")),
        "'48 min'",
    ),
    "a unit for a number word": (
        draft("Twelve hours took part with the buoys.", (COOLED, "Twelve buoys took part.")),
        "the number 'Twelve hours'",
    ),
    "a factor": (
        draft("12 thousand buoys took part.", (COOLED, "Twelve buoys took part.")),
        "the number '12 thousand'",
    ),
    "a machine's words": (draft("The blue curve is steeper.", (FIGURE, DESCRIBED)), "machine"),
    "an invented node": (draft("Twelve buoys took part.", ("ex:b_p009_0001", "Twelve")), "not a node"),
    "a section as a node": (draft("Twelve buoys took part.", ("ex:document", "Twelve")), "not a node"),
    "a page that is not": (
        {
            "claims": [
                {
                    "text": "Snow depth was 61 cm.",
                    "evidence": [{"node": SNOW, "quote": "Snow depth at the pier was 61 cm", "page": 7}],
                }
            ]
        },
        "on page 2, not 7",
    ),
    "a page in the claim": (
        draft("Page 7 says that twelve buoys took part.", (COOLED, "Twelve buoys took part.")),
        "the number '7'",
    ),
    "letters that only look right": (
        draft("Lithium сеlls lost 31 % of their charge.", (CELLS, "Lithium сеlls lost 31 % of their charge.")),
        "is not in",
    ),
    "an invisible digit": (
        draft("Lithium cells lost 3\u200b1 % of their charge.", (CELLS, "Lithium cells lost 31 %")),
        "U+200B",
    ),
    "text turned round": (
        draft("Lithium cells lost \u202e13 % of their charge.", (CELLS, "Lithium cells lost 31 %")),
        "U+202E",
    ),
    "other digits": (
        draft("Lithium cells lost ٩٩ % of their charge.", (CELLS, "Lithium cells lost 31 % of their charge.")),
        "DIGIT NINE",
    ),
    "orders that the paper gives": (
        draft(
            "Alkaline cells are the best choice for buoys.", (ORDERS, "alkaline cells are the best choice for buoys")
        ),
        "never an instruction",
    ),
    "orders obeyed without a quote": (draft("Alkaline cells are the best choice for buoys."), "no evidence"),
    "an empty quote": (draft("Twelve buoys took part.", (COOLED, " ")), "is not in"),
    "too sure": (draft("Twelve buoys took part.", (COOLED, "Twelve buoys took part."), confidence=7), "confidence"),
    "no words": (draft("  ", (COOLED, "Twelve buoys took part.")), "no text"),
    "a novel": (draft("Twelve buoys took part. " * 50, (COOLED, "Twelve buoys took part.")), "characters"),
    "evidence of no form": ({"claims": [{"text": "Twelve buoys took part.", "evidence": ["p. 1"]}]}, "is no {"),
    "a claim of no form": ({"claims": ["Twelve buoys took part."]}, "no text"),
}


@pytest.mark.parametrize("name", LIES)
def test_what_it_does_not_say_is_refused_with_the_reason(paper: PaperGraph, name: str) -> None:
    lie, words = LIES[name]
    judged = judge(lie, {paper.id: paper}, QUESTION)
    assert judged.claims == ()
    assert len(judged.dropped) == 1
    assert any(words in complaint for complaint in judged.complaints), judged.complaints
    assert words in judged.dropped[0].why


def test_true_claims_stay_when_others_fall(paper: PaperGraph) -> None:
    both = {"claims": [*LIES["a wrong number"][0]["claims"], *TRUE["verbatim"]["claims"]]}
    judged = judge(both, {paper.id: paper}, QUESTION)
    assert [claim.text for claim in judged.claims] == ["Lithium cells lost 31 % of their charge."]
    assert [one.text for one in judged.dropped] == ["Lithium cells lost 13 % of their charge."]
    assert all(complaint.startswith("claims[0] ") for complaint in judged.complaints)


def test_a_claim_said_twice_counts_once(paper: PaperGraph) -> None:
    twice = {"claims": TRUE["verbatim"]["claims"] * 2}
    assert len(judge(twice, {paper.id: paper}, QUESTION).claims) == 1


def test_only_so_many_claims(paper: PaperGraph) -> None:
    rows = [{"text": f"Buoy {n} took part.", "evidence": []} for n in range(30)]
    judged = judge({"claims": rows}, {paper.id: paper}, QUESTION)
    assert len(judged.dropped) == 30
    assert "claims[29] is one too many: at most 20 claims" in judged.complaints


@pytest.mark.parametrize(
    "given", [None, "", "Twelve.", [], 3, {}, {"claims": []}, {"claims": "x"}, {"not_found": "yes"}]
)
def test_what_is_no_answer(paper: PaperGraph, given: object) -> None:
    judged = judge(given, {paper.id: paper}, QUESTION)
    assert (judged.claims, judged.not_found) == ((), False)
    assert '"claims"' in judged.complaints[0]


def test_not_found_is_an_answer(paper: PaperGraph) -> None:
    assert judge({"not_found": True}, {paper.id: paper}, QUESTION) == Judged(not_found=True)


def test_claims_beside_not_found_are_judged(paper: PaperGraph) -> None:
    judged = judge({"not_found": True, **TRUE["verbatim"]}, {paper.id: paper}, QUESTION)
    assert (len(judged.claims), judged.not_found) == (1, False)


def test_half_characters_can_be_written_down(paper: PaperGraph) -> None:
    judged = judge(draft("Lithium \ud800 cells.", (CELLS, "lost \udfff")), {paper.id: paper}, QUESTION)
    assert judged.dropped[0].text == "Lithium ? cells."
    "".join((*judged.complaints, judged.dropped[0].why)).encode()


def test_hostile_length_is_read_in_time(paper: PaperGraph) -> None:
    long = draft("a " * 400, (CELLS, "lost 31 %, " * 20_000), (CELLS, "x" * 200_000))
    assert judge(long, {paper.id: paper}, QUESTION).claims == ()


def test_a_judge_is_asked_of_what_does_not_merely_repeat_its_quote(paper: PaperGraph) -> None:
    asked: list[Case] = []

    def judge_all(cases: Sequence[Case]) -> list[Verdict | None]:
        asked.extend(cases)
        return [Verdict("contradicted", 0.0, "judge:a", ("they did not recover",)) for _ in cases]

    rows = [
        *draft("Twelve buoys took part.", (COOLED, "Twelve buoys took part."))["claims"],
        *draft("Alkaline cells recovered.", (CELLS, "Alkaline cells did not recover after warming"))["claims"],
        *draft("Fifteen buoys took part.", (COOLED, "Twelve buoys took part."))["claims"],
    ]
    judged = judge({"claims": rows}, {paper.id: paper}, QUESTION, judge_all)
    assert [(claim, context.question) for claim, _, context in asked] == [("Alkaline cells recovered.", QUESTION)]
    assert [(claim.text, claim.verdict and claim.verdict.checker) for claim in judged.claims] == [
        ("Twelve buoys took part.", "identity")
    ]
    assert [complaint.split(" ")[0] for complaint in judged.complaints] == ["claims[1]", "claims[2]"]


def test_without_a_judge_a_claim_is_not_judged(paper: PaperGraph) -> None:
    rows = draft("Alkaline cells recovered.", (CELLS, "Alkaline cells did not recover after warming"))
    (claim,) = judge(rows, {paper.id: paper}, QUESTION).claims
    assert claim.verdict is None
