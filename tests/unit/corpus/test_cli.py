"""The commands of a corpus: what they take, print and return."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kag.cli.corpus import corpus
from kag.core.errors import QueryError
from tests.papers import write_paper


def run(*arguments: object) -> Result:
    return CliRunner().invoke(corpus, [str(argument) for argument in arguments])


def test_pages_and_runs_go_in_and_out(runs: dict[str, Path], tmp_path: Path) -> None:
    root, pages = tmp_path / "corpus", tmp_path / "pages"
    write_paper(pages / "hail")
    added = run("add", pages, runs["ice"], runs["snow"], "--corpus", root)
    assert (added.exit_code, sorted(added.stdout.split("\n"))) == (0, ["", "added hail", "added ice", "added snow"])
    again = run("add", runs["ice"].parent, "--corpus", root)
    assert again.exit_code == 2, "the folder holds another version of ice"
    assert sorted(again.stdout.split("\n")) == ["", "added fog", "failed ice", "unchanged snow"]
    assert "kag corpus update" in again.stderr
    assert run("update", runs["ice2"], "--corpus", root).stdout == "replaced ice\n"
    removed = run("remove", pages, "fog", "nobody", "--corpus", root)
    assert (removed.exit_code, removed.stdout) == (2, "removed hail\nremoved fog\nfailed nobody\n")
    listed = json.loads(run("list", "--json", "--corpus", root).stdout)
    assert [(row["id"], row["cites"], row["cited_by"]) for row in listed] == [("ice", 0, 1), ("snow", 1, 0)]
    assert "Sensors under river ice" in run("list", "--corpus", root).stdout
    assert run("check", "--corpus", root).stdout.endswith("sound\n")


def test_queries_and_export(runs: dict[str, Path], tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    run("add", runs["snow"], runs["ice"], "--corpus", root)
    one, other = run("export", "--corpus", root).stdout_bytes, tmp_path / "other"
    run("add", runs["ice"], runs["fog"], "--corpus", other)
    run("add", runs["snow"], "--corpus", other)
    run("remove", "fog", "--corpus", other)
    assert run("export", "--corpus", other).stdout_bytes == one
    assert one.count(b"\n") > 100
    assert one.endswith(b".\n")
    query = "SELECT ?id { ?p <http://purl.org/dc/terms/identifier> ?id } ORDER BY ?id"
    assert run("sparql", query, "--corpus", root).stdout == "id\nice\nsnow\n"
    short = run("sparql", query, "--max-rows", 1, "--format", "json", "--corpus", root)
    assert json.loads(short.stdout)["results"]["bindings"] == [{"id": {"type": "literal", "value": "ice"}}]
    assert "limit of rows" in short.stderr
    named = (
        "SELECT ?id ?title { ?p a fabio:ResearchPaper ; dcterms:identifier ?id ; dcterms:title ?title } ORDER BY ?id"
    )
    lines = run("sparql", named, "--corpus", root).stdout.splitlines()
    assert lines[0].split() == ["id", "title"]
    assert len({line.find(line.split("  ", 1)[1].strip()) for line in lines}) == 1, "columns stand below their names"
    assert run("sparql", named, "--format", "csv", "--corpus", root).stdout_bytes.startswith(b"id,title\r\nice,")
    assert run("sparql", named, "--format", "tsv", "--corpus", root).stdout.startswith("id\ttitle\nice\t")
    odd = run("sparql", "SELECT ?x { ?x kag:hasReferences ?y }", "--corpus", root)
    assert odd.stdout == "x\n"
    assert "kag:hasReferences is not a term of these graphs. Did you mean kag:hasReference" in odd.stderr
    with pytest.raises(QueryError, match="not a query"):
        CliRunner().invoke(corpus, ["sparql", "CLEAR ALL", "--corpus", str(root)], catch_exceptions=False)


def test_a_check_that_finds_something_is_exit_code_1(runs: dict[str, Path], tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    run("add", runs["ice"], "--corpus", root)
    next(root.glob("papers/ice/*/skipped.jsonl")).write_text("", encoding="utf-8")
    checked = run("check", "--corpus", root)
    assert checked.exit_code == 1
    assert checked.stdout.startswith("files ice: ")
