"""A folder of runs is read once a command, not once a paper, and what others write there is still seen."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from kag.indexing import run
from kag.indexing.batch import find_papers, index_all
from kag.indexing.run import has_written, look_anew, names_in


class Clock:
    """Time that passes only when it is told to, and while a folder is read."""

    def __init__(self, reading: float = 0.0) -> None:
        self.now, self.reading = 0.0, reading

    def monotonic(self) -> float:
        self.now += self.reading / 2
        return self.now


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each folder was read."""
    seen: Counter[str] = Counter()

    def counting(read: object) -> object:
        def counted(path: object = ".") -> object:
            seen[str(path)] += 1
            return read(path)  # type: ignore[operator]

        return counted

    monkeypatch.setattr(os, "listdir", counting(os.listdir))
    monkeypatch.setattr(os, "scandir", counting(os.scandir))
    return seen


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "time", Clock())


def papers(folder: Path, number: int) -> Path:
    for at in range(number):
        (folder / f"ice{at}").mkdir(parents=True)
        (folder / f"ice{at}" / "page_001.md").write_text(f"# Ice of lake {at}\n\nIt melts in spring.\n")
    return folder


@pytest.mark.usefixtures("still")
def test_the_folder_of_runs_is_read_as_often_for_many_papers_as_for_few(tmp_path: Path, looks: Counter[str]) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    for out, number in ((few, 2), (many, 12)):
        jobs = find_papers([papers(tmp_path / f"in{number}", number)], out)
        assert [outcome.state for outcome in index_all(jobs)] == ["indexed"] * number
        assert [outcome.state for outcome in index_all(jobs)] == ["up to date"] * number
        forced = find_papers([tmp_path / f"in{number}"], out, force=True)
        for _ in range(2):
            assert [outcome.state for outcome in index_all(forced)] == ["indexed"] * number
    assert looks[str(many)] == looks[str(few)] <= 12  # four commands, each: what is there, and what was left half-done


@pytest.mark.usefixtures("still")
def test_a_run_of_this_process_is_known_at_once(tmp_path: Path, looks: Counter[str]) -> None:
    look_anew(tmp_path)
    for name in ("b_1", "a_1", "b_1"):
        (tmp_path / name).mkdir(exist_ok=True)
        has_written(tmp_path / name)
    assert (names_in(tmp_path, "a_"), names_in(tmp_path, "b_"), names_in(tmp_path, "c_")) == (["a_1"], ["b_1"], [])
    assert looks[str(tmp_path)] == 1


def test_what_another_process_writes_is_seen_after_a_hundred_times_what_reading_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks: Counter[str]
) -> None:
    clock = Clock(reading=0.25)
    monkeypatch.setattr(run, "time", SimpleNamespace(monotonic=clock.monotonic))
    look_anew(tmp_path)
    (tmp_path / "ice_1").mkdir()
    assert (names_in(tmp_path, "ice_"), looks[str(tmp_path)]) == ([], 1)
    clock.now += 100 * clock.reading
    assert (names_in(tmp_path, "ice_"), looks[str(tmp_path)]) == (["ice_1"], 2)


def test_a_command_begins_with_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "time", Clock())
    jobs = find_papers([papers(tmp_path / "in", 1)], tmp_path / "runs")
    (first,) = index_all(jobs)
    assert first.run
    other = first.run.with_name("ice0_29990101T000000Z")  # as a process beside this one would have written
    other.mkdir()
    for file in first.run.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    (other / "made.json").write_text('{"run": 2}')
    (again,) = index_all(jobs)
    assert (again.state, again.run) == ("up to date", other)


@pytest.mark.usefixtures("still")
def test_a_run_that_was_taken_away_is_no_run(tmp_path: Path) -> None:
    jobs = find_papers([papers(tmp_path / "in", 1)], tmp_path / "runs")
    (first,) = index_all(jobs)
    assert first.run
    first.run.rename(tmp_path / "elsewhere")
    (again,) = index_all(jobs)
    assert again.state == "indexed"
