"""Figures of rankings against values worked out by hand, and faults that each of them must notice."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import pytest

from kag.core.errors import BadValue
from scripts.benchmarks.retrieval.score import averaged, compared, part_of, scored, unscoped
from scripts.benchmarks.retrieval.sets import Need, RetrievalQuestion, RetrievalSet

EITHER = RetrievalQuestion("either", "?", (Need("table", frozenset("ab")), Need("passage", frozenset("p"))))
ALL = RetrievalQuestion("all", "?", (Need("passages", frozenset("xyz"), True),))


def a_set(*questions: RetrievalQuestion) -> RetrievalSet:
    return RetrievalSet("rivers", (), questions, {})


def of_one(question: RetrievalQuestion, ranking: str, k: int) -> dict[str, float]:
    found = scored(a_set(question), {question.id: list(ranking)}, (k,))
    return {name.partition("@")[0]: value for name, (value,) in found.items()}


def test_any_chunk_of_a_need_serves_and_the_second_gains_nothing() -> None:
    found = of_one(EITHER, "oabpq", 4)
    assert found["recall"] == 1.0
    assert found["mrr"] == 1 / 2
    assert found["ndcg"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3)))
    early = of_one(EITHER, "oabpq", 3)
    assert (early["recall"], early["mrr"]) == (0.5, 1 / 2)
    assert early["ndcg"] == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))


def test_all_chunks_of_a_need_add_their_share() -> None:
    found = of_one(ALL, "xoz", 3)
    assert found["recall"] == pytest.approx(2 / 3)
    assert found["mrr"] == 1.0
    assert found["ndcg"] == pytest.approx((1 + 1 / 2) / (1 + 1 / log2(3) + 1 / 2))
    assert of_one(ALL, "xoz", 1) == {"recall": pytest.approx(1 / 3), "mrr": 1.0, "ndcg": 1.0}


def test_what_comes_behind_k_or_not_at_all_is_not_found() -> None:
    assert of_one(ALL, "oox", 2) == {"recall": 0.0, "mrr": 0.0, "ndcg": 0.0}
    assert of_one(ALL, "", 5) == {"recall": 0.0, "mrr": 0.0, "ndcg": 0.0}


def test_the_best_order_scores_1_and_a_chunk_named_twice_gains_once() -> None:
    assert of_one(EITHER, "pb", 2) == {"recall": 1.0, "mrr": 1.0, "ndcg": pytest.approx(1.0)}
    assert of_one(ALL, "zyx", 3)["ndcg"] == pytest.approx(1.0)
    assert of_one(ALL, "xxx", 3)["recall"] == pytest.approx(1 / 3)


def test_a_chunk_that_serves_two_needs_is_the_best_first() -> None:
    both = RetrievalQuestion("both", "?", (Need("one", frozenset("ab")), Need("other", frozenset("bc"))))
    assert of_one(both, "b", 1)["ndcg"] == 1.0
    assert of_one(both, "ac", 2)["ndcg"] == pytest.approx((0.5 + 0.5 / log2(3)) / 1.0)


@pytest.mark.parametrize(
    ("spoilt", "falls"),
    [
        ("oxyzo", {"mrr", "ndcg"}),  # put back by one place, still among the five
        ("zoooo", {"recall", "ndcg"}),  # gold dropped behind the first
        ("ooooo", {"recall", "mrr", "ndcg"}),
        ("xoyoz", {"ndcg"}),  # spread
        ("yzxoo", set()),  # gold among gold: nothing may move
    ],
)
def test_a_planted_fault_moves_what_it_must_and_nothing_else(spoilt: str, falls: set[str]) -> None:
    before, after = of_one(ALL, "xyzoo", 5), of_one(ALL, spoilt, 5)
    assert {name for name in before if after[name] < before[name] - 1e-9} == falls
    assert {name for name in before if after[name] > before[name] + 1e-9} == set()


def test_every_question_has_a_ranking_and_every_ranking_a_question() -> None:
    with pytest.raises(BadValue, match=r"1 questions.*all"):
        scored(a_set(ALL, EITHER), {"either": []})
    with pytest.raises(BadValue, match="lost"):
        scored(a_set(ALL), {"all": [], "lost": []})
    with pytest.raises(BadValue, match="k is 0"):
        scored(a_set(ALL), {"all": []}, (0,))


def many(count: int) -> RetrievalSet:
    return a_set(*(replace(ALL, id=f"q{n}") for n in range(count)))


def test_a_plan_that_finds_more_is_told_from_one_that_finds_the_same() -> None:
    data = many(30)
    good = scored(data, {one.id: list("xyz") for one in data.questions}, (2, 3))
    same = scored(data, {one.id: list("zyx") for one in data.questions}, (2, 3))
    poor = scored(data, {one.id: list("xyz" if n < 20 else "ooo") for n, one in enumerate(data.questions)}, (2, 3))
    assert averaged(good)["recall@2"].value == pytest.approx(2 / 3)
    found = compared({"poor": poor, "good": good, "same": same}, "good")
    assert list(found) == ["poor", "same"]
    lost = found["poor"]["recall@3"]
    assert (lost.value, lost.better, lost.worse) == (pytest.approx(-1 / 3), 0, 10)
    assert lost.low < lost.value < lost.high < 0
    assert lost.p < lost.holm == pytest.approx(4 * lost.p)  # the least of two plans at two k
    equal = found["same"]["recall@2"]
    assert (equal.value, equal.low, equal.high, equal.p, equal.holm) == (0, 0, 0, 1, 1)
    with pytest.raises(BadValue, match="no plan best"):
        compared({"good": good}, "best")


def test_halves_share_no_question_and_a_sample_is_always_the_same() -> None:
    data = many(200)
    dev, test = ({one.id for one in part_of(data, half).questions} for half in ("dev", "test"))
    assert not dev & test
    assert dev | test == {one.id for one in data.questions}
    assert 70 < len(dev) < 130
    few = part_of(data, sample=20).questions
    assert len(few) == 20
    again = replace(data, questions=tuple(reversed(data.questions)))
    assert {one.id for one in part_of(again, sample=20).questions} == {one.id for one in few}
    assert {one.id for one in few} < {one.id for one in part_of(data, sample=21).questions}
    with pytest.raises(BadValue, match="no half third"):
        part_of(data, "third")


def test_questions_can_be_asked_of_everything() -> None:
    (asked,) = unscoped(a_set(replace(ALL, scope=frozenset({"d"})))).questions
    assert asked == ALL
