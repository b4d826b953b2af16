"""The small paper of the tests as a library, indexed once."""

from __future__ import annotations

import pytest

from kag.indexing.batch import find_papers, index_all
from kag.qa.library import Library, open_library
from kag.qa.paper import PaperGraph
from tests.papers import write_paper


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("ice")
    list(index_all(find_papers([write_paper(folder / "ice")], folder / "runs"), workers=1))
    return open_library(folder / "runs")


@pytest.fixture(scope="session")
def ice(library: Library) -> PaperGraph:
    return library["ice"]
