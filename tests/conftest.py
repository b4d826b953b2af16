"""What tests share: a small paper, its workspace, and the data that lies beside the project."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from kag.core.errors import STRICT
from tests.papers import write_paper

os.environ["XDG_CONFIG_HOME"] = os.devnull  # nobody's own settings
os.environ[STRICT] = "1"  # a fault is raised, so that no test passes because something was rescued

settings.register_profile("kag", deadline=None)  # what else the machine does is no property of the code
settings.load_profile("kag")

SLOW = ("e2e", "integration", "property", "test_docs.py")
BUNDLED = Path(__file__).resolve().parent.parent / "test_data"
SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs servers, processes and whole papers: `scripts/test` runs it with `--all`."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and item.path.relative_to(here).parts[0] in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The evaluation data beside the project; tests that need it are skipped where it is not."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the evaluation data (../shared/data) is not on this machine")
    return SHARED


MODELS = {
    "kag.retrieval.embedders": ("cross_encoder", "_embedder"),
    "kag.corpus.search_index": ("local_network",),
}
"""What keeps a network for the life of a process: a worker of the tests would gather them all."""


@pytest.fixture(scope="module", autouse=True)
def _models_end_with_their_module() -> Iterator[None]:
    yield
    for module, names in MODELS.items():
        for name in names if module in sys.modules else ():
            getattr(sys.modules[module], name).cache_clear()


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    return write_paper(tmp_path / "ice")


@pytest.fixture(scope="session")
def bundled_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of each bundled paper, built by the baseline."""
    from kag.indexing.batch import find_papers, index_all

    runs = tmp_path_factory.mktemp("bundled_runs")
    outcomes = list(index_all(find_papers([BUNDLED], runs), workers=1))
    assert outcomes
    assert all(outcome.run for outcome in outcomes)
    return runs


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a PostgreSQL for all tests, each of which has tables of its own."""
    from tests.engine_servers import postgres

    with tempfile.TemporaryDirectory(prefix="kag-postgres-") as folder, postgres(Path(folder)) as address:
        yield address
