"""Run folders are whole or not there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kag.errors import RunError
from kag.files import clear_partials, partial_path
from kag.run import FILES, MADE, finished_run, load_run, write_run
from kag.write import index_paper


@pytest.fixture
def run(paper: Path, tmp_path: Path) -> Path:
    return write_run(tmp_path / "runs", "ice", index_paper(paper).files)


def test_a_run_is_named_after_its_folder_and_time(run: Path) -> None:
    assert run.name.startswith("ice_20")
    assert run.name.endswith("Z")
    assert sorted(path.name for path in run.iterdir()) == sorted((*FILES, MADE))


def test_two_runs_in_one_second_are_two(paper: Path, tmp_path: Path) -> None:
    files = index_paper(paper).files
    assert len({write_run(tmp_path / "runs", "ice", files) for _ in range(3)}) == 3


def test_same_input_same_bytes(paper: Path) -> None:
    assert index_paper(paper).files == index_paper(paper).files


def test_half_written_runs_of_dead_processes_are_cleared(tmp_path: Path) -> None:
    own = partial_path(tmp_path / "ice").name
    dead = own.replace(f"-{os.getpid()}-", "-999999999-")
    elsewhere = dead.replace(own[9:15], "zzzzzz")  # of a machine that shares the disk
    for name in (own, dead, elsewhere, "ice_20260101T000000Z"):
        (tmp_path / name).mkdir()
    (tmp_path / dead.replace("ice", "file")).write_text("half")
    assert clear_partials(tmp_path) == 2
    assert {path.name for path in tmp_path.iterdir()} == {own, elsewhere, "ice_20260101T000000Z"}


def test_a_finished_run_is_found_only_for_the_same_input_and_code(run: Path) -> None:
    summary = json.loads((run / "summary.json").read_text())
    same = {"sha256": summary["source"]["sha256"], "version": summary["kag_version"], "builder": "baseline"}
    assert finished_run(run.parent, "ice", **same) == run
    for change in ({"sha256": "0" * 64}, {"version": "0.0.0"}, {"builder": "rlm"}):
        assert finished_run(run.parent, "ice", **{**same, **change}) is None
    assert finished_run(run.parent, "ic", **same) is None


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(run: Path, name: str) -> None:
    (run / name).unlink()
    with pytest.raises(RunError, match=name):
        load_run(run)


@pytest.mark.parametrize("name", [name for name in FILES if name != "trajectory.jsonl"])
def test_a_broken_file_is_named(run: Path, name: str) -> None:
    (run / name).write_text("{ this is <neither> Turtle nor JSON")
    with pytest.raises(RunError, match=name):
        load_run(run)


def test_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a run folder"):
        load_run(tmp_path / "nothing")


def test_a_file_in_the_place_of_the_out_dir_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(RunError, match="taken: ") as caught:
        write_run(tmp_path / "taken", "ice", {})
    assert "--out-dir" in caught.value.hint
