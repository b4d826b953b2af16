"""Questions for what has to be reckoned: the terms alone are no answer."""

from __future__ import annotations

import pytest

from kag.read.extract.reckoning.terms import is_only_terms
from kag.values.evidence import Claim

ROW = "Sales | 2019 | 2018 / Slate | 31 | 24"


@pytest.mark.parametrize(
    ("question", "text", "terms"),
    [
        ("What was the change in slate from 2018 to 2019?", ROW, True),
        ("What was the percentage change in slate?", ROW, True),
        ("What was the average of slate in 2018 and 2019?", ROW, True),
        ("How much slate was sold in 2019?", ROW, False),
        ("Why did the sales of slate increase?", ROW, False),
        ("What was the increase in slate driven by?", ROW, False),
        ("What was the change in slate?", "Sales | Change / Slate | 7", False),
        ("What was the change in slate from 2018 to 2019?", "Slate may change with the weather.", True),
        ("What was the change in slate from 2018 to 2019?", "Slate changed by 7 in a year.", False),
        ("What is the difference between slate and tin?", "Slate is laid, tin is nailed.", False),
        ("What was the average price of slate?", "Slate sold well with higher average wages.", True),
        ("What was the average price of slate?", "The average price of slate was 7.", False),
        ("What was the average price of slate?", "Slate was sold at 7 on average.", False),
        ("How much slate was sold in May and June altogether?", "In May 31 of slate were sold.", True),
        ("How much slate was sold in May and June altogether?", "In total 31 of slate were sold.", False),
        ("What is the sum due on slate in 2018 and 2019?", "31 in 2018 and 24 in 2019 are due on slate.", True),
        ("", "", False),
    ],
)
def test_terms_alone(question: str, text: str, terms: bool) -> None:
    assert is_only_terms(question, Claim(text, ())) is terms
