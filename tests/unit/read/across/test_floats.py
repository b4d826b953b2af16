"""A figure or table that a question names is no other one, over many papers either."""

from __future__ import annotations

from pathlib import Path

import pytest

import kag
from kag.read.across.choose import prints_floats

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.parametrize(
    ("question", "sentence", "so"),
    [
        ("What does Table 4 show?", "Table 1 lists herons.", False),
        ("What does Table 4 show?", "Figure 4 shows herons.", False),
        ("What does Table 4 show?", "Herons are listed (table 4).", True),
        ("What is in fig. 2?", "FIGURE 2 Herons by lake.", True),
        ("How do Figure 2 and Table 3 differ?", "Figure 2 has herons.", False),
        ("How many herons nest here?", "Table 1 lists herons.", True),
    ],
)
def test_a_sentence_prints_what_is_named(question: str, sentence: str, so: bool) -> None:
    assert prints_floats(question, sentence) is so


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> kag.Corpus:
    made = kag.Corpus(tmp_path_factory.mktemp("corpus") / "library")
    for name in ("reservoir_sensors", "urban_pollinators"):
        made.add(ROOT / "test_data" / name)
    return made


def test_what_no_paper_has_is_not_told_by_another(corpus: kag.Corpus) -> None:
    assert not corpus.ask("What does Table 9 show?").found
    assert not corpus.ask("What does Figure 9 show?").found


def test_what_several_have_is_told(corpus: kag.Corpus) -> None:
    answer = corpus.ask("What is shown in Figure 2?")
    assert answer.found
    assert all("2" in claim.text for claim in answer.claims)
