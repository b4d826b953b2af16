"""Cues of negation and hedging and how far they reach: texts that have some, and look-alikes that have none."""

from __future__ import annotations

import pytest

from kag.layers.claims.scopes import LONGEST, find_scopes


def found(text: str, kind: str) -> list[tuple[str, str]]:
    return [(one.cue.text, text[one.start : one.end]) for one in find_scopes(text) if one.kind == kind]


@pytest.mark.parametrize(
    ("text", "cue", "scope"),
    [
        ("Ice did not melt in the lake.", "not", "not melt in the lake"),
        ("The ice was not melted by salt, but the snow was.", "not", "The ice was not melted by salt"),
        ("Salt had no effect on the ice.", "no", "no effect on the ice"),
        ("The lake froze without wind.", "without", "without wind"),
        ("The pump failed to start in winter.", "failed", "failed to start in winter"),
        ("Wind never melts ice.", "never", "never melts ice"),
        ("They don't melt.", "don't", "don't melt"),
    ],
)
def test_negation(text: str, cue: str, scope: str) -> None:
    assert found(text, "negation") == [(cue, scope)]


@pytest.mark.parametrize(
    ("text", "cue", "scope"),
    [
        ("Salt may lower the melting point.", "may", "may lower the melting point"),
        ("These data suggest that salt melts ice.", "suggest", "suggest that salt melts ice"),
        ("We asked whether salt melts ice.", "whether", "whether salt melts ice"),
    ],
)
def test_hedges(text: str, cue: str, scope: str) -> None:
    assert (cue, scope) in found(text, "hedge")


@pytest.mark.parametrize(
    "text",
    [
        "Ice is not only cold but also slippery.",
        "We tested whether or not the ice melts.",
        "It is not clear why ice melts.",
        "Sample no. 5 melted.",
        "This is last but not least a lake.",
        "No fewer than five lakes froze.",
        "A knot is notable.",
        "",
        "   ",
        "Das Eis ist nicht geschmolzen.",
    ],
)
def test_no_negation(text: str) -> None:
    assert not found(text, "negation")


def test_the_unknown_is_a_doubt_and_no_denial() -> None:
    assert ("not clear", "not clear why ice melts") in found("It is not clear why ice melts.", "hedge")


def test_offsets_count_from_the_passage() -> None:
    text = "It froze. Ice did not melt."
    (scope,) = find_scopes(text[10:], "node", 10)
    assert text[scope.cue.start : scope.cue.end] == "not" == scope.cue.text
    assert text[scope.start : scope.end] == "not melt"
    assert scope.cue.node == "node"


def test_what_is_too_long_is_left_alone() -> None:
    assert find_scopes("not " * LONGEST) == ()


@pytest.mark.parametrize(
    "text", ["not", "(not)", "not not not", "may " * 200, "¬ not ∀x", "\ud800 not", "not\n\nno\t.", "no" * 900]
)
def test_odd_text_has_scopes_inside_of_it(text: str) -> None:
    for scope in find_scopes(text):
        assert 0 <= scope.start <= scope.cue.start < scope.cue.end <= scope.end <= len(text)
