"""The sets of questions and claims of `test_data`: form, balance, and that every quote is where they say."""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "test_data"
QUESTIONS = ("natural_questions", "natural_questions_shared")
WORDINGS = "natural_wordings"
CLAIMS = ("claims", "claims_shared")
Row = dict[str, Any]
TAG = re.compile(r"^<\|ref\|>\w+<\|/ref\|><\|det\|>.*?<\|/det\|>\n", re.M)


def block_text(folder: Path, block: str) -> str:
    """The text of a block (`b_pPPP_NNNN`: page, order on it) as it stands in its page."""
    page = (folder / f"page_{block[3:6]}.md").read_text(encoding="utf-8")
    return TAG.split(page)[int(block[7:])].strip()


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def home(name: str, request: pytest.FixtureRequest) -> Path:
    """The folder that a set's papers are in."""
    if not name.endswith("_shared"):
        return DATA
    shared: Path = request.getfixturevalue("shared")
    return shared / "data" / "jats_gold"


def test_ids_are_unique_over_both_sets() -> None:
    for names in ((*QUESTIONS, WORDINGS), CLAIMS):
        found = Counter(row["id"] for name in names for row in rows(name))
        assert max(found.values()) == 1


def test_there_are_enough_questions_of_all_kinds_and_some_without_an_answer() -> None:
    first = [row for name in QUESTIONS for row in rows(name) if row["wording"] == 0]
    assert len(first) >= 200
    assert sum(not row["answerable"] for row in first) >= 40
    assert len({row["kind"] for row in first}) >= 24
    assert len({row["paper"] for row in first}) >= 23
    assert {row["half"] for row in first} == {"a", "b", "c"}


@pytest.mark.parametrize(("names", "least"), [(QUESTIONS, 40), ((WORDINGS,), 60)])
def test_a_group_of_wordings_is_five_that_share_gold_and_half(names: tuple[str, ...], least: int) -> None:
    groups: dict[str, list[Row]] = {}
    for name in names:
        for row in rows(name):
            groups.setdefault(row["group"], []).append(row)
    several = [group for group in groups.values() if len(group) > 1]
    assert len(several) >= least
    for group in several:
        assert [row["wording"] for row in group] == list(range(5))
        assert len({json.dumps((row["gold"], row["evidence"], row["half"])) for row in group}) == 1
        assert len({row["question"] for row in group}) == 5


def test_what_can_be_answered_has_gold_and_evidence_and_nothing_else_has() -> None:
    for row in (row for name in QUESTIONS for row in rows(name)):
        assert bool(row["gold"]) == bool(row["evidence"]) == row["answerable"]
        assert all(key and len(key.split()) <= 10 for way in row["gold"] for key in way)
        assert row["says"] in ({"yes", "no"} if row["kind"] == "yes_no" and row["answerable"] else {None})


def test_every_group_of_the_wordings_is_of_half_d_or_e_and_of_a_bundled_paper() -> None:
    found = rows(WORDINGS)
    assert Counter(row["half"] for row in found) == {"d": 150, "e": 150}
    assert all((DATA / row["paper"]).is_dir() and bool(row["gold"]) == row["answerable"] for row in found)


@pytest.mark.parametrize("name", QUESTIONS)
def test_evidence_is_a_block_of_the_paper(name: str, request: pytest.FixtureRequest) -> None:
    root = home(name, request)
    for row in rows(name):
        assert all(block_text(root / row["paper"], block) for block in row["evidence"])


def test_claims_are_balanced_and_mostly_written_by_hand() -> None:
    every = [row for name in CLAIMS for row in rows(name)]
    labels = Counter(row["label"] for row in every)
    assert min(labels.values()) >= 300
    assert sum(row["by"] == "hand" for row in every) >= 500
    assert len({row["kind"] for row in every if not row["label"]}) >= 15


@pytest.mark.parametrize("name", CLAIMS)
def test_quotes_stand_where_they_are_said_to(name: str, request: pytest.FixtureRequest) -> None:
    root = home(name, request)
    for row in rows(name):
        for quote in row["quotes"]:
            text = block_text(root / row["paper"], quote["block"])
            assert hashlib.sha256(text.encode()).hexdigest() == quote["sha256"], row["id"]
            assert 0 <= quote["start"] < quote["end"] <= len(text)
            assert quote.get("quote", text[quote["start"] : quote["end"]]) == text[quote["start"] : quote["end"]]
            assert ("quote" in quote) == (root == DATA)
