"""The twelve questions on two real papers: exact answers against facts read off their pages, and the offline agent.

The facts are numbers, labels and titles; the papers' text is not kept here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from kag.agents.read.asking import open_runs
from kag.agents.read.read_options import ReadOptions, checked
from kag.core.evidence import Answer
from kag.core.trajectory import Trajectory
from kag.indexing.batch import find_papers, index_all
from kag.qa.answer_batch import assign
from kag.qa.checking.verify import verify
from kag.qa.library import Library, open_library
from kag.qa.questions.file import read_questions

Answered = tuple[Answer, set[str]]
FOLDERS = {"chemrxiv": "chemrxiv_ocr", "pet": "pet_test_ocr"}


@dataclass(frozen=True)
class Fact:
    """What a right answer has: a value, words of its text in this order, and blocks in its evidence."""

    value: object = None
    says: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


FACTS = {
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
def answers(library: Library, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answered]:
    """Every answer of the offline policy, with the views that it used."""
    work = tmp_path_factory.mktemp("reference_answers")
    questions = read_questions(shared / "data" / "kag_reference" / "kag_qa_tasks.json")
    found: dict[str, Answered] = {}
    with open_runs(library, checked(ReadOptions(lm="offline")), work) as asking:
        for question, put in zip(questions, assign(questions, library), strict=True):
            trajectory = Trajectory()
            answer, _ = asking.respond(put, trajectory)
            assert verify(answer, library).issues == (), question.id
            found[question.id] = answer, {step.name for step in trajectory if step.kind == "tool"}
    return found


@pytest.mark.parametrize("name", FACTS)
def test_exact(name: str, answers: dict[str, Answered]) -> None:
    (given, _), fact = answers[name], FACTS[name]
    assert given.mode == "exact"
    if fact.value is not None:
        assert given.value == fact.value
    after = 0
    for words in fact.says:
        assert words in given.text[after:], words
        after = given.text.index(words, after)
    shown = {place.node.rpartition("/")[2] for claim in given.claims for place in claim.evidence}
    assert set(fact.blocks) <= shown


def test_the_offline_agent_answers_the_others_through_the_five_views(answers: dict[str, Answered]) -> None:
    assert len(answers) == 12
    for name in answers.keys() - FACTS.keys():
        given, used = answers[name]
        assert (given.mode, given.label, given.stopped) == ("agent", "offline-policy/1", "")
        assert given.claims, name
        assert used >= {"g_search", "g_section_content", "g_node_detail", "g_figure_info", "g_node_refs"}
