"""Questions put to all articles together."""

from __future__ import annotations

from kag.evaluate.answers.pooled import Pooled, pooled_rows

ARTICLES = [
    {
        "doc_id": "roofs",
        "paragraphs": ["Roofs are old here.", "Moss splits slate in 12 days.", "Nothing else is known of it."],
        "questions": [{"question": "What does moss split?", "answer": "slate", "evidence": [1]}],
    },
    {
        "doc_id": "ice",
        "paragraphs": ["Ice hides sensors.", "Rivers freeze in winter.", "Snow hides sensors as well."],
        "questions": [{"question": "What hides sensors under snow?", "answer": "Ice", "evidence": [1]}],
    },
]


def test_figures_are_shares() -> None:
    found = [Pooled(0, 1, 3, True, 2, 3, False, True), Pooled(1, 4, 0, False, 0, 0, True, True)]
    development, other, everything = pooled_rows(found)
    assert (development["recall@1"], development["bm25@1"], development["bm25@3"]) == (1.0, 0.0, 1.0)
    assert (other["recall@3"], other["recall@5"], other["wrongly silent"]) == (0.0, 1.0, 1.0)
    assert everything["silent without the article"] == 1.0
