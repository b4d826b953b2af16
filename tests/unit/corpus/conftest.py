"""The runs that the tests of a corpus share; made once, never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.corpus.runs import make_run

DOI = "10.5555/ice.2019.7"


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """ice, which has a DOI; snow, which cites it; fog, which does not; ice2, ice in another version."""
    folder = tmp_path_factory.mktemp("runs")
    citing = f"Lima A, Berg J. Sensors under river ice. Rivers. 2019;9:1-12. doi:{DOI}."
    return {
        "ice": make_run(folder, "ice", doi=DOI),
        "snow": make_run(folder, "snow", cites=citing),
        "fog": make_run(folder, "fog"),
        "ice2": make_run(folder, "ice", doi=DOI, words="Moss"),
    }
