"""What a wish says where nothing is said: one such thing or more, the first one, in the order of print."""

from __future__ import annotations

from kag.qa.questions.structured_query import MANY, Condition, Name, Order, Place, Query


def test_what_is_not_said() -> None:
    assert MANY == 1_000_000
    assert Place() == Place("at", 1, 1, None, level=False)
    assert Order() == Order("print", None, descending=False)
    assert Name("ice") == Name("ice", "title")
    assert Condition("cites") == Condition("cites", None, None, 1, MANY, only=False, direct=False, negated=False)
    assert Query("paper") == Query("paper", (), None, None, "list", (), (), None)
