"""Layers at the command line: made with a run or behind it, validated, audited, asked, compared, shown."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

import kag as face
from kag.cli.main import main
from kag.indexing.run import read_files
from tests.conftest import BUNDLED

BEES = BUNDLED / "urban_pollinators"


def kag(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str], str]:
    """Exit code, lines of stdout, stderr."""
    with pytest.raises(SystemExit) as done:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return int(done.value.code or 0), captured.out.splitlines(), captured.err


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled paper on bees, with layers."""
    out = tmp_path_factory.mktemp("layers") / "runs"
    with pytest.raises(SystemExit) as done:
        main(["index", str(BEES), "--out-dir", str(out), "--layers", "claim"])
    assert not done.value.code
    (found,) = (one for one in out.iterdir() if one.is_dir() and not one.name.startswith("."))
    return found


def test_with_a_run_or_behind_it(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (plain,), _ = kag(capsys, "index", BEES, "--out-dir", tmp_path / "runs")
    assert code == 0
    assert set(os.listdir(run)) - set(os.listdir(plain)) == {"entity_graph.ttl", "claim_graph.ttl"}
    code, lines, said = kag(capsys, "layers", tmp_path / "runs")
    assert (code, lines) == (0, [plain])
    assert "entity, claim made" in said
    assert "up to date" in kag(capsys, "layers", plain)[2]
    with_it, behind = read_files(run), read_files(Path(plain))
    assert {name: data for name, data in behind.items() if name != "trajectory.jsonl"} == {
        name: data for name, data in with_it.items() if name != "trajectory.jsonl"
    }


def test_index_adds_layers_to_a_run_that_is_up_to_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "runs"
    _, (first,), _ = kag(capsys, "index", BEES, "--out-dir", out)
    code, (again,), said = kag(capsys, "index", BEES, "--out-dir", out, "--layers", "entity")
    assert (code, again) == (0, first)
    assert "indexed" in said
    assert (Path(first) / "entity_graph.ttl").is_file()
    assert not (Path(first) / "claim_graph.ttl").exists()
    assert "up to date" in kag(capsys, "index", BEES, "--out-dir", out, "--layers", "entity")[2]


def test_validate_and_audit(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = kag(capsys, "validate", run, "--union")
    assert code == 0
    assert lines == [
        f"{run}: conforms",
        f"{run}, entity layer: conforms",
        f"{run}, claim layer: conforms",
        "union of 1 graphs: conforms",
    ]
    code, lines, _ = kag(capsys, "audit", run)
    assert code == 0
    assert [line.rpartition(": ")[0] for line in lines[1:]] == [f"{run}, entity layer", f"{run}, claim layer"]
    assert all(line.endswith("quotes stand where they say") for line in lines[1:])


def test_a_changed_layer_is_told(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = shutil.copytree(run, tmp_path / run.name)
    layer = copy / "claim_graph.ttl"
    layer.write_text(layer.read_text("utf-8").replace('kag:polarity "positive"', 'kag:polarity "yes"', 1), "utf-8")
    code, lines, _ = kag(capsys, "validate", copy)
    assert code == 1
    assert any("A claim is positive or negative" in line for line in lines)


def test_papers_side_by_side(run: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", str(run), "--property", "flower cover", "--out", str(tmp_path / "table.csv")])
    head, row = (tmp_path / "table.csv").read_text("utf-8").splitlines()[:2]
    assert head == "paper,title,flower cover,flower cover: evidence"
    assert row.startswith("urban_pollinators,")


def test_errors_are_the_users(tmp_path: Path, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for given in (
        ("layers", tmp_path),
        ("layers", run, "--layers", "facts"),
        ("layers", run, "--builder", "rlm"),
        ("layers", run, "--record", tmp_path / "x", "--replay", tmp_path / "y", "--lm", "offline"),
        ("index", BEES, "--out-dir", tmp_path / "runs", "--layers", "doc"),
        ("compare", tmp_path),
    ):
        code, _, said = kag(capsys, *given)
        assert code in (2, 3), given
        assert "Traceback" not in said
    assert "holds no" in kag(capsys, "layers", tmp_path)[2], "a folder without a run is not a damaged run"


def test_a_model_that_is_none_goes_the_whole_way(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = shutil.copytree(run, tmp_path / run.name)
    assert kag(capsys, "layers", copy, "--lm", "offline")[0] == 0
    facts = json.loads((copy / "layers.json").read_text("utf-8"))
    assert facts["model"] == "offline-policy/1"
    assert (copy / "entity_graph.ttl").read_bytes() == (run / "entity_graph.ttl").read_bytes()


def test_values_in_python_and_the_report_page(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paper = face.open(run)
    fresh = face.index(BEES)
    assert paper.entities
    assert paper.claims
    assert [one.value.value for one in paper.measurements if one.counted][:1] != []
    assert {one.name for one in paper.entities} >= {one.name for one in fresh.entities}
    assert len(paper.measurements) == len(fresh.measurements)
    assert kag(capsys, "report", run, "--out", tmp_path / "page.html")[0] == 0
    assert "What it says" in (tmp_path / "page.html").read_text("utf-8")
