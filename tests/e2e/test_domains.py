"""The page of domains says what is printed; `kag graph` and `kag evaluate domains` end as they should."""

from __future__ import annotations

import doctest
import gzip
import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.graph.as_json import from_json
from tests.shown import ROOT, run, sessions

PAGE = (ROOT / "docs" / "domains.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "docs" / "examples"
SETS = ROOT.parent / "shared" / "data"


def test_what_the_page_shows_is_what_comes_out(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "docs" / "examples")
    shown = sessions(PAGE)
    assert len(shown) == 7
    for one in shown:
        assert run(one.command, tmp_path) == one.printed, one.command


def test_the_python_of_the_page_runs() -> None:
    test = doctest.DocTestParser().get_doctest(PAGE, {}, "domains.md", None, 0)
    assert len(test.examples) >= 10
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


def test_a_domain_of_ones_own_has_40_lines() -> None:
    assert len((EXAMPLES / "lab.toml").read_text(encoding="utf-8").splitlines()) <= 50


def kag(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["graph", *words])
    return done.exit_code, done.stdout


def test_a_graph_goes_through_files_and_forms(tmp_path: Path) -> None:
    release, one = str(EXAMPLES / "release.yml"), str(tmp_path / "one.json")
    assert kag("seed", release, "--out", one)[0] == 0
    assert kag("export", one, "--format", "graphml", "--out", str(tmp_path / "g.graphml"))[0] == 0
    assert kag("export", one, "--format", "json-ld", "--out", str(tmp_path / "g.jsonld"))[0] == 0
    for name in ("g.graphml", "g.jsonld"):
        code, text = kag("seed", str(tmp_path / name))
        assert code == 0
        assert from_json(text) == from_json(Path(one).read_text(encoding="utf-8"))
    assert kag("diff", one, release) == (0, "0 added, 0 removed, 0 changed\n")


def test_a_difference_is_told_and_is_a_patch(tmp_path: Path) -> None:
    for name, text in (
        ("a", '{"nodes": [{"id": "x", "label": "T"}]}'),
        ("b", '{"nodes": [{"id": "y", "label": "T"}]}'),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    assert kag("diff", a, b) == (0, "- node x T\n+ node y T\n1 added, 1 removed, 0 changed\n")
    assert [step["op"] for step in json.loads(kag("diff", a, b, "--patch")[1])] == ["remove", "add"]


@pytest.mark.parametrize("form", ["csv", "tables", "cypher"])
def test_only_chosen_properties_are_written(tmp_path: Path, form: str) -> None:
    code, _ = kag(
        "export", str(EXAMPLES / "release.yml"), "--format", form, "--prop", "name", "--out", str(tmp_path / "x")
    )
    assert code == 0
    files = [tmp_path / "x"] if (tmp_path / "x").is_file() else list((tmp_path / "x").iterdir())
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    assert "wheels" in text
    assert "ubuntu-latest" not in text


def test_issues_are_data_and_warnings_count_if_asked(tmp_path: Path) -> None:
    code, text = kag("validate", str(EXAMPLES / "lab.json"), "--domain", str(EXAMPLES / "lab.toml"), "--json")
    assert code == 1
    assert [(one["rule"], one["line"]) for one in json.loads(text)] == [
        ("missing_property", 5),
        ("two_leaders", 4),
        ("dataset_of_nobody", 5),
    ]
    graph = {"nodes": [{"id": "d", "label": "Dataset", "props": {"name": "D", "licence": "CC0"}}]}
    (tmp_path / "g.json").write_text(json.dumps(graph), encoding="utf-8")
    words = ("validate", str(tmp_path / "g.json"), "--domain", str(EXAMPLES / "lab.toml"))
    assert kag(*words)[0] == 0
    assert kag(*words, "--strict")[0] == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        ("plain words", ()),
        ("<html/>", ()),
        ('<!DOCTYPE g [<!ENTITY a "b">]><graphml/>', ()),
        ('{"nodes": [3]}', ()),
        ('{"nodes": []}', ("--domain", "nowhere")),
        ('{"nodes": []}', ("--domain", "nowhere.toml")),
    ],
)
def test_bad_input_ends_with_2(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    (tmp_path / "f").write_text(text, encoding="utf-8")
    assert run(f"kag graph validate f {' '.join(words)}; echo $?", tmp_path).endswith("\n2\n")


def test_a_set_is_measured(tmp_path: Path) -> None:
    (tmp_path / "story_states").mkdir()
    row = {
        "id": "one",
        "kind": "one_fact",
        "sentences": ["Anna took the lamp.", "Bert took the lamp."],
        "events": [
            {"verb": "get", "actor": "Anna", "object": "lamp"},
            {"verb": "get", "actor": "Bert", "object": "lamp"},
        ],
        "questions": [{"after": 0, "question": "What is Anna carrying?", "answer": "rope"}],
        "contradictions": [{"sentence": 1, "kind": "taken_while_held", "conflicts_with": [0]}],
    }
    path = tmp_path / "story_states" / "babi.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(row).encode()))
    done = run("kag evaluate domains story_states --json out.json", tmp_path)
    figures = {one["what"]: one for one in json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))}
    assert figures["events"]["right"] == 2
    assert figures["contradictions, all sentences named"]["f1"] == 1
    assert (figures["questions: one_fact"]["recall"], figures["questions: one_fact"]["worst"]) == (0, ["one"])
    assert "contradictions" in done
    path.write_bytes(b"no gzip")
    assert run("kag evaluate domains story_states; echo $?", tmp_path).endswith("\n2\n")
    assert run("kag evaluate domains .; echo $?", tmp_path).endswith("\n2\n")


@pytest.mark.skipif(not (SETS / "workflow_dags").exists(), reason="the evaluation data is not beside the project")
@pytest.mark.parametrize("name", ["workflow_dags", "story_states"])
def test_the_figures_of_the_page_are_reached(name: str) -> None:
    from kag.evaluate.domains import evaluate_domains

    for figure in evaluate_domains(SETS / name):
        assert figure.f1 == (1 if "planned" not in figure.what else pytest.approx(0.933, abs=0.001)), figure.what
    assert re.search(r"\| 18,\d+ \| 1.00 \| 1.00 \|", PAGE)
