"""A question and a text read together by the real network, where its weights are installed."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest

from kag.core.errors import MissingExtra
from kag.retrieval.embedders import READER_WEIGHTS, CrossEncoder

QUESTION = "How deep is the lake?"
TEXTS = [
    "The lake is 40 m deep.",
    "Herons nest by the lake.",
    "Reeds were cut in March.",
    "It is deep winter at the lake.",
]


@pytest.fixture(scope="module")
def reader() -> CrossEncoder:
    pytest.importorskip("onnxruntime", reason="onnxruntime, of the extra `rerank`, is not installed")
    pytest.importorskip("tokenizers", reason="tokenizers, of the extra `rerank`, is not installed")
    try:
        return CrossEncoder()
    except MissingExtra as error:
        pytest.skip(str(error))


def test_what_answers_is_told_from_what_shares_words(reader: CrossEncoder) -> None:
    answers, *others = reader(QUESTION, TEXTS)
    assert answers > 5
    assert answers > max(others) + 5


def test_a_score_does_not_hang_on_what_else_is_read(reader: CrossEncoder) -> None:
    together = reader(QUESTION, TEXTS)
    assert [CrossEncoder()(QUESTION, [text])[0] for text in TEXTS[:2]] == together[:2]
    assert reader(QUESTION, TEXTS[::-1]) == together[::-1]


def test_long_and_empty_texts_are_read(reader: CrossEncoder) -> None:
    long, empty = reader(QUESTION, ["The lake is 40 m deep. " * 500, ""])
    assert long > empty


def test_other_weights_are_refused(reader: CrossEncoder, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"\0" * 10)
    with pytest.raises(MissingExtra, match=r"model\.onnx is not the ms-marco"):
        CrossEncoder(tmp_path)
    with pytest.raises(MissingExtra, match="cannot be read"):
        CrossEncoder(tmp_path / "nowhere")


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: str) -> None:
    for name in ("onnxruntime", "tokenizers"):
        if name != package:
            pytest.importorskip(name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=package) as told:
        CrossEncoder(tmp_path)
    assert "kag-papers[vectors]" in told.value.hint


def test_missing_weights_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> importlib.metadata.Distribution:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    with pytest.raises(MissingExtra, match=READER_WEIGHTS.package):
        READER_WEIGHTS.find()
