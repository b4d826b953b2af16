"""Queries in STaRK's form over a graph: read, searched by the nodes' records, scored."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.core.errors import SourceError
from kag.evaluate.retrieval import read_judgements
from kag.retrieval.property_graph.as_json import to_json
from kag.retrieval.property_graph.engine import GraphEngine

STARK = Path(__file__).parents[4] / "shared" / "data" / "stark_queries"


def written(folder: Path, rows: list[tuple[str, str, str]]) -> Path:
    file = folder / "stark_qa.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([("id", "query", "answer_ids"), *rows])
    return file


def test_a_folder_in_the_form_of_stark_is_scored(tmp_path: Path) -> None:
    graph = GraphEngine()
    for number, (label, name) in enumerate([("Disease", "pharyngitis"), ("Drug", "salicin"), ("Drug", "quinine")]):
        graph.create_node(label, {"name": name}, str(number))
    graph.create_edge("treats", "1", "0")
    (tmp_path / "graph.json").write_text(to_json(graph.snapshot()), encoding="utf-8")
    file = written(tmp_path, [("0", "Which drug treats pharyngitis?", "[1, 0]"), ("1", "quinine", "[2]")])
    done = CliRunner().invoke(cli, ["evaluate", "retrieval", str(file), "--plan", "sage", "--k", "2"])
    assert done.exit_code == 0, done.output
    assert "1.000" in done.output


def test_answers_that_are_no_list_are_named_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="line 2"):
        read_judgements(written(tmp_path, [("0", "q", "none")]))


@pytest.mark.skipif(not STARK.is_dir(), reason="needs the evaluation data beside the project")
@pytest.mark.parametrize(("name", "count"), [("amazon", 81), ("mag", 84), ("primekg", 109)])
def test_the_public_queries_are_read(name: str, count: int, tmp_path: Path) -> None:
    file = Path(shutil.copy(STARK / f"{name}_human_generated_eval.csv", tmp_path))
    assert len(read_judgements(file)) == count
