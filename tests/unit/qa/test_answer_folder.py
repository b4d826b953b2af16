"""Answer files: names from strangers' ids, whole or not there, kept only when they are still good."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from kag.core.errors import EvidenceError
from kag.core.evidence import Answer, Claim, Dropped, Evidence, Shown, read_answer
from kag.core.files import partial_path
from kag.core.trajectory import Step, Trajectory
from kag.qa.answer_folder import (
    Answered,
    answer_path,
    earlier_answer,
    file_name,
    keep_answer,
    open_folder,
    trajectory_path,
    write_overview,
)
from kag.qa.answer_text import answers_markdown

QUOTE = Evidence("ice", "http://x/ice/b_p001_0004", 1, ((1, 2, 3, 4),), "ice is cold", 0, 11, "0" * 64)
ANSWER = Answer("q1", "What is ice?", "single", "m", (Claim("Ice is cold.", (QUOTE,)),), papers=("ice",))
ASKED = {"id": "q1", "question": "What is ice?", "model": "m"}


def trajectory(**asked: str) -> str:
    steps = Trajectory()
    steps.append(Step("note", "asked", data={**ASKED, **asked}))
    return steps.to_jsonl()


def test_other_ids_become_names_that_stay_in_the_folder(tmp_path: Path) -> None:
    ids = [
        "../../etc/x",
        "/abs",
        "a/b",
        "",
        ".",
        "..",
        "CON",
        "Q1",
        "q 1",
        "q.",
        "é",
        "\x00",
        "x" * 300,
        "a\nb",
        "\ud800",
    ]
    names = [file_name(one) for one in ids]
    assert len({name.casefold() for name in names}) == len(ids)
    for name in names:
        assert answer_path(tmp_path, name).parent == tmp_path / "answers"
        assert len(name) < 60
        (tmp_path / name).write_text("x")


def test_an_answer_is_found_again(tmp_path: Path) -> None:
    keep_answer(tmp_path, ANSWER, trajectory())
    assert earlier_answer(tmp_path, "q1", ASKED) == ANSWER
    assert not list(tmp_path.rglob(".*"))


@pytest.mark.parametrize("changed", ["question", "model"])
def test_not_when_something_else_was_asked(tmp_path: Path, changed: str) -> None:
    keep_answer(tmp_path, ANSWER, trajectory())
    assert earlier_answer(tmp_path, "q1", {**ASKED, changed: "other"}) is None


def test_not_when_the_model_was_stopped_or_a_file_is_broken(tmp_path: Path) -> None:
    assert earlier_answer(tmp_path, "q1", ASKED) is None
    keep_answer(tmp_path, replace(ANSWER, stopped="no money"), trajectory())
    assert earlier_answer(tmp_path, "q1", ASKED) is None
    keep_answer(tmp_path, ANSWER, trajectory())
    answer_path(tmp_path, "q1").write_text('{"format": ')
    assert earlier_answer(tmp_path, "q1", ASKED) is None
    keep_answer(tmp_path, ANSWER, "no step\n")
    assert earlier_answer(tmp_path, "q1", ASKED) is None


def test_an_older_answer_never_stands_beside_a_newer_trajectory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_answer(tmp_path, ANSWER, trajectory())
    monkeypatch.setattr(Answer, "to_json", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        keep_answer(tmp_path, ANSWER, trajectory(model="n"))
    assert not answer_path(tmp_path, "q1").exists()
    assert '"n"' in trajectory_path(tmp_path, "q1").read_text()


def test_the_overview_counts(tmp_path: Path) -> None:
    paid = replace(
        ANSWER, usage={"calls": 1, "tokens_in": 10, "tokens_out": 2, "usd": 0.5}, dropped=(Dropped("x", "y"),)
    )
    none = Answer("../q2", "Why?", "extractive", "rules", searches=("why",), stopped="refused")
    write_overview(tmp_path, [Answered(paid), Answered(none)], {"mode": "auto"})
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["mode"] == "auto"
    assert summary["totals"] == {
        "questions": 2, "found": 1, "supported": 2, "stopped": 1, "tokens_in": 10, "tokens_out": 2, "usd": 0.5,
    }  # fmt: skip
    first, second = summary["questions"]
    assert (first["claims"], first["dropped"], first["file"]) == (1, 1, "answers/q1.json")
    assert (second["found"], second["stopped"]) == (False, "refused")
    assert second["file"] == f"answers/{file_name('../q2')}.json"


def test_answers_as_markdown_show_evidence_and_never_markup_of_strangers() -> None:
    claim = Claim("Ice is <b>cold</b>.", (replace(QUOTE, quote="# ice\n[is](http://bad) cold"),) * 12, 0.5)
    text = answers_markdown(
        [replace(ANSWER, claims=(claim,)), Answer("q`2", "Why *ice*?", "agent", "m", searches=("why ice",))]
    )
    assert "## What is ice?" in text
    assert "(quoted, not judged)" in text
    assert "> page 1, `b_p001_0004`" in text
    assert "and 2 quotes more" in text
    assert "Searched: why ice" in text
    assert "**The paper does not say.**" in text
    assert "<b>" not in text
    assert "[is](" not in text
    assert "*ice*" not in text.replace("\\*ice\\*", "")


def test_numbers_by_name_come_first() -> None:
    text = answers_markdown([replace(ANSWER, value={"Ice on *rivers*": 3, "Snow": 0})])
    assert text.index("- Ice on \\*rivers\\*: 3\n- Snow: 0\n") < text.index("(quoted")


def test_what_is_kept_can_be_read(tmp_path: Path) -> None:
    keep_answer(tmp_path, ANSWER, trajectory())
    assert read_answer(answer_path(tmp_path, "q1")) == (ANSWER, Shown("Ice is cold.", True))


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(EvidenceError, match="taken: "):
        open_folder(tmp_path / "taken")
    open_folder(tmp_path / "new" / "answers")
    assert (tmp_path / "new" / "answers").is_dir()


def test_what_a_killed_command_left_half_written_goes(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "answers", tmp_path / "trajectories"):
        folder.mkdir(exist_ok=True)
        own = partial_path(folder / "q1.json")
        own.with_name(own.name.replace(f"-{os.getpid()}-", "-999999999-")).write_text("half")
        own.write_text("being written")
    open_folder(tmp_path)
    left = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob(".partial-*"))
    assert len(left) == 3
    assert all(f"-{os.getpid()}-" in path.name for path in left)
