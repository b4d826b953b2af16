"""What people do wrong at the command line, and what it says: exit code 2 or 3, the cause, and what to do."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from tests.commands import run
from tests.conftest import BUNDLED

QUESTION = '"How many tables are there?"'
MISTAKES = {
    "indx paper": "No such command 'indx'. Did you mean index?",
    "corpus ad paper --corpus c": "No such command 'ad'. Did you mean add?",
    "graph vald x.json": "No such command 'vald'. Did you mean validate?",
    "--verison": "No such option '--verison'. Did you mean '--version'?",
    "index paper --outdir x": "No such option '--outdir'. (Did you mean one of: '--ocr-dir', '--out-dir'",
    f"ask {QUESTION} runs --papr x": "No such option '--papr'. Did you mean '--paper'?",
    "index": "Give at least one paper: a file or a folder",
    'index ""': "a path is empty; give . for this folder",
    "index missing.pdf": "missing.pdf does not exist\n  Give a paper's file",
    "index notes.xyz": "notes.xyz: unsupported file type\n  `kag index --list-sources` lists the formats",
    "index empty": "empty: holds no paper",
    "index empty.pdf": "empty.pdf: empty file",
    "index broken.pdf": "broken.pdf is not a readable PDF\n  Check that the download is complete",
    "index paper --builder baselin": "'baselin' is not one of 'rlm', 'review', 'baseline'",
    "index paper --workers 0": "0 is not in the range x>=1",
    "index paper --paper-seconds soon": "'soon' is not a valid float",
    "index paper --layers entities": "unknown layer 'entities'\n  Name some of entity, claim",
    "index paper --shard 3/2": "Give it as 2/8",
    "index paper --ocr http://127.0.0.1:1": "--ocr needs --ocr-model NAME",
    "index paper --ocr-model x": "--ocr-model needs --ocr URL",
    "index paper --record a --replay b": "--record and --replay exclude each other",
    "index paper --builder rlm --lm nosuch/model": "no provider is known for 'nosuch/model'\n  name a model",
    "ask": "Missing argument 'QUESTION'",
    f"ask {QUESTION}": "Missing argument 'PATH...'",
    f"ask {QUESTION} nowhere": "nowhere: there is no such folder\n  Give a run",
    f"ask {QUESTION} paper": "paper is not indexed\n  Index it first: kag index paper",
    f"ask {QUESTION} notes.xyz": "notes.xyz is not a paper that kag can read\n  Give a run",
    f"ask {QUESTION} damaged": "The file was changed or damaged; index the paper again.",
    f"ask {QUESTION} runs --paper nobody": "there is no paper 'nobody'\n  Papers here: urban_pollinators.",
    f"ask {QUESTION} runs --mode agent": "none is configured\n  Name one",
    'ask "" runs': "a question is needed\n  Ask in 1 to",
    'ask "Wie viele Tabellen gibt es?" runs': "the question is in German\n  Ask in English",
    'ask "?!" runs': "a question is needed\n  Ask in 1 to",
    f"ask {'a' * 4001} runs": "the question is too long: it has 4001 characters",
    f"ask {QUESTION} graph.json": "graph.json is not a paper that kag can read\n",
    f'ask {QUESTION} runs --paper ""': "there is no paper ''\n  Papers here: urban_pollinators.",
    "qa --graph-dir runs": "Give --questions FILE or --question TEXT",
    "qa --questions q.jsonl --graph-dir runs": "q.jsonl, line 1:",
    'qa --question "How many?" --graph-dir runs --corpus c': "Give --graph-dir DIR or --corpus DIR",
    "qa --questions none.json --graph-dir runs": "none.json cannot be read",
    "qa --question x --graph-dir runs --mode agent": "none is configured",
    "qa --question x --graph-dir runs --lm offline --vision m": "--ocr-dir",
    "qa --question x --graph-dir runs --lm offline --record a --replay b": "exclude each other",
    "qa --question x --graph-dir runs --lm offline --mode agent --replay none": "no such cassette",
    "verify none.json --graph-dir runs": "none.json",
    "verify runs --graph-dir empty": "empty",
    "verify bad.json --graph-dir runs": "bad.json is not an answer",
    "validate nowhere": "not a run folder",
    "audit nowhere": "not a run folder",
    "index paper --builder rlm": "none is configured",
    "index paper --builder rlm --lm anthropic/claude-sonnet-4-5": "ANTHROPIC_API_KEY",
    "index paper --builder rlm --lm offline --replay no-such-file": "no such cassette",
    "validate paper": "paper lacks knowledge_graph.ttl",
    "search bees": "Give one of --corpus DIR, --graph-dir RUNS",
    "search bees --graph-dir runs --plan fastest": "unknown plan 'fastest'\n  Use one of bm25",
    "search bees --graph-dir runs --facet colour=red": "there is no facet 'colour'\n  There are paper",
    "compare runs": "none of these papers has an entity layer\n  Make it: `kag layers RUNS`",
    "corpus list --corpus nowhere": "nowhere is not a corpus: corpus.json is missing\n  Make one",
    "export runs --format word": "'word' is not one of 'markdown'",
    "export runs --format csv": "csv is a folder: name it with --out",
    "push ftp://host runs": "'ftp://host' is not a web address\n  Give one such as",
    "report paper": "paper is not a run folder: knowledge_graph.ttl is missing",
    "trajectory paper": "Give a run folder, or a trajectory.jsonl.",
    "graph show missing.json --out x.html": "missing.json: No such file or directory",
    "ingest notes.xyz --domain tales --out g": "unknown domain tales\n  Give one of: story",
    "--config bad.toml config show": "bad.toml:1: there is no setting 'maxusd' for all commands\n  Did you mean max-",
    "mcp nowhere": "nowhere holds no knowledge_graph.ttl\n  Give a folder",
    "plan paper": "an estimate needs at least two papers",
    "import bibtex notes.xyz": "none with a PDF that is there\n  Export the library with its files",
}
NO_MODEL = {
    "index paper --builder rlm",
    "index paper --builder rlm --lm anthropic/claude-sonnet-4-5",
    "index paper --builder rlm --lm nosuch/model",
    f"ask {QUESTION} runs --mode agent",
    "qa --question x --graph-dir runs --mode agent",
}
"""The commands that end with exit code 3, because no model can be asked; all others end with 2."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, bundled_runs: Path) -> Path:
    """A folder with a paper, its run, a damaged run, and files that are nothing."""
    folder: Path = tmp_path_factory.mktemp("mistakes")
    shutil.copytree(BUNDLED / "urban_pollinators", folder / "paper")
    (run,) = bundled_runs.glob("urban_pollinators_*")
    shutil.copytree(run, folder / "runs" / "paper_20260101T000000Z")
    shutil.copytree(run, folder / "damaged" / "paper_20260101T000000Z")
    (folder / "damaged" / "paper_20260101T000000Z" / "content_store.jsonl").write_text("broken")
    (folder / "empty").mkdir()
    texts = {
        "notes.xyz": "hello",
        "broken.pdf": "%PDF-1.4\nbroken",
        "empty.pdf": "",
        "bad.json": '{"a": 1',
        "q.jsonl": "not json",
        "bad.toml": "maxusd = 1",
        "graph.json": '{"nodes": [], "edges": []}',
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("line", MISTAKES, ids=lambda line: line[:60])
def test_a_mistake_names_its_cause_and_what_to_do(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    done = run(*shlex.split(line))
    assert done.returncode == (3 if line in NO_MODEL else 2)
    assert MISTAKES[line] in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
