"""The sets of questions of `test_data`: form, balance, and that every block is there."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "test_data"
QUESTIONS = ("natural_questions", "natural_questions_shared")
Row = dict[str, Any]
_BLOCK = re.compile(r"<\|ref\|>.*?<\|/ref\|><\|det\|>.*?<\|/det\|>\n?(?P<text>.*?)(?=<\|ref\|>|\Z)", re.S)


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def block_text(folder: Path, block: str) -> str:
    page, number = (int(part) for part in re.findall(r"\d+", block))
    pages = folder / f"page_{page:03d}.md"
    return list(_BLOCK.finditer(pages.read_text(encoding="utf-8")))[number - 1]["text"].strip()


def home(name: str, request: pytest.FixtureRequest) -> Path:
    """The folder that a set's papers are in."""
    if not name.endswith("_shared"):
        return DATA
    shared: Path = request.getfixturevalue("shared")
    return shared / "data" / "jats_gold"


def test_ids_are_unique_over_both_sets() -> None:
    assert max(Counter(row["id"] for name in QUESTIONS for row in rows(name)).values()) == 1


def test_there_are_enough_questions_of_all_kinds_and_some_without_an_answer() -> None:
    first = [row for name in QUESTIONS for row in rows(name) if row["wording"] == 0]
    assert len(first) >= 200
    assert sum(not row["answerable"] for row in first) >= 40
    assert len({row["kind"] for row in first}) >= 24
    assert len({row["paper"] for row in first}) >= 23
    assert {row["half"] for row in first} == {"a", "b", "c"}


def test_a_group_of_wordings_is_five_that_share_gold_and_half() -> None:
    groups: dict[str, list[Row]] = {}
    for name in QUESTIONS:
        for row in rows(name):
            groups.setdefault(row["group"], []).append(row)
    several = [group for group in groups.values() if len(group) > 1]
    assert len(several) >= 40
    for group in several:
        assert [row["wording"] for row in group] == list(range(5))
        assert len({json.dumps((row["gold"], row["evidence"], row["half"])) for row in group}) == 1
        assert len({row["question"] for row in group}) == 5


def test_what_can_be_answered_has_gold_and_evidence_and_nothing_else_has() -> None:
    for row in (row for name in QUESTIONS for row in rows(name)):
        assert bool(row["gold"]) == bool(row["evidence"]) == row["answerable"]
        assert all(key and len(key.split()) <= 10 for way in row["gold"] for key in way)
        assert row["says"] in ({"yes", "no"} if row["kind"] == "yes_no" and row["answerable"] else {None})


@pytest.mark.parametrize("name", QUESTIONS)
def test_evidence_is_a_block_of_the_paper(name: str, request: pytest.FixtureRequest) -> None:
    root = home(name, request)
    for row in rows(name):
        assert all(block_text(root / row["paper"], block) for block in row["evidence"])
