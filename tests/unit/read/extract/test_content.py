"""Questions on what the text says: which sentences answer, with what evidence, and when nothing does."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.questions.file import Question
from kag.read.checking.verify import verify
from kag.read.extract.content import CLAIMS, answer_content
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.passages import passages
from kag.values.evidence import NEAREST, NOT_FOUND, NOT_SURE, Answer
from kag.write.batch import find_papers, index_all
from tests.papers import write_paper

PAGES = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Moss on slate roofs"),
        ("sub_title", "[[100, 120, 300, 140]]", "## 1 Introduction"),
        (
            "text",
            "[[100, 150, 900, 250]]",
            "Moss holds water on old roofs. The tile moisture index (TMI) tells how wet a slate is. Older work used it "
            "for clay.",
        ),
        ("sub_title", "[[100, 260, 300, 280]]", "## 2 Methods"),
        (
            "text",
            "[[100, 290, 900, 390]]",
            "Forty-one roofs in two villages were visited. Wetness was measured with a pin meter at 14 points of each "
            "roof. The survey began in March 2011.",
        ),
        ("sub_title", "[[100, 400, 300, 420]]", "## 3 Results"),
        (
            "text",
            "[[100, 430, 900, 560]]",
            "Cushion moss was cut back because its rhizoids split the slate. The thickest cushion held water for "
            "9.5 days. A cushion on the north side held water for 6.2 days, one on the south side for 3.1 days. Lichen "
            "was rare, and its share of the roof",
        ),
    ),
    (
        ("text", "[[100, 80, 900, 120]]", "never passed 4 % in either village."),
        ("table_title", "[[100, 260, 900, 280]]", "Table 1. Drying times of cushions by compass direction."),
        (
            "table",
            "[[100, 290, 900, 400]]",
            "<table><tr><th>Side</th><th>Days</th></tr><tr><td>West</td><td>5.4</td></tr></table>",
        ),
        ("sub_title", "[[100, 460, 300, 480]]", "## 4 Conclusion"),
        ("text", "[[100, 490, 900, 520]]", "We recommend that moss be brushed off slate before each winter."),
        ("sub_title", "[[100, 540, 300, 560]]", "## References"),
        ("text", "[[100, 570, 900, 600]]", "[1] Poe E. Brushing moss off slate before winter. Roofs. 1999;3:1-9."),
    ),
)


@pytest.fixture(scope="module")
def moss(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    folder = tmp_path_factory.mktemp("content")
    write_paper(folder / "in" / "moss", PAGES)
    (outcome,) = index_all(find_papers([folder / "in" / "moss"], folder / "runs"), workers=1)
    assert outcome.run is not None
    return PaperGraph.load(Path(outcome.run))


def put(paper: PaperGraph, text: str) -> Answer:
    given = answer_content(Question("q", text), paper, SearchIndex(passages(paper)))
    assert verify(given, {paper.id: paper}).issues == ()
    assert all(one.why.startswith(NEAREST) for one in given.dropped)
    return given


FIRST = {
    "What is TMI?": "The tile moisture index (TMI) tells how wet a slate is.",
    "Why was cushion moss cut back?": "Cushion moss was cut back because its rhizoids split the slate.",
    "How was wetness measured?": "Wetness was measured with a pin meter at 14 points of each roof.",
    "What do the authors recommend about moss before winter?": "We recommend that moss be brushed off slate before "
    "each winter.",
    "When did the survey begin?": "The survey began in March 2011.",
}


@pytest.mark.parametrize(("question", "sentence"), FIRST.items())
def test_the_first_claim_is_the_sentence_that_answers(moss: PaperGraph, question: str, sentence: str) -> None:
    given = put(moss, question)
    assert given.claims[0].text == sentence
    assert given.claims[0].evidence[0].quote == sentence
    assert len(given.claims) <= CLAIMS


VALUES = {
    "When did the survey begin?": "March 2011",
    "How many points of each roof were measured?": "14",
    "Why was cushion moss cut back?": None,
    "How long did cushions hold water on the north and south side?": None,  # two values fit
    "What was the longest time that a cushion held water?": "9.5 days",
    "What was the shortest time that a cushion held water?": "3.1 days",
}


@pytest.mark.parametrize(("question", "value"), VALUES.items())
def test_a_value_is_given_where_just_one_fits(moss: PaperGraph, question: str, value: str | None) -> None:
    given = put(moss, question)
    assert given.found
    assert given.value == value


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which vaccine was given to the horses?", NOT_FOUND),
        ("How many bee hives stand in the villages?", NOT_SURE),
        ("What is the and of it?", NOT_FOUND),
    ],
)
def test_silence_names_the_words_that_were_looked_for(moss: PaperGraph, question: str, text: str) -> None:
    given = put(moss, question)
    assert (given.claims, given.value, given.text) == ((), None, text)
    assert all(given.searches)
    assert given.searches


def test_a_sentence_over_two_pages_has_evidence_on_both(moss: PaperGraph) -> None:
    (claim, *_) = put(moss, "What share of the roof was lichen?").claims
    assert [place.page for place in claim.evidence] == [1, 2]
    assert claim.text == "Lichen was rare, and its share of the roof never passed 4 % in either village."


def test_the_table_of_a_caption_follows_it(moss: PaperGraph) -> None:
    claims = put(moss, "What were the drying times of cushions by compass direction?").claims
    assert claims[0].text.endswith("Drying times of cushions by compass direction.")
    assert claims[1].text == "Side | Days / West | 5.4"
    assert moss.nodes[claims[1].evidence[0].node].kind == "Table"


def test_a_caption_goes_before_a_sentence_with_a_number_where_numbers_are_asked_for(moss: PaperGraph) -> None:
    claims = put(moss, "How long were drying times of cushions by compass direction?").claims
    assert claims[1].text == "Side | Days / West | 5.4"


def test_what_the_paper_has_no_word_for_is_not_answered(moss: PaperGraph) -> None:
    unknown, known = (put(moss, f"Which {name} hold water on old roofs?") for name in ("snails", "moss"))
    assert known.found
    assert not unknown.found
    assert unknown.dropped[0].text == known.claims[0].text


def test_each_part_of_a_question_is_answered(moss: PaperGraph) -> None:
    texts = [claim.text for claim in put(moss, "When did the survey begin, and why was cushion moss cut back?").claims]
    assert texts[:2] == [FIRST["When did the survey begin?"], FIRST["Why was cushion moss cut back?"]]


def test_a_sure_answer_is_surer_than_a_vague_one_and_never_as_sure_as_the_graph(moss: PaperGraph) -> None:
    sure = put(moss, "Why was cushion moss cut back?").claims[0].confidence
    vague = put(moss, "How is water held by moss on wet roofs?").claims[0].confidence
    assert vague < sure < 1
