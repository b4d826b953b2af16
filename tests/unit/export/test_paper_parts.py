"""What a paper says of itself, from Python."""

from __future__ import annotations

import pytest

import kag
from kag.core.errors import BadValue
from tests.shown import ROOT


@pytest.fixture(scope="module")
def paper() -> kag.Paper:
    return kag.index(ROOT / "test_data" / "reservoir_sensors")


def test_the_abstract_is_the_text_of_its_section(paper: kag.Paper) -> None:
    assert paper.abstract.startswith("Drinking-water reservoirs are monitored by")
    assert paper.abstract == paper.section("abstract").text


@pytest.mark.parametrize("name", ["5.2", "5.2. Lifetime", "Lifetime", "LIFETIME "])
def test_a_section_has_a_number_and_a_title(paper: kag.Paper, name: str) -> None:
    assert paper.section(name).number == "5.2"


def test_a_title_comes_before_a_type(paper: kag.Paper) -> None:
    assert paper.section("Method").number == "3"
    assert paper.section("FrontMatter").number == ""


@pytest.mark.parametrize("name", ["Wine", "", " "])
def test_a_section_that_is_not_there_is_an_error_with_those_that_are(paper: kag.Paper, name: str) -> None:
    with pytest.raises(BadValue, match=f"no section '{name}'") as raised:
        paper.section(name)
    assert "'5.2 Lifetime'" in str(raised.value.hint)


def test_what_is_not_printed_is_empty(paper: kag.Paper) -> None:
    assert paper.journal == ""
    assert paper.warnings == ()
