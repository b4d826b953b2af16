"""Question files: what is asked, of which paper.

A file is a JSON list of objects, an object with such a list under "questions", or one object a line. Of each
object `question` is needed; `id`, `paper` and `type` are read where given, all else (gold answers) is passed over.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kag.core.errors import EvidenceError

LONGEST = 4_000  # characters of one question


@dataclass(frozen=True, slots=True)
class Question:
    """A question in words; `paper` is the id of its paper, "" if the file has none."""

    id: str
    text: str
    paper: str = ""
    type: str = ""


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file, in its order; raises `EvidenceError` naming the file and the entry that is wrong."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise EvidenceError(f"{path} cannot be read: {why}", hint="Give a file of questions.") from error
    questions = tuple(_question(row, number, path) for number, row in enumerate(_rows(text, path), start=1))
    if not questions:
        raise EvidenceError(f"{path} holds no questions", hint='Write a list of {"id", "question", "paper"}.')
    twice = [name for name, times in Counter(question.id for question in questions).items() if times > 1]
    if twice:
        raise EvidenceError(f"{path}: the id {twice[0]!r} is given twice", hint="Give each question an id of its own.")
    return questions


def _rows(text: str, path: Path) -> Iterable[Any]:
    """The entries of a file in any of its three forms."""
    try:
        whole = json.loads(text)
    except ValueError:
        return [_line(line, number, path) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    rows = whole.get("questions", [whole]) if isinstance(whole, dict) else whole
    if not isinstance(rows, list):
        raise EvidenceError(f"{path} is not a list of questions", hint='Write [{"id": "q1", "question": "..."}].')
    return rows


def _line(line: str, number: int, path: Path) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        hint = "Write one JSON list, or one JSON object a line."
        raise EvidenceError(f"{path}, line {number}: {error}", hint=hint) from error


def _question(row: Any, number: int, path: Path) -> Question:
    where = f"{path}, entry {number}"
    if not isinstance(row, dict):
        raise EvidenceError(f"{where} is not an object", hint='Write {"id": "q1", "question": "..."}.')
    text = row.get("question")
    if not isinstance(text, str) or not text.strip():
        raise EvidenceError(f"{where} has no question", hint='Put the words under "question".')
    if len(text) > LONGEST:
        raise EvidenceError(f"{where}: {len(text)} characters are too many for a question", hint=f"At most {LONGEST}.")
    names = (_name(row, key, where) for key in ("paper", "type"))
    return Question(_name(row, "id", where) or f"q{number}", _legible(text.strip()), *names)


def _name(row: dict[str, Any], key: str, where: str) -> str:
    """A short text or whole number of an entry; empty when it has none."""
    value = row.get(key)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int) or len(str(value)) > LONGEST:
        raise EvidenceError(f"{where}: {key} is not a text", hint=f'Write "{key}": "...".')
    return _legible(str(value))


def _legible(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON can hold and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode()
