"""One run of the small paper, which no test changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.layers.source import Source
from tests.unit.layers.layered import make_run, source


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("layered"))


@pytest.fixture(scope="session")
def ice(run: Path) -> Source:
    return source(run)
