"""Why a work is cited."""

from __future__ import annotations

import pytest

from kag.layers.claims.find import citation_intent

PROPERTIES = {
    "extends", "usesMethodIn", "usesDataFrom", "agreesWith", "disagreesWith", "discusses", "obtainsSupportFrom",
    "obtainsBackgroundFrom", "citesAsPotentialSolution",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We measured depth using the method of Doe et al. (2001).", "usesMethodIn"),
        ("Images were processed with the software LakeTool [4].", "usesMethodIn"),
        ("We used the data set of lake depths from Poe [7].", "usesDataFrom"),
        ("Our results are consistent with those of Poe [4].", "agreesWith"),
        ("In contrast to earlier work [4], we found no effect of salt.", "disagreesWith"),
        ("We extend the model of Doe (2001) to tropical lakes.", "extends"),
        ("In future work we will consider the index of Doe (2001).", "citesAsPotentialSolution"),
        ("Our design was inspired by the traps of Doe (2001).", "obtainsSupportFrom"),
        ("Lakes cover three percent of the land [1, 2].", "obtainsBackgroundFrom"),
    ],
)
def test_phrases_tell_the_property(text: str, name: str) -> None:
    assert citation_intent(text).property == name


@pytest.mark.parametrize(
    "text", ["", "[1]", "(" * 5000, "(Doe, 1999" * 900, "\ud800", "Wir nutzen die Methode von Doe [3]."]
)
def test_odd_text_has_a_property_of_cito(text: str) -> None:
    found = citation_intent(text)
    assert found.property in PROPERTIES
    assert 0 <= found.score <= 1
