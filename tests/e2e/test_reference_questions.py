"""Twelve questions on two real papers without a model: exact answers, and passages, against facts on their pages.

The facts are numbers, labels and titles; the papers' text is not kept here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from kag.questions.file import read_questions
from kag.read.answering import answer
from kag.read.checking.verify import verify
from kag.read.library import Library, open_library
from kag.values.evidence import Answer
from kag.write.batch import find_papers, index_all

FOLDERS = {"chemrxiv": "chemrxiv_ocr", "pet": "pet_test_ocr"}


@dataclass(frozen=True)
class Fact:
    """What a right answer has: a value, words of its text in this order, and blocks in its evidence."""

    value: object = None
    says: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


STRUCTURED = {
    "chemrxiv_structural_01": Fact(
        [
            "Abstract",
            "Introduction",
            "Results and Discussion",
            "Thermal Reversibility & Thermodynamics",
            "Reaction Kinetics and Energy Barriers",
            "X-ray Crystallography",
            "Conclusions",
            "Author Contributions",
            "Conflicts of interest",
            "Acknowledgements",
            "Notes and references",
        ],
        ("11 sections",),
    ),
    "chemrxiv_citation_01": Fact([str(number) for number in range(1, 28)]),
    "chemrxiv_cross_ref_01": Fact(
        says=("Figure 4", "TMAnnBu", "every 20", "Thermal Reversibility & Thermodynamics"), blocks=("b_p004_0006",)
    ),
    "pet_structural_01": Fact(
        says=(
            "ARTICLE INFO", "A B S T R A C T", "1. Introduction", "2. Experimental", "2.1. ", "2.2. ", "2.3. ", "2.4. ",
            "2.5. ", "3. Results and discussion", "3.1. ", "3.2. ", "3.3. ", "4. Conclusion", "Conflict of interest",
            "Acknowledgements", "Supplementary data", "References",
        ),
    ),
    "pet_citation_01": Fact(
        37,
        (
            "37", "[1] Immune-mediated mechanisms", "[2] Immunotherapy", "[3] Antibody therapy", "[4] The function of",
            "[5] ",
        ),
    ),
    "pet_cross_ref_01": Fact(says=("Injected Doses", "page 5"), blocks=("b_p004_0015", "b_p005_0010")),
}  # fmt: skip
CONTENT = {
    "chemrxiv_content_01": "b_p001_0004", "chemrxiv_synthesis_01": "b_p006_0010", "chemrxiv_content_02": "b_p005_0006",
    "pet_content_01": "b_p004_0014", "pet_synthesis_01": "b_p008_0005", "pet_content_02": "b_p004_0012",
}  # fmt: skip


@pytest.fixture(scope="module")
def library(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Library:
    data = shared / "data" / "kag_reference"
    if not (data / "kag_qa_tasks.json").is_file():
        pytest.skip("the two real papers and their questions are not on this machine")
    runs = tmp_path_factory.mktemp("reference_runs")
    outcomes = list(index_all(find_papers([data / name for name in FOLDERS.values()], runs), workers=1))
    assert all(outcome.run for outcome in outcomes)
    return open_library(runs)


@pytest.fixture(scope="module")
def answers(library: Library, shared: Path) -> dict[str, Answer]:
    """Every answer, once it has been verified."""
    found: dict[str, Answer] = {}
    for question in read_questions(shared / "data" / "kag_reference" / "kag_qa_tasks.json"):
        paper = library[next(name for name in library if name.startswith(question.paper))]
        given = answer(question, paper)
        assert verify(given, {paper.id: paper}).issues == (), question.id
        found[question.id] = given
    return found


@pytest.mark.parametrize("name", STRUCTURED)
def test_right(name: str, answers: dict[str, Answer]) -> None:
    given, fact = answers[name], STRUCTURED[name]
    if fact.value is not None:
        assert given.value == fact.value
    after = 0
    for words in fact.says:
        assert words in given.text[after:], words
        after = given.text.index(words, after)
    shown = {place.node.rpartition("/")[2] for claim in given.claims for place in claim.evidence}
    assert set(fact.blocks) <= shown


@pytest.mark.parametrize("name", CONTENT)
def test_what_the_text_says_is_in_the_passages(name: str, answers: dict[str, Answer]) -> None:
    given = answers[name]
    assert (given.mode, given.found) == ("passages", False)
    assert CONTENT[name] in {iri.rpartition("/")[2] for passage in given.passages for iri in passage.nodes}


def test_nothing_was_asked_that_has_no_fact(answers: dict[str, Answer]) -> None:
    assert set(answers) == {*STRUCTURED, *CONTENT}
