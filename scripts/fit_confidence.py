#!/usr/bin/env python3
"""Fit how sure a ranked sentence is: prints the constants of kag/read/extract/sure.py, and how well they hold.

    scripts/fit_confidence.py --natural QUESTIONS RUNS [--natural ...] --texts FILE [--texts FILE ...]

Examples are the questions that are left to ranked sentences: natural ones (see `kag evaluate natural`), and those of
published texts (see `kag evaluate text-questions`), of which those of COVID-QA are put to the next text, too, with a
quarter of the weight. Right is as there. The logistic is fitted on the questions of half a, where an answer that is
wrong weighs `WRONG` times one that is right: a confidence above a half is to be relied upon. What that takes from the
odds is given back above a half (`as_told`). What is told of the other half is told as figures alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from kag.evaluate.answers.natural import CONFIDENT, judge, read_natural
from kag.evaluate.answers.text_set_score import indexed, judged
from kag.evaluate.answers.text_sets import TextQuestion, read_text_set
from kag.evaluate.calibration import expected_error
from kag.questions.file import Question
from kag.read.checking.verify import supported, told_once
from kag.read.exact.compose import look_up
from kag.read.exact.grid import loose_cell
from kag.read.extract.asking import asked, parts_of
from kag.read.extract.content import LABEL, MODE, SILENT, picked, said_by
from kag.read.extract.premise import without_strange_numbers
from kag.read.extract.ranking import rank
from kag.read.extract.reckoning.by_years import by_years
from kag.read.extract.reckoning.terms import is_only_terms
from kag.read.extract.replies import reply
from kag.read.extract.reread import reread
from kag.read.extract.spelling import mended
from kag.read.extract.sure import HIGHEST, LEAST, WRONG, Features, as_told, features
from kag.read.extract.unknown import strange
from kag.read.extract.wording import plainly
from kag.read.library import open_library
from kag.read.paper import PaperGraph
from kag.read.passage_index import Reader, SearchIndex
from kag.read.passages import passages
from kag.search.meaning.cross_encoder import cross_encoder
from kag.values.evidence import Answer

OTHERS, WORDING = 0.25, 0.5  # weights of a question on another text, and of a wording that is not the first
WEIGHT = {"natural": 1.5, "COVID-QA": 0.6, "TAT-QA": 0.5, "QASPER": 1.5}  # of an example of each set
RIDGE = 0.5
Example = tuple[bool, Features, bool, float]  # whether it is fitted on, features, whether it is right, weight
Right = Callable[[Answer], bool]


def of_natural(file: Path, runs: Path, reader: Reader | None) -> Iterator[Example]:
    """The natural questions of halves a and b."""
    library, ready = open_library(runs), dict[str, SearchIndex]()
    for one in read_natural(file):
        if one.paper in library and one.half in "ab":
            paper = library[one.paper]
            index = _index(paper, ready, reader)
            row = example(one.text, paper, index, lambda it, one=one, of=paper: judge(one, it, of).right)
            if row:
                yield one.half == "a", *row, WORDING if one.wording else 1.0


def of_texts(file: Path, work: Path, reader: Reader | None) -> tuple[str, list[Example]]:
    """The name of a published set, and its questions."""
    name, texts = read_text_set(file)
    papers, ready = indexed(texts, work), dict[str, SearchIndex]()
    texts = tuple(text for text in texts if text.id in papers and text.questions)
    found: list[Example] = []
    for text, other in pairwise((*texts, *texts[:1])):
        for question in text.questions:
            nothing = TextQuestion(question.text, question.kind, ())
            put = [(question, text, 1.0), *([(nothing, other, OTHERS)] if name == "COVID-QA" else [])]
            for one, where, weight in put:
                paper = papers[where.id]
                right: Right = lambda it, one=one, text=text: judged(one, it, "", text).right  # noqa: E731
                row = example(one.text, paper, _index(paper, ready, reader), right)
                if row:
                    found.append((text.half == "a", *row, weight))
    return name, found


def _index(paper: PaperGraph, ready: dict[str, SearchIndex], reader: Reader | None) -> SearchIndex:
    if paper.id not in ready:
        ready[paper.id] = SearchIndex(passages(paper), reader=reader)
    return ready[paper.id]


def example(question: str, paper: PaperGraph, index: SearchIndex, right: Right) -> tuple[Features, bool] | None:
    """The features of the best sentence, and whether the answer is right; None where it is found in another way."""
    text = plainly(mended(question, index))
    if any(look_up(Question("", words), paper) != (None, False) for words in (question, text)):
        return None
    if len(parts_of(text)) > 1 or loose_cell(text, paper) or strange(asked(text), index) or by_years(text, paper):
        return None
    told = reply(text, text, paper, index)
    if told and all(claim.confidence >= SILENT and not is_only_terms(text, claim) for claim in told.claims[:1]):
        return None
    need = without_strange_numbers(asked(text), index)
    ranked = reread(rank(need, index), need, index)
    found, value = picked(text, need, ranked, index)
    kept = told_once(supported(said_by(found, need, paper, index), {paper.id: paper}, question)[0])
    if not kept or is_only_terms(text, kept[0]):
        return None
    said = value if value and value in kept[0].text else None
    answer = Answer("", question, MODE, LABEL, kept, said, searches=("words",), papers=(paper.id,))
    return features(ranked, found[0][0], need, index), right(answer)


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


def fitted_on(sets: dict[str, list[Example]]) -> np.ndarray:
    """The weights for the examples of half a."""
    used = [(one, WEIGHT.get(name, 1.0)) for name, some in sets.items() for one in some if one[0]]
    return fit(
        np.array([astuple(one[1]) for one, _ in used]),
        np.array([float(one[2]) for one, _ in used]),
        np.array([one[3] * weight * (1.0 if one[2] else WRONG) for one, weight in used]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the constants of kag/read/extract/sure.py.")
    parser.add_argument("--natural", nargs=2, type=Path, action="append", default=[], metavar=("QUESTIONS", "RUNS"))
    parser.add_argument("--texts", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--rerank", action="store_true", help="With sentences read again: prints the READ_ constants.")
    given = parser.parse_args()
    reader = cross_encoder() if given.rerank else None
    sets = {"natural": [one for file, runs in given.natural for one in of_natural(file, runs, reader)]}
    for number, file in enumerate(given.texts):
        with TemporaryDirectory(prefix=f"kag-{number}-") as work:
            name, found = of_texts(file, Path(work), reader)
            sets[name] = found
    fitted = fitted_on(sets)
    named = ", ".join(f"{name}={value:.2f}" for name, value in zip(Features.__slots__, fitted[:-1], strict=True))
    begins = "READ_" if reader else ""
    print(f"{begins}WEIGHTS = Features({named})\n{begins}INTERCEPT = {fitted[-1]:.2f}")
    for name, some in sets.items():
        for which in (True, False):
            tell(f"{name}, half {'a' if which else 'b'}", [one for one in some if one[0] is which], fitted)


def tell(name: str, some: Sequence[Example], fitted: np.ndarray) -> None:
    """How well confidences hold on some examples."""
    told = [(_sure(one[1], fitted), one[2], one[3]) for one in some]
    rated = [one for one in told if one[0] >= SILENT]
    sure = [right for confidence, right, _ in rated if confidence > CONFIDENT]
    if rated:
        error = f"calibration error {expected_error(rated):.3f}"
        print(f"{name}: {len(rated)} answers, {len(sure)} confident, of these {len(sure) - sum(sure)} wrong, {error}")


def _sure(found: Features, fitted: Iterable[float]) -> float:
    *weights, intercept = fitted
    told = 1 / (1 + np.exp(-as_told(float(np.dot(astuple(found), weights) + intercept))))
    return float(min(max(told, LEAST), HIGHEST))


if __name__ == "__main__":
    main()
