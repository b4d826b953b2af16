"""The models of claims that come with kag: small, whole, and with a card that says what they learned from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.layers.claims.scopes import FOLDER
from kag.layers.models import linear
from kag.text import crf

CARDS = sorted(FOLDER.glob("*.json"))
MEASURED_ONLY = ("ACL", "SciClaim", "SciERC", "Achakulvisut")


@pytest.mark.parametrize("card", CARDS, ids=lambda card: str(card.stem))
def test_a_model_is_small_and_its_card_tells_its_source(card: Path) -> None:
    told = json.loads(card.read_text(encoding="utf-8"))
    assert {"what", "version", "licence", "trained on", "by", "settings", "figures", "sha256"} <= set(told)
    assert not any(name in told["trained on"] for name in MEASURED_ONLY)
    path = card.with_suffix("")
    assert told["version"] == 1
    assert (linear.read(path) if path.with_suffix(".weights").exists() else crf.read(path.with_suffix(".crf"))).labels
    assert sum(one.stat().st_size for one in FOLDER.glob(f"{path.name}.*")) < 1_000_000


def test_there_are_six() -> None:
    assert len(CARDS) == 6
