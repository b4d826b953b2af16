"""Nothing that a terminal would obey gets through, and data stays data."""

from __future__ import annotations

import json
import unicodedata

import pytest

from kag.cli.terminal import emit, emit_json, note, say, visible

HOSTILE = "ice\x1b]0;owned\x07 \x9b31m\x7f\r\b\u202egnp\u2066\u200b\ufeff\U000e0041\ud800 ends"


def test_all_that_is_not_seen_is_written_out() -> None:
    shown = visible(HOSTILE)
    assert shown.startswith(
        "ice\\u001b]0;owned\\u0007 \\u009b31m\\u007f\\r\\b\\u202egnp\\u2066\\u200b\\ufeff\\udb40\\udc41"
    )
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs")]


def test_printed_words_of_all_languages_stay_as_they_are() -> None:
    for text in ("Søn Müller, 王小明\tالسلام\nβ-ⁿ⁄₂ 🧊", "e\u0301"):
        assert visible(text) == text


def test_words_and_json_are_made_visible_and_data_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    say(HOSTILE)
    note(HOSTILE)
    out = capsys.readouterr()
    assert "\x1b" not in out.out + out.err
    assert "\u202e" not in out.out + out.err
    emit_json({"title": "ice\x1b[31m\u202e\x7f\U000e0041"})
    printed = capsys.readouterr().out
    assert "\u202e" not in printed
    assert json.loads(printed) == {"title": "ice\x1b[31m\u202e\x7f\U000e0041"}
    emit("a\u202eb\x9b\n")
    assert capsys.readouterr().out == "a\u202eb\x9b\n"
