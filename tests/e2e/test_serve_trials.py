"""A server under races, silent peers, guesses and faults: each trial of `scripts/attack --kind server`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")

from scripts.attacks.server_trials import Trial, trials


@pytest.mark.parametrize("trial", trials(), ids=lambda trial: trial.__name__)
def test_a_server_holds(trial: Trial, tmp_path: Path) -> None:
    trial(tmp_path)
