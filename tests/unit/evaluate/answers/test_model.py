"""`kag evaluate qa` with a model, over a provider's wire format: repeats, their spread, what they took."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kag.cli.main import cli
from tests.integration.provider_servers import ProviderServer, anthropic, serve
from tests.unit.agents.readings import FALSE, TRUE, action, batteries, claims

CLAUDE = "anthropic/claude-sonnet-4-5"
USAGE = {"input_tokens": 100, "output_tokens": 20}
NOTHING = action('g_search("lamps"); SUBMIT({"not_found": True})')
REWORDED = ("Of their charge, the cells lost 31 %.", *TRUE[1:])
ROW = {"id": "q1", "question": "How much charge did the cells lose?", "type": "content", "gold": "31 %"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("batteries")
    batteries(folder)
    return folder / "runs"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-of-the-test")


def submit(claim: tuple[str, str, str]) -> str:
    return action(f"SUBMIT(answer=json.loads({claims(claim)!r}))")


def evaluate(
    monkeypatch: pytest.MonkeyPatch, server: ProviderServer, runs: Path, folder: Path, *more: str
) -> tuple[Result, dict[str, dict[str, float]]]:
    """The command, its model at the server's address; and the spread by figure."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    (folder / "questions.json").write_text(json.dumps([ROW]), encoding="utf-8")
    given = ["evaluate", "qa", str(folder / "questions.json"), str(runs), "--lm", CLAUDE, *more]
    given += ["--out-dir", str(folder / "out"), "--json", str(folder / "marks.json")]
    result = CliRunner().invoke(cli, given)
    (found,) = json.loads((folder / "marks.json").read_text(encoding="utf-8"))["sets"].values()
    return result, {row["figure"]: row for row in found["spread"]}


def test_what_differs_shows_in_the_spread(monkeypatch: pytest.MonkeyPatch, runs: Path, tmp_path: Path) -> None:
    true, silent, judged = (anthropic(text, usage=USAGE) for text in (submit(REWORDED), NOTHING, '{"claims": []}'))
    with serve(true, judged, silent, true, judged) as server:
        result, spread = evaluate(monkeypatch, server, runs, tmp_path, "--repeats", "3")
    assert result.exit_code == 0, result.output
    assert len(server.asked) == 5  # each repeat asks anew, and what it claims is judged
    assert spread["contained"]["mean"] == spread["marked alike"]["mean"] + 2 / 3 == pytest.approx(2 / 3)
    assert (spread["abstained"]["least"], spread["abstained"]["most"]) == (0.0, 1.0)
    assert (spread["tokens"]["least"], spread["tokens"]["most"]) == (120, 240)
    assert spread["usd"]["mean"] > 0
    assert "Spread over repeats" in result.output


def test_a_lie_is_not_let_in(monkeypatch: pytest.MonkeyPatch, runs: Path, tmp_path: Path) -> None:
    with serve(anthropic(submit(FALSE), usage=USAGE)) as server:
        result, spread = evaluate(monkeypatch, server, runs, tmp_path, "--repeats", "2")
    assert result.exit_code == 0, result.output
    assert spread["stopped"]["least"] == 1.0  # the passages stand in
    assert spread["tokens"]["mean"] == 360  # it was told twice


def test_five_times_unless_told_and_never_asked_twice(
    monkeypatch: pytest.MonkeyPatch, runs: Path, tmp_path: Path
) -> None:
    with serve(anthropic(submit(TRUE), usage=USAGE)) as server:
        _, spread = evaluate(monkeypatch, server, runs, tmp_path)
        assert len(server.asked) == 5
        assert (spread["contained"]["repeats"], spread["contained"]["sd"]) == (5, 0.0)
        _, again = evaluate(monkeypatch, server, runs, tmp_path)
        assert len(server.asked) == 5
    assert again == spread
