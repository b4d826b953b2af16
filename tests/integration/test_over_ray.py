"""Papers over Ray, on a cluster that runs on this machine: the same runs, and nothing lost with what dies."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kag.core.errors import RunError
from kag.core.workers import UNLIMITED, Ended, Executor, Limits
from kag.indexing import over_ray as of_ray
from kag.indexing.batch import find_papers, index_all
from kag.indexing.over_ray import over_ray
from tests.conftest import BUNDLED

ray = pytest.importorskip("ray", reason="ray is an extra of kag-papers")


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    yield over_ray("local")
    ray.shutdown()


def work(item: str) -> str:
    if item == "dies":
        os._exit(7)
    if item == "hangs":
        time.sleep(600)
    if item.startswith("who"):
        return str(os.getpid())
    return item.upper()


def test_the_runs_are_those_of_one_process(executor: Executor, tmp_path: Path, bundled_runs: Path) -> None:
    jobs = find_papers([BUNDLED], tmp_path)
    outcomes = list(index_all(jobs, executor=executor))
    assert sorted(outcome.state for outcome in outcomes) == ["indexed"] * len(jobs)
    for outcome in outcomes:
        assert outcome.run
        twin = next(run for run in bundled_runs.iterdir() if run.name.startswith(f"{outcome.job.name}_"))
        for name in ("knowledge_graph.ttl", "skipped.jsonl"):
            assert (outcome.run / name).read_bytes() == (twin / name).read_bytes()


def test_a_machine_with_another_kag_is_told_and_refused(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    own = of_ray.edition()
    monkeypatch.setattr(of_ray, "edition", lambda: "0.0.9 (0123456789ab)")
    with pytest.raises(RunError, match=re.escape(f"has kag {own}, this machine 0.0.9 (0123456789ab)")):
        list(executor(work, ["one"], UNLIMITED))  # it came later
    with pytest.raises(RunError, match=re.escape(f"has kag {own}, this machine 0.0.9")) as error:
        over_ray("local")
    assert "Install the same kag" in error.value.hint


def test_what_dies_or_hangs_costs_only_itself(executor: Executor) -> None:
    found = dict(executor(work, ["one", "dies", "hangs", "two"], Limits(seconds=5)))
    assert (found["one"], found["two"]) == ("ONE", "TWO")
    assert isinstance(found["hangs"], Ended)
    assert found["hangs"].why == "time"
    assert isinstance(found["dies"], Ended)
    assert found["dies"].why == "died"


def test_a_process_is_kept_from_paper_to_paper(executor: Executor) -> None:
    found = dict(executor(work, [f"who {number}" for number in range(40)], Limits(seconds=60)))
    assert len({*found.values()}) <= 20  # as many as Ray has processes, and each imports kag once


def test_a_process_of_ray_that_dies_again_and_again_is_told(executor: Executor) -> None:
    found = dict(executor(work, ["dies", "one"], UNLIMITED))
    assert isinstance(found["dies"], Ended)
    assert found["one"] == "ONE"


def test_where_there_is_no_cluster_is_told() -> None:
    ray.shutdown()
    with pytest.raises(RunError, match="there is no Ray cluster"):
        over_ray("127.0.0.1:1")
