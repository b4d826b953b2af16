"""Which words of a text mean something, and which any sentence may have."""

from __future__ import annotations

import pytest

from kag.qa.checking.quoted import content_words, context, has_meaning, signs
from kag.qa.library import Library
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence


def test_words_that_any_sentence_may_have_mean_nothing() -> None:
    assert content_words("The figure shows that it was found in these tables") == set()
    assert content_words("The sensors failed") == content_words("sensor fails")
    assert len(content_words("The sensors failed")) == 2


def test_numbers_are_signs_and_no_words() -> None:
    assert signs("the 12 sensors") - content_words("the 12 sensors") == {"12"}


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("ice", True),
        ("the ice", True),
        ("A&A", True),
        ("pH", True),
        ("(B2)", True),
        ("of the", False),
        ("12", False),
        ("12 and 14", False),
        ("a", False),
        ("x", False),
        ("“The”", False),
        ("--", False),
        ("", False),
    ],
)
def test_what_has_a_meaning(text: str, means: bool) -> None:
    assert has_meaning(text) == means


def test_the_context_of_a_quote_is_what_its_place_is_called(library: Library, ice: PaperGraph) -> None:
    (sites,) = (node for node in ice.nodes.values() if node.text.startswith("Twelve sites"))
    (caption,) = (node for node in ice.nodes.values() if node.text.startswith("Table 1."))
    said = context(["a quote"], [evidence(ice, sites.iri), evidence(ice, caption.iri)], library)
    assert said.startswith("a quote")
    for words in ("Methods", "Sites", "Table 1"):
        assert words in said
    assert "Introduction" not in said
    assert context([], [evidence(ice, sites.iri)], {}) == ""
