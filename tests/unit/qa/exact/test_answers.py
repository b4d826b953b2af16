"""Answers to the small paper, value by value; the fixture verifies each of them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

import kag
from kag.core.shapes import misfit
from kag.indexing.batch import find_papers, index_all
from kag.qa.answering import answer
from kag.qa.checking.verify import verify
from kag.qa.exact.front import FRONT
from kag.qa.exact.grid import meet
from kag.qa.exact.labels import bare, called, captions, without_label
from kag.qa.exact.properties import is_short_for
from kag.qa.exact.resolve import floats, sections, works
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from kag.qa.questions.structured_query import Name
from tests.papers import PAGES, write_paper
from tests.unit.qa.exact.conftest import Ask

Way = Literal["number", "title", "words", "label", "role"]

VALUES = {
    "Name the main sections in order.": ["Abstract", "1 Introduction", "2 Methods", "References"],
    "List all sections and subsections.": ["Abstract", "1 Introduction", "2 Methods", "2.1 Sites", "References"],
    "How many sections are there?": 5,
    "How many top-level sections does the paper have?": 4,
    "How are the methods divided?": ["2.1 Sites"],
    "How many subsections has section 2?": 1,
    "How many figures has the paper?": 1,
    "Which section follows the Introduction?": "2 Methods",
    "Which sections follow the Introduction?": ["2 Methods", "References"],
    "Which subsections does the Introduction have?": [],
    "Is there a first figure?": "yes",
    "Is there a third figure?": "no",
    "Which references has the Introduction?": ["1", "2"],
    "Which subsections does section 2 have?": ["2.1 Sites"],
    'Which section does the subsection "Sites" belong to?': "2 Methods",
    "On which page does the Introduction begin?": 1,
    "How many works are in the bibliography?": 3,
    "How many figures and how many tables are there?": {"figures": 1, "tables": 1},
    "Which references does the Introduction cite?": ["1", "2"],
    "How many references are cited in the Introduction?": 2,
    "Where is reference 2 cited?": ["Introduction"],
    "In which sections is Roe (2000) cited?": ["Introduction"],
    "Where is the paper on snow on rivers cited?": ["Introduction"],
    "In which sections is Figure 1 mentioned?": ["Introduction"],
    "Which sections point to Table 1?": ["Introduction"],
    "Which figures does the Introduction refer to?": ["Figure 1"],
    "In which section does Table 1 stand?": "Sites",
    "On which page is Table 1?": 2,
    "What does Fig. 1 show?": "Sensors lost in each month.",
    "What is the title of reference 3?": "Fog on rivers",
    "When was reference 3 published?": "2001",
    "In which journal did [2] appear?": "Rivers",
    "Who wrote reference 1?": ["Poe, E"],
    "On which pages is reference 2, and what are its pages?": "10–19",
    'What does Table 1 give for "Upper" under "Lost"?': "3",
    "Which columns does Table 1 have?": ["Site", "Lost"],
    "What is the title of this paper?": "Sensors under river ice",
    "How many sections are there, and what are their titles?": [
        "Abstract",
        "1 Introduction",
        "2 Methods",
        "2.1 Sites",
        "References",
    ],
    "Does the Introduction cite anything?": "yes",
    "Does section 2 cite any literature?": "no",
    "How long is the bibliography?": 3,
    "Which sites appear in Table 1?": ["Upper"],
    "What is Lost for Upper in Table 1?": "3",
    "Which reference is older, [1] or [3]?": "Reference 1",
    "Which reference is newer, Poe 1999 or reference 2?": "Reference 2",
    "Which references are from Rivers?": ["1", "2", "3"],
    "What did Poe write?": ["1"],
    "Which work gets the most in-text mentions?": "2",
    "How many in-text citations does reference 1 have?": 1,
    "What is this paper called?": "Sensors under river ice",
    "Who wrote reference 2, and in what journal?": ["Roe, E"],
    "Is Poe cited in the Introduction?": "yes",
    "Does section 2.1 exist?": "yes",
    "What is the title of the Roe paper?": "Snow on rivers",
    "How many references are from Rivers, and what are their numbers?": ["1", "2", "3"],
    "How often is reference 2 cited, and where?": 2,
    "Reference [2] is cited in which part of the paper?": ["Introduction"],
}


@pytest.mark.parametrize("question", VALUES)
def test_value(ask: Ask, question: str) -> None:
    assert ask(question).value == VALUES[question]


def test_every_reference_that_is_listed_has_its_own_call_out(ask: Ask, ice: PaperGraph) -> None:
    (claim,) = ask("Which references does the Introduction cite?").claims
    assert claim.text == "1 Introduction cites references 1, 2."
    assert [place.quote for place in claim.evidence] == ["1 Introduction", "[1, 2]"]


def test_a_part_of_a_question_keeps_its_order(ask: Ask) -> None:
    texts = [claim.text for claim in ask("What does Figure 1 show, and which sections mention it?").claims]
    assert texts == ["Figure 1: Sensors lost in each month.", "Figure 1 is referred to in: 1 Introduction."]


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("What does Figure 9 show?", "figure 9"),
        ("What is the title of reference 77?", "reference 77"),
        ("Where is Nobody (1901) cited?", "reference Nobody 1901"),
        ("Where is reference 3 cited?", "citations of Reference 3"),
        ("What is the DOI of reference 1?", "DOI of Reference 1"),
        ("What does Table 9 say about ice?", "table 9"),
    ],
)
def test_what_is_not_there_is_said_with_what_was_tried(ask: Ask, question: str, searched: str) -> None:
    given = ask(question)
    assert (given.mode, given.found) == ("exact", False)
    assert given.searches == (searched,)


@pytest.mark.parametrize(
    "question",
    [
        "Which papers have a figure?",  # of cited works nothing but their entries is known
        "Which papers have an abstract?",
        "Which table has the most rows?",  # rows are counted in a table that is named
        "Which references are from Glaciers?",  # a journal may be printed in a form that is not known
        "Is Nobody cited in the Introduction?",  # a name that no entry has may be none of an author
        "What does Supplementary Table 9 say about ice?",
        "In Table 9 of reference 1, how many rows are there besides those of Table 1?",
        "What did Figure 9 of Smith et al. 2010 show?",  # not this paper's
        "How does this differ from Table 9 in [1]?",
        "What is Lost for Upper in Table 1 or Table 2?",
        "Which sections mention Sites?",  # perhaps the word, and not the section
    ],
)
def test_what_is_not_in_the_graph_of_one_paper_has_no_exact_answer(ask: Ask, question: str) -> None:
    assert ask(question).mode == "passages"


def test_an_author_s_affiliations_are_those_of_the_marks(tmp_path: Path) -> None:
    first, second = PAGES
    people = (
        "text",
        "[[100, 132, 900, 148]]",
        "\\( ^{1} \\) Institute of Ice, Oslo\n\\( ^{2} \\) River College, Bergen",
    )
    write_paper(tmp_path / "in" / "ice", ((*first[:2], people, *first[2:]), second))
    (outcome,) = index_all(find_papers([tmp_path / "in" / "ice"], tmp_path / "runs"), workers=1)
    assert outcome.run is not None
    paper = PaperGraph.load(Path(outcome.run))
    for question in ("Where does Jon Berg work?", "What is the affiliation of the second author?"):
        given = answer(Question("q", question), paper)
        assert (given.mode, given.value) == ("exact", ["River College, Bergen"])
        assert verify(given, {paper.id: paper}).issues == ()
    assert answer(Question("q", "To which institute does Jon Poe belong?"), paper).mode == "passages"


def test_a_damaged_front_record_is_named() -> None:
    assert misfit({"authors": [{"name": "Jon Berg", "affiliations": 5}]}, FRONT)
    assert not misfit({"authors": [{"name": "Jon Berg", "marks": ["1"], "affiliations": ["Oslo"]}, {}]}, FRONT)


@pytest.mark.parametrize(
    ("short", "name", "same"),
    [
        ("J. Ethnopharmacol.", "Journal of Ethnopharmacology", True),
        ("Proc Natl Acad Sci", "Proceedings of the National Academy of Sciences", True),
        ("J. Ethnopharmacol.", "Journal of Ethnology", False),
        ("Nature", "Nature Communications", False),
        ("Sci", "Science", False),  # one word is no pattern
    ],
)
def test_a_journal_has_its_abbreviated_title(short: str, name: str, same: bool) -> None:
    assert is_short_for(short, name) is same


def test_what_the_grammar_does_not_cover_is_asked_of_the_text(ask: Ask) -> None:
    given = ask("How many sites were chosen along the river?")
    best = given.passages[0]
    assert (given.mode, given.found) == ("passages", False)
    assert best.text[best.start : best.end] == "Twelve sites were chosen along the river."


@pytest.mark.parametrize(
    ("title", "without"),
    [
        ("3.2. Energy", "Energy"),
        ("3 Methods", "Methods"),
        ("1) Sampling", "Sampling"),
        ("3.1. 2.1. Dietary forms", "Dietary forms"),
        ("IV. Results", "Results"),
        ("Appendix B. Proofs", "Proofs"),
        ("3D printing", "3D printing"),
        ("A note on ice", "A note on ice"),
        ("In the field", "In the field"),
    ],
)
def test_a_number_is_not_part_of_a_title(title: str, without: str) -> None:
    assert bare(title) == without


def test_a_section_is_found_by_number_title_role_and_subject(ice: PaperGraph) -> None:
    def found(text: str, way: Way) -> list[str]:
        return [section.title for section in sections(ice, Name(text, way))]

    assert found("2.1", "number") == ["2.1 Sites"]
    assert found("METHODS", "title") == ["2 Methods"]
    assert found("methodology", "role") == ["2 Methods"]
    assert found("the sites", "words") == ["2.1 Sites"]
    assert found("Discussion", "role") == []


def test_a_work_is_found_by_number_label_and_subject(ice: PaperGraph) -> None:
    def found(text: str, way: Way) -> list[str]:
        return [entry.number for entry in works(ice, Name(text, way))]

    assert found("2", "number") == ["2"]
    assert found("Poe, 1999", "label") == ["1"]
    assert found("Poe 2000", "label") == []
    assert found("fog on rivers", "words") == ["3"]
    assert found("rivers", "words") == ["1", "2", "3"]
    assert found("mountain goats", "words") == []


def test_a_float_is_found_by_number_roman_number_and_panel(ice: PaperGraph) -> None:
    assert [node.label for node in floats(ice, "table", Name("I", "number"))] == ["Table 1"]
    assert [node.number for node in floats(ice, "figure", Name("1b", "number"))] == ["1"]
    assert floats(ice, "figure", Name("scheme 1", "label")) == ()


GRID = [["", "Depth", "Depth"], ["Site", "min", "max"], ["Upper", "1", "2"], ["", "3", "4"], ["Lower", "5", ""]]


def test_a_cell_stands_where_row_and_column_meet() -> None:
    assert [(row, column) for row, column, _, _ in meet(GRID, "max", "Upper")] == [(2, 2)]
    assert [(row, column) for row, column, _, _ in meet(GRID, "depth", "upper")] == [(2, 1), (2, 2)]
    assert meet(GRID, "max", "Lower") == []
    assert meet(GRID, "Width", "Upper") == []


PAPER = """<article><body><sec><title>Ice</title><p>Text.</p>
<fig id="f1"><label>Figure 1.</label><caption><p>Sensors.</p></caption></fig>
<fig id="f2"><label>Box 1—figure 1.</label><caption><p>Snow.</p></caption></fig></sec></body>
<back><app><title>Appendix 1</title>
<fig id="f3"><label>Appendix 1—Figure 1.</label><caption><p>Floes.</p></caption></fig>
<fig id="f4"><label>Appendix 1—Figure 1—figure supplement 2.</label><caption><p>Drift.</p></caption></fig>
</app></back></article>
"""


def test_names_of_figures_in_parts(tmp_path: Path) -> None:
    (tmp_path / "ice.xml").write_text(PAPER, encoding="utf-8")
    paper = kag.index(tmp_path / "ice.xml")
    (graph,) = paper.graphs.values()
    figures = graph.of_kind("Figure")
    assert [(called(graph, one), without_label(*captions(graph, one))) for one in figures] == [
        ("Figure 1", "Sensors."),
        ("Box 1—figure 1", "Snow."),
        ("Appendix 1—Figure 1", "Floes."),
        ("Appendix 1—Figure 1—figure supplement 2", "Drift."),
    ]
    assert paper.ask("List the figures.").text == "The figures are: Figure 1; Appendix 1—Figure 1."
