"""The rule book: the prompts quote it, and the code follows it."""

from __future__ import annotations

import pytest

from kag.indexing.rule_book import FLOAT_NUMBERS, RULES, rules_text
from kag.indexing.structure.floats import float_label


@pytest.mark.parametrize(("label", "number"), FLOAT_NUMBERS.items())
def test_a_float_is_called_what_the_rule_book_says(label: str, number: str) -> None:
    found = float_label(f"{label}. Ice in May.")
    assert found
    assert found.number == number


def test_rules_have_a_line_each_with_when_they_fail() -> None:
    assert rules_text(("notes", "references")).count("\n") == 1
    assert " But: " in rules_text(("parts",))
    assert all(str(rule).endswith(".") for rule in RULES.values())
