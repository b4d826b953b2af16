"""A recording is readable, holds no secrets and gives back what it was given; a replay is strict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kag.agents.model.budget import Cassette, canonical, digest, first_difference
from kag.core.errors import ModelError, RunError


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
