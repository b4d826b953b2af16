"""What a server was started with is shown to whoever may ask, and no secret is."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from kag.cli.config import started_with
from kag.cli.main import cli

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from kag.serve.app import Options, make_app
from kag.serve.guard.access import access_for
from kag.serve.home import StartedWith


def called(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[StartedWith, ...]:
    """What `kag serve` would hand on for a call in a folder."""
    seen: list[tuple[StartedWith, ...]] = []

    @click.pass_context
    def serve(context: click.Context, /, **given: object) -> None:
        rows = started_with(context)
        seen.append(
            tuple(StartedWith(*(str(row[name]) for name in ("command", "key", "value", "origin"))) for row in rows)
        )

    monkeypatch.chdir(folder)
    monkeypatch.setattr(cli.commands["serve"], "callback", serve)
    with cli.make_context("kag", ["serve", *words]) as context:
        cli.invoke(context)
    return seen[0]


def test_the_page_and_the_api_say_what_config_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kag.toml").write_text("max-usd = 0.25\n[serve]\nworkers = 3\nlog = true\n")
    monkeypatch.setenv("KAG_SERVE_TOKEN", "0123456789abcdef-private")
    monkeypatch.setenv("KAG_LM", "own/<b>x</b>")
    told = called(tmp_path, monkeypatch, "--workers", "4")
    assert {(one.command, one.key): (one.value, one.origin) for one in told} == {
        ("serve", "workers"): ("4", "the call"),
        ("", "lm"): ("own/<b>x</b>", "KAG_LM"),
        ("", "max-usd"): ("0.25", "kag.toml:1"),
        ("serve", "log"): ("True", "kag.toml:4"),
        ("serve", "token"): ("[secret]", "KAG_SERVE_TOKEN"),
    }
    app = make_app(Options(tmp_path / "library", access_for("127.0.0.1"), started_with=told))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        rows = client.get("/api/v1/settings/started-with").json()
        page = client.get("/settings").text
    assert {"command": "", "key": "max-usd", "value": "0.25", "origin": "kag.toml:1"} in rows
    assert "<td>kag.toml:1</td>" in page
    assert "<b>x</b>" not in page
    assert "private" not in page + str(rows)
