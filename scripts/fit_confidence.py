#!/usr/bin/env python3
"""Fit how sure a ranked sentence is: prints the constants of kag/read/extract/sure.py, and how well they hold.

    scripts/fit_confidence.py ../shared/data/covidqa/papers.jsonl.gz --natural QUESTIONS RUNS [--natural ...]

Two kinds of examples, each with half of the weight. Questions on articles (see `kag evaluate passages`): each is put to
its own article, to another drawn by hash, and to the nearest other, these with a quarter of the weight; right is a best
sentence of its own article that has the words of the answer, or half of them (F1). Natural questions (see
`kag evaluate natural`) that are left to ranked sentences: right is as there. The logistic is fitted on the articles
whose name's hash is even and on the questions of half a; calibration is told for these and for the others.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np

from kag.evaluate.calibration import expected_error
from kag.evaluate.passage_score import Article, Asking, _others, read_articles, token_f1
from kag.evaluate.qa_gold import even
from kag.evaluate.qa_natural import Natural, read_natural
from kag.questions.file import Question
from kag.read.exact.compose import look_up
from kag.read.exact.grid import loose_cell
from kag.read.extract.asking import asked, parts_of
from kag.read.extract.claims import claims_of
from kag.read.extract.content import select
from kag.read.extract.premise import without_strange_numbers
from kag.read.extract.ranking import rank
from kag.read.extract.replies import reply
from kag.read.extract.spelling import mended
from kag.read.extract.sure import Features, features
from kag.read.library import open_library
from kag.read.paper import PaperGraph
from kag.read.passage_index import SearchIndex
from kag.read.passages import passages

OTHERS, WORDING = 0.25, 0.5  # weights of a question on another article, and of a wording that is not the first
RIDGE = 1.0
Example = tuple[bool, Features, bool, float]  # whether it is fitted on, features, whether it is right, weight


def of_articles(articles: Sequence[Article]) -> Iterator[Example]:
    """The questions of articles, put to three articles each."""
    for article in articles:
        for asking in article.questions:
            others = _others(asking, [one for one in articles if one is not article])
            for where, weight in ((article, 1.0), *((other, OTHERS) for other in others)):
                row = _put(asking, where, own=where is article)
                if row:
                    yield article.half == 0, *row, weight


def _put(asking: Asking, article: Article, *, own: bool) -> tuple[Features, bool] | None:
    need = asked(asking.text)
    ranked = rank(need, article.index)
    if not ranked:
        return None
    best = ranked[0]
    text = article.index.passages[best.number].text[best.start : best.end]
    holds = _bare(asking.answer) in _bare(text) or token_f1(text, asking.answer) >= 0.5
    return features(ranked, best, need, article.index), own and holds


def _bare(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())


def of_natural(file: Path, runs: Path) -> Iterator[Example]:
    """The natural questions that are left to ranked sentences."""
    library, ready = open_library(runs), dict[str, SearchIndex]()
    for one in read_natural(file):
        if one.paper in library:
            paper = library[one.paper]
            index = ready.setdefault(one.paper, SearchIndex(passages(paper)) if one.paper not in ready else None)
            row = _asked(one, paper, index)
            if row:
                yield one.half == "a", *row, WORDING if one.wording else 1.0


def _asked(one: Natural, paper: PaperGraph, index: SearchIndex) -> tuple[Features, bool] | None:
    exact, of_print = look_up(Question(one.id, one.text), paper)
    text = mended(one.text, index)
    if exact is not None or of_print or loose_cell(one.text, paper) or len(parts_of(text)) > 1:
        return None
    need = without_strange_numbers(asked(text), index)
    ranked = rank(need, index)
    if not ranked or reply(text, text, paper, index):
        return None
    told = even(" ".join(claim.text for best in select(ranked) for claim in claims_of(best, 0.5, paper, index)))
    right = any(all(even(words) in told for words in words_of) for words_of in one.gold)
    return features(ranked, ranked[0], need, index), right


def fit(rows: np.ndarray, right: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The weights of a logistic, the intercept last, by Newton's method with a small ridge."""
    design = np.hstack([rows, np.ones((len(rows), 1))])
    found, ridge = np.zeros(design.shape[1]), RIDGE * np.eye(design.shape[1])
    ridge[-1, -1] = 0
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ found))
        gradient = design.T @ (weight * (p - right)) + ridge @ found
        hessian = design.T @ (design * (weight * p * (1 - p))[:, None]) + ridge
        found -= np.linalg.solve(hessian, gradient)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the constants of kag/read/extract/sure.py.")
    parser.add_argument("articles", type=Path)
    parser.add_argument("--natural", nargs=2, type=Path, action="append", default=[], metavar=("QUESTIONS", "RUNS"))
    given = parser.parse_args()
    sets = {"articles": list(of_articles(read_articles(given.articles)))}
    sets["natural"] = [one for file, runs in given.natural for one in of_natural(file, runs)]
    sets = {name: examples for name, examples in sets.items() if examples}
    used = [(one, sum(one[3] for one in some if one[0])) for some in sets.values() for one in some if one[0]]
    size = max(whole for _, whole in used)
    fitted = fit(
        np.array([astuple(one[1]) for one, _ in used]),
        np.array([float(one[2]) for one, _ in used]),
        np.array([one[3] * size / whole for one, whole in used]),
    )
    named = ", ".join(f"{name}={value:.2f}" for name, value in zip(Features.__slots__, fitted[:-1], strict=True))
    print(f"WEIGHTS = Features({named})\nINTERCEPT = {fitted[-1]:.2f}")
    for name, some in sets.items():
        for which in (True, False):
            rated = [(_sure(one[1], fitted), one[2], one[3]) for one in some if one[0] is which]
            if rated:
                half, error = "fitted half" if which else "other half", expected_error(rated)
                print(f"{name}, {half}: {len(rated)} answers, calibration error {error:.3f}")


def _sure(found: Features, fitted: np.ndarray) -> float:
    return float(1 / (1 + np.exp(-(np.array(astuple(found)) @ fitted[:-1] + fitted[-1]))))


if __name__ == "__main__":
    main()
