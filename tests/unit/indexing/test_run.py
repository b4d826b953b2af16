"""Run folders are whole or not there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kag.core.errors import RunError
from kag.core.files import clear_partials, partial_path
from kag.indexing.pipeline import index_paper
from kag.indexing.run import (
    FILES,
    MADE,
    Made,
    find_runs,
    finished_run,
    load_run,
    make_newest,
    newest,
    newest_each,
    writable,
    write_run,
)


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
    same = Made(summary["source"]["sha256"], "ocr", summary["kag_version"], "baseline")
    assert finished_run(run.parent, "ice", same) == run
    for change in ({"sha256": "0" * 64}, {"kind": "pdf"}, {"version": "0.0.0"}, {"builder": "rlm"}):
        assert finished_run(run.parent, "ice", same._replace(**change)) is None
    assert finished_run(run.parent, "ic", same) is None


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


# which run counts -----------------------------------------------------------------------------


def run_at(folder: Path, stamp: str, number: object = None, sha256: str = "") -> Path:
    run = folder / f"ice_{stamp}"
    run.mkdir(parents=True)
    (run / "knowledge_graph.ttl").write_text("")
    (run / "summary.json").write_text(json.dumps({"paper": "ice", "source": {"sha256": sha256}}))
    if number is not None:
        (run / MADE).write_text(json.dumps({"run": number}))
    return run


def test_runs_of_a_paper_are_counted(paper: Path, tmp_path: Path) -> None:
    files = index_paper(paper).files
    runs = [write_run(tmp_path / "runs", name, files) for name in ("ice", "ice", "snow", "ice", "ice_2")]
    assert [json.loads((run / MADE).read_text()) for run in runs] == [{"run": n} for n in (1, 2, 1, 3, 1)]


def test_a_clock_does_not_decide_which_run_is_the_newest(tmp_path: Path) -> None:
    old, new = run_at(tmp_path, "20991231T000000Z", 1), run_at(tmp_path, "20010101T000000Z", 2)
    assert newest(find_runs(tmp_path)) == new
    assert newest([old]) == old
    assert newest([]) is None


def test_runs_without_a_number_go_by_their_names_and_before_those_with_one(tmp_path: Path) -> None:
    for stamp, number in (("20260101T000000Z", None), ("20260301T000000Z", -3), ("20260201T000000Z", "9")):
        last = run_at(tmp_path, stamp, number)
    assert newest(find_runs(tmp_path)) == tmp_path / "ice_20260301T000000Z"
    counted = run_at(tmp_path, "20200101T000000Z", 1)
    assert newest([counted, last]) == counted


def test_of_several_folders_the_one_that_was_named_last_counts(tmp_path: Path) -> None:
    one, other = run_at(tmp_path / "a", "20260101T000000Z", 9), run_at(tmp_path / "b", "20250101T000000Z", 1)
    assert newest([one, other]) == other
    assert newest_each([("ice", other), ("snow", other), ("ice", one)]) == {"ice": one, "snow": other}


def test_a_run_of_the_source_as_it_is_now_comes_first(tmp_path: Path) -> None:
    now, later = run_at(tmp_path, "20260101T000000Z", 1, "abc"), run_at(tmp_path, "20260102T000000Z", 2, "def")
    assert newest([now, later], "abc") == now
    assert newest([now, later], "xyz") == later


def test_a_run_that_is_up_to_date_again_counts_again(tmp_path: Path) -> None:
    first, second = run_at(tmp_path, "20260101T000000Z", 1), run_at(tmp_path, "20260102T000000Z", 2)
    make_newest(second, "ice")
    assert json.loads((second / MADE).read_text()) == {"run": 2}
    make_newest(first, "ice")
    assert newest(find_runs(tmp_path)) == first


def test_linked_runs_are_not_followed(run: Path, tmp_path: Path) -> None:
    (run.parent / "link").symlink_to(run)
    (run.parent / "loop").symlink_to("loop")
    assert find_runs(run.parent) == [run]
    assert find_runs(run) == [run]
    assert find_runs(tmp_path / "none") == []


@pytest.mark.parametrize("name", FILES[:-2])
def test_a_file_of_a_run_that_is_a_link_is_not_read(run: Path, name: str) -> None:
    (run / name).unlink()
    (run / name).symlink_to("/proc/self/environ")
    with pytest.raises(RunError, match=f"{name} is a symbolic link"):
        load_run(run)


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("summary.json", []),
        ("summary.json", {"paper": 1}),
        ("summary.json", {"paper": "ice", "builder": "x"}),
        ("summary.json", {"paper": "ice", "repairs": [1]}),
        ("skipped.jsonl", {"block": 1, "reason": "x"}),
        ("source_blocks.jsonl", {"block": "b", "page": "1", "boxes": [], "characters": 1, "sha256": ""}),
        ("source_blocks.jsonl", {"block": "b", "page": 1, "boxes": [[1]], "characters": 1, "sha256": ""}),
        ("content_store.jsonl", {"ref": "a", "kind": 1, "text": ""}),
        ("content_store.jsonl", {"ref": "a", "kind": "b", "text": "\ud800"}),
        ("content_store.jsonl", {"ref": "a", "kind": "b", "text": "", "n": float("inf")}),
    ],
)
def test_json_of_another_type_is_named(run: Path, name: str, row: object) -> None:
    (run / name).write_text(json.dumps(row) + "\n")
    with pytest.raises(RunError, match=name):
        load_run(run)


def test_a_run_that_replaces_is_the_only_one_found(paper: Path, tmp_path: Path) -> None:
    out, files = tmp_path / "runs", index_paper(paper).files
    first, other = write_run(out, "ice", files), write_run(out, "ice_2", files)
    second = write_run(out, "ice", files, replace=True)
    assert find_runs(out) == sorted([second, other])
    assert sorted(path.name for path in out.glob("ice_*")) == sorted([second.name, other.name])
    hidden = out / f".replaced-{first.name}"
    assert load_run(hidden).summary["paper"] == "ice", "what was replaced is kept until the next time"
    third = write_run(out, "ice", files, replace=True)
    assert find_runs(out) == sorted([third, other])
    assert not hidden.exists() or hidden.name == f".replaced-{second.name}"
    assert len(list(out.glob(".replaced-ice_*"))) == 1


def test_a_folder_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for folder in (tmp_path / "file", tmp_path / "file" / "runs"):
        with pytest.raises(RunError, match="file"):
            writable(folder)
    writable(tmp_path / "new" / "runs")
    assert list((tmp_path / "new" / "runs").iterdir()) == []
