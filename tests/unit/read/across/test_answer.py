"""One answer from many papers: who says it, who is cited for it, and silence."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from kag.corpus.open_shelf import open_shelf
from kag.questions.file import Question
from kag.read.across.rules import PRINT, answer_across
from kag.read.across.shelf import Shelf
from kag.read.across.text_answer import answer_content
from kag.read.answer_batch import extractor
from kag.search.index import Index
from kag.values.evidence import Answer, Claim
from tests.unit.corpus.runs import remove
from tests.unit.read.across.conftest import MOSS, RAIN, REPEATED, Ask


def papers(claim: Claim) -> list[str]:
    return [one.paper for one in claim.evidence]


def test_the_paper_that_says_it_answers(ask: Ask) -> None:
    given = ask("How long does ink of oak galls take to turn black?")
    assert given.text == "Ink of oak galls turns black in a week of light."
    assert given.papers == ("ink",)


def test_what_two_papers_say_is_one_claim(ask: Ask) -> None:
    given = ask("How many bridges of the northern towns have a nest of gulls?")
    (claim,) = [claim for claim in given.claims if "gulls" in claim.text]
    assert sorted(papers(claim)) == ["moss", "rain"]
    assert all(one.quote.startswith(REPEATED) for one in claim.evidence)
    assert set(given.papers) == {"moss", "rain"}


def test_what_no_paper_says(ask: Ask) -> None:
    given = ask("What is the melting point of tungsten?")
    assert not given.found
    assert given.value is None
    assert given.searches[0].startswith("melting point tungsten (bm25, ")


def test_a_wrong_premise_has_no_answer(ask: Ask) -> None:
    """Words of one paper do not make it answer what is about something that it has nowhere."""
    assert not ask("Why did the emperor of Mars paint the northern bridges with saffron?").found
    assert not ask("Which vaccine do the oaks of Saturn give to gulls?").found


def test_each_later_claim_is_about_the_question_too(ask: Ask) -> None:
    given = ask("How many bridges of the northern towns have a nest of gulls?")
    assert given.claims[0].confidence == max(claim.confidence for claim in given.claims)
    assert all("ink" not in papers(claim) for claim in given.claims)


def test_citations_are_followed(ask: Ask) -> None:
    question = "How is rain held on a pier by moss?"
    given = ask(question)
    assert given.claims[0].text.startswith("How rain is held on a pier by moss was measured before")
    (led,) = (claim for claim in given.claims if claim.text.endswith(f"(Cited by “{RAIN}”.)"))
    assert papers(led) == ["moss", "rain", "rain", "rain"]
    quotes = [one.quote for one in led.evidence]
    assert quotes[0].startswith("The moss on a pier holds forty litres")
    assert quotes[1].lstrip("# ") == RAIN
    assert quotes[2].endswith("before [1].")
    assert MOSS in quotes[3]
    assert not any("Cited by" in claim.text for claim in ask(question, follow=False).claims)


def test_a_cited_paper_that_did_not_come_first_is_looked_at(shelf: Shelf) -> None:
    """The index leads to the citing paper only; what it cites is found through it."""
    index = Index.build(chunk for chunk in shelf.index.chunks.values() if chunk.document != "moss")
    question = Question("q", "How is rain held on a pier by moss?")
    given = answer_content(question, replace(shelf, index=index))
    assert papers(given.claims[0]) == ["rain"]
    assert [papers(claim)[0] for claim in given.claims if "Cited by" in claim.text] == ["moss"]


def test_those_that_cite_a_paper_are_asked(ask: Ask) -> None:
    assert {one for claim in ask(f"What do the papers that cite “{MOSS}” say about rain on a pier?").claims
            for one in papers(claim)} == {"rain"}  # fmt: skip
    assert {one for claim in ask(f"What do the works cited by “{RAIN}” say about rain on a pier?").claims
            for one in papers(claim)} == {"moss"}  # fmt: skip


def test_works_cited_for_something(ask: Ask) -> None:
    given = ask("What did the work cited for how rain is held on a pier by moss find?")
    assert [papers(claim)[0] for claim in given.claims] == ["moss"]
    assert given.claims[0].text.endswith(f"(Cited by “{RAIN}”.)")
    nothing = ask("What did the work cited for ink of oak galls find?")
    assert (nothing.found, nothing.searches) == (False, ("papers here that are cited for ink of oak galls",))


def test_nobody_cites_it(ask: Ask) -> None:
    given = ask(f"What do the papers that cite “{RAIN}” say about rain?")
    assert (given.found, given.searches) == (False, ("papers here that cite rain",))


def test_a_paper_that_is_named_is_asked_alone(ask: Ask) -> None:
    given = ask(f"How many references does the paper “{RAIN}” have?")
    assert (given.value, given.papers) == (2, ("rain",))
    given = ask(f"In {RAIN}, which bridges have a nest of gulls?")
    assert {one for claim in given.claims for one in papers(claim)} == {"rain"}


def test_what_the_graphs_answer_is_taken(shelf: Shelf) -> None:
    exact = Answer("q", "How many papers are there?", "extractive", "graphs", searches=("all",))
    asked = Question("q", "How many papers are there?")
    assert answer_across(asked, shelf, extractor(), lambda question: exact) is exact


def test_a_removed_paper_is_gone(corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "corpus")
    remove(tmp_path / "corpus", "ink")
    shelf = open_shelf(tmp_path / "corpus")
    asked = Question("q", "How long does ink of oak galls take to turn black?")
    assert not answer_across(asked, shelf, extractor(), lambda question: None).found
    assert shelf.version != open_shelf(corpus).version


@pytest.mark.parametrize("question", ["Which papers have all figures?", "How many references does each section cite?"])
def test_no_sentence_answers_a_question_on_print(ask: Ask, question: str) -> None:
    """What the graphs do not say exactly of sections and figures, no sentence that shares their words says."""
    given = ask(question)
    assert (given.claims, given.searches) == ((), (PRINT,))
