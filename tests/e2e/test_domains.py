"""The page of domains says what is printed; `kag graph` and the benchmark of domains end as they should."""

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
from kag.retrieval.property_graph.as_json import from_json
from tests.shown import ROOT, run, sessions

PAGE = (ROOT / "docs" / "domains.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "docs" / "examples"
SETS = ROOT.parent / "shared" / "data"


def test_what_the_page_shows_is_what_comes_out(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "docs" / "examples")
    shown = sessions(PAGE)
    assert len(shown) == 15
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
    done = run("python -m scripts.benchmarks domains story_states --json out.json", tmp_path)
    figures = {one["what"]: one for one in json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))}
    assert figures["events"]["right"] == 2
    assert figures["contradictions, all sentences named"]["f1"] == 1
    assert (figures["questions: one_fact"]["recall"], figures["questions: one_fact"]["worst"]) == (0, ["one"])
    assert "contradictions" in done
    path.write_bytes(b"no gzip")
    assert run("python -m scripts.benchmarks domains story_states; echo $?", tmp_path).endswith("\n2\n")
    assert run("python -m scripts.benchmarks domains .; echo $?", tmp_path).endswith("\n2\n")


@pytest.mark.skipif(not (SETS / "workflow_dags").exists(), reason="the evaluation data is not beside the project")
@pytest.mark.parametrize("name", ["workflow_dags", "story_states"])
def test_the_figures_of_the_page_are_reached(name: str) -> None:
    from scripts.benchmarks.domains.score import evaluate_domains

    for figure in (one for one in evaluate_domains(SETS / name) if not one.what.startswith("things")):
        assert figure.f1 == (1 if "planned" not in figure.what else pytest.approx(0.933, abs=0.001)), figure.what
    assert re.search(r"\| 18,\d+ \| 1.00 \| 1.00 \|", PAGE)


def told(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, [*words])
    return done.exit_code, done.stdout


def test_context_is_data_with_its_reasons(tmp_path: Path) -> None:
    passages = tmp_path / "p.jsonl"
    rows = (
        {"id": "a", "text": "Publish is quick.", "metadata": {"taskIds": ["task:publish"], "projectId": "p1"}},
        {"id": "b", "text": "Publish and build of others.", "metadata": {"taskIds": "task:publish", "projectId": "p2"}},
    )
    passages.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    out = tmp_path / "out.json"
    words = ("context", str(EXAMPLES / "release.yml"), "--seeds", "publish", "--text", "What is known of it?",
             "--passages", str(passages), "--project", "p1", "--json", "--out", str(out))  # fmt: skip
    code, text = told(*words)
    bundle = json.loads(text)
    assert code == 0
    assert bundle == json.loads(out.read_text(encoding="utf-8"))
    assert bundle["seeds"] == ["task:publish"]
    assert [one["id"] for one in bundle["passages"]] == ["a"]
    assert bundle["why"]["passage:a"] == "near the question, about taskIds task:publish"
    assert bundle["tokens"] <= bundle["max_tokens"] == 1500
    code, text = told(*words[:-3], "--max-tokens", "0")
    assert (code, text) == (0, "\n")


@pytest.mark.parametrize(
    "words",
    [
        ("context", "release.yml"),
        ("context", "release.yml", "--seeds", "nobody"),
        ("context", "release.yml", "--text", "x", "--scope", "chapter"),
        ("context", "release.yml", "--text", "x", "--passages", "nowhere.jsonl"),
        ("context", "release.yml", "--text", "x", "--passages", "bad.jsonl"),
        ("context", "nowhere.yml", "--text", "x"),
        ("check", "release.yml", "--draft", "nowhere.txt"),
        ("check", "release.yml"),
        ("graph", "show", "release.yml", "--seeds", "nobody", "--out", "x.html"),
    ],
)
def test_bad_wishes_end_with_2(tmp_path: Path, words: tuple[str, ...]) -> None:
    shutil.copy(EXAMPLES / "release.yml", tmp_path)
    (tmp_path / "bad.jsonl").write_text('{"id": 3}\n', encoding="utf-8")
    assert run(f"kag {' '.join(words)}; echo $?", tmp_path).endswith("\n2\n")


def test_a_draft_is_checked(tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("Publish depends on build. Build depends on publish. Nothing <b>else</b>.", encoding="utf-8")
    words = ("check", str(EXAMPLES / "release.yml"), "--draft", str(draft))
    code, text = told(*words)
    assert code == 1
    assert [line.partition(":")[0] for line in text.splitlines()[:3]] == ["supported", "contradicted", "not known"]
    assert [one["rule"] for one in json.loads(told(*words, "--json")[1])] == ["", "cycle", ""]
    draft.write_text("Publish depends on build.", encoding="utf-8")
    assert told(*words)[0] == 0


def test_a_slice_is_drawn(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ("graph", "show", str(EXAMPLES / "release.yml"), "--out", str(page))
    assert told(*words)[0] == 0
    whole = page.read_text(encoding="utf-8")
    assert whole.count('<text class="n"') == 5, "a name for each node"
    assert "<script" not in whole
    assert told(*words, "--text", "Which tasks does publish depend on?")[0] == 0
    assert page.read_text(encoding="utf-8").count('<text class="n"') == 2


@pytest.mark.skipif(not (SETS / "metaqa").exists(), reason="the evaluation data is not beside the project")
def test_questions_are_read_from_their_text() -> None:
    from scripts.benchmarks.domains.score import evaluate_domains

    films = {figure.what: figure for figure in evaluate_domains(SETS / "metaqa")}
    for half in "ab":
        for hops, exact, held in ((1, 0.85, 0.98), (2, 0.90, 0.96), (3, 0.69, 0.92)):
            part = f"{hops} hops, half {half}"
            assert films[f"{part}: exact"].recall >= exact
            assert films[f"{part}: answers in the slice, whole ways, else near first"].mean_recall >= held
    science = {figure.what: figure for figure in evaluate_domains(SETS / "science_graph")}
    shapes = [figure for what, figure in science.items() if what.startswith("from the text, exact")]
    assert len(shapes) == 12
    assert all(figure.f1 == 1 for figure in shapes)
    assert science["from the text, answers in the slice: whole ways, else near first"].mean_recall >= 0.99
    assert all(science[f"claims: {kind}"].f1 == 1 for kind in ("supported", "contradicted", "not known"))
