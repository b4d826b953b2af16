"""Workers: each item ends with a result or a reason, whatever its process does, and no process stays behind."""

from __future__ import annotations

import mmap
import os
import re
import signal
import sys
import threading
import time
from multiprocessing import active_children

import pytest

from kag.core import workers
from kag.core.workers import UNLIMITED, Ended, Kept, Limits, apart, here

pytestmark = pytest.mark.slow

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit of memory")


class Heavy:
    """A result that takes more memory to send than there is."""

    def __reduce__(self) -> tuple[type[bytes], tuple[bytes]]:
        return bytes, (bytes(2**30),)


def double(item: int | str) -> object:
    """What the items of these tests ask for."""
    match item:
        case "hang":
            return re.match("(a+)+$", "a" * 60 + "b")  # in a library, which no exception gets into
        case "sleep":
            time.sleep(60)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit" | "quit":
            os._exit(3 if item == "exit" else 0)
        case "leave":
            raise SystemExit(7)
        case "eat":
            return len(bytearray(2**30))
        case "who":
            return os.getpid()
        case "asked":
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # Ctrl-C reaches all processes of a terminal
                os.kill(os.getpid(), getattr(signal, name))
            time.sleep(0.1)
    return item * 2


def heavy(item: int) -> object:
    return Heavy() if item == 2 else item


def results(items: list[int | str], workers: int, limits: Limits = UNLIMITED) -> dict[int | str, object]:
    found = dict(apart(double, items, workers, limits))
    assert active_children() == []
    return found


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_each_item_has_its_result(workers: int) -> None:
    assert results([1, 2, 3, 4], workers) == {1: 2, 2: 4, 3: 6, 4: 8}
    assert results([], workers) == {}


def test_one_process_takes_many_items() -> None:
    mine, first, second = os.getpid(), *(found for _, found in apart(double, ["who", "who"], 1, UNLIMITED))
    assert first == second != mine


@pytest.mark.parametrize(
    ("item", "ended"),
    [
        ("hang", Ended("time")),
        ("sleep", Ended("time")),
        ("die", Ended("died", "SIGKILL")),
        ("exit", Ended("died", "exit code 3")),
        ("quit", Ended("died", "exit code 0")),
        ("leave", Ended("died", "exit code 1")),
        pytest.param("eat", Ended("memory"), marks=LINUX),
    ],
)
def test_what_breaks_its_process_costs_only_itself(item: str, ended: Ended, capfd: pytest.CaptureFixture[str]) -> None:
    assert results([1, item, 2, 3], 1, Limits(1, 900)) == {1: 2, item: ended, 2: 4, 3: 6}
    assert "Traceback" not in capfd.readouterr().err


@LINUX
def test_an_answer_that_cannot_be_sent_for_want_of_memory_is_told_as_that() -> None:
    assert dict(apart(heavy, [1, 2], 1, Limits(60, 200))) == {1: 1, 2: Ended("memory")}


@LINUX
def test_what_the_parent_holds_does_not_count() -> None:
    """A forked worker begins with all of it: a notebook with much in memory could index nothing."""
    held = mmap.mmap(-1, 2**30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    try:
        assert results([1, "eat", 2], 1, Limits(60, 200)) == {1: 2, "eat": Ended("memory"), 2: 4}
    finally:
        held.close()


def test_the_time_counts_for_each_item_and_not_for_all() -> None:
    """It ends by the parent's clock: the worker's own alarm, for when that is gone, would come 10 seconds later."""
    start, computed = time.monotonic(), time.process_time()
    assert results(["sleep", *range(200)], 1, Limits(0.5)) == {"sleep": Ended("time"), **{n: n * 2 for n in range(200)}}
    assert time.monotonic() - start < 9
    assert time.process_time() - computed < 0.4, "who waits does not compute"


def test_beside_other_threads_workers_start_anew() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert results([1, "die", 2], 2) == {1: 2, "die": Ended("died", "SIGKILL"), 2: 4}
    finally:
        stop.set()
        thread.join()


def test_what_nobody_asks_for_any_more_is_killed() -> None:
    found = apart(double, [1, "hang", "sleep"], 3, UNLIMITED)
    assert next(found) == (1, 2)
    found.close()
    assert active_children() == []


def test_in_this_process_memory_that_is_not_there_costs_only_its_item() -> None:
    def task(item: int) -> int:
        if item == 1:
            raise MemoryError
        return item

    assert list(here(task, [0, 1, 2])) == [(0, 0), (1, Ended("memory")), (2, 2)]


@pytest.mark.parametrize("limits", [UNLIMITED, Limits(seconds=60)])
def test_a_process_is_ended_when_a_signal_comes_while_it_begins(
    limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(worker: object, item: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(workers._Worker, "give", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(apart(len, ["ice"], 2, limits))
    assert not active_children()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has other requests")
def test_a_request_to_end_is_the_parents() -> None:
    assert results(["asked", 1], 1) == {"asked": "askedasked", 1: 2}


def test_a_process_is_kept_from_item_to_item_until_one_ends_it() -> None:
    kept: Kept[int | str, object] = Kept(double, Limits(60))
    first = kept("who")
    assert first != os.getpid()
    assert (kept(2), kept("who")) == (4, first)
    assert kept("die") == Ended("died", "SIGKILL")
    assert (kept(3), kept("who") == first) == (6, False)
    kept.end()
    assert not active_children()


def test_each_item_has_its_own_time_in_a_kept_process() -> None:
    kept: Kept[int | str, object] = Kept(double, Limits(1.0))
    assert (kept(1), kept("sleep"), kept(2)) == (2, Ended("time"), 4)
    kept.end()


def test_without_limits_items_are_done_in_this_process() -> None:
    assert Kept(double, UNLIMITED)("who") == os.getpid()


# what a worker is given, seen from inside -----------------------------------------------------------


def test_a_process_that_does_not_begin_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    if not workers.forks():
        pytest.skip("a process that starts anew has the module as it is")
    monkeypatch.setattr(workers, "_START", 0.2)
    monkeypatch.setattr(workers, "_serve", lambda *_: time.sleep(60))
    assert results([1], 1) == {1: Ended("died", "it did not begin")}
