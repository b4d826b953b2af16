"""The main statement: what rules its verb, what doubts it, which way it compares."""

from __future__ import annotations

import pytest

from kag.layers.claims.find import direction, is_hedged, is_negative, main_stretch
from kag.layers.claims.scopes import find_scopes


@pytest.mark.parametrize(
    "text",
    [
        "Ice did not melt.",
        "There was no effect of salt on ice.",
        "We found that ice did not melt, although snow did.",
        "Although snow melted, ice did not melt.",
        "The pump failed to start.",
        "No lake froze in June.",
        "None of the lakes froze.",
        "Salt does not melt ice because it is cold.",
        "We did not find that salt melts ice.",
        "The lakes did not significantly differ.",
        "We cannot rule out an error.",
        "First, although snow melted, the ice was no longer thick.",
    ],
)
def test_a_denied_verb_makes_a_claim_negative(text: str) -> None:
    assert is_negative(text, find_scopes(text))


@pytest.mark.parametrize(
    "text",
    [
        "Lakes that did not freeze were warm.",
        "Although ice did not melt, snow did.",
        "Snow melted, but ice did not.",
        "Salt but not sand melts ice.",
        "The lake froze without wind.",
        "The lack of wind froze the lake.",
        "Ice is not only cold but also slippery.",
        "We used salt rather than sand.",
        "We did not find that salt does not melt ice.",
        "Ice melted.",
        "",
    ],
)
def test_a_negation_elsewhere_does_not(text: str) -> None:
    assert not is_negative(text, find_scopes(text))


def test_doubt() -> None:
    def hedged(text: str) -> bool:
        return is_hedged(text, find_scopes(text))

    assert hedged("Salt may melt ice.")
    assert hedged("These results suggest that salt melts ice.")
    assert not hedged("Salt melts ice, which may help roads.")
    assert not hedged("We asked whether salt or sand melts ice and saw that salt does.")
    assert not hedged("Salt melts ice.")


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("Melting was faster in the south than in the north.", "more"),
        ("Salt increased the melting rate.", "more"),
        ("The yield was significantly lower in winter.", "less"),
        ("Salt reduces the melting point.", "less"),
        ("There was no difference between the lakes.", "equal"),
        ("The lakes were similar in depth.", "equal"),
        ("The lakes did not differ.", "equal"),
        ("Rates rose with salt, while yields were lower.", "more"),
        ("Lakes are deep.", ""),
        ("We used more than 5 samples.", ""),
        ("We sampled to improve the estimate.", ""),
        ("", ""),
    ],
)
def test_directions(text: str, way: str) -> None:
    assert direction(text) == way


def test_frames_and_reports_are_no_part_of_the_statement() -> None:
    text = "However, when it is cold, our data show that lakes freeze, but seas do not."
    assert text[slice(*main_stretch(text))] == "lakes freeze"
