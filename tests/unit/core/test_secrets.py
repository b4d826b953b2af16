"""Secrets are found in every spelling; words, numbers and paths are none."""

from __future__ import annotations

import base64
import html
import json
import logging
import os
import re
from urllib.parse import quote, quote_plus

import pytest

from kag.agents.model.spans import hide_in_logs
from kag.cli.main import main
from kag.cli.terminal import emit_json, say
from kag.core.errors import RunError
from kag.core.secrets import HIDDEN, hide_secrets, hold_secrets_of, safe_json, without_secrets
from kag.core.trajectory import Step, Trajectory

KEY = 'sk-pröj/4bC+9"x\\y%68=Z7'
PLAIN = "sk-0123456789abcdefABCDEF"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name != "PATH":
            monkeypatch.delenv(name)
    monkeypatch.setenv("SOME_API_KEY", KEY)


SPELLED = {
    "as it is": KEY,
    "broken by line ends as a terminal is shown them": r"\u000a    ".join(KEY),
    "for URLs": quote(KEY, safe=""),
    "for URLs, digits in lower case": re.sub("%..", lambda code: code[0].lower(), quote(KEY, safe="")),
    "for URLs, twice": quote(quote(KEY, safe=""), safe=""),
    "for URLs, every character": "".join(f"%{byte:02x}" for byte in KEY.encode()),
    "in a form": quote_plus(KEY),
    "JSON": json.dumps(KEY),
    "JSON with all letters and slashes escaped": json.dumps(KEY, ensure_ascii=False).replace("/", "\\/"),
    "JSON in JSON": json.dumps({"body": json.dumps({"key": KEY})}),
    "repr": repr(KEY),
    "repr of bytes": repr(KEY.encode()),
    "HTML": html.escape(KEY),
    "HTML by numbers": "".join(f"&#{ord(sign)};" for sign in KEY),
    "hex": KEY.encode().hex(),
    "hex with colons": KEY.encode().hex(":").upper(),
    "Latin-1 in base64": base64.b64encode(f"user:{KEY}".encode("latin-1")).decode(),
    "lines of base64": base64.encodebytes(f"user:{KEY}".encode()).decode(),
    "over two lines": f"{KEY[:9]}\n    {KEY[9:]}",
}


@pytest.mark.parametrize("name", SPELLED)
def test_every_spelling_is_hidden(name: str) -> None:
    shown = hide_secrets(f"before {SPELLED[name]} behind")
    assert HIDDEN in shown
    assert shown.startswith("before ")
    assert shown.endswith(" behind")
    assert "4bC" not in shown
    assert len(shown) < 60


