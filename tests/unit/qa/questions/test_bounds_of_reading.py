"""How long a question and its names may be, and tables that are named by their titles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.core.errors import EvidenceError
from kag.qa.questions.cells import table
from kag.qa.questions.file import LONGEST, read_questions
from kag.qa.questions.reader import read_question
from kag.qa.questions.words import Words, split


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
