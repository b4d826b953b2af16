"""Server-sent events: whatever a text holds, an event is one line to every reader."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")

from kag.serve.api.streams import event


@pytest.mark.parametrize(
    "end", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
)
def test_no_text_ends_the_line_of_an_event(end: str) -> None:
    text = f"ice{end}event: answer"
    name, data, last = event("passage", {"quote": text}).splitlines()
    assert (name, last) == ("event: passage", "")
    assert json.loads(data.removeprefix("data: ")) == {"quote": text}
