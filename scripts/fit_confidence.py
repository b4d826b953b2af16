#!/usr/bin/env python3
"""Fit how sure a ranked sentence is: prints the constants of kag/read/extract/sure.py, and how well they hold.

    scripts/fit_confidence.py ../shared/data/covidqa/papers.jsonl.gz

Each question of a file of articles (see `kag evaluate passages`) is put to its own article, to another drawn by hash, and
to the nearest other. Right is a best sentence that has the words of the answer (or half of them, F1); on another article
nothing is right. The logistic is fitted on the articles of one half (the parity of a hash of their name), so that own articles have
four times the weight of others, and reported on both.
"""

from __future__ import annotations

import re
import sys
from dataclasses import astuple
from pathlib import Path

import numpy as np

from kag.evaluate.calibration import expected_error
from kag.evaluate.passage_score import Article, Asking, _others, read_articles, token_f1
from kag.read.extract.asking import asked
from kag.read.extract.ranking import rank
from kag.read.extract.sure import Features, features

OTHERS = 0.25  # weight of each of the two questions on other articles
RIDGE = 1.0


def examples(articles: tuple[Article, ...]) -> list[tuple[int, Features, bool, float]]:
    """For each question and article: half, features of the best sentence, whether it is right, weight."""
    found = []
    for article in articles:
        for asking in article.questions:
            others = _others(asking, [one for one in articles if one is not article])
            for where, weight in ((article, 1.0), *((other, OTHERS) for other in others)):
                row = _example(asking, where, own=where is article)
                if row:
                    found.append((article.half, *row, weight))
    return found


def _example(asking: Asking, article: Article, *, own: bool) -> tuple[Features, bool] | None:
    need = asked(asking.text)
    ranked = rank(need, article.index)
    if not ranked:
        return None
    best = ranked[0]
    text = article.index.passages[best.number].text[best.start : best.end]
    holds = _even(asking.answer) in _even(text) or token_f1(text, asking.answer) >= 0.5
    return features(ranked, best, need, article.index), own and holds


def _even(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())


def fit(rows: np.ndarray, right: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The weights of a logistic, the intercept last, by Newton's method with a small ridge."""
    design = np.hstack([rows, np.ones((len(rows), 1))])
    found = np.zeros(design.shape[1])
    ridge = RIDGE * np.eye(len(found))
    ridge[-1, -1] = 0
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ found))
        gradient = design.T @ (weight * (p - right)) + ridge @ found
        hessian = design.T @ (design * (weight * p * (1 - p))[:, None]) + ridge
        found -= np.linalg.solve(hessian, gradient)
    return found


def main(file: str) -> None:
    found = examples(read_articles(Path(file)))
    half = np.array([one[0] for one in found])
    rows = np.array([astuple(one[1]) for one in found])
    right = np.array([float(one[2]) for one in found])
    weight = np.array([one[3] for one in found])
    fitted = fit(rows[half == 0], right[half == 0], weight[half == 0])
    named = ", ".join(f"{name}={value:.2f}" for name, value in zip(Features.__slots__, fitted[:-1], strict=True))
    print(f"WEIGHTS = Features({named})\nINTERCEPT = {fitted[-1]:.2f}")
    p = 1 / (1 + np.exp(-(rows @ fitted[:-1] + fitted[-1])))
    for which, name in ((0, "fitted half"), (1, "other half")):
        some = half == which
        error = expected_error(list(zip(p[some], right[some] > 0, weight[some], strict=True)))
        print(
            f"{name}: {int(some.sum())} answers, right {np.average(right[some], weights=weight[some]):.3f}, calibration error {error:.3f}"
        )


if __name__ == "__main__":
    main(sys.argv[1])
