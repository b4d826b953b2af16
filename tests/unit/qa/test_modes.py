"""Who answers: the mode by its name, and which exact answer stands without a model."""

from __future__ import annotations

import warnings

import pytest

from kag.agents.read.read_options import ReadOptions, checked
from kag.core.errors import BadValue, ModelError
from kag.core.evidence import EXACT, PASSAGES, Answer
from kag.qa.modes import is_certain, mode_named


@pytest.mark.parametrize(
    ("name", "with_model", "without"),
    [
        ("", "agent", "exact"),
        ("auto", "agent", "exact"),
        ("agent", "agent", "agent"),
        ("single", "agent", "agent"),
        ("exact", "exact", "exact"),
        ("extractive", "exact", "exact"),
    ],
)
def test_a_mode_by_its_name(name: str, with_model: str, without: str) -> None:
    assert (mode_named(name, model=True), mode_named(name, model=False)) == (with_model, without)


def test_a_name_of_no_mode_is_an_error() -> None:
    with pytest.raises(BadValue, match="there is no mode 'fast'") as raised:
        mode_named("fast", model=True)
    assert raised.value.hint == "Modes: agent, exact."


def test_options_are_filled_in_and_a_former_mode_is_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert checked(ReadOptions(lm="offline")).mode == "agent"
        assert (checked(ReadOptions()).mode, checked(ReadOptions()).model) == ("exact", "")
        assert checked(ReadOptions(mode="exact", lm="offline")).model == ""
    with pytest.warns(DeprecationWarning, match="single is now called agent"):
        assert checked(ReadOptions(mode="single", lm="offline")).mode == "agent"
    with pytest.raises(ModelError, match="asks a model"):
        checked(ReadOptions(mode="agent"))


@pytest.mark.parametrize(("mode", "certain"), [(EXACT, True), (PASSAGES, False), ("agent", False)])
def test_only_an_exact_answer_stands_without_a_model(mode: str, certain: bool) -> None:
    assert is_certain(Answer("q", "How many tables?", mode, "no model", value=0)) == certain
