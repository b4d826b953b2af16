#!/usr/bin/env python3
"""Fit what results lean to: prints the constants of kag/read/extract/tendency.py, and how well they hold.

    scripts/fit_tendency.py FILE

FILE is PubMedQA as `kag evaluate text-questions` reads it. The logistic is fitted on half a; of it are told the figures
with each tenth left out in turn, of half b those of the fit.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from fit_confidence import fit

from kag.evaluate.answers.text_set_score import indexed
from kag.evaluate.answers.text_sets import read_text_set
from kag.read.extract.tendency import BAR, Leaning, leaning, read
from kag.read.passages import passages

FOLDS = 10
WEIGHT = 0.25  # of an example, which makes the ridge of `fit` four times as strong
Example = tuple[Leaning, bool]


def examples(file: Path, work: Path) -> dict[str, list[Example]]:
    """The questions whose answer may be leant to, by half: the features, and whether yes is right."""
    _, texts = read_text_set(file)
    papers = indexed(texts, work)
    found: dict[str, list[Example]] = {}
    for text in texts:
        for question in text.questions:
            paper = papers[text.id]
            told = read(question.text, paper.title, passages(paper))
            if told and question.says:
                found.setdefault(text.half, []).append((leaning(question.text, told[0]), question.says == "yes"))
    return found


def fitted_on(some: Sequence[Example]) -> np.ndarray:
    """The weights, the intercept last."""
    rows, right = np.array([astuple(one) for one, _ in some]), np.array([float(yes) for _, yes in some])
    return fit(rows, right, np.full(len(some), WEIGHT))


def likely(some: Sequence[Example], fitted: np.ndarray) -> np.ndarray:
    """How likely yes is, of each."""
    odds = np.array([astuple(one) for one, _ in some]) @ fitted[:-1] + fitted[-1]
    return np.asarray(1 / (1 + np.exp(-odds)))


def tell(name: str, told: np.ndarray, some: Sequence[Example]) -> None:
    """How often the likelier one is right, of all and of those that are told for more than a guess."""
    right = (told >= 0.5) == np.array([yes for _, yes in some])
    sure = np.maximum(told, 1 - told) >= BAR
    held = f"{sure.sum()} of {BAR} and more, right {right[sure].mean():.3f}"
    print(f"{name}: {len(some)} questions, right {right.mean():.3f}; {held}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the constants of kag/read/extract/tendency.py.")
    parser.add_argument("file", type=Path, metavar="FILE")
    with TemporaryDirectory(prefix="kag-fit-") as work:
        found = examples(parser.parse_args().file, Path(work))
    known, unseen = found["a"], found["b"]
    fitted = fitted_on(known)
    named = ", ".join(f"{name}={value:.2f}" for name, value in zip(Leaning.__slots__, fitted[:-1], strict=True))
    print(f"WEIGHTS = Leaning({named})\nINTERCEPT = {fitted[-1]:.2f}")
    left_out = np.zeros(len(known))
    for fold in range(FOLDS):
        rest = [one for place, one in enumerate(known) if place % FOLDS != fold]
        left_out[fold::FOLDS] = likely(known[fold::FOLDS], fitted_on(rest))
    tell("half a, by tenths left out", left_out, known)
    tell("half b", likely(unseen, fitted), unseen)


if __name__ == "__main__":
    main()
