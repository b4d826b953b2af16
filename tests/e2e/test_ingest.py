"""The page of ingestion says what is printed, and its Python runs."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

from kag.kgrag.workflow.facade import WorkflowGraph
from kag.retrieval.property_graph.as_json import to_json
from tests.shown import ROOT, run, sessions

PAGE = (ROOT / "docs" / "ingest.md").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "test_data", tmp_path / "test_data")
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    return tmp_path


def test_what_the_page_shows_is_what_comes_out(checkout: Path) -> None:
    shown = sessions(PAGE)
    assert len(shown) == 6
    for one in shown:
        printed = run(one.command, checkout)
        assert sorted(printed.splitlines()) == sorted(one.printed.splitlines()), one.command


def test_the_python_of_the_page_runs(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    test = doctest.DocTestParser().get_doctest(PAGE, {}, "ingest.md", None, 0)
    assert len(test.examples) == 11
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


def test_commands_end_as_they_should(checkout: Path) -> None:
    assert "no such file" in run("kag ingest none.txt --domain story --out x", checkout)
    assert run("kag ingest none.txt --domain story --out x >/dev/null 2>&1; echo $?", checkout) == "2\n"
    assert "unknown domain" in run("kag ingest test_data/tale --domain stories --out x", checkout)
    assert "asks a model" in run("KAG_LM= kag ingest test_data/tale --domain story --out x --mode llm", checkout)
    assert "exclude each other" in run("kag ingest a --domain story --out x --record r --replay r", checkout)
    assert "at least one document" in run("kag ingest --domain story --out x", checkout)


def test_few_documents_and_no_rules_where_asked_for(checkout: Path) -> None:
    flow = WorkflowGraph()
    first, second = flow.add_task("fetch"), flow.add_task("plot")
    (checkout / "x2.json").write_text(to_json(flow.graph.snapshot()), encoding="utf-8")
    flow.add_dependency(first, second), flow.add_dependency(second, first)
    (checkout / "x1.json").write_text(to_json(flow.graph.snapshot()), encoding="utf-8")
    assert "1 errors" in run("kag ingest x1.json x2.json --domain workflow --out a --no-vectors", checkout)
    few = run("kag ingest x1.json x2.json --domain workflow --out b --no-vectors --max-docs 1 --no-validate", checkout)
    assert "x1.json: 2 nodes, 2 edges" in few
    assert "x2.json" not in few
    assert "0 errors" in few


def test_a_node_to_be_kept_apart_that_is_not_there_is_told(checkout: Path) -> None:
    run("kag ingest test_data/tale/1_the_mill.txt --domain story --out x --no-vectors", checkout)
    told = run(
        "kag ingest --domain story --out x --no-vectors --apart hans --apart 1_the_mill.txt/character-hans", checkout
    )
    assert "note: no node of these documents has the id hans: what has it later is kept apart" in told
