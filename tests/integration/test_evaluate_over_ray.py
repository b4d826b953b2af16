"""Every evaluation over Ray, on a cluster of this machine: what it prints and writes is what one process does."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.core.errors import RunError, SourceError
from kag.core.workers import Executor
from kag.evaluate.statistics import alone, in_order
from kag.indexing.over_ray import over_ray
from tests.conftest import BUNDLED

ray = pytest.importorskip("ray", reason="ray is an extra of kag-papers")


@pytest.fixture(scope="module")
def executor() -> Executor:
    return over_ray("local")  # it ends with this process: other tests go on with it


@pytest.mark.parametrize("command", ["structure BUNDLED RUNS", "qa BUNDLED/zirconium_tracers/questions.json RUNS"])
def test_an_evaluation_tells_the_same_over_a_cluster(
    executor: Executor, bundled_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words = command.replace("BUNDLED", str(BUNDLED)).replace("RUNS", str(bundled_runs)).split()
    told = {}
    for file, more in (("alone", []), ("spread", ["--ray", "local"])):
        result = CliRunner().invoke(cli, ["evaluate", *words, "--json", f"{file}.json", *more])
        assert result.exit_code == 0, result.output
        told[file] = (result.stdout, Path(f"{file}.json").read_bytes())
    assert len(told["alone"][1]) > 40
    assert told["spread"] == told["alone"]


def stops(items: Iterable[int]) -> list[int]:
    given = list(items)
    if 3 in given:
        raise SourceError("three is damaged", hint="Leave it out.")
    if 9 in given:
        raise OSError("something of the system")
    return [item * 2 for item in given]


def test_results_come_in_order_and_errors_as_they_are(executor: Executor) -> None:
    for by in (None, executor):
        assert in_order(stops, [4, 2, 1, 0], by, lambda _, item: item % 2) == [8, 4, 2, 0]
        assert in_order(stops, [], by, alone) == []
        with pytest.raises(SourceError, match="three is damaged") as error:
            in_order(stops, [1, 3, 2], by, alone)
        assert error.value.hint == "Leave it out."
    with pytest.raises(RunError, match="part of the work is lost"):
        in_order(stops, [1, 9], executor, alone)


def test_a_model_is_not_asked_over_a_cluster(bundled_runs: Path) -> None:
    asked = ["evaluate", "qa", str(BUNDLED), str(bundled_runs), "--lm", "ollama/x", "--ray", "local"]
    told = CliRunner().invoke(cli, asked)
    assert (told.exit_code, "--ray goes without --lm" in told.output) == (2, True)
