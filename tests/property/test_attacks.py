"""A few cases of every attack that `scripts/attack` knows."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scripts.attack_table import kinds
from scripts.attacks.case import Unavailable

FEW = 12


@pytest.mark.parametrize("name", sorted(kinds()))
def test_attack(name: str, tmp_path: Path) -> None:
    attack = kinds()[name]
    try:
        cases = list(attack.attack(Random(f"0 {attack.KIND}"), min(FEW, attack.CASES // 10), tmp_path))
    except Unavailable as error:
        pytest.skip(str(error))
    assert cases
    assert [case for case in cases if case.failed] == []
