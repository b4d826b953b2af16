"""A corpus of three small papers: ice has a DOI, snow cites it, fog does not; all cite the same three works."""

from __future__ import annotations

import pytest

from kag.corpus.store import Corpus, open_corpus
from tests.unit.corpus.runs import make_run, put

DOI = "10.5555/ice.2019.7"


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("library")
    citing = f"Lima A, Berg J. Sensors under river ice. Rivers. 2019;9:1-12. doi:{DOI}."
    names = {
        "ice": make_run(folder, "ice", doi=DOI),
        "snow": make_run(folder, "snow", cites=citing),
        "fog": make_run(folder, "fog", cites="Müller K. Frost on lakes. Lakes. 1978;2:5-9."),
    }
    put(folder / "corpus", *names.values())
    return open_corpus(folder / "corpus")
