"""What is told of measured retrieval: figures, signs and names, never the words of a question or a chunk."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kag.core.errors import MissingExtra
from kag.retrieval.meaning.minilm import WEIGHTS
from kag.retrieval.presets import PRESETS
from scripts.benchmarks.__main__ import benchmarks
from scripts.benchmarks.paired_tests import Paired
from scripts.benchmarks.retrieval.command import KS, PLANS
from scripts.benchmarks.retrieval.index import Cost
from scripts.benchmarks.retrieval.report import Summary, as_json, percentile, sign, tables, write_report
from scripts.benchmarks.retrieval.score import KS as scores_at
from scripts.benchmarks.retrieval.score import scored
from scripts.benchmarks.retrieval.sets import Need, RetrievalQuestion, RetrievalSet
from tests.unit.benchmarks.retrieval.places import PLACES, write_ottqa

QUESTIONS = tuple(
    RetrievalQuestion(f"q{n}", "Where does the gannet sleep?", (Need("passage", frozenset("g")),)) for n in range(12)
)
DATA = RetrievalSet("birds", (), QUESTIONS, {})
COST = Cost(3, 1.5, 2.25, 0.0125, 4_000_000, {"vectors": 1_500_000}, {"next": 7})


def summary() -> Summary:
    right, wrong = ({one.id: names for one in QUESTIONS} for names in (["g"], ["h", "i", "g"]))
    plans = {name: scored(DATA, found, (1, 3)) for name, found in (("hybrid", wrong), ("sage", right))}
    seconds = {"hybrid": (0.001,) * 12, "sage": tuple(n / 1000 for n in range(1, 13))}
    ids = tuple(one.id for one in QUESTIONS)
    found = Summary("birds", "test half", ids, plans, seconds, ("hybrid",), COST)
    return replace(found, ablated={"sage": {"sage": plans["sage"], "sage, blind": plans["hybrid"]}}, ablated_on=12)


def test_the_tables_hold_the_figures() -> None:
    told = dict(tables(summary()))
    rows = {
        title: [re.split(r" +\| +", line.strip("| ")) for line in text.splitlines()] for title, text in told.items()
    }
    assert rows["Recall"][0] == ["plan", "recall@1", "recall@3"]
    assert rows["Recall"][2] == ["hybrid", "0.000 (0.000-0.000)", "1.000 (1.000-1.000)"]
    assert rows["Reciprocal rank"][2][2] == "0.333 (0.333-0.333)"
    (plan, first, third) = rows["Minus hybrid: recall"][2]
    assert (plan, first[:26], first[-1]) == ("sage", "+1.000 (+1.000 to +1.000) ", "+")
    assert third == "+0.000 (+0.000 to +0.000) p 1.0000 ="
    assert rows["Minus sage: recall"][2][1].endswith("-")
    assert rows["Time of a question"][2:] == [["hybrid", "1.0", "1.0"], ["sage", "6.0", "12.0"]]
    cost = dict(rows["Cost of the index"][2:])
    assert cost["build of the graph, s"] == "2.2"
    assert cost["vectors on disk, MB"] == "1.5"
    assert cost["edges next"] == "7"


def test_a_sign_needs_a_corrected_p() -> None:
    one = Paired(value=0.1, low=0.05, high=0.15, p=0.01, holm=0.04, better=9, worse=1)
    assert [sign(one), sign(replace(one, value=-0.1)), sign(one.corrected(0.05))] == ["+", "-", "="]


def test_percentiles_are_values_that_were_there() -> None:
    values = [float(n) for n in range(100, 0, -1)]
    assert (percentile(values, 0.5), percentile(values, 0.99), percentile([3.0], 0.99)) == (50.0, 99.0, 3.0)


def test_the_json_holds_every_question() -> None:
    told = json.loads(json.dumps(as_json(summary())))
    assert told["scores"]["sage"]["recall@1"] == [1.0] * 12
    assert told["compared"]["hybrid"]["sage"]["recall@1"]["better"] == 12
    assert told["ablations"]["sage"]["compared"]["sage, blind"]["mrr@3"]["value"] == pytest.approx(-2 / 3)
    assert told["seconds"]["sage"] == {"p50": 0.006, "p99": 0.012}


def test_a_report_has_figures_and_no_words(tmp_path: Path) -> None:
    for name in ("one.md", "other.md"):
        write_report(tmp_path / name, [summary()], command="kag evaluate retrieval birds", notes="A note.")
    text = (tmp_path / "one.md").read_text(encoding="utf-8")
    assert "gannet" not in text
    assert "12 questions, test half" in text
    assert text.index("A note.") < text.index("## birds")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(benchmarks, ["retrieval", *map(str, arguments)])


def test_the_command_measures_and_tells(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime, of the extra `dense`, is not installed")
    try:
        WEIGHTS.find()
    except MissingExtra as error:
        pytest.skip(f"{error}; {error.hint}")
    folder = write_ottqa(tmp_path / "ottqa")
    wish = [folder, "--plan", "bm25", "--plan", "sage", "--k", 2, "--k", 5, "--int8", "--sample", 3]
    wish += ["--embeddings", tmp_path / "vectors", "--index", tmp_path / "kept", "--json", tmp_path / "all.json"]
    done = run(*wish, "--report", tmp_path / "all.md")
    assert done.exit_code == 0, done.output
    assert "sage, text and metadata only" in done.stdout
    assert "0 of 3 questions" in done.stderr
    told = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["sets"]["ottqa"]
    assert list(told["plans"]) == ["bm25", "hybrid", "hybrid_linear", "sage", "sage, text and metadata only"]
    assert len(told["questions"]) == 3
    report = (tmp_path / "all.md").read_text(encoding="utf-8")
    assert not [place for place in PLACES if place in report]


def test_the_command_offers_every_plan() -> None:
    assert PLANS == PRESETS
    assert scores_at == KS


def test_what_is_no_set_or_plan_is_refused(tmp_path: Path) -> None:
    (tmp_path / "birds").mkdir()
    refused = run(tmp_path / "birds")
    assert refused.exit_code != 0
    assert "holds no retrieval set" in str(refused.exception)
    assert run(tmp_path, "--plan", "best").exit_code == 2
    folder = write_ottqa(tmp_path / "ottqa")
    assert "give each once" in run(folder, folder).stderr