@pytest.mark.parametrize("before", range(4))
@pytest.mark.parametrize("way", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_is_found_wherever_it_begins(before: int, way: type[base64.b64encode]) -> None:  # type: ignore[valid-type]
    text = way(b"u" * before + KEY.encode() + b":tail").decode().rstrip("=")  # type: ignore[operator]
    core = base64.b64encode(b"u" * before + KEY.encode()).decode()[6:20]
    assert HIDDEN in hide_secrets(f"Basic {text}")
    assert core not in hide_secrets(f"Basic {text}")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("LITE_API_KEY", "anthropic"), ("X_KEY", "none"), ("X_TOKEN", "development"), ("X_KEY", "not-needed")),
        *(("DB_PASSWORD", "20260101"), ("X_SECRET", "2026-01-01"), ("X_TOKEN", "127.0.0.1:8080"), ("X_KEY", "")),
        *(("KEYBOARD", "sk-0123456789"), ("MONKEY_BUSINESS", "sk-0123456789"), ("PWD", "/work/12345678")),
        ("SSL_KEY", os.path.abspath(__file__)),
    ],
)
def test_words_numbers_and_paths_are_no_secrets(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    text = f"the {value} is here"
    assert hide_secrets(text) is text


def test_what_is_hidden_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hide_secrets(PLAIN) == PLAIN
    for name in ("OPENAI_API_KEY_2", "GITHUB_PAT", "DB_PASS", "SESSION_COOKIE", "KEY_OF_X", "apikey"):
        monkeypatch.setenv(name, PLAIN)
        assert hide_secrets(PLAIN) == HIDDEN
        monkeypatch.delenv(name)
    assert hide_secrets(PLAIN) == PLAIN


def test_lines_and_items_of_a_value_are_secrets_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_KEY", f"-----BEGIN KEY-----\n{PLAIN}\n{PLAIN[::-1]}\n-----END KEY-----")
    monkeypatch.setenv("API_KEYS", "first0123456789,second0123456789")
    shown = hide_secrets(f"{PLAIN[::-1]} and second0123456789 and {PLAIN}")
    assert shown == f"{HIDDEN} and {HIDDEN} and {HIDDEN}"


def test_a_secret_that_was_cut_off_is_hidden_up_to_its_last_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "sk-proj-" + "".join(f"{n * 7919 % 9973:04d}" for n in range(40))
    monkeypatch.setenv("X_TOKEN", long)
    left = hide_secrets(long[:100]).removeprefix(HIDDEN)
    assert len(left) < 32


def test_addresses_carry_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://user:pass%40word1@host/db?sslmode=require")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=abc123def456,other=1")
    shown = hide_secrets("user, pass%40word1, pass@word1, dXNlcjpwYXNzQHdvcmQx, require, host, abc123def456")
    assert shown == f"user, {HIDDEN}, {HIDDEN}, dXNlcj{HIDDEN}, require, host, {HIDDEN}"


def test_an_address_that_an_option_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kag.core.secrets._held", set())
    hold_secrets_of("https://0123token4567@host/v1?api_key=89abkey0123&page=12345678x")
    assert hide_secrets("0123token4567 89abkey0123 12345678x host") == f"{HIDDEN} {HIDDEN} 12345678x host"


def test_json_stays_json_and_only_its_texts_change() -> None:
    value = {KEY: [1, None, f"line\n{KEY}", {"n": 2.5, "as": "is"}]}
    hidden = {HIDDEN: [1, None, f"line\n{HIDDEN}", {"n": 2.5, "as": "is"}]}
    assert json.loads(safe_json(value)) == without_secrets(value) == hidden
    assert safe_json({"n": 1}, indent=2) == json.dumps({"n": 1}, indent=2)


def test_a_secret_that_begins_like_an_escape_does_not_break_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X_KEY", "nabc0123456789")
    assert json.loads(safe_json(["\nabc0123456789", "C:\\nabc0123456789"])) == ["\nabc0123456789", f"C:\\{HIDDEN}"]


def test_errors_steps_and_what_is_printed_hold_none(capsys: pytest.CaptureFixture[str]) -> None:
    error = RunError(f"{KEY} is no key", hint=f"Not {quote(KEY)}.")
    assert (error.message, error.hint, str(error)) == (f"{HIDDEN} is no key", f"Not {HIDDEN}.", f"{HIDDEN} is no key")
    lines: list[str] = []
    trajectory = Trajectory(lines.append)
    trajectory.append(Step("tool", "say", data={"args": [KEY, {"to": KEY}]}))
    assert "".join(lines) == trajectory.to_jsonl()
    assert json.loads(lines[0])["args"] == [HIDDEN, {"to": HIDDEN}]
    say(f"I have {KEY}")
    emit_json({"key": KEY})
    assert capsys.readouterr().out == f'I have {HIDDEN}\n{{\n  "key": "{HIDDEN}"\n}}\n'


def test_a_wrong_option_is_not_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["qa", "--max-usd", KEY])
    assert left.value.code == 2
    assert f"'{HIDDEN}' is not a valid float" in capsys.readouterr().err


def test_logs_hold_no_secret_and_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    made = logging.getLogRecordFactory()
    hide_in_logs()
    try:
        try:
            raise ValueError(f"refused: {KEY}")
        except ValueError:
            logging.getLogger("a.stranger").exception("sent %s", KEY)
    finally:
        logging.setLogRecordFactory(made)
    assert [record.getMessage() for record in caplog.records] == [f"sent {HIDDEN} (ValueError: refused: {HIDDEN})"]
    assert caplog.records[0].exc_info is None
