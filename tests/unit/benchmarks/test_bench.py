"""The table of speed: ratios turn the right way, the budget catches what became worse, growth is a slope."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts import bench
from scripts.benchmarks.bench_growth import exponent

SPIN = "for _ in range(300_000): pass"
COST = bench.Measure("spin", "ms", SPIN)
RATE = bench.Measure("pages", "pages/s", SPIN, pages=10)


def test_a_higher_rate_and_a_lower_cost_are_better() -> None:
    assert (RATE.value(2.0, 50), RATE.better(20, 10)) == (5.0, 2.0)
    assert (COST.value(2.0, 50), COST.better(10, 20)) == (2000.0, 2.0)
    assert bench.Measure("memory", "MB", "").value(2.0, 50) == 50


def test_a_figure_without_its_machine_is_the_same_on_a_slower_one() -> None:
    assert bench.relative_of(RATE, 20, 0.1) == pytest.approx(bench.relative_of(RATE, 10, 0.2))
    assert bench.relative_of(COST, 100, 0.1) == pytest.approx(bench.relative_of(COST, 200, 0.2))


@pytest.mark.parametrize(("factor", "worse"), [(0.5, True), (2.0, False)])
def test_what_is_a_tenth_worse_than_its_budget_is_an_error(
    factor: float, worse: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "BUDGET", tmp_path / "budget.json")
    assert bench.table([COST], [], 1, write=True) == []
    kept = json.loads((tmp_path / "budget.json").read_text())
    (tmp_path / "budget.json").write_text(json.dumps({"spin": kept["spin"] * factor}))
    assert bool(bench.table([COST], [], 1, write=False)) is worse
    assert "| spin | ms |" in capsys.readouterr().out


def test_another_checkout_stands_beside_and_one_without_kag_is_run_by_its_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--ocr-dir')\np.add_argument('--out-dir')\n"
    )
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "run_index.py").write_text(f"{script}p.parse_args()\n{SPIN.replace('300', '9_000')}\n")
    monkeypatch.setattr(bench, "BUDGET", tmp_path / "budget.json")
    papers = str(bench.ROOT / "test_data" / "reservoir_sensors")
    row = bench.Measure("index", "pages/s", bench._INDEX, (papers,), 5)
    bench.table([row, COST], [tmp_path, bench.ROOT], 1, write=True)
    index, spin = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert float(index[3].split()[0]) > 0
    assert spin[3] == "-", "what only kag can do"
    assert 0.3 < float(index[4].split("(")[1].strip(")")) < 3, "the same checkout beside itself"


def test_the_exponent_is_the_slope_of_the_logarithms() -> None:
    assert exponent([1, 2, 4], [3, 6, 12]) == pytest.approx(1)
    assert exponent([1, 2, 4], [3, 12, 48]) == pytest.approx(2)
