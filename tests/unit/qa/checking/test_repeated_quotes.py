"""A claim that only repeats what a quote asserts is supported; one that is cut from a denial is not."""

from __future__ import annotations

import pytest

from kag.core.evidence import Claim
from kag.qa.checking.quoted import is_identical
from kag.qa.paper import PaperGraph
from kag.qa.quote import evidence
from tests.unit.qa.papers import Maker

TEXT = (
    "The nets held [1]. No sensor failed under ice, and the boats came back. If rain falls, the pond fills. "
    "We doubt that eels are blind. Losses were 3.5 kg."
)


@pytest.fixture(scope="module")
def paper() -> PaperGraph:
    make = Maker()
    make.section("s", "1 Results")
    make.add("b_1", "doco:Paragraph", TEXT, "s")
    return make.paper()


@pytest.mark.parametrize(
    ("text", "quote", "same"),
    [
        ("The nets held.", "The nets held [1].", True),
        ("the nets held [1]", "The nets held [1].", True),
        ("No sensor failed under ice, and the boats came back.", "No sensor failed under ice, and the boats", False),
        ("No sensor failed under ice, and the boats came back.", TEXT, True),
        ("Sensor failed under ice.", "sensor failed under ice", False),
        ("The boats came back.", TEXT, False),  # the rest of the sentence has a "no"
        ("The pond fills.", "the pond fills", False),
        ("Eels are blind.", "eels are blind", False),
        ("Losses were 3.5 kg", "Losses were 3.5 kg.", True),
        ("Losses were 5 kg", "Losses were 3.5 kg.", False),
        ("", "The nets held [1].", False),
    ],
)
def test_identity(paper: PaperGraph, text: str, quote: str, same: bool) -> None:
    iri = next(node.iri for node in paper.nodes.values() if node.text == TEXT)
    start = TEXT.index(quote)
    claim = Claim(text, (evidence(paper, iri, start, start + len(quote)),))
    assert is_identical(claim, {paper.id: paper}) is same
