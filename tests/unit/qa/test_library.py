"""The papers of a library are read when they are asked for, and few are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.indexing.pipeline import index_paper
from kag.indexing.run import write_run
from kag.qa import library as reading
from kag.qa.library import open_library
from tests.papers import write_paper


def test_the_papers_asked_for_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "OPEN", 2)
    pages = write_paper(tmp_path / "pages")
    for name in ("fog", "ice", "snow"):
        write_run(tmp_path / "runs", name, index_paper(pages, paper_id=name).files)
    library = open_library(tmp_path / "runs")
    fog, ice = library["fog"], library["ice"]
    assert library["fog"] is fog
    assert library["snow"].id == "snow"  # ice was asked for longest ago, and goes
    assert library["fog"] is fog
    assert library["ice"] is not ice
    assert library["ice"].title == ice.title
    assert len(library) == 3
