"""Conditional random fields run by numpy: the same labels as CRFsuite's own, and files that are whole."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from kag.core.errors import SourceError
from kag.layers.entities.trained import FOLDER
from kag.text.crf import ColumnScores, Crf, read
from scripts.benchmarks.models.crf_training import train, write

EXAMPLES = [
    ([["w=the"], ["w=red", "colour"], ["w=cat"]], ["O", "B", "I"]),
    ([["w=a"], ["w=blue", "colour"], ["w=dog"], ["w=runs"]], ["O", "B", "I", "O"]),
    ([["w=the"], ["w=dog"], ["w=runs"]], ["O", "O", "O"]),
] * 5


@pytest.fixture(scope="module")
def model() -> Crf:
    return train(EXAMPLES, {"c1": 0.0, "c2": 0.1})


def test_it_learns_and_labels(model: Crf) -> None:
    for attributes, labels in EXAMPLES[:3]:
        assert [label for label, _ in model.label(attributes)] == labels


def test_marginals_are_those_of_all_ways_counted_out(model: Crf) -> None:
    scores = [model.summed([model.known(token) for token in EXAMPLES[n][0]]) for n in (0, 1)]
    for given, told in zip(scores, model.marginals(scores), strict=True):
        assert np.allclose(told, counted_out(model, given), atol=1e-5)


def weight_of(model: Crf, scores: np.ndarray, way: Sequence[int]) -> float:
    given = sum(scores[n, label] for n, label in enumerate(way))
    return float(given + sum(model.follow[one, other] for one, other in itertools.pairwise(way)))


def counted_out(model: Crf, scores: np.ndarray) -> np.ndarray:
    total = np.zeros_like(scores, dtype=float)
    for way in itertools.product(range(len(model.labels)), repeat=len(scores)):
        weight = weight_of(model, scores, way)
        for n, label in enumerate(way):
            total[n, label] += math.exp(weight)
    return total / total.sum(axis=1, keepdims=True)


def test_the_best_way_is_that_of_all_ways_counted_out(model: Crf) -> None:
    for n in (0, 1):
        scores = model.scores(EXAMPLES[n][0])
        ways = itertools.product(range(len(model.labels)), repeat=len(scores))
        best = max(ways, key=lambda way: weight_of(model, scores, way))
        assert model.best(scores) == list(best)
        likely = counted_out(model, scores)
        assert model.label(EXAMPLES[n][0]) == [
            (model.labels[one], pytest.approx(likely[at, one], abs=1e-5)) for at, one in enumerate(best)
        ]
    assert model.best(model.scores([])) == model.label([]) == []


def test_many_sentences_are_labelled_as_each_alone(model: Crf) -> None:
    scores = [model.scores(EXAMPLES[n][0]) for n in (2, 1, 0)] + [model.scores([])]
    assert model.best_of(scores) == [model.best(one) for one in scores]
    assert [len(shares) for _, shares in model.label_scored(scores)] == [3, 4, 3, 0]


def test_columns_of_keys_score_as_their_attributes_do(model: Crf) -> None:
    columns = ColumnScores(model, [lambda word: (f"w={word}",), lambda colour: ("colour",) if colour else ()], most=2)
    for words, colours in (
        (["a", "blue", "dog"], [False, True, False]),
        (["red", "cat", "runs"], [True, False, False]),
    ):
        for _ in range(2):  # keys that are kept, and those of a column that was emptied, weigh the same
            told = [[f"w={word}", *(["colour"] if colour else [])] for word, colour in zip(words, colours, strict=True)]
            assert np.allclose(columns.scored([words, colours]), model.scores(told))


def test_attributes_may_have_a_worth(model: Crf) -> None:
    plain = model.scores([["w=red", "colour", "never seen"]])
    assert np.allclose(model.scores([{"w=red": 1.0, "colour": 1.0, "never seen": 5.0}]), plain)
    assert np.allclose(model.scores([{"w=red": 0.5, "colour": 0.5}]), plain / 2)


def test_what_is_written_is_read_again(model: Crf, tmp_path: Path) -> None:
    write(model, tmp_path / "a.crf", {"licence": "none"})
    write(model, tmp_path / "b.crf", {"licence": "none"})
    assert (tmp_path / "a.crf").read_bytes() == (tmp_path / "b.crf").read_bytes()
    again = read(tmp_path / "a.crf")
    assert again.labels == model.labels
    assert np.allclose(again.weights, model.weights, atol=1e-3)
    assert json.loads((tmp_path / "a.json").read_text())["licence"] == "none"


@pytest.mark.parametrize("damage", ["missing", "other", "card"])
def test_files_that_are_not_whole_are_refused(model: Crf, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "a.crf"
    write(model, path, {})
    if damage == "missing":
        path.unlink()
    elif damage == "other":
        path.write_bytes(path.read_bytes()[:-1] + b"x")
    else:
        path.with_suffix(".json").write_text("{")
    with pytest.raises(SourceError):
        read(path)


@pytest.mark.parametrize("name", ["life", "materials", "related"])
def test_each_model_has_its_card(name: str) -> None:
    card = json.loads((FOLDER / f"{name}.json").read_text())
    assert card["licence"] == "Apache-2.0"
    assert card["trained on"]
    assert card["by"] == "scripts/benchmarks/train_entities.py"
    assert not {"SciERC", "ACL-ARC", "SciClaim"} & set(str(card["trained on"]).split())
    assert read(FOLDER / f"{name}.crf").labels
