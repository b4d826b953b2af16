"""Papers and runs: paired by name, the newest counts, and nothing that is missing or broken passes unnamed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kag.core.errors import RunError, SourceError
from kag.evaluate.structure.runs import evaluate, find_runs, match, read_run

BUNDLED = Path(__file__).parents[4] / "test_data"


@pytest.fixture
def runs(bundled_runs: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bundled_runs, tmp_path / "runs"))


def run_of(runs: Path, paper: str) -> Path:
    (run,) = runs.glob(f"{paper}_*")
    return run


def test_the_newest_run_of_a_paper_counts() -> None:
    names = ["a_20260101T000000Z", "a_20260301T000000Z", "a", "a_ocr_20270101T000000Z", "ab_20270101T000000Z"]
    runs = [Path(name) for name in names]
    assert match("a", runs) == Path("a_20260301T000000Z")
    assert match("a", runs[2:]) == Path("a")
    assert match("a", runs[3:]) is None
    assert match("a", runs[3:], parts=True) == Path("a_ocr_20270101T000000Z")
    assert match("a", runs, parts=True) == Path("a_20260301T000000Z")
    assert match("a__x", runs) is None


def test_all_is_well(runs: Path) -> None:
    found = evaluate(BUNDLED, runs)
    assert [paper.name for paper in found.papers] == ["reservoir_sensors", "urban_pollinators", "zirconium_tracers"]
    assert found.problems == ()
    assert all(paper.compared["citations"].right for paper in found.papers)


def test_a_paper_without_a_run_is_named_and_scored_as_empty(runs: Path) -> None:
    shutil.rmtree(run_of(runs, "urban_pollinators"))
    found = evaluate(BUNDLED, runs)
    assert found.problems == (f"urban_pollinators: no run in {runs} (scored as empty)",)
    paper = found.papers[1]
    assert paper.built is None
    assert paper.compared["citations"].counts == (0, 0, 59)


@pytest.mark.parametrize(
    ("file", "text"), [("knowledge_graph.ttl", "<a> <b> ."), ("skipped.jsonl", "{"), ("skipped.jsonl", "{}\n")]
)
def test_a_broken_file_is_named_and_its_paper_scored_as_empty(runs: Path, file: str, text: str) -> None:
    path = run_of(runs, "urban_pollinators") / file
    path.write_text(text, encoding="utf-8")
    found = evaluate(BUNDLED, runs)
    assert len(found.problems) == 1
    assert str(path) in found.problems[0]
    assert "(scored as empty)" in found.problems[0]
    assert found.papers[1].built is None


def test_a_broken_annotation_is_named_and_the_others_are_scored(runs: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    shutil.copytree(BUNDLED, gold, ignore=shutil.ignore_patterns("*.png"))
    (gold / "urban_pollinators" / "gold.json").write_text("{", encoding="utf-8")
    found = evaluate(gold, runs)
    assert len(found.papers) == 2
    assert any("gold.json: no readable annotation" in problem for problem in found.problems)


def test_a_run_without_a_paper_is_named(runs: Path) -> None:
    stranger = run_of(runs, "urban_pollinators").rename(runs / "stranger_20260101T000000Z")
    assert f"{stranger}: a run of no annotated paper (left out)" in evaluate(BUNDLED, runs).problems


def test_an_older_run_of_a_paper_is_no_problem(runs: Path) -> None:
    shutil.copytree(run_of(runs, "urban_pollinators"), runs / "urban_pollinators_20200101T000000Z")
    assert evaluate(BUNDLED, runs).problems == ()


def test_renderings_can_be_left_out(runs: Path, tmp_path: Path) -> None:
    gold = Path(shutil.copytree(BUNDLED, tmp_path / "gold", ignore=shutil.ignore_patterns("*.png")))
    shutil.copytree(gold / "urban_pollinators", gold / "urban_pollinators__numeric")
    shutil.copytree(run_of(runs, "urban_pollinators"), runs / "urban_pollinators__numeric_20200101T000000Z")
    assert len(evaluate(gold, runs).papers) == 4
    found = evaluate(gold, runs, variants=False)
    assert (len(found.papers), found.problems) == (3, ())


def test_without_a_folder_or_without_papers(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a folder"):
        find_runs(tmp_path / "nowhere")
    with pytest.raises(SourceError, match="no annotated papers"):
        evaluate(runs, runs)


def test_a_graph_that_names_no_blocks_is_read_by_the_ends_of_its_iris(tmp_path: Path) -> None:
    (tmp_path / "knowledge_graph.ttl").write_text(
        "<http://x/b_p001_0002> a <http://x/C> . <http://x/section_1> a <http://x/S> .", encoding="utf-8"
    )
    built = read_run(tmp_path)
    assert {block: [str(node) for node in nodes] for block, nodes in built.nodes.items()} == {
        "b_p001_0002": ["http://x/b_p001_0002"]
    }
