"""Every evaluation over Ray, on a cluster of this machine: what it prints and writes is what one process does."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.evaluate.retrieval.apart import Opened, rank_apart
from kag.evaluate.retrieval.index import prepared
from kag.evaluate.retrieval.runs import runs
from kag.evaluate.retrieval.sets import read_retrieval_set
from kag.evaluate.retrieval.variants import Variant, plans
from kag.evaluate.spread import alone, in_order
from kag.safety.workers import Executor
from kag.values.errors import RunError, SourceError
from kag.write.over_ray import over_ray
from tests.conftest import BUNDLED
from tests.unit.evaluate.retrieval.places import ByWords, write_ottqa

ray = pytest.importorskip("ray", reason="ray is an extra of kag-papers")

STRINGS = [
    {"text": f"Poe E. Ice on {n} rivers. Rivers. 199{n};3:1-9.", "fields": {"title": [f"Ice on {n} rivers"]}}
    for n in range(9)
]
CALLOUTS = [
    {"paper": f"p{n}", "items": [{"kind": "p", "text": f"It fails [{n}], as Fig. {n} shows.",
     "refs": [{"type": "biblio", "start": 9, "end": 12}]}]}
    for n in range(1, 5)
]  # fmt: skip
ARTICLES = [
    {"doc_id": f"roofs {n}", "paragraphs": ["Roofs are old.", f"Moss {word} slate in {n} days.", "No more is known."],
     "questions": [{"question": f"What {word} slate?", "answer": "moss", "evidence": [1]}]}
    for n, word in enumerate(("splits", "cools", "stains"))
]  # fmt: skip
TEXTS = [
    {"doc_id": n, "paragraphs": [f"The survey of {town} began in 200{n}."],
     "questions": [{"question": f"When did the survey of {town} begin?", "answer": f"in 200{n}"}]}
    for n, town in enumerate(("Arvik", "Belmar", "Corsund"))
]  # fmt: skip
SHORT = {"id": "s", "text": "The mean annual temperature (MAT) fell.", "pairs": [["MAT", "mean annual temperature"]]}
STORY = {"id": "one", "sentences": ["Ann fell because the ice broke.", "She cried."], "selected": 0, "relations": []}


@pytest.fixture(scope="module")
def executor() -> Executor:
    return over_ray("local")  # it ends with this process: other tests go on with it


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small sets of all kinds."""
    home = tmp_path_factory.mktemp("sets")
    asked = [json.loads(line) for line in (BUNDLED / "entity_questions.jsonl").read_text().splitlines()]
    rows: dict[str, list[Any]] = {
        "strings": STRINGS, "callouts": CALLOUTS, "articles": ARTICLES, "texts": TEXTS,
        "abbreviations/abbreviations": [SHORT], "story_causes/stories": [STORY],
        "claims": [json.loads(line) for line in (BUNDLED / "claims.jsonl").read_text().splitlines()[::12]],
        "natural": [json.loads(line) for line in (BUNDLED / "natural_questions.jsonl").read_text().splitlines()[::24]],
        "entity": [row for n, row in enumerate(asked) if "text" in row or n % 4 == 0],
    }  # fmt: skip
    for name, lines in rows.items():
        path = home / f"{name}.jsonl{'.gz' if '/' in name else ''}"
        path.parent.mkdir(exist_ok=True)
        text = "".join(json.dumps(line) + "\n" for line in lines).encode()
        path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return home


@pytest.mark.parametrize(
    "command",
    [
        "structure BUNDLED RUNS",
        "references strings.jsonl",
        "callouts callouts.jsonl",
        "claims claims.jsonl --papers RUNS",
        "qa BUNDLED/zirconium_tracers/questions.json RUNS --unanswerable --ablate --passages articles.jsonl",
        "passages articles.jsonl --ablate",
        "passages articles.jsonl --pool",
        "natural RUNS natural.jsonl",
        "text-questions texts.jsonl",
        "entity-questions entity.jsonl RUNS",
        "layers abbreviations",
        "domains story_causes",
    ],
)
def test_an_evaluation_tells_the_same_over_a_cluster(
    executor: Executor, sets: Path, bundled_runs: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(sets)  # paths are given as they are from here
    words = command.replace("BUNDLED", str(BUNDLED)).replace("RUNS", str(bundled_runs)).split()
    told = {}
    for file, more in (("alone", []), ("spread", ["--ray", "local"])):
        result = CliRunner().invoke(cli, ["evaluate", *words, "--json", f"{file}.json", *more])
        assert result.exit_code == 0, result.output
        told[file] = (result.stdout, Path(f"{file}.json").read_bytes())
    assert len(told["alone"][1]) > 40
    assert told["spread"] == told["alone"]
    assert not list(sets.glob(".partial-*"))


def by_words() -> ByWords:
    return ByWords()


def few_plans() -> Sequence[Variant]:
    return plans(("bm25", "hybrid", "sage"), linked=True)


def test_rankings_are_those_of_one_process(executor: Executor, tmp_path: Path) -> None:
    source = write_ottqa(tmp_path / "ottqa")
    data = read_retrieval_set(source)
    found: list[Any] = []
    for folder, by in (("alone", None), ("spread", executor)):
        ready = prepared(data, ByWords(), ByWords(), tmp_path / folder)
        if by:
            rank_apart(Opened(source, ready.folder, ready.cost, by_words), data, few_plans, (2, 5), by)
            assert len(list(ready.folder.glob("*.jsonl"))) == len(few_plans())
            ready.index = None  # type: ignore[assignment]  # nothing is left to ask
        found.append([(run.name, run.rankings) for run in runs(ready, data, few_plans(), (2, 5), print)])
    assert found[0] == found[1]


def stops(items: Sequence[int]) -> list[int]:
    if 3 in items:
        raise SourceError("three is damaged", hint="Leave it out.")
    if 9 in items:
        raise OSError("something of the system")
    return [item * 2 for item in items]


def test_results_come_in_order_and_errors_as_they_are(executor: Executor) -> None:
    for by in (None, executor):
        assert in_order(stops, [4, 2, 1, 0], by, lambda _, item: item % 2) == [8, 4, 2, 0]
        assert in_order(stops, [], by, alone) == []
        with pytest.raises(SourceError, match="three is damaged") as error:
            in_order(stops, [1, 3, 2], by, alone)
        assert error.value.hint == "Leave it out."
    with pytest.raises(RunError, match="part of the work is lost"):
        in_order(stops, [1, 9], executor, alone)


def test_a_model_is_not_asked_over_a_cluster_and_rankings_need_a_folder(sets: Path, bundled_runs: Path) -> None:
    asked = ["evaluate", "qa", str(BUNDLED), str(bundled_runs), "--lm", "ollama/x", "--ray", "local"]
    told = CliRunner().invoke(cli, asked)
    assert (told.exit_code, "--ray goes without --lm" in told.output) == (2, True)
    told = CliRunner().invoke(cli, ["evaluate", "retrieval", str(write_ottqa(sets / "ottqa")), "--ray", "local"])
    assert (told.exit_code, "--ray needs --index" in told.output) == (2, True)
