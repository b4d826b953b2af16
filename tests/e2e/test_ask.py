"""`kag ask` and `kag chat` from the outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import run

ROOT = Path(__file__).resolve().parent.parent.parent
ONE = ("--paper", "urban")


@pytest.fixture(scope="module")
def library(bundled_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of the bundled papers."""
    root = tmp_path_factory.mktemp("corpus") / "library"
    for words in (("add", bundled_runs), ("index",)):
        done = run("corpus", *words, "--corpus", root)
        assert done.returncode == 0, done.stderr
    return root


def test_a_run_is_asked(bundled_runs: Path) -> None:
    (only,) = bundled_runs.glob("reservoir*")
    done = run("ask", "Which references are cited only in the Introduction?", only)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == ["Found: references 1, 2, 3, 4, 5, 8.", "  “[1, 2]” page 1, 1 Introduction"]
    assert lines[-1] == "(reservoir_sensors)"
    assert "\\" not in done.stdout


def test_one_paper_of_many_runs_is_asked(bundled_runs: Path) -> None:
    done = run("ask", "What does Table 2 show?", bundled_runs, *ONE)
    assert done.stdout.startswith("Table 2: Estimates of the mixed model for the number of bee species.\n  Term")


def test_all_papers_of_runs_are_asked_together(bundled_runs: Path) -> None:
    done = run("ask", "How long is the half-life of the isotope?", bundled_runs)
    assert done.returncode == 0, done.stderr
    assert "half-life of 78.4 h" in " ".join(done.stdout.split())
    assert "zirconium_tracers" in done.stdout
    nothing = run("ask", "Which references does the Introduction cite?", bundled_runs)
    assert nothing.stdout.startswith("Passages that may answer this:\n\n1. page ")
    assert "for one, give --paper: reservoir_sensors, urban_pollinators" in nothing.stderr


def test_several_paths_are_one_library(bundled_runs: Path) -> None:
    first, second, _ = sorted(bundled_runs.glob("*_2*"))
    done = run("ask", "What does Table 1 show?", first, second, *ONE)
    assert done.stdout.startswith("Table 1: Bees and vegetation")


def test_a_corpus_is_asked(library: Path) -> None:
    done = run("ask", "How long is the half-life of the isotope?", library)
    assert done.returncode == 0, done.stderr
    assert "half-life of 78.4 h" in " ".join(done.stdout.split())
    assert run("ask", "x", library, library).returncode == 2


def test_an_answer_as_json_verifies(bundled_runs: Path, tmp_path: Path) -> None:
    done = run("ask", "How many figures are there?", bundled_runs, *ONE, "--json")
    row = json.loads(done.stdout)
    assert (row["value"], row["papers"]) == (3, ["urban_pollinators"])
    (tmp_path / "answer.json").write_text(done.stdout, encoding="utf-8")
    assert run("verify", tmp_path / "answer.json", "--graph-dir", bundled_runs).returncode == 0


def test_answers_are_kept_where_it_is_said(bundled_runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for question in ("How many figures are there?", "How many tables are there?", "How many figures are there?"):
        assert run("ask", question, bundled_runs, *ONE, "--out-dir", out).returncode == 0
    assert len(list((out / "answers").iterdir())) == 2
    assert "2 questions" in (out / "answers.md").read_text(encoding="utf-8")
    assert run("verify", out, "--graph-dir", bundled_runs).returncode == 0
    before = sorted(path for path in bundled_runs.rglob("*"))
    run("ask", "How many figures are there?", bundled_runs, *ONE)
    assert sorted(bundled_runs.rglob("*")) == before, "nothing is written beside the runs"


def test_questions_are_answered_line_by_line(bundled_runs: Path) -> None:
    done = run("chat", bundled_runs, *ONE, stdin="What does Table 2 show?\n\nHow many figures are there?\n")
    assert (done.returncode, done.stderr) == (0, "")
    asked = [line for line in done.stdout.splitlines() if line.startswith("? ")]
    assert asked == ["? What does Table 2 show?", "? How many figures are there?"]
    assert done.stdout.count("(urban_pollinators)") == 1, "a paper is named when it is another one"
    assert "Estimates of the mixed model" in done.stdout


def test_a_talk_goes_on_after_what_cannot_be_asked(bundled_runs: Path) -> None:
    said = "???\nWie viele Arten wurden gefunden?\nHow many figures are there?\n"
    done = run("chat", bundled_runs, *ONE, stdin=said)
    assert done.returncode == 0
    assert done.stderr.splitlines()[0].startswith("note: a question is needed")
    assert done.stderr.splitlines()[1].startswith("note: the question is in German")
    assert "The paper has 3 figures." in done.stdout


def test_hostile_lines_are_data(bundled_runs: Path) -> None:
    said = "\x1b[31mHow many figures are there?\nand \x1b]0;x\x07 in parks?\n\udcff\n" + "a" * 5000 + "\n"
    command = [sys.executable, "-m", "kag", "chat", str(bundled_runs), *ONE]
    done = subprocess.run(
        command, input=said.encode("utf-8", "surrogateescape"), capture_output=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


def test_a_terminal_is_shown_what_to_do_next(bundled_runs: Path) -> None:
    pty = pytest.importorskip("pty", reason="needs POSIX terminals")
    (only,) = bundled_runs.glob("reservoir*")
    for question, words in (
        (
            "How many tables are there?",
            f"next: keep it with --out-dir answers, then kag verify answers --graph-dir {only}",
        ),
        ("How was temperature reconstructed?", "next: read the passages, or let a model answer: --lm"),
        ("xylophone zeppelin?", f"next: use words of the papers, or search them: kag search WORDS --graph-dir {only}"),
    ):
        mine, terminal = pty.openpty()
        done = subprocess.run(
            [sys.executable, "-m", "kag", "ask", question, only], stdout=terminal, stderr=subprocess.PIPE, check=True
        )
        os.close(terminal)
        os.close(mine)
        assert words in done.stderr.decode(), question
