"""What is reckoned from a table's years, and which questions ask for it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from kag.evaluate.answers.text_set_score import indexed
from kag.evaluate.answers.text_sets import Text
from kag.questions.file import Question
from kag.read.checking.arithmetic import reckoned
from kag.read.checking.verify import verify
from kag.read.exact.compose import answer
from kag.read.extract.reckoning.sums import asked_sum
from kag.read.heads import heads_below
from kag.read.passage_index import SearchIndex
from kag.read.passages import passages
from kag.text.amounts import amount
from kag.values.evidence import Answer

ROWS = (
    ("", "", "Year ended March 31,", "", ""),
    ("(in thousands)", "2019", "2018", "2017", "% Change"),
    ("Slate sales", "1,496.5", "1,202.9", "1,107.7", "24"),
    ("Tin sales", "300", "400", "500", "(25)"),
    ("Total sales", "1,796.5", "1,602.9", "1,607.7", "12"),
    ("Net loss", "(50)", "(20)", "10", ""),
    ("Other", "3", "4", "5", ""),
)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Answer]:
    said = ("Slate sales in 2018 increased by 95 thousand, driven by roofs.",)
    papers = indexed([Text("t", "a", (("", said),), ROWS, ())], Path(tmp_path_factory.mktemp("years")))
    index = SearchIndex(passages(papers["t"]))

    def asked(question: str) -> Answer:
        found = answer(Question("q", question), papers["t"], index)
        assert not verify(found, papers).issues
        return found

    return asked


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the change in slate sales from 2018 to 2019?", "293.6"),
        ("What is the percentage change in tin sales between 2018 and 2019?", "-25%"),
        ("What was the change in the net loss between 2018 and 2019?", "-30"),
        ("What was the average of slate sales in 2018 and 2019?", "1349.7"),
        ("What were the average tin sales from 2017 to 2019?", "400"),
        ("What is the sum of slate sales and tin sales in 2019?", "1796.5"),
        ("What were slate sales as a percentage of total sales in 2018?", "75.05%"),
        ("What is the ratio of tin sales to total sales in 2019?", "0.17"),
        ("What was the change in Other in 2019 from 2018?", "-1"),
        ("What were the slate sales in 2018?", "1,202.9"),
        ("In which year were tin sales the highest?", "2017"),
        ("In which year were slate sales lower than 1,200 thousand?", "2017"),
    ],
)
def test_years_are_read_and_reckoned_from(ask: Callable[[str], Answer], question: str, value: object) -> None:
    assert ask(question).value == value


def test_of_several_years_each_has_its_claim(ask: Callable[[str], Answer]) -> None:
    told = [claim.text for claim in ask("What were tin sales in 2018 and 2017, respectively?").claims]
    assert told == ["Table 1: Tin sales | 2018 | 400", "Table 1: Tin sales | 2017 | 500"]


@pytest.mark.parametrize(
    "question",
    [
        "What was the change in lead sales from 2018 to 2019?",  # no such row
        "What was the change in sales from 2018 to 2019?",  # of which?
        "What was the change in slate sales from 2015 to 2019?",  # no such year
        "What was the ratio in tin sales in 2019?",  # to what?
    ],
)
def test_what_is_not_in_the_table_is_not_reckoned(ask: Callable[[str], Answer], question: str) -> None:
    found = ask(question)
    assert found.value is None
    assert all(" is " not in claim.text for claim in found.claims if claim.text.startswith("Table"))


@pytest.mark.parametrize(
    "question",
    [
        "Why did sales fall from 2018 to 2019?",
        "How is the average price calculated?",
        "Who sold slate in 2019?",
        "",
        "%" * 900,
    ],
)
def test_other_questions_ask_for_no_sum(question: str) -> None:
    assert asked_sum(question) is None


def test_a_span_of_years_is_read_either_way() -> None:
    there, back = asked_sum("What was fog in 2016 to 2018?"), asked_sum("What was fog in FY18 to FY16?")
    assert there is not None
    assert back is not None
    assert (there.years, back.years) == ((2016, 2017, 2018), (2018, 2017, 2016))


def test_rows_of_years_and_units_go_on_naming_columns() -> None:
    assert len(heads_below(ROWS, 1, 1)) == 1
    assert heads_below([["", "Dose"], ["Fog", "2019"]], 1, 1) == []  # a row with a name is of the body
    assert heads_below([["", "2019"], ["", "1,200"]], 1, 1) == []  # as is one with an amount
    assert heads_below([["", "2019"], ["", "€m"], ["Fog", "3"]], 1, 1) == [["", "€m"]]


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("$ (1,234.5)", "-2469/2"),
        ("(87%)", "-87"),
        ("15.1%", "151/10"),
        ("−3", "-3"),
        ("—", None),
        ("2 of 3", None),
        ("", None),
    ],
)
def test_amounts_are_read_as_tables_print_them(cell: str, number: str | None) -> None:
    assert amount(cell) == (Fraction(number) if number else None)


def test_nothing_is_divided_by_nothing() -> None:
    assert reckoned("percentage change", [Fraction(0), Fraction(4)]) == ""
