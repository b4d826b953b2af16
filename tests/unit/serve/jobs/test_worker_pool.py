"""The worker pool: jobs of one paper keep their order, and a fault of the system loses no job."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kag.serve.bounds import USUAL
from kag.serve.jobs import journal as journal_module
from kag.serve.jobs import worker_pool
from kag.serve.jobs.journal import ATTEMPTS, Job, Journal, Kind, new_id, now
from kag.serve.jobs.worker_pool import WorkerPool
from kag.serve.problems import Refusal

DONE = json.dumps({"state": "done", "message": "", "hint": "", "result": {}})
Begin = Callable[[Path, Path], "subprocess.Popen[bytes]"]


class Log:
    """Begins processes that end at once, and keeps in which order; `fails` are errors to raise first."""

    def __init__(self, fails: list[BaseException] | None = None, seconds: float = 0.2) -> None:
        self.begun: list[str] = []
        self.running: list[tuple[str, float, float]] = []
        self.fails, self.seconds = list(fails or []), seconds

    def begin(self, root: Path, folder: Path) -> subprocess.Popen[bytes]:
        if self.fails:
            raise self.fails.pop(0)
        self.begun.append(folder.name)
        code = f"import time, pathlib; time.sleep({self.seconds}); pathlib.Path('outcome.json').write_text({DONE!r})"
        return subprocess.Popen([sys.executable, "-S", "-c", code], cwd=folder, start_new_session=True)


@pytest.fixture
def pool_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Log], WorkerPool]]:
    made: list[WorkerPool] = []
    monkeypatch.setattr(worker_pool, "_WATCH", 0.05)
    monkeypatch.setattr(worker_pool, "_DELAY", 0.02)

    def make(log: Log, workers: int = 2) -> WorkerPool:
        monkeypatch.setattr(worker_pool, "_begin", log.begin)
        folder = tmp_path / "jobs"
        folder.mkdir(exist_ok=True)
        made.append(WorkerPool(tmp_path, Journal(folder), replace(USUAL, workers=workers)))
        return made[-1]

    yield make
    for pool in made:
        pool.stop()


def job(kind: Kind, paper: str = "", key: str = "") -> Job:
    return Job(new_id(), kind, kind, created=now(), paper=paper, client="c", key=key)


def until(condition: Callable[[], Any], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.01)


def settled(pool: WorkerPool) -> list[str]:
    until(lambda: not any(one.open for one in pool._journal.jobs()))
    return [one.state for one in reversed(pool._journal.jobs())]


def test_jobs_that_write_one_paper_keep_their_order_and_others_pass_them(pool_of: Any) -> None:
    log = Log()
    pool = pool_of(log)
    pool.start()
    jobs = [job("add", "a"), job("correct", "a"), job("remove", "a"), job("add", "b"), job("ask", "a")]
    pool.submit(jobs)
    assert settled(pool) == ["done"] * 5
    ids = [one.id for one in jobs]
    assert [name for name in log.begun if name in ids[:3]] == ids[:3]
    assert set(log.begun[:2]) == {ids[0], ids[3]}  # the other paper did not wait


def test_ids_sort_by_age() -> None:
    names = [new_id() for _ in range(500)]
    assert names == sorted(names)
    assert all(journal_module._ID.fullmatch(name) for name in names)


@pytest.mark.parametrize(
    "fault",
    [OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EMFILE, "Too many open files")],
    ids=["disk", "descriptors"],
)
def test_a_fault_loses_no_job(pool_of: Any, fault: BaseException) -> None:
    pool = pool_of(Log([fault, fault]), workers=1)
    pool.start()
    pool.submit([job("add", "a"), job("add", "b")])
    assert settled(pool) == ["done", "done"]
    assert pool.trouble == ""


def test_a_fault_that_stays_is_told_and_ends_the_job_with_its_reason(
    pool_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "_DELAY", 0.1)
    pool = pool_of(Log([OSError(errno.ENOSPC, "No space left on device")] * (ATTEMPTS + 1)), workers=1)
    pool.start()
    (sent,) = pool.submit([job("add", "a")])
    until(lambda: pool.trouble == "No space left on device")
    assert settled(pool) == ["failed"]
    assert "No space left on device" in pool._journal.get(sent.id).message
    assert pool.trouble == ""


def test_what_the_disk_does_not_take_is_written_later(pool_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    log, full, write = Log(), [True], journal_module.write_whole
    pool = pool_of(log, workers=1)
    (sent,) = pool.submit([job("add", "a")])

    def refuse(path: Path, text: str) -> None:
        if full[0]:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write(path, text)

    monkeypatch.setattr(journal_module, "write_whole", refuse)
    with pytest.raises(OSError, match="No space"):
        pool.submit([job("add", "b")])  # whoever sends it is told, and nothing of it stays
    pool.start()
    assert settled(pool) == ["done"]
    assert pool.trouble == "the journal of jobs cannot be written"
    full[0] = False
    until(lambda: pool.trouble == "")
    assert Journal(pool._root / "jobs").get(sent.id).state == "done"
    assert len(Journal(pool._root / "jobs").jobs()) == 1


def test_what_cannot_be_read_now_is_no_failure(pool_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fails, read = [OSError(errno.EMFILE, "Too many open files")], worker_pool.outcome

    def outcome(folder: Path) -> Any:
        if fails:
            raise fails.pop()
        return read(folder)

    monkeypatch.setattr(worker_pool, "outcome", outcome)
    pool = pool_of(Log(), workers=1)
    pool.start()
    pool.submit([job("add", "a")])
    assert settled(pool) == ["done"]


def test_a_next_server_takes_up_what_was_not_done_in_its_order(pool_of: Any) -> None:
    first = pool_of(Log())
    jobs = [job("add", "a"), job("correct", "a"), job("correct", "a")]
    first.submit(jobs)
    first._journal.write(replace(jobs[0], state="running", attempts=1))
    log = Log()
    second = pool_of(log)
    second.start()
    assert settled(second) == ["done"] * 3
    assert log.begun == [one.id for one in jobs]


def test_all_jobs_of_a_request_are_made_or_none(pool_of: Any) -> None:
    pool = pool_of(Log())
    pool._bounds = replace(USUAL, jobs=3)
    pool.submit([job("add", "a", "k1"), job("add", "b", "k2")])
    with pytest.raises(Refusal) as refused:
        pool.submit([job("add", "c"), job("add", "d")])
    assert refused.value.status == 429
    assert len(pool._journal.jobs()) == 2
    again = pool.submit([job("add", "a", "k1"), job("add", "b", "k2")])  # its key makes it once
    assert [one.key for one in again] == ["k1", "k2"]
    assert len(pool._journal.jobs()) == 2
