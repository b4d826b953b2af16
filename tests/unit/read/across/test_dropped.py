"""A claim that does not hold under the question as it was asked takes its value with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kag.questions.file import Question
from kag.read.across.rules import answer_across
from kag.read.across.shelf import Shelf
from kag.read.paper import PaperGraph
from kag.read.quote import evidence
from kag.values.evidence import Answer, Claim
from tests.unit.read.across.conftest import MOSS

ASKED = Question("q", f"How many litres of rain does “{MOSS}” say that moss holds?")


@pytest.mark.parametrize("holds", [True, False])
def test_no_value_without_its_claim(shelf: Shelf, holds: bool) -> None:
    def extract(question: Question, paper: PaperGraph) -> Answer:
        node = next(node for node in paper.nodes.values() if "forty litres" in node.text)
        quote = evidence(paper, node.iri)
        claim = Claim("The moss on a pier holds forty litres.", (quote if holds else replace(quote, page=9),))
        return Answer(question.id, question.text, "extractive", "rules", (claim,), "forty", papers=(paper.id,))

    given = answer_across(ASKED, shelf, extract, lambda _: None)
    assert (given.value, len(given.claims), len(given.dropped)) == (("forty", 1, 0) if holds else (None, 0, 1))
    assert given.question == ASKED.text
