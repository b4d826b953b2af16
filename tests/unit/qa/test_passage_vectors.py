"""Vectors kept with a run find passages by meaning; what is stale, damaged or a stranger's counts as not there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kag.core.errors import MissingExtra
from kag.qa.paper import PaperGraph
from kag.qa.passage_features import PART, index_of
from kag.qa.passage_ranking import PassageVectors, rank_passages

np = pytest.importorskip("numpy")
kept = pytest.importorskip("kag.retrieval.embedders")


@pytest.fixture(scope="module")
def made(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("vectors") / "run"
    shutil.copytree(next(bundled_runs.glob("urban_pollinators_*")), run)
    try:
        assert PassageVectors().add_to(run)
    except MissingExtra as error:
        pytest.skip(str(error))
    return run


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


def vectors(run: Path) -> object:
    return index_of(PaperGraph.load(run)).vectors


def test_vectors_are_made_once_and_are_the_same_again(run: Path) -> None:
    rows = (run / kept.ROWS).read_bytes()
    assert not PassageVectors().add_to(run), "they are there"
    (run / kept.RECORD).unlink()
    assert PassageVectors().add_to(run)
    assert (run / kept.ROWS).read_bytes() == rows


def test_a_part_has_about_ninety_words_below_its_heading(run: Path) -> None:
    index = index_of(PaperGraph.load(run))
    assert index.vectors is not None
    assert index.vectors.shape == (sum(map(len, index.parts)), 384)
    for unit, parts in zip(index.units, index.parts, strict=True):
        assert all(part.startswith(unit.section[-1]) for part in parts if unit.section)
        if unit.kind == "Paragraph" and len(unit.text.split()) > 2 * PART:
            assert len(parts) > 1


def test_questions_use_them_and_passages_without_their_words_are_found(run: Path) -> None:
    paper = PaperGraph.load(run)
    by_words = rank_passages(paper, "insects that visit blossoms in towns", 60)
    assert len(by_words) > 40, "nearest by vectors, behind those with the words"
    (run / kept.RECORD).unlink()
    assert len(rank_passages(PaperGraph.load(run), "insects that visit blossoms in towns", 60)) < len(by_words)


def test_vectors_of_another_graph_model_or_form_count_as_missing(run: Path) -> None:
    assert vectors(run) is not None
    record = json.loads((run / kept.RECORD).read_text())
    for change in ({"version": 9}, {"model": "other"}, {"rows": 1}, {"graph": "0" * 64}):
        (run / kept.RECORD).write_text(json.dumps(record | change))
        assert vectors(run) is None, change
    (run / kept.RECORD).write_text(json.dumps(record))
    with (run / "knowledge_graph.ttl").open("a") as graph:
        graph.write("\n# changed\n")
    assert vectors(run) is None
    assert rank_passages(PaperGraph.load(run), "bees"), "words still rank"


@pytest.mark.parametrize("kind", ["cut", "other numbers", "not finite", "pickled", "link", "empty"])
def test_damaged_and_hostile_files_count_as_missing(run: Path, kind: str) -> None:
    file = run / kept.ROWS
    data, rows = file.read_bytes(), np.load(file)
    file.unlink()
    if kind == "cut":
        file.write_bytes(data[:-100])
    elif kind == "other numbers":
        np.save(file, rows.astype("<f4"))
    elif kind == "not finite":
        np.save(file, np.full_like(rows, np.inf))
    elif kind == "pickled":
        np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    elif kind == "link":
        (run / "elsewhere.npy").write_bytes(data)
        file.symlink_to(run / "elsewhere.npy")
    else:
        file.write_bytes(b"")
    assert vectors(run) is None
    assert rank_passages(PaperGraph.load(run), "bees")
