"""Storage of answers: one file a question, written atomically, and reused for the same question. A question never takes
the file of another one.

    answers/<id>.json   trajectories/<id>.jsonl   summary.json   answers.md

A trajectory begins with what was asked of whom, so that an answer can be told to be still good. The answer is
written last: where it is, the question is done.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import combining, normalize

from kag.core.errors import EvidenceError
from kag.core.evidence import Answer, read_answer
from kag.core.files import clear_partials, read_regular, write_whole
from kag.core.report import Issue
from kag.core.secrets import hide_secrets, safe_json, without_secrets
from kag.qa.answer_text import answers_markdown

ASKED = "asked"  # the first step of a trajectory
WORK = ".work"  # what a command under way, or killed, keeps

_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")


@dataclass(frozen=True, slots=True)
class Answered:
    """The outcome of a question: its answer, its verification, and why a model was stopped, if one was.

    `kept` is true when the answer was there already.
    """

    answer: Answer
    issues: tuple[Issue, ...] = ()
    cause: str = ""
    kept: bool = False


def file_name(question_id: str) -> str:
    """Return a file name for a question; ids are untrusted, so one that is not a plain name becomes a hash.

    >>> file_name("q_01"), file_name("../x")[:2]
    ('q_01', 'x-')
    """
    if _SAFE.fullmatch(question_id) and question_id == question_id.lower() and not question_id.endswith("."):
        return question_id
    # Names that differ in case only are one file on some systems, so the hash tells them apart.
    words = re.sub(r"[^A-Za-z0-9]+", "-", question_id).strip("-")[:40]
    return f"{words or 'q'}-{hashlib.sha256(question_id.encode('utf-8', 'replace')).hexdigest()[:8]}"


def question_name(text: str, paper: str = "") -> str:
    """An id for a question that came without one: its first words, and a hash of it and of the paper it is put to.

    >>> question_name("Who funded the work?")
    'who-funded-the-work-3809758d'
    """
    letters = "".join(c for c in normalize("NFKD", text.lower()) if not combining(c))
    words = re.findall(r"[a-z0-9]+", letters)[:6]
    return f"{'-'.join(words)[:48].strip('-') or 'question'}-{_short_hash(text, paper)}"


def free_name(folder: Path, question_id: str, text: str, paper: str) -> str:
    """The id that a question has in a folder: its own, unless another question, or one to another paper, has it."""
    held = _held(folder, question_id)
    return question_id if held in (None, (text, paper)) else f"{question_id}-{_short_hash(text, paper)}"


def _held(folder: Path, question_id: str) -> tuple[str, str] | None:
    """Return the question and the paper of an id in a folder; None if it is free."""
    if not answer_path(folder, question_id).exists():
        return None
    try:
        first = json.loads(read_regular(trajectory_path(folder, question_id)).partition(b"\n")[0])
        return str(first["question"]), str(first["paper"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "", ""


def _short_hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:8]


def answer_path(folder: Path, question_id: str) -> Path:
    return folder / "answers" / f"{file_name(question_id)}.json"


def answer_files(paths: Sequence[Path]) -> list[Path]:
    """The answer files among paths, those of a folder by name; raises `EvidenceError` if there are none."""
    found: list[Path] = []
    for path in paths:
        folder = path / "answers" if (path / "answers").is_dir() else path
        inside = sorted(folder.glob("*.json")) if path.is_dir() else [path]
        if not inside:
            raise EvidenceError(f"{path} holds no answers", hint="Give the answers/ folder that `kag qa` wrote.")
        found += inside
    return found


def trajectory_path(folder: Path, question_id: str) -> Path:
    return folder / "trajectories" / f"{file_name(question_id)}.jsonl"


def trajectories_of(folder: Path) -> list[Path]:
    """Return the trajectories of a folder of answers by name; none for another folder."""
    return sorted((folder / "trajectories").glob("*.jsonl"))


def earlier_answer(folder: Path, question_id: str, asked: Mapping[str, Any]) -> Answer | None:
    """The answer to the same question of the same graph by the same means, if it is there and no model was stopped."""
    try:
        first = json.loads(read_regular(trajectory_path(folder, question_id)).partition(b"\n")[0])
        answer, _ = read_answer(answer_path(folder, question_id))
    except (OSError, ValueError, RecursionError, EvidenceError):
        return None
    known = first if isinstance(first, dict) else {}
    same = known.get("name") == ASKED and {key: known.get(key) for key in asked} == without_secrets(asked)
    return answer if same and not answer.stopped else None


def open_folder(folder: Path) -> None:
    """Make the folder that answers go to, without what a killed command left half-written; raises `EvidenceError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for inside in (folder, folder / "answers", folder / "trajectories"):
            clear_partials(inside)
    except OSError as error:
        raise EvidenceError(f"{folder}: {error.strerror}", hint="Choose another folder with --out-dir.") from error


def keep_answer(folder: Path, answer: Answer, trajectory: str) -> None:
    """Write a trajectory and then its answer; an older answer goes first, so that the two never belie each other."""
    target = answer_path(folder, answer.id)
    target.unlink(missing_ok=True)
    write_whole(trajectory_path(folder, answer.id), trajectory)
    write_whole(target, answer.to_json())


def write_overview(folder: Path, outcomes: Sequence[Answered], facts: Mapping[str, Any]) -> None:
    """Write `summary.json`, of the questions asked now, and `answers.md`, of all answers in the folder.

    `facts` says how the questions were put. Earlier answers come behind, by the names of their files.
    """
    rows = [_row(outcome) for outcome in outcomes]
    totals = {
        "questions": len(rows),
        "found": sum(row["found"] for row in rows),
        "supported": sum(row["supported"] for row in rows),
        "stopped": sum(bool(row["stopped"]) for row in rows),
        **{key: round(sum(row[key] for row in rows), 9) for key in ("tokens_in", "tokens_out", "usd")},
    }
    summary = {**facts, "totals": totals, "questions": rows}
    write_whole(folder / "summary.json", safe_json(summary, indent=2, ensure_ascii=False) + "\n")
    write_whole(
        folder / "answers.md",
        hide_secrets(answers_markdown([*(one.answer for one in outcomes), *_earlier(folder, outcomes)])),
    )


def _earlier(folder: Path, outcomes: Sequence[Answered]) -> Iterator[Answer]:
    """The answers of earlier commands that are whole."""
    now = {answer_path(folder, outcome.answer.id) for outcome in outcomes}
    for path in sorted((folder / "answers").glob("*.json")):
        if path not in now:
            with suppress(EvidenceError):
                yield read_answer(path)[0]


def _row(outcome: Answered) -> dict[str, Any]:
    answer, usage = outcome.answer, outcome.answer.usage
    return {
        "id": answer.id,
        "file": f"answers/{file_name(answer.id)}.json",
        "papers": list(answer.papers),
        "mode": answer.mode,
        "label": answer.label,
        "found": answer.found,
        "claims": len(answer.claims),
        "dropped": len(answer.dropped),
        "supported": not outcome.issues,
        "tokens_in": usage.get("tokens_in", 0),
        "tokens_out": usage.get("tokens_out", 0),
        "usd": usage.get("usd", 0.0),
        "stopped": answer.stopped,
    }
