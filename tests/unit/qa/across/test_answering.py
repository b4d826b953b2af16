"""Questions over many papers without a model: exactly, or else passages of the named papers or of any."""

from __future__ import annotations

import json
import shutil
from copy import copy
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kag.cli.qa import qa, verify
from kag.core.errors import CorpusError, EvidenceError, ModelError
from kag.core.evidence import read_answer
from kag.corpus.check import check_corpus
from kag.qa.answering import answer_across
from kag.qa.library import Shelf
from kag.qa.questions.file import Question
from tests.unit.corpus.runs import remove
from tests.unit.qa.across.conftest import MOSS, Ask


def test_passages_come_from_any_paper_best_first(ask: Ask) -> None:
    answer = ask("How is rain held on a pier by moss?")
    assert (answer.mode, answer.found) == ("passages", False)
    assert [passage.paper for passage in answer.passages[:2]] == ["rain", "moss"]
    assert set(answer.papers) == {passage.paper for passage in answer.passages}


def test_a_paper_that_is_named_is_asked_alone(ask: Ask) -> None:
    answer = ask(f"What holds rain in “{MOSS}”?")
    assert {passage.paper for passage in answer.passages} == {"moss"}


def test_a_paper_that_is_named_answers_exactly(ask: Ask) -> None:
    answer = ask(f"How many sections does “{MOSS}” have?")
    assert (answer.mode, answer.papers) == ("exact", ("moss",))


def test_no_word_of_the_question_finds_nothing(ask: Ask) -> None:
    answer = ask("What is the melting point of tungsten?")
    assert (answer.passages, answer.text) == ((), "No exact answer, and no passage has the words of the question.")


def test_a_note_says_that_words_ranked_where_the_server_of_vectors_is_down(shelf: Shelf) -> None:
    def down(texts: object) -> None:
        raise ModelError("the server is down", hint="Start it.")

    index = copy(shelf.index)
    index.vectors, index.embed = {}, down  # type: ignore[assignment]
    answer = answer_across(Question("q", "How is rain held on a pier?"), replace(shelf, index=index), lambda _: None)
    assert answer.passages
    assert answer.notes == ("no vector for the question (the server is down): ranked by words alone",)
    assert answer_across(Question("q", "How is rain held on a pier?"), shelf, lambda _: None).notes == ()


QUESTIONS = [
    {"id": "all", "question": "How is rain held on a pier by moss?"},
    {"id": "one", "paper": "ink", "question": "How many references does the paper have?"},
    {"id": "named", "question": f"Who wrote “{MOSS}”?"},
    {"id": "none", "question": "What is the melting point of tungsten?"},
]


def run(command: object, *arguments: object) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])  # type: ignore[arg-type]


def test_many_papers_are_asked(corpus: Path, tmp_path: Path) -> None:
    root, out, file = tmp_path / "corpus", tmp_path / "out", tmp_path / "questions.json"
    shutil.copytree(corpus, root)
    file.write_text(json.dumps(QUESTIONS), encoding="utf-8")
    arguments = ("--corpus", root, "--questions", file, "--out-dir", out)
    first = run(qa, *arguments)
    assert (first.exit_code, first.stdout) == (0, f"{out}\n"), first.output
    assert "kept" not in first.stderr
    answers = {row["id"]: read_answer(out / "answers" / f"{row['id']}.json")[0] for row in QUESTIONS}
    assert {name: answer.found for name, answer in answers.items()} == {
        "all": False, "one": False, "named": True, "none": False
    }  # fmt: skip
    assert {passage.paper for passage in answers["all"].passages} == {"moss", "rain"}
    assert not answers["none"].passages
    assert answers["one"].papers == ("ink",)
    assert answers["named"].value == ["Ida Holm", "Ole Vik"]
    assert "`rain`, page 1" in (out / "answers.md").read_text(encoding="utf-8")
    assert run(verify, out, "--corpus", root).exit_code == 0
    assert check_corpus(root).issues == ()

    assert run(qa, *arguments).stderr.count("kept") == 4
    remove(root, "rain")
    assert run(verify, out, "--corpus", root).exit_code == 1
    changed = run(qa, *arguments).stderr
    assert [line.split()[1] for line in changed.splitlines() if "kept" in line] == ["one:"]


@pytest.mark.parametrize("given", [(), ("--corpus", "a", "--graph-dir", "b")])
def test_one_source_is_needed(given: tuple[str, ...]) -> None:
    for result in (run(qa, *given, "--question", "What?"), run(verify, "x", *given)):
        assert result.exit_code == 2
        assert "Give --graph-dir DIR or --corpus DIR." in result.output


def test_what_is_missing_is_named(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "questions.json"
    file.write_text(json.dumps([{"id": "q", "paper": "gulls", "question": "What?"}]), encoding="utf-8")
    result = run(qa, "--corpus", corpus, "--questions", file, "--out-dir", tmp_path / "out")
    assert isinstance(result.exception, EvidenceError)
    shutil.copytree(corpus, tmp_path / "corpus")
    shutil.rmtree(tmp_path / "corpus" / "search")
    result = run(qa, "--corpus", tmp_path / "corpus", "--question", "What?", "--out-dir", tmp_path / "out")
    assert isinstance(result.exception, CorpusError)
    assert "kag corpus index" in result.exception.hint


def test_a_corpus_without_papers_is_told_so(corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "corpus")
    remove(tmp_path / "corpus", "ink", "moss", "rain")
    result = run(qa, "--corpus", tmp_path / "corpus", "--question", "What is ice?", "--out-dir", tmp_path / "out")
    assert isinstance(result.exception, CorpusError)
    assert "has no papers" in result.exception.message
