"""Answers that are left open, told as what the results lean to: yes or no, by the sentence that speaks most for it."""

from __future__ import annotations

from dataclasses import replace

from kag.read.checking.verify import supported
from kag.read.extract.claims import sentence_claim
from kag.read.extract.tendency import GUESS, tendency
from kag.read.extract.whether import leaves_open
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.values.evidence import LEANT, Answer, Dropped

_YES_NO = ("yes", "no")


def leant(told: Answer, paper: PaperGraph, index: SearchIndex) -> Answer:
    """An answer to a question for yes or no, told by the results where no sentence tells it for more than a guess."""
    outright = told.found and not leaves_open(told.claims[0].text)
    if outright and (told.value not in _YES_NO or told.claims[0].confidence > GUESS):
        return told
    found = tendency(told.question, paper.title, index.passages)
    if found is None:
        return told
    claim = sentence_claim(found.one, found.sure, paper, found.index)
    text = f"{claim.text.rstrip(' .?!')}: {found.answer}."
    kept, _ = supported([replace(claim, text=text)], {paper.id: paper}, told.question)
    if not kept:
        return told
    return replace(told, claims=kept, value=found.answer, dropped=(Dropped(found.answer.capitalize(), LEANT),))
