"""Each limit stops the call that would go beyond it, and no other."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from kag.agents.model.budget import Budget, Call, Cassette, Cost, Ledger, Limits, canonical, digest, first_difference
from kag.core.errors import BudgetExceeded, ModelError, RunError


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def spend(budget: Budget, cost: Cost, expected: Cost | None = None) -> None:
    with budget.call(expected or Cost()) as charge:
        charge(cost)


@pytest.mark.parametrize(
    ("limits", "cost", "unit"),
    [
        (Limits(usd=0.3), Cost(10, 0.1), "USD"),
        (Limits(tokens=300), Cost(100, 0.1), "tokens"),
        (Limits(calls=3), Cost(100, 0.1), "calls"),
    ],
)
def test_the_fourth_call_is_refused_and_three_are_not(limits: Limits, cost: Cost, unit: str) -> None:
    budget = Budget(limits)
    for _ in range(3):
        spend(budget, cost)
    with pytest.raises(BudgetExceeded, match=f"limit of .* {unit} is reached") as stop:
        spend(budget, cost)
    assert (stop.value.code, stop.value.exit_code) == ("budget", 3)
    assert budget.spent()["calls"] == 3


def test_a_call_whose_prompt_alone_would_pass_the_limit_is_refused_before_it_starts() -> None:
    budget = Budget(Limits(tokens=1000))
    spend(budget, Cost(600))
    with pytest.raises(BudgetExceeded, match="needs at least 401"):
        spend(budget, Cost(1), expected=Cost(401))
    spend(budget, Cost(400), expected=Cost(400))
    assert budget.spent()["tokens"] == 1000


def test_time_is_measured_from_the_opening() -> None:
    clock = Clock()
    budget = Budget(Limits(seconds=60), clock=clock, sleep=clock.sleep)
    spend(budget, Cost())
    budget.wait(59)
    spend(budget, Cost())
    assert budget.seconds_left() == 1
    with pytest.raises(BudgetExceeded, match="5 to wait and 1 left"):
        budget.wait(5)
    assert clock.now == 159, "a wait that cannot be is not begun"
    clock.now += 1
    with pytest.raises(BudgetExceeded, match="seconds"):
        spend(budget, Cost())


def test_a_failed_call_gives_back_what_it_held() -> None:
    budget = Budget(Limits(tokens=100))
    with pytest.raises(RuntimeError), budget.call(Cost(90)):
        raise RuntimeError("connection lost")
    spend(budget, Cost(90), expected=Cost(90))
    assert budget.spent()["tokens"] == 90


def test_calls_under_way_at_the_same_time_cannot_pass_the_limit_together() -> None:
    budget = Budget(Limits(tokens=100))
    barrier, outcomes = threading.Barrier(8), []

    def work() -> None:
        barrier.wait()
        try:
            with budget.call(Cost(30)) as charge:
                done.wait()
                charge(Cost(30))
            outcomes.append("done")
        except BudgetExceeded:
            outcomes.append("stopped")
            stopped.release()

    done, stopped = threading.Event(), threading.Semaphore(0)
    threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    refused = [stopped.acquire(timeout=10) for _ in range(5)]
    done.set()
    for thread in threads:
        thread.join()
    assert all(refused)
    assert sorted(outcomes) == ["done"] * 3 + ["stopped"] * 5
    assert budget.spent()["tokens"] == 90


def test_replayed_calls_cost_nothing_and_keep_what_they_cost() -> None:
    ledger = Ledger()
    for replayed in (False, True, True):
        ledger.add(Call("main", "m", tokens_in=100, tokens_out=10, usd=0.1, replayed=replayed))
    summary = ledger.summary()
    assert (summary["usd"], summary["usd_replayed"]) == (0.1, 0.2)
    assert (summary["calls"], summary["replayed"], summary["tokens_in"]) == (3, 2, 300)


def test_totals_are_given_by_role_and_model_and_add_up() -> None:
    ledger = Ledger()
    ledger.add(Call("main", "big", tokens_in=10, usd=0.3))
    ledger.add(Call("vision", "eye", tokens_in=1, cache_read=1, usd=None, priced=False))
    ledger.add(Call("sub", "big", error="timeout", attempts=4))
    summary = ledger.summary()
    assert list(summary["by_role"]) == ["main", "sub", "vision"]
    assert summary["by_model"]["big"]["failed"] == 1
    assert summary["by_role"]["vision"]["unpriced"] == summary["unpriced"] == 1
    for name in ("calls", "tokens_in", "usd", "failed"):
        assert sum(part[name] for part in summary["by_model"].values()) == summary[name]


def request(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "parts": [{"type": "text", "text": text}]}], **more}


def record(path: Path, *texts: str) -> None:
    cassette = Cassette(path, "record")
    for text in texts:
        assert cassette.find(request(text)) is None
        cassette.add(request(text), {"text": text.upper()})


def test_recorded_calls_come_back_in_any_order_and_the_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "new" / "calls.jsonl"
    record(path, "one", "two", "drei")
    before = path.read_bytes()
    cassette = Cassette(path)
    assert [cassette.find(request(text)) for text in ("two", "drei", "one")] == [
        {"text": "TWO"},
        {"text": "DREI"},
        {"text": "ONE"},
    ]
    cassette.add(request("four"), {"text": "FOUR"})
    assert path.read_bytes() == before


def test_a_line_is_one_call_with_key_model_request_and_response(tmp_path: Path) -> None:
    record(tmp_path / "calls.jsonl", "grüße")
    (line,) = (tmp_path / "calls.jsonl").read_text("utf-8").splitlines()
    row = json.loads(line)
    assert list(row) == ["key", "model", "request", "response"]
    assert row["key"] == digest(request("grüße"))
    assert "grüße" in line


def test_a_miss_says_where_the_nearest_recorded_request_differs(tmp_path: Path) -> None:
    record(tmp_path / "calls.jsonl", "one", "The ice is thick. Go on.")
    with pytest.raises(ModelError) as miss:
        Cassette(tmp_path / "calls.jsonl").find(request("The ice is thin. Go on."))
    assert "request.messages[0].parts[0].text differs at character 14" in str(miss.value)
    assert "thick. Go on." in str(miss.value)
    assert "thin. Go on." in str(miss.value)
    assert miss.value.exit_code == 3


def test_each_recorded_answer_is_given_once_and_in_order(tmp_path: Path) -> None:
    cassette = Cassette(tmp_path / "calls.jsonl", "record")
    cassette.add(request("again"), {"n": 1})
    cassette.add(request("again"), {"n": 2})
    replay = Cassette(tmp_path / "calls.jsonl")
    assert [replay.find(request("again")) for _ in range(2)] == [{"n": 1}, {"n": 2}]
    with pytest.raises(ModelError, match="all 2 recorded calls were replayed"):
        replay.find(request("again"))


def test_auto_answers_what_it_has_and_records_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    record(path, "one")
    auto = Cassette(path, "auto")
    assert auto.find(request("one")) == {"text": "ONE"}
    assert auto.find(request("two")) is None
    auto.add(request("two"), {"text": "TWO"})
    assert Cassette(path).find(request("two")) == {"text": "TWO"}


def test_a_recording_killed_while_writing_keeps_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    record(path, "one", "zwölf")
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"key": "abc", "requ')
    auto = Cassette(path, "auto")
    assert auto.find(request("zwölf")) == {"text": "ZWÖLF"}
    auto.add(request("three"), {"text": "THREE"})
    assert path.read_bytes().startswith(whole)
    assert Cassette(path).find(request("three")) == {"text": "THREE"}


@pytest.mark.parametrize("line", ["{}", "[]", "nonsense", '{"key": "0", "request": {}, "response": {}}'])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "calls.jsonl"
    record(path, "one")
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    with pytest.raises(RunError, match="line 2"):
        Cassette(path)


def test_a_recording_is_neither_missed_nor_overwritten(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no such cassette"):
        Cassette(tmp_path / "calls.jsonl")
    record(tmp_path / "calls.jsonl", "one")
    with pytest.raises(RunError, match="holds a recording already"):
        Cassette(tmp_path / "calls.jsonl", "record")


def test_secrets_and_pictures_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789")
    monkeypatch.setenv("SHORT_KEY", "EMPTY")
    asked = request("my key is sk-0123456789 and EMPTY")
    picture = {"type": "image", "media_type": "image/png", "data": "iVBORw0KGgo="}
    asked["messages"][0]["parts"].append(picture)
    text = json.dumps(kept := canonical(asked))
    assert "sk-0123456789" not in text
    assert "iVBORw0KGgo=" not in text
    assert "[secret] and EMPTY" in text
    other = canonical({**asked, "messages": [{"role": "user", "parts": [{**picture, "data": "AAAA"}]}]})
    assert digest(other) != digest(kept), "another picture is another request"


@pytest.mark.parametrize(
    ("recorded", "asked", "words"),
    [
        ({"a": 1}, {"a": 2}, "request.a: recorded '1', now '2'"),
        ({"a": [1]}, {"a": [1, 2]}, "request.a has 2 entries instead of 1"),
        ({}, {"b": "x"}, "request.b: recorded 'null'"),
        ("same start", "same end", "differs at character 5"),
    ],
)
def test_a_difference_is_told_in_words(recorded: Any, asked: Any, words: str) -> None:
    assert words in first_difference(recorded, asked)
