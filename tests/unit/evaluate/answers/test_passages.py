"""Marks of content answers on articles of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kag.evaluate.answers.passages import ablations, differences, outcomes, plain_order, read_articles, rows, token_f1

from kag.read.passage_index import SearchIndex
from kag.read.passages import Passage
from kag.values.errors import SourceError

ARTICLES = [
    {
        "doc_id": "roofs",
        "paragraphs": ["Roofs are old here.", "Moss splits slate in 12 days.", "Nothing else is known."],
        "questions": [{"question": "What does moss split?", "answer": "slate", "evidence": [1]}],
    },
    {
        "doc_id": "ice",
        "paragraphs": ["Ice hides sensors.", "Rivers freeze in winter."],
        "questions": [{"question": "What hides sensors?", "answer": "Ice hides sensors.", "evidence": [1]}],
    },
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "articles.jsonl"
    path.write_text("\n".join(map(json.dumps, ARTICLES)) + "\n", encoding="utf-8")
    return path


def test_each_question_is_marked_on_its_own_article_and_on_others(file: Path) -> None:
    moss, ice = outcomes(read_articles(file))
    assert (moss.article, moss.ours, moss.plain, moss.found, moss.right_passage) == ("roofs", 1, 1, True, True)
    assert moss.f1 == pytest.approx(2 / 7)
    assert (moss.foreign, moss.near) == (True, True)
    assert (ice.ours, ice.plain, ice.right_passage, ice.f1) == (0, 0, False, 1.0)


def test_figures_are_means(file: Path) -> None:
    found = outcomes(read_articles(file))
    everything = rows(found)[-1]
    assert (everything["articles"], everything["questions"]) == ("all", 2)
    assert (everything["recall@1"], everything["bm25@10"], everything["wrongly silent"]) == (0.5, 0.5, 0.0)
    assert [row["difference"] for row in differences(found)] == [0.0, 0.0, 0.0, 0.0]


def test_ablations_turn_features_off(file: Path) -> None:
    named = {row["ranking"]: row["recall@1"] for row in ablations(read_articles(file))}
    assert named["all"] == 0.5
    assert {"without passage", "without sentence", "without defines"} <= set(named)


def test_plain_bm25_counts_every_word_as_often_as_it_is_asked() -> None:
    found = SearchIndex(map(Passage, "012", ("moss is on it", "the ice", "the snow")))
    assert plain_order("the moss", found) == (0, 1, 2)
    assert plain_order("the the the the moss", found) == (1, 2, 0)


@pytest.mark.parametrize(
    ("said", "right", "f1"),
    [("The ice.", "an ICE", 1.0), ("ice", "moss", 0.0), ("", "", 0.0), ("ice ice", "ice", 2 / 3)],
)
def test_token_f1(said: str, right: str, f1: float) -> None:
    assert token_f1(said, right) == pytest.approx(f1)


@pytest.mark.parametrize("text", ["", "{", '{"doc_id": 1}', '{"doc_id": 1, "paragraphs": 3, "questions": []}'])
def test_a_file_of_another_form_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=r"bad\.jsonl"):
        read_articles(path)
