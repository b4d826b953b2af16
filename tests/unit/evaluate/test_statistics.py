"""Scores over papers: sums, means, and intervals that come from drawing papers again."""

from __future__ import annotations

import pytest

from kag.evaluate.statistics import difference, means, micro, score

PAPERS = {"a": (8, 2, 0), "b": (0, 0, 10), "c": (10, 0, 0), "d": (0, 0, 0)}


def test_sums_and_means() -> None:
    found = score(PAPERS, share=False)
    assert (found.right, found.wrong, found.missing, found.papers) == (18, 2, 10, 3)
    assert found.precision == 18 / 20
    assert found.recall == 18 / 28
    assert found.value == found.f1 == 36 / 48
    assert found.macro == pytest.approx((16 / 18 + 0 + 1) / 3)
    assert 0 <= found.low < found.value < found.high <= 1
    share = score(PAPERS, share=True)
    assert share.value == share.recall == 18 / 28
    assert share.macro == pytest.approx(2 / 3)
    assert micro([], share=True) == 0.0


def test_the_interval_is_that_of_the_draws() -> None:
    """Two papers, one all right and one all missing: a quarter of the draws is 0, half 1/2, a quarter 1."""
    found = score({"a": (5, 0, 0), "b": (0, 0, 5)}, share=True)
    assert (found.low, found.high) == (0.0, 1.0)
    equal = score({str(n): (5, 0, 5) for n in range(9)}, share=True)
    assert (equal.low, equal.value, equal.high) == (0.5, 0.5, 0.5)
    many = score({str(n): ((1, 0, 0) if n % 10 else (0, 0, 1)) for n in range(1000)}, share=True)
    error = (0.9 * 0.1 / 1000) ** 0.5  # of a share over 1000 papers
    assert many.low == pytest.approx(0.9 - 1.96 * error, abs=0.004)
    assert many.high == pytest.approx(0.9 + 1.96 * error, abs=0.004)


def test_renderings_of_a_paper_are_drawn_together() -> None:
    alone = score({"a": (5, 0, 0), "b": (0, 0, 5)}, share=True)
    again = score({"a": (5, 0, 0), "a__x": (5, 0, 0), "b": (0, 0, 5), "b__x": (0, 0, 5)}, share=True)
    assert (again.low, again.high) == (alone.low, alone.high)
    assert score({"a": (5, 0, 0), "a__x": (0, 0, 5)}, share=True).low == 0.5


def test_draws_in_which_nothing_is_asked_do_not_count() -> None:
    found = score({"a": (3, 0, 0), "b": (0, 0, 0)}, share=True)
    assert (found.low, found.high, found.papers) == (1.0, 1.0, 1)


def test_the_same_figures_each_time() -> None:
    assert score(PAPERS, share=False) == score(dict(PAPERS), share=False)


def test_a_difference_is_paired() -> None:
    """Papers differ much, the two sides little but always the same way: only a paired interval leaves out 0."""
    these = {str(n): (10 * n + 2, 0, 100 - 10 * n) for n in range(10)}
    others = {str(n): (10 * n, 0, 102 - 10 * n) for n in range(10)}
    found = difference(these, others, share=True)
    assert found.value == pytest.approx(20 / 1020)
    assert (found.sign, found.above) == ("+", 1.0)
    assert found.low == pytest.approx(found.high) == pytest.approx(found.value)
    assert difference(others, these, share=True).sign == "-"
    same = difference(these, these, share=True)
    assert (same.value, same.sign, same.above) == (0.0, "=", 0.0)
    spread = score(these, share=True)
    assert spread.high - spread.low > 0.1


def test_a_difference_is_over_the_papers_that_both_have() -> None:
    found = difference({"a": (1, 0, 0), "b": (0, 0, 9)}, {"a": (0, 0, 1), "c": (9, 0, 0)}, share=True)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)


def test_means_have_the_interval_of_their_draws() -> None:
    found = means({"half": [0.0, 1.0] * 200, "one": [1.0] * 400})
    assert (found["one"].low, found["one"].value, found["one"].high) == (1.0, 1.0, 1.0)
    error = (0.25 / 400) ** 0.5
    assert found["half"].value == 0.5
    assert found["half"].low == pytest.approx(0.5 - 1.96 * error, abs=0.006)
    assert found["half"].high == pytest.approx(0.5 + 1.96 * error, abs=0.006)
    assert means({}) == {}
