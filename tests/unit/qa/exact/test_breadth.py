"""Many wordings of what papers are asked beside lists and links, all answered from one small paper and verified."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from kag.core.evidence import Answer, Claim, Evidence, Value
from kag.indexing.batch import find_papers, index_all
from kag.qa.answering import answer
from kag.qa.checking.claim_check import claim_issues
from kag.qa.checking.verify import verify
from kag.qa.exact.compose import compose, look_up
from kag.qa.exact.facts import Found
from kag.qa.exact.grid import loose_cell
from kag.qa.exact.labels import label
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from kag.qa.questions.reader import read_question
from kag.qa.questions.structured_query import Query
from kag.qa.quote import evidence
from tests.growth import linear
from tests.papers import write_paper
from tests.unit.qa.exact.meadow import PAGES

Pages = tuple[tuple[tuple[str, str, str], ...], ...]  # of pages, of blocks: label, boxes, words

CITED_IN = {
    "Abstract": 0,
    "Introduction": 2,
    "Methods": 2,
    "Counting": 2,
    "Weather": 0,
    "Results": 0,
    "Conclusions": 0,
    "Appendix": 0,
    "References": 0,
}
CASES: tuple[tuple[Value | dict[str, int], str], ...] = (
    ("3 Results", "What comes after the Methods?"),
    ("3 Results", "Which section comes before the Conclusions?"),
    ("3 Results", "Which section is the longest?"),
    ("4 Conclusions", "Which section comes after the Results?"),
    ("4 Conclusions", "Which section precedes the appendix?"),
    ("2.2 Weather", "Which section follows section 2.1?"),
    ("yes", "Does the paper have an appendix?"),
    ("yes", "Does this manuscript include a conclusion?"),
    ("yes", "Is there a conclusions section in the paper?"),
    ("yes", "Does the paper have an abstract?"),
    ("yes", "Are there any figures in the paper?"),
    ("yes", "Does the paper contain tables?"),
    ("yes", "Is there a reference list?"),
    ("yes", "Does the article have subsections?"),
    ("yes", "Is reference 1 cited in the Introduction?"),
    ("yes", "Is reference 2 cited in the Methods?"),
    ("yes", "Does the Introduction cite reference 2?"),
    ("yes", "Does the Methods section cite [4]?"),
    ("yes", "Is Birch (2005) cited in the Introduction?"),
    ("yes", "Is Figure 1 mentioned in the Introduction?"),
    ("yes", "Does the Results section refer to Table 2?"),
    ("yes", "Is Table 1 discussed in the Results?"),
    ("yes", "Is reference 4 cited?"),
    ("yes", "Is reference 1 ever cited in the text?"),
    ("yes", "Is Figure 2 referred to in the text?"),
    ("no", "Is there an acknowledgements section?"),
    ("no", "Does the paper have a discussion?"),
    ("no", "Does the article contain any equations?"),
    ("no", "Are there footnotes?"),
    ("no", "Is reference 4 cited in the Introduction?"),
    ("no", "Does the Introduction cite reference 3?"),
    ("no", "Is reference 3 cited?"),
    ("no", "Is Table 1 mentioned in the Introduction?"),
    ("no", "Does the Introduction refer to Figure 2?"),
    ("no", "Does the Results section cite reference 1?"),
    (3, "How often is reference 2 cited?"),
    (3, "How many times is Birch (2005) cited?"),
    (3, "How many rows does Table 1 have?"),
    (3, "How many columns are there in Table 1?"),
    ("2", "Which reference is cited most often?"),
    (["1", "4"], "Which references are cited together with reference 2?"),
    (["1", "4"], "Which works are cited together with Birch (2005)?"),
    (["bees", "meadows", "mowing"], "What are the keywords?"),
    (["Institute of Meadows, Northtown", "University of Southtown, Southtown"], "Where do the authors work?"),
    ("3 March 2019", "When was the paper received?"),
    ("14 June 2019", "When was the paper accepted?"),
    ("2 July 2019", "What is the publication date?"),
    (["mira.holm@meadows.example"], "What is the e-mail address of the corresponding author?"),
    (["Mira Holm", "Tomas Vale"], "Who are the authors?"),
    ("Map of the meadows and their paths.", "What is the caption of the first figure?"),
    ("Bees counted in each month.", "What does the second figure show?"),
    ("Bees counted in each month.", "What is the caption of the last figure?"),
    ("Height of the grass.", "What is the title of the last table?"),
    ("Height of the grass.", "What does the second table show?"),
    ("Figure 1", "Which figure shows the map of the meadows?"),
    ("Figure 1", "What figure depicts the meadows and their paths?"),
    ("Table 2", "Which table lists the height of the grass?"),
    ("Table 2", "Which table gives the grass height?"),
    ("River bank", "Which row of Table 1 has the highest flower cover?"),
    ("River bank", "In Table 1, which place has the largest flower cover?"),
    ("Road verge", "Which row has the lowest flower cover in Table 1?"),
    ("Road verge", "Which place in Table 1 has the fewest bees?"),
    ("Road verge", "According to the first table, which place has the smallest flower cover?"),
    ("Orchard", "Which place has the most bees in Table 1?"),
    ("Orchard", "Which row of the first table has the maximum bees?"),
    ("%", "What is the unit of flower cover in Table 1?"),
    ("cm", "What is the unit of height in Table 2?"),
    ("cm", "In which unit is the height given in the second table?"),
    ("cm", "What is the unit of the height?"),
    ("12.5", "What is the flower cover on the road verge?"),
    ("12.5", "Flower cover of the road verge?"),
    ("12.5", "What flower cover was found for the road verge?"),
    ("85", "How many bees were counted in the orchard?"),
    ("85", "What is the number of bees for the orchard?"),
    ("35", "What was the height in June?"),
    ("35", "What is the height of the grass in June?"),
    (1, "How many figures are in the Introduction?"),
    (1, "On which page does the Introduction begin?"),
    (1, "On which page does the Methods section start?"),
    (2, "How many tables are in the Results?"),
    (2, "On which page does the appendix begin?"),
    (2, "How many rows does Table 2 have?"),
    (CITED_IN, "How many references does each section cite?"),
    (CITED_IN, "How many references are cited in each of the sections?"),
    ({"Figure 1": 1, "Figure 2": 1}, "For each figure, how many sections mention it?"),
    ({"Figure 1": 1, "Figure 2": 1}, "How many sections mention each figure?"),
)
"""A question of each kind; `questions/wishes.txt` has its other wordings."""


def indexed(folder: Path, pages: Pages) -> PaperGraph:
    write_paper(folder / "in" / "meadow", pages)
    (outcome,) = index_all(find_papers([folder / "in" / "meadow"], folder / "runs"), workers=1)
    assert outcome.run is not None
    return PaperGraph.load(Path(outcome.run))


@pytest.fixture(scope="module")
def meadow(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    return indexed(tmp_path_factory.mktemp("breadth"), PAGES)


def ask(question: str, paper: PaperGraph) -> Answer:
    given = answer(Question("q", question), paper)
    assert verify(given, {paper.id: paper}).issues == ()
    assert not given.dropped
    return given


@pytest.mark.parametrize(("value", "question"), CASES)
def test_value(value: Value, question: str, meadow: PaperGraph) -> None:
    assert ask(question, meadow).value == value


def claim_of(question: str, meadow: PaperGraph) -> Claim:
    (claim,) = ask(question, meadow).claims
    return claim


def test_how_often_has_every_call_out_as_evidence(meadow: PaperGraph) -> None:
    claim = claim_of("How often is reference 2 cited?", meadow)
    assert (claim.text, claim.count) == ("Reference 2 is cited 3 times.", 3)
    assert [place.quote for place in claim.evidence] == ["[1, 2]", "[2]", "[2, 4]"]
    assert len({place.node for place in claim.evidence}) == 2


def test_no_comes_with_what_was_looked_through(meadow: PaperGraph) -> None:
    given = ask("Is reference 4 cited in the Introduction?", meadow)
    assert (given.found, given.value) == (False, "no")
    assert given.searches == ("call-outs of Reference 4 in Introduction",)


def test_a_list_of_authors_that_is_cut_names_the_first_ones_and_ranks_nothing(tmp_path: Path) -> None:
    *pages, last = PAGES
    cut = tuple((label, box, text.replace("Dogwood D.", "Dogwood D, Elm E, et al.")) for label, box, text in last)
    paper = indexed(tmp_path, (*pages, cut))
    (claim,) = ask("Who wrote reference 4?", paper).claims
    assert claim.text == "The first authors of Reference 4 are: Dogwood, D; Elm, E."
    assert ask("Which reference has the most authors?", paper).mode == "passages"


def test_the_highest_value_comes_with_row_column_and_cell(meadow: PaperGraph) -> None:
    claim = claim_of("Which place has the greatest flower cover according to Table 1?", meadow)
    assert claim.text == "Table 1: River bank has the greatest Flower cover (%), 48.0."
    assert {place.quote for place in claim.evidence} == {"River bank", "Flower cover (%)", "48.0"}


@pytest.mark.parametrize(
    "question",
    [
        "What is the flower cover?",  # of which place?
        "What is the cover on the river in June?",  # half of two tables
        "Which row of Table 1 has the highest rainfall?",
        "Which figure shows the snow of winter?",
        "What licence is the paper under?",
        "When was the manuscript revised?",
        "Where did the bees work?",
        "Does the study have limitations?",  # which may be told anywhere
        "Which experiment comes after the Methods?",
        "Is reference 2 right about the Introduction?",
    ],
)
def test_what_is_not_sure_is_left_to_the_text(question: str, meadow: PaperGraph) -> None:
    assert look_up(Question("q", question), meadow) is None
    assert loose_cell(question, meadow) is None


def test_two_cells_that_fit_are_no_answer(meadow: PaperGraph) -> None:
    assert loose_cell("What is the flower cover of the river bank?", meadow) is not None
    assert loose_cell("What are flower cover and bees of the river bank?", meadow) is None


def test_a_count_counts_things_and_no_spans(meadow: PaperGraph) -> None:
    """Pieces of one text are one paragraph; call-outs of a text and cells of a table are things of their own."""

    def count_issues(text: str, places: list[Evidence]) -> list[str]:
        claim = Claim(text, tuple(places), count=int(text.split()[-2]))
        return [issue.component for issue in claim_issues(claim, {meadow.id: meadow}, text)]

    host, other, *_ = (node for node in meadow.of_kind("Paragraph") if len(node.text) > 20)
    pieces = [evidence(meadow, host.iri, *match.span()) for match in re.finditer(r"\b[a-z]{4,}\b", host.text)][:2]
    assert count_issues("The paper has 1 paragraph.", pieces[:1]) == []
    assert count_issues("The paper has 2 paragraphs.", pieces) == ["count"]
    assert count_issues("The paper has 2 paragraphs.", [pieces[0], evidence(meadow, other.iri)]) == []
    assert count_issues("The paper has 2 paragraphs.", pieces[:1] * 2) == ["twice"]
    assert count_issues("The paper has 1 figure.", pieces[:1]) == ["count"], "a paragraph is no figure"
    assert count_issues("Of 1 paragraph there is 2 more.", pieces[:1]) == ["count"], "the number is in its place"
    calls = [evidence(meadow, iri, one.start, one.end) for iri, many in meadow.mentions.items() for one in many]
    calls = [one for one in calls if one.node == calls[0].node]
    assert len(calls) > 1
    assert count_issues(f"That is cited {len(calls)} times.", calls) == []
    table = meadow.of_kind("Table")[0]
    names = [evidence(meadow, table.iri, *match.span()) for match in re.finditer(r"(?m)^[^|\n]+(?= \|)", table.text)]
    assert count_issues(f"Table 1 has {len(names)} rows.", names) == []
    longer = [evidence(meadow, table.iri, names[0].start, names[0].end + 3), *names[1:]]
    assert count_issues(f"Table 1 has {len(names)} rows.", longer) == ["count"], "a span that is no cell"


@pytest.mark.parametrize("piece", ["when date ", "is there any ", "is longest ", "which institutions ", "units of @ "])
def test_a_hostile_question_is_read_in_no_time(piece: str) -> None:
    assert linear(read_question, piece * 400)


def test_boxes_have_figures_of_their_own(tmp_path: Path) -> None:
    page = (
        ("title", "[[100, 60, 900, 100]]", "# Bees"),
        ("sub_title", "[[100, 120, 300, 140]]", "## Introduction"),
        ("text", "[[100, 150, 900, 200]]", "Bees are drawn in Figure 1."),
        ("image", "[[100, 220, 900, 300]]", ""),
        ("figure_title", "[[100, 310, 900, 330]]", "Figure 1. A bee."),
        ("image", "[[100, 420, 900, 500]]", ""),
        ("figure_title", "[[100, 510, 900, 530]]", "Box figure 1. A hive in a box."),
    )
    paper = indexed(tmp_path, (page,))
    given = look_up(Question("q", "How many figures does the paper have?"), paper)
    assert given is not None
    assert given.value == 1


def test_a_name_with_an_initial_is_completed_from_the_entry(tmp_path: Path) -> None:
    page = (
        ("title", "[[100, 60, 900, 100]]", "# Stones"),
        ("sub_title", "[[100, 120, 300, 140]]", "## Introduction"),
        ("text", "[[100, 150, 900, 200]]", "Stones were sorted (R Core Team, 2012) and weighed (Ash, 2001)."),
        ("sub_title", "[[100, 220, 300, 240]]", "## References"),
        ("text", "[[100, 250, 900, 270]]", "Ash, A. (2001). Heavy stones. Rocks, 1, 1-9."),
        ("text", "[[100, 280, 900, 300]]", "R Core Team (2012). R: a language for sorting. R Foundation."),
    )
    paper = indexed(tmp_path, (page,))
    assert [label(paper, entry) for entry in paper.references.values()] == ["Ash 2001", "R Core Team 2012"]


def test_a_figure_in_a_section_is_one_that_stands_there(meadow: PaperGraph) -> None:
    assert claim_of("How many tables are in the Results?", meadow).text == "Results contains 2 tables."
    assert claim_of("How many tables do the Results refer to?", meadow).text == "Results refers to 2 tables."
    assert ask("How many figures are in the Methods?", meadow).value == 0


PAPER_AS_PRINTED: tuple[tuple[str, Value], ...] = (
    ("Who is the first author?", "Mira Holm"),
    ("Who is the senior author of the paper?", "Tomas Vale"),
    ("How many authors does the paper have?", 2),
    ("How many pages does the paper have?", 2),
    ("On which pages is Table 2?", 2),
    ("Who is the corresponding author?", "mira.holm@meadows.example"),
    ("To whom should correspondence be sent?", "mira.holm@meadows.example"),
    ("Who is the first author of reference 2?", "Birch, B"),
)


@pytest.mark.parametrize(("question", "value"), PAPER_AS_PRINTED)
def test_what_is_asked_of_the_paper_as_printed(question: str, value: Value, meadow: PaperGraph) -> None:
    given = ask(question, meadow)
    assert (given.value, [claim.confidence for claim in given.claims]) == (value, [1.0])


TURNED: tuple[tuple[str, Value], ...] = (
    ("Which references are not cited in the Results?", ["1", "2", "3", "4"]),
    ("Which references does the Introduction never cite?", ["3", "4"]),
    ("How many references aren't cited in the Methods?", 2),
    ("How many references were published after 2004?", 3),
    ("Which references are by Cedar?", ["3"]),
    ("What is the oldest reference?", ["1"]),
)


@pytest.mark.parametrize(("question", "value"), TURNED)
def test_what_turns_a_question_round_turns_its_answer(question: str, value: Value, meadow: PaperGraph) -> None:
    given = ask(question, meadow)
    assert (given.value, [claim.confidence for claim in given.claims]) == (value, [1.0])


@pytest.mark.parametrize(
    "question", ["What does Figure 2 not show?", "Who is the third author?", "How many words does the abstract have?"]
)
def test_what_cannot_be_said_is_not_answered_by_its_opposite_or_by_a_sentence(
    question: str, meadow: PaperGraph
) -> None:
    given = ask(question, meadow)
    assert not given.found
    assert given.searches


def test_a_title_with_a_formula_is_found_where_it_is_printed(tmp_path: Path) -> None:
    first = (
        ("title", "[[100, 60, 900, 100]]", "# Wax at \\( 20^{\\circ} \\)C and \\( ^{14} \\)C in bees"),
        *PAGES[0][1:],
    )
    paper = indexed(tmp_path, (first, *PAGES[1:]))
    given = ask("What is the title?", paper)
    assert given.value == paper.title
    assert "¹⁴C" in paper.title
    assert given.claims[0].evidence[0].page == 1


@pytest.mark.parametrize("holds", [True, False])
def test_no_value_without_its_claims(meadow: PaperGraph, holds: bool) -> None:
    first, second, *_ = (evidence(meadow, entry.iri) for entry in meadow.references.values())
    other = Claim("[2] Birch B.", (second if holds else replace(second, page=second.page + 1),))
    found = Found((Claim("[1] Ash A.", (first,)), other), ["[1] Ash A.", "[2] Birch B."])
    given = compose(Question("q", "Which references are there?"), meadow, [(Query("reference"), found)])
    assert (given.value, len(given.claims), len(given.dropped)) == (
        (["[1] Ash A.", "[2] Birch B."], 2, 0) if holds else (None, 1, 1)
    )


def test_journals_by_their_call_outs(meadow: PaperGraph) -> None:
    given = look_up(Question("q", "Which journals are cited most often?"), meadow)
    assert given is not None
    assert given.value == ["Meadows"]
