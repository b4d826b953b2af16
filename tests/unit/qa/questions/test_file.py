"""Question files in their three forms, and what is said of broken ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.core.errors import EvidenceError
from kag.qa.questions.cells import table
from kag.qa.questions.file import LONGEST, Question, read_questions
from kag.qa.questions.reader import read_question
from kag.qa.questions.words import Words, split

ROWS = [
    {"id": "a", "question": " What is ice? ", "paper": "ice", "type": "content", "gold": ["x"]},
    {"question": "Who wrote it?"},
    {"id": 7, "question": "When?", "paper": None},
]
READ = (Question("a", "What is ice?", "ice", "content"), Question("q2", "Who wrote it?"), Question("7", "When?"))


def write(folder: Path, text: str) -> Path:
    path = folder / "questions.json"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps({"questions": ROWS, "about": "x"}, indent=1),
        "\n".join(json.dumps(row) for row in ROWS) + "\n\n",
        "\ufeff" + json.dumps(ROWS),
    ],
)
def test_three_forms(tmp_path: Path, text: str) -> None:
    assert read_questions(write(tmp_path, text)) == READ


def test_one_line_is_one_question(tmp_path: Path) -> None:
    assert read_questions(write(tmp_path, '{"question": "Why?"}\n')) == (Question("q1", "Why?"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "holds no questions"),
        ("", "holds no questions"),
        ("3", "not a list of questions"),
        ('{"questions": "x"}', "not a list of questions"),
        ('["What?"]', "entry 1 is not an object"),
        ('[{"question": "a"}, {"id": "b"}]', "entry 2 has no question"),
        ('[{"question": "   "}]', "entry 1 has no question"),
        ('[{"question": 3}]', "entry 1 has no question"),
        ('[{"question": "a", "id": ["x"]}]', "entry 1: id is not a text"),
        ('[{"question": "a", "paper": {}}]', "entry 1: paper is not a text"),
        ('[{"question": "a", "id": "x"}, {"question": "b", "id": "x"}]', "the id 'x' is given twice"),
        ('{"question": "a"}\n{"question": ', "line 2"),
        (json.dumps([{"question": "a" * (LONGEST + 1)}]), "4001 characters"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(EvidenceError) as raised:
        read_questions(path)
    assert words in raised.value.message
    assert str(path) in raised.value.message
    assert raised.value.hint


def test_half_characters_become_readable(tmp_path: Path) -> None:
    path = write(tmp_path, r'[{"id": "a\ud800", "question": "Why \udfff?"}]')
    assert read_questions(path) == (Question("a?", "Why ??"),)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match=r"none\.json cannot be read: No such file or directory$"):
        read_questions(tmp_path / "none.json")
    (tmp_path / "latin.json").write_bytes(b'[{"question": "caf\xe9"}]')
    with pytest.raises(EvidenceError, match="cannot be read"):
        read_questions(tmp_path / "latin.json")


def test_a_question_of_two_thousand_signs_is_read_and_no_longer_one() -> None:
    padded = "Which sections cite reference 7?"
    assert read_question(padded + " " * (2_000 - len(padded))).queries
    assert not read_question(" " + padded + " " * (2_000 - len(padded))).queries


@pytest.mark.parametrize(("size", "is_read"), [(LONGEST, True), (LONGEST + 1, False)])
def test_names_in_a_file_have_a_length(tmp_path: Path, size: int, is_read: bool) -> None:
    path = tmp_path / "q.json"
    path.write_text(json.dumps([{"question": "Who?", "paper": "x" * size}]))
    if is_read:
        assert read_questions(path)[0].paper == "x" * size
    else:
        with pytest.raises(EvidenceError, match="paper is not a text"):
            read_questions(path)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("table Key resources table, it", "Key resources table"),
        ("table Key resources", None),
        ("table Key, it", None),  # one word may be anything
        ("table key resources table, it", None),  # a title has a capital
        ("tables Key resources table, it", None),
        ("table Key resources? it, is", None),
    ],
)
def test_a_table_by_its_title(text: str, title: str | None) -> None:
    found = [one.query.where[0].name.text for one, _ in table(Words(tuple(split(text))), 0)  # type: ignore[union-attr]
             if one.query.where]  # fmt: skip
    assert found == ([title] if title else [])
