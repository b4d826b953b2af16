"""What many papers will cost: what is reckoned from a sample, and a sample that is taken of small papers."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.core.errors import SourceError
from kag.corpus.planning import Held, Machines, Sample, measured, plan, size_of, taken
from kag.indexing.batch import find_papers
from tests.papers import write_paper

HELD = Held(seconds=8.0, file_bytes=4_000_000, graph_bytes=12_000_000, first_mb=70.0, mb=100.0)
SAMPLE = Sample(7, 28, index_seconds=20.0, run_bytes=1_000_000, begun_mb=60.0, index_mb=80.0, corpus=HELD)
ONE = Machines(1, 1, used=1.0)


def told(papers: int, pages: float, machines: Machines = ONE, tokens: float = 0) -> dict[str, float]:
    return {one.what: one.amount for one in plan(SAMPLE, papers, pages, machines, tokens, usd=2.0)}


def test_work_and_room_grow_with_pages() -> None:
    same, more, longer = told(7, 4), told(28, 4), told(7, 8)
    assert same["index, CPU"] * 3600 == pytest.approx(20.0)
    assert more["index, CPU"] == pytest.approx(4 * same["index, CPU"]) == longer["index, CPU"] * 2
    assert same["runs on disk"] * 1e9 == pytest.approx(1_000_000)
    assert told(28, 4, Machines(2, 4, used=0.5))["index, by the clock"] == pytest.approx(more["index, CPU"] / 4)


def test_a_corpus_grows_faster_in_time_and_holds_two_states_while_it_is_changed() -> None:
    same, more = told(7, 4), told(700, 4)
    assert same["corpus, CPU"] * 3600 == pytest.approx(8.0)
    assert more["corpus, CPU"] * 3600 == pytest.approx(8.0 * 100**1.15)
    assert same["corpus on disk"] * 1e9 == pytest.approx(16_000_000)
    assert same["corpus on disk, at most"] * 1e9 == pytest.approx(28_000_000)
    assert more["corpus on disk"] == pytest.approx(100 * same["corpus on disk"])


def test_memory_grows_with_the_length_of_a_paper_and_with_each_doubling_of_a_corpus() -> None:
    same, longer = told(7, 4), told(7, 12)
    assert (same["index, memory of a process"], longer["index, memory of a process"]) == (80.0, 120.0)
    writers = [told(papers, 4)["corpus, memory of its writer"] for papers in (5, 7, 14, 56)]
    assert writers == [100.0, 100.0, 110.0, 130.0]


def test_a_model_costs_by_paper() -> None:
    assert "model" not in told(7, 4)
    assert (told(1000, 4, tokens=2000)["tokens"], told(1000, 4, tokens=2000)["model"]) == (2.0, 4.0)


def test_a_sample_is_taken_and_its_first_paper_not_counted(tmp_path: Path) -> None:
    for name in ("ice", "moss", "tin", "slate"):
        write_paper(tmp_path / "pages" / name)
    found = taken(find_papers([tmp_path / "pages"], tmp_path), tmp_path / "work")
    runs = [path for path in (tmp_path / "work" / "runs").iterdir() if path.is_dir()]
    assert found.papers == 3
    assert found.pages == 3 * (found.pages // 3)
    assert 0 < found.run_bytes < sum(map(size_of, runs))
    assert found.index_seconds > 0 < found.corpus.seconds
    assert 0 < found.corpus.file_bytes < size_of(tmp_path / "work" / "corpus")
    assert found.corpus.graph_bytes > 10_000
    assert 10 < found.begun_mb <= found.index_mb
    assert 10 < found.corpus.first_mb <= found.corpus.mb


def test_a_paper_that_cannot_be_indexed_is_told_of_and_counts_for_nothing(tmp_path: Path) -> None:
    for name in ("ice", "moss", "tin"):
        write_paper(tmp_path / "pages" / name)
    (tmp_path / "pages" / "burnt").mkdir()
    (tmp_path / "pages" / "burnt" / "page_001.md").write_bytes(b"\xff\xfe\x00")
    counts: list[tuple[str, int, int]] = []
    found = measured(find_papers([tmp_path / "pages"], tmp_path), lambda *row: counts.append(row))
    assert (found.papers, found.pages, len(found.failed)) == (2, 4, 1)
    assert counts == [("papers", done, 4) for done in range(1, 5)]
    assert "burnt" in found.failed[0]
    assert found.index_seconds > 0


def test_one_paper_or_a_damaged_one_tells_nothing(tmp_path: Path) -> None:
    write_paper(tmp_path / "ice")
    with pytest.raises(SourceError, match="an estimate needs at least two papers"):
        measured(find_papers([tmp_path / "ice"], tmp_path))
    (tmp_path / "moss").mkdir()
    (tmp_path / "moss" / "page_001.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceError, match=r"an estimate needs at least two papers: .*moss.* is not UTF-8"):
        measured(find_papers([tmp_path / "ice", tmp_path / "moss"], tmp_path))
