"""`--json` of every command: data on standard output, and nothing else there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.cli.settings import leaves
from tests.papers import write_paper
from tests.printed_pdf import Printed, write_pdf
from tests.store_servers import oxigraph

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {" ".join(place): command for place, command in leaves(cli)}
MEASURED = {name for name in COMMANDS if name.startswith("evaluate ")}
SERVERS = {"serve", "mcp"}
LINES = [(40, 60, 16, "Sensors under river ice"), (40, 100, 10, "Sensors under river ice fail often in winter.")]
WORKFLOW = (
    "on: push\njobs:\n  build:\n    runs-on: x\n    steps: [{run: make}]\n  test:\n    needs: build\n    runs-on: x\n"
)

CALLS: Mapping[str, str] = {
    "ask": "'How many figures are there?' runs",
    "audit": "RUN",
    "chat": "runs",
    "check": "graph.json --draft draft.txt",
    "compare": "runs",
    "config show": "",
    "context": "graph.json --text build",
    "corpus add": "runs --corpus other",
    "corpus ask": "'Which papers have a figure?' --corpus library",
    "corpus check": "--corpus library",
    "corpus export": "--corpus library",
    "corpus index": "--corpus library",
    "corpus list": "--corpus library",
    "corpus remove": "ice --corpus other",
    "corpus sparql": "'SELECT ?s {?s a doco:Figure}' --corpus library",
    "corpus update": "runs --corpus other",
    "doctor": "",
    "export": "RUN --format bibtex --out out.bib",
    "graph diff": "graph.json smaller.json",
    "graph export": "graph.json --format graphml --out out.graphml",
    "graph seed": "ci.yml --domain workflow",
    "graph show": "graph.json --out out.html",
    "graph subgraph": "graph.json --seeds build",
    "graph validate": "graph.json",
    "import": "bibtex library.bib --out-dir imported",
    "index": "ice --out-dir indexed",
    "ingest": "ci.yml --domain workflow --out ingested --no-vectors",
    "layers": "runs",
    "plan": "ice snow",
    "push": "STORE runs",
    "qa": "--graph-dir runs --question 'How many figures are there?' --paper ice --out-dir answers",
    "report": "RUN --out out2.html",
    "search": "sensors --graph-dir runs",
    "tools": "",
    "trajectory": "RUN",
    "validate": "runs",
    "verify": "kept --graph-dir runs",
}
LAYER: Mapping[str, str] = {"chat": "How many figures are there?\nand tables?\n"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the commands are called on."""
    folder = tmp_path_factory.mktemp("json")
    before = Path.cwd()
    os.chdir(folder)
    for name in ("ice", "snow"):
        write_paper(folder / name)
    (folder / "ci.yml").write_text(WORKFLOW)
    (folder / "draft.txt").write_text("The build comes before the test.\n")
    (folder / "ice.md").write_text("# Ice\n\nSensors fail under ice.\n")
    (folder / "library.bib").write_text("@article{roe, title={Ice}, year={2020}, file={ice.pdf}}\n")
    write_pdf(folder / "ice.pdf", [Printed(LINES)])
    for call in (
        "index ice --out-dir runs --layers entity",
        "corpus add runs --corpus library",
        "corpus index --corpus library",
        "graph seed ci.yml --domain workflow --out graph.json",
        "graph subgraph graph.json --seeds build --depth 0 --out smaller.json",
        "qa --graph-dir runs --question 'How many tables are there?' --paper ice --out-dir kept",
    ):
        done = CliRunner().invoke(cli, call)
        assert done.exit_code == 0, done.output
    os.chdir(before)
    return folder


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_it(name: str) -> None:
    (option,) = [one for one in COMMANDS[name].params if isinstance(one, click.Option) and "--json" in one.opts]
    assert option.is_flag == (name not in MEASURED), "what measures writes its figures to a file"


def test_all_are_called_here() -> None:
    assert set(CALLS) | MEASURED | SERVERS == set(COMMANDS)


@pytest.mark.parametrize("name", CALLS)
def test_standard_output_is_json_and_nothing_else(name: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    (run, *_) = sorted((place / "runs").glob("ice_*"))
    words = CALLS[name].replace("RUN", str(run))
    if "STORE" in words:
        with oxigraph(place / "store") as server:
            read(name, words.replace("STORE", server.put))
        return
    read(name, words)


def read(name: str, words: str) -> Any:
    done = CliRunner().invoke(cli, f"{name} --json {words}", input=LAYER.get(name, ""))
    assert done.exit_code == 0, done.output
    texts = done.stdout.splitlines() if name == "chat" else [done.stdout]
    values = [json.loads(text) for text in texts]
    assert all(isinstance(value, dict | list) for value in values)
    assert len(values) == (2 if name == "chat" else 1)
    return values


def test_what_fails_is_json_too(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    (place / "fog").mkdir(exist_ok=True)
    (place / "fog" / "page_001.md").write_bytes(b"\xff\xfe\x00broken")
    done = CliRunner().invoke(cli, "index fog ice --out-dir two --json")
    assert done.exit_code == 2
    rows = {row["paper"]: row for row in json.loads(done.stdout)}
    assert rows["ice"]["state"] == "indexed"
    assert rows["ice"]["run"].startswith("two/ice_")
    assert (rows["fog"]["state"], rows["fog"]["run"]) == ("failed", None)
    assert "page_001.md" in rows["fog"]["message"]
    nothing = CliRunner().invoke(cli, "corpus add fog --corpus none --json")
    assert (nothing.exit_code, json.loads(nothing.stdout)) == (2, [])
    (file,) = (place / "kept" / "answers").iterdir()
    (place / "altered").mkdir(exist_ok=True)
    altered = {**json.loads(file.read_text()), "answer": "7 tables"}
    (place / "altered" / file.name).write_text(json.dumps(altered))
    unsound = CliRunner().invoke(cli, "verify altered --graph-dir two --json")
    assert unsound.exit_code == 1, unsound.output
    (answer,) = json.loads(unsound.stdout)["answers"]
    assert not answer["ok"]
    assert answer["issues"]


@pytest.mark.parametrize("words", ["export RUN --format bibtex", "graph export graph.json --format csv", "mcp runs"])
def test_where_standard_output_is_something_else_it_says_so(
    words: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    (run, *_) = sorted((place / "runs").glob("ice_*"))
    done = CliRunner().invoke(cli, f"{words.replace('RUN', str(run))} --json")
    assert done.exit_code == 2
    assert "--json" in done.stderr


@pytest.mark.parametrize("words", ["serve library", "mcp runs --http"])
def test_a_server_says_its_address_as_json(words: str, place: Path) -> None:
    pytest.importorskip("mcp")
    command = [sys.executable, "-m", "kag", *words.split(), "--port", "0", "--json"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert json.loads(process.stdout.readline())["address"].startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGTERM)
