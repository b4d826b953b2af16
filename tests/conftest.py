"""What tests share: a small paper, its workspace, and the data that lies beside the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.papers import write_paper

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The evaluation data beside the project; tests that need it are skipped where it is not."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the evaluation data (../shared/data) is not on this machine")
    return SHARED


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    return write_paper(tmp_path / "ice")
