"""A claim of the form row | column | value is held against that very cell."""

from __future__ import annotations

import pytest

from kag.read.checking.rules.checker import RuleChecker
from kag.read.checking.rules.stated import stated_cell
from kag.values.verdict import Context, Quote

HEADERS = ("Group / Drug", "Day / Mean (mg L⁻¹)", "Night / Mean (mg L⁻¹)", "n")
ROWS = (("Group 5 / Tar [19]", "0.62 ± 0.1", "1.10", "12"), ("None", "0.71", "0.62", "9"))
QUOTES = tuple(Quote(" | ".join(row), "row", headers=HEADERS, cells=row, rows=ROWS) for row in ROWS)


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (": Group 5 / Tar | Day / Mean (mg L-1) | 0.62 ± 0.1", (True, "0.62 ± 0.1")),
        (": Group 5 / Tar [19] | Night / Mean (mg L⁻¹) | 1.10", (True, "1.10")),
        (": Group 5 / Tar | Day / Mean (mg L-1) | 0.62 ± 0.2", (False, "0.62 ± 0.1")),
        (": Group 5 / Tar | Day / Mean (mg L-1) | 0.62", (False, "0.62 ± 0.1")),
        (": Group 5 / Tar | Night / Mean (mg L-1) | 0.62 ± 0.1", (False, "1.10")),
        ("Table: None | n | 9", (True, "9")),
        ("Table: None | n | 12", (False, "9")),
        (": Group 6 / Tar | n | 12", None),  # there is no such row
        (": None | m | 9", None),  # nor such a column
        ("None | 9", None),
        ("In group 5 the mean by day was 0.62.", None),
    ],
)
def test_a_stated_cell_is_looked_up(claim: str, found: tuple[bool, str] | None) -> None:
    assert stated_cell(claim, QUOTES) == found


def test_nothing_else_counts_where_the_cell_is_as_stated() -> None:
    assert RuleChecker().check(": None | Day / Mean (mg L-1) | 0.71", QUOTES, Context()).reasons == ()
    wrong = RuleChecker().check(": None | Day / Mean (mg L-1) | 0.62", QUOTES, Context())
    assert (wrong.status, wrong.reasons) == ("contradicted", ("in that row and column stands '0.71'",))
