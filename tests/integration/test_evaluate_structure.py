"""`kag evaluate structure`: equal to the scorer that lies with the data, and clear about what it cannot score."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kag.cli.main import cli
from kag.evaluate.statistics import micro
from kag.evaluate.structure.runs import evaluate
from kag.evaluate.structure.score import KINDS, METRICS, SHARES
from kag.indexing.batch import find_papers, index_all
from scripts.benchmarks.__main__ import benchmarks

ROOT = Path(__file__).parents[2]
BUNDLED = ROOT / "test_data"
SAMPLE = 10
COUNTS = {"order": ("order_ok", "order_n"), "accounted": ("blocks_accounted", "blocks_n")}
COUNTS |= {"content_kept": ("content_kept", "content_n")}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["evaluate", "structure", *map(str, arguments)])


def test_every_paper_and_metric_equals_the_outside_scorer(shared: Path, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("score_structure", shared / "tools" / "score_structure.py")
    assert spec is not None
    assert spec.loader is not None
    outside = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(outside)
    everything = sorted((shared / "data" / "jats_gold").glob("*/gold.json"))
    sample = [path.parent for path in everything[:: len(everything) // SAMPLE]][:SAMPLE]
    for folder in sample:
        (tmp_path / "gold").mkdir(exist_ok=True)
        (tmp_path / "gold" / folder.name).symlink_to(folder)
    missing = sample[3]
    jobs = find_papers([folder for folder in sample if folder != missing], tmp_path / "runs")
    runs = {outcome.job.name: outcome.run for outcome in index_all(jobs)}
    found = evaluate(tmp_path / "gold", tmp_path / "runs")
    assert [paper.name for paper in found.papers] == [folder.name for folder in sample]
    for folder, paper in zip(sample, found.papers, strict=True):
        gold = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
        tally = outside.score_paper(gold, runs.get(folder.name))
        theirs = outside.ratios(tally)
        for metric in METRICS:
            counts = paper.compared[metric].counts if metric in paper.compared else (0, 0, 0)
            right, _, lost = counts
            if metric in KINDS:
                assert counts == tuple(tally[f"{metric}_{part}"] for part in ("tp", "fp", "fn")), (folder, metric)
            else:
                names = COUNTS.get(metric, (f"{metric}_ok", f"{metric}_n"))
                assert (right, right + lost) == tuple(tally[name] for name in names), (folder, metric)
            value = theirs[metric if metric in SHARES else f"{metric}_f1"]
            assert round(micro([counts], share=metric in SHARES), 4) == pytest.approx(value, abs=1e-9)


def test_the_command_tells_scores_and_writes_them(bundled_runs: Path, tmp_path: Path) -> None:
    told = run(BUNDLED, bundled_runs, "--also", "again", BUNDLED, bundled_runs, "--metric", "citations",
               "--compare", bundled_runs, "--json", tmp_path / "o.json")  # fmt: skip
    assert told.exit_code == 0, told.output
    assert "| citations | 1.0000 |" in told.stdout
    assert "again: 3 papers" in told.stdout
    row = json.loads((tmp_path / "o.json").read_text(encoding="utf-8"))
    assert row["sets"]["test_data"]["total"]["citations"]["value"] == 1.0
    assert row["difference"]["citations"]["sign"] == "="


def test_the_benchmark_plants_faults(bundled_runs: Path) -> None:
    shown = CliRunner().invoke(benchmarks, ["faults", str(BUNDLED), str(bundled_runs)])
    assert shown.exit_code == 0, shown.output
    assert "| citations not linked" in shown.stdout


def test_what_has_no_partner_is_named(bundled_runs: Path, tmp_path: Path) -> None:
    runs = Path(shutil.copytree(bundled_runs, tmp_path / "runs"))
    (urban,) = runs.glob("urban_*")
    urban.rename(runs / "other_20260101T000000Z")
    told = run(BUNDLED, runs, "--worst", 0)
    assert told.exit_code == 2
    assert "error: urban_pollinators: no run in" in told.stderr
    assert "other_20260101T000000Z: a run of no annotated paper" in told.stderr
    assert "| citations" in told.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((BUNDLED, "nowhere"), "nowhere is not a folder"),
        ((ROOT / "ontology", BUNDLED), "no annotated papers"),
        ((BUNDLED, BUNDLED, "--metric", "beauty"), "choose from headings"),
    ],
)
def test_bad_input_is_said(arguments: tuple[object, ...], said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kag", "evaluate", "structure", *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
