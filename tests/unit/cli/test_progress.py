"""Progress of long work: rate, remaining time, and what is shown where there is no terminal."""

from __future__ import annotations

import pytest

from kag.cli import terminal as shown
from kag.cli.index import MOST_ROWS, report_outcomes
from kag.core.display import counted, duration, pace, seconds_left
from kag.indexing.batch import Job, Outcome


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(shown, "time", clock)
    return clock


def test_remaining_time_follows_the_rate() -> None:
    assert seconds_left(10, 40, 5.0) == 15.0
    assert seconds_left(0, 40, 5.0) == 0.0
    assert pace(0, 40, 5.0) == ""
    assert pace(40, 40, 10.0) == "4.0 per second"
    assert duration(89) == "89 s"
    assert duration(5400) == "1.5 h"


def test_items_are_reported_after_they_are_done() -> None:
    seen: list[tuple[str, int, int]] = []
    for item in counted("abc", "letters", 3, lambda *row: seen.append(row)):
        assert len(seen) == "abc".index(item)
    assert seen == [("letters", 1, 3), ("letters", 2, 3), ("letters", 3, 3)]


def test_a_line_comes_every_few_seconds_with_rate_and_remaining_time(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with shown.ShownProgress() as progress:
        for done in range(1, 11):
            clock.now += 2.0
            progress("papers", done, 100)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "3 of 100 papers (30.0 per minute, 3 min left)",
        "6 of 100 papers (30.0 per minute, 3 min left)",
        "9 of 100 papers (30.0 per minute, 3 min left)",
    ]


def test_short_work_has_no_rate(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with shown.ShownProgress() as progress:
        progress.item("smith", "indexed", 1, 2)
        clock.now = 8.0
        progress.item("jones", "indexed", 2, 2)
    assert capsys.readouterr().err.splitlines() == [
        "[1/2] smith: indexed",
        "[2/2] jones: indexed (15.0 per minute)",
    ]


def test_a_bar_does_not_read_names_as_markup(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    with shown.ShownProgress() as progress:
        clock.now = 10.0
        progress.item("[red]paper[/red]\x1b[2J", "indexed", 5, 10)
    printed = capsys.readouterr().err
    assert "[red]paper[/red]" in printed
    assert "\x1b[2J" not in printed
    assert "10 s left" in printed


def failed(number: int, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = tmp_path_factory.getbasetemp()
    return Outcome(Job(folder, f"p{number:03}", folder), "failed", message="broken", exit_code=2)


def test_of_very_many_papers_the_table_has_those_that_need_attention(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = [failed(number, tmp_path_factory) for number in range(MOST_ROWS + 5)]
    with pytest.raises(SystemExit):
        report_outcomes(outcomes, as_json=False)
    rows = [line for line in capsys.readouterr().err.splitlines() if line.endswith("failed") and line.startswith("p")]
    assert len(rows) == MOST_ROWS
