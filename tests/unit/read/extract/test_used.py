"""What a study used: which questions ask for it, which sentences name it, and that only what is open is so told."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.evaluate.answers.text_set_score import indexed
from kag.evaluate.answers.text_sets import Text
from kag.questions.file import Question
from kag.read.checking.verify import verify
from kag.read.exact.compose import answer
from kag.read.extract.used import MOST, SURE, used
from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage, passages

PARTS = (
    ("Introduction", "Many a dataset of bird songs has been collected by others, such as SongBase and TrillNet."),
    ("Related work", "Poe used the models WarbleNet and ChirpNet, and the corpus TrillNet."),
    (
        "Data",
        "We use two datasets, HeronSongs and MarshCalls, which contain 14,200 recordings. All were cleaned by hand.",
    ),
    (
        "Experiments",
        "We compare our model with two baselines, WarbleNet [3] and a linear SVM. We report accuracy and F1.",
    ),
    ("Discussion", "The data could be larger. Reeds were cut in March."),
)
HERONS = SearchIndex([Passage(title, text, kind="paragraph", path=(title,)) for title, text in PARTS])


def told(question: str, index: SearchIndex = HERONS) -> list[str]:
    return [index.passages[one.number].text[one.start : one.end] for one in used(question, index)]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What datasets are used?", "We use two datasets"),
        ("which data do they train on?", "We use two datasets"),
        ("What baselines do they compare with?", "We compare our model"),
        ("Which metrics are reported?", "We report accuracy"),
        ("What models did previous work use?", "Poe used the models"),
    ],
)
def test_what_was_used(question: str, first: str) -> None:
    assert told(question)[0].startswith(first)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How big is the dataset?", "We crawled 4,100 reviews"),
        ("What is the size of the corpus?", "We crawled 4,100 reviews"),
    ],
)
def test_how_much_of_it(question: str, first: str) -> None:
    text = "The dataset is new. We crawled 4,100 reviews of 3 towns, and 52 users. The model has 3 layers."
    index = SearchIndex([Passage("a", text, kind="paragraph", path=("Dataset",))])
    assert told(question, index)[0].startswith(first)


@pytest.mark.parametrize(
    "question",
    [
        "What is a language model?",
        "Why were these datasets used?",
        "How big is a heron?",
        "Which birds were seen?",
        "What data on the winter sleep of herons in frozen marshes are given?",
        "Which task force was founded?",
        "Which neural baselines do they compare with?",
    ],
)
def test_what_is_not_so_told(question: str) -> None:
    assert told(question) == []


def test_a_text_that_names_nothing() -> None:
    assert (
        told("What datasets are used?", SearchIndex([Passage("a", "The data could be larger.", kind="paragraph")]))
        == []
    )


def test_an_answer_that_is_a_guess(tmp_path: Path) -> None:
    text = Text("herons", "a", tuple((title, (said,)) for title, said in PARTS), (), ())
    papers = indexed([text], tmp_path)
    given = answer(Question("q", "What baselines are used?"), papers["herons"], SearchIndex(passages(papers["herons"])))
    assert "WarbleNet [3]" in given.claims[0].text
    assert given.claims[0].confidence == SURE
    assert len(given.claims) <= MOST
    assert verify(given, papers).conforms
