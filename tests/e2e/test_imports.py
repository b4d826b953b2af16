"""A command imports what it needs: each kind of command, and the packages and rooms that it has no use for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("dspy", "pyshacl", "shacl", "lxml", "PIL", "pypdfium2", "numpy", "tantivy", "pydantic", "onnxruntime")
GRAPHS = ("rdflib", "pyoxigraph", "markdown_it")
TERMINAL = ("rich",)
READERS = (
    "kag.sources.reader_registry",
    "kag.sources.pdf",
    "kag.indexing.batch",
    "kag.indexing.enrich.passes",
    "kag.indexing.tools",
)
CORPORA = ("kag.corpus.transaction", "kag.corpus.sparql", "kag.corpus.submission", "sqlite3")
SERVERS = ("starlette", "uvicorn", "mcp", "kag.serve.app")


def imported(*arguments: object) -> set[str]:
    """The modules that a command has when it ends."""
    code = (
        "import json, sys\nfrom kag.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit as end: code = end.code\n"
        "print(json.dumps([code or 0, *sys.modules]), file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    code_, *names = json.loads(done.stderr.splitlines()[-1])
    assert code_ == 0, done.stderr
    return set(names)


@pytest.mark.parametrize("command", ["--help", "ask --help", "index --help", "corpus --help", "--version"])
def test_help_imports_nothing_heavy(command: str) -> None:
    names = imported(*command.split())
    assert not names & {*PACKAGES, *GRAPHS, *TERMINAL, *READERS, *CORPORA, *SERVERS}


@pytest.fixture(scope="module")
def answers(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A question that was answered, and what asking it of one paper imported."""
    folder = tmp_path_factory.mktemp("asked")
    run = next(bundled_runs.glob("urban_pollinators_*"))
    names = imported("ask", "Which references are cited only in the Introduction?", run, "--out-dir", folder)
    (folder / "imported.json").write_text(json.dumps(sorted(names)))
    return folder


def test_one_paper_is_asked_without_what_reads_papers_and_what_keeps_many(answers: Path) -> None:
    names = set(json.loads((answers / "imported.json").read_text()))
    rules = {"shacl"}  # the gate of layers, which a question may be about
    assert not names & ({*PACKAGES, *READERS, *SERVERS, "kag.corpus.transaction", "kag.corpus.sparql"} - rules)


def test_answers_are_verified_without_what_reads_papers_and_what_keeps_many(bundled_runs: Path, answers: Path) -> None:
    names = imported("verify", answers, "--graph-dir", bundled_runs)
    assert not names & {*PACKAGES, *READERS, *SERVERS, *CORPORA}
