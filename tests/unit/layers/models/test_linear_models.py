"""Linear models over hashed features: what they learn, that files hold them whole, that equal rows give equal bytes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.layers.models.linear import Linear, read, row
from scripts.benchmarks.models.linear_training import train, write

ROWS = [["ice", "cold"], ["snow", "cold"], ["sand", "hot"], ["lava", "hot"]] * 5
LABELS = ["winter", "winter", "summer", "summer"] * 5


def taught() -> Linear:
    return train(ROWS, LABELS, bits=10, l2=0.01, card={"what": "a test"})


def test_learns_what_tells_labels_apart() -> None:
    model = taught()
    assert model.shares(["cold"])["winter"] > 0.5
    assert model.shares(["hot", "never seen"])["summer"] > 0.5
    shares = model.shares(["cold", "hot"])
    assert sum(shares.values()) == pytest.approx(1)
    assert abs(shares["winter"] - 0.5) < 0.2


def test_features_count_once_in_any_order() -> None:
    model = taught()
    assert model.shares(["ice", "cold", "ice"]) == model.shares(iter(("cold", "ice")))


def test_no_features_leave_the_bias() -> None:
    assert sum(taught().shares([]).values()) == pytest.approx(1)


def test_weighing_gives_the_rare_label_its_due() -> None:
    rows, labels = [["x"]] * 9 + [["x"]], ["often"] * 9 + ["rare"]
    assert train(rows, labels, bits=8).shares(["x"])["rare"] == pytest.approx(0.1, abs=0.05)
    assert train(rows, labels, bits=8, weigh=True).shares(["x"])["rare"] == pytest.approx(0.5, abs=0.05)


def test_strange_features_have_a_row() -> None:
    assert all(0 <= row(feature, 6) < 64 for feature in ("", "é", "\ud800", "x" * 10_000))


def test_files_hold_the_model_whole(tmp_path: Path) -> None:
    model = taught()
    write(tmp_path / "m", model)
    again = read(tmp_path / "m")
    assert again == model
    write(tmp_path / "n", taught())
    assert (tmp_path / "n.weights").read_bytes() == (tmp_path / "m.weights").read_bytes()
    assert (tmp_path / "n.json").read_bytes() == (tmp_path / "m.json").read_bytes()


@pytest.mark.parametrize("damage", ["no card", "no weights", "other weights", "no list", "other labels"])
def test_damage_is_told(tmp_path: Path, damage: str) -> None:
    path = tmp_path / damage.replace(" ", "_")
    write(path, taught())
    card, weights = path.with_suffix(".json"), path.with_suffix(".weights")
    if damage == "no card":
        card.unlink()
    elif damage == "no weights":
        weights.unlink()
    elif damage == "other weights":
        weights.write_bytes(b"x")
    elif damage == "no list":
        card.write_text("[]")
    else:
        card.write_text(json.dumps({**json.loads(card.read_text()), "labels": ["one"]}))
    with pytest.raises(SourceError, match=path.name):
        read(path)
