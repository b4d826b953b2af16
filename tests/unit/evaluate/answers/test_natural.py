"""Natural questions judged: right, silent, wrong with confidence; calibration; wordings; the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from kag.evaluate.answers.natural import Judged, Natural, alike, judge, natural_rows, plain_picker, read_natural
from kag.evaluate.calibration import expected_error, reliability
from kag.read.checking.computed import without_computed

from kag.questions.file import Question
from kag.read.library import open_library
from kag.values.errors import SourceError
from kag.values.evidence import Answer, Claim


def natural(kind: str = "value", gold: tuple[tuple[str, ...], ...] = (("144", "211"),), says: str = "") -> Natural:
    return Natural("q", "p", kind, "?", "a", "g", 0, gold, says)


def given(*texts: str, value: str | None = None, sure: float = 0.8) -> Answer:
    claims = tuple(Claim(text, (), sure) for text in texts)
    return Answer("q", "?", "extractive", "", claims, value)


def test_what_is_right(bundled_runs: Path) -> None:
    paper = open_library(bundled_runs)["reservoir_sensors"]

    def right(question: Natural, answer: Answer) -> tuple[bool, bool]:
        one = judge(question, answer, paper)
        return one.right, one.first

    assert right(natural(), given("It lived 144 and 211 days.")) == (True, True)
    assert right(natural(), given("It lived 144 days.", "It lived 211 days.")) == (True, False)
    assert right(natural(), given("It lived 144 days.")) == (False, False)
    assert right(natural(), given()) == (False, False)
    assert right(natural("unanswerable", ()), given()) == (True, True)
    assert right(natural("unanswerable", ()), given("So it is.")) == (False, False)
    no = natural("yes_no", (("banned",),), "no")
    assert right(no, given("They are banned: no.", value="no"))[0]
    assert not right(no, given("They are banned: yes.", value="yes"))[0]
    assert not right(no, given("They are banned."))[0]


def judged(right: bool, found: bool, sure: float, group: str = "g", said: str = "") -> Judged:
    return Judged(Natural("q", "p", "why", "?", "a", group, 0, (("x",),), ""), right, right, found, sure, 0, said)


def test_rows_by_kind() -> None:
    rows = natural_rows(
        [judged(True, True, 0.9), judged(False, True, 0.9), judged(False, True, 0.4), judged(False, False, 0)]
    )
    assert [row["kind"] for row in rows] == ["why", "answerable", "all"]
    assert (rows[0]["right"], rows[0]["silent"], rows[0]["wrong"], rows[0]["wrong, confident"]) == (
        0.25,
        0.25,
        0.5,
        0.25,
    )


def test_wordings_answered_alike() -> None:
    some = [
        judged(True, True, 1, "a", "x"),
        judged(True, True, 1, "a", "x"),
        judged(True, True, 1, "b", "x"),
        judged(True, True, 1, "b", "y"),
    ]
    assert alike(some) == {
        "groups": 2, "same answer": 0.5, "same mark": 1.0, "pairs alike": 0.5, "all wordings right": 1.0
    }  # fmt: skip
    assert set(alike([]).values()) == {0}


def test_calibration() -> None:
    assert expected_error([]) == 0.0
    assert expected_error([(0.75, True, 3.0), (0.75, False, 1.0)]) == 0.0
    assert expected_error([(1.0, False, 1.0), (0.0, False, 1.0)]) == 0.5
    (low, high) = reliability([(0.05, False, 1.0), (0.95, True, 2.0)])
    assert (low.high, high.answers, high.right) == (0.1, 2.0, 1.0)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Table 1: the mean of Depth (31, 22, 14) is 22.33.", "Table 1: Depth (31, 22, 14)."),
        ("Table 1: the mean of Depth (31, 22, 14) is 23.", ""),
        ("Table 1: the sum of Cover (%) (27.5 (6.4), 2.5) is 30.", "Table 1: Cover (%) (27.5 (6.4), 2.5)."),
        ("The mean is 22.33.", ""),
    ],
)
def test_what_a_claim_computes_is_proven_by_its_terms(text: str, left: str) -> None:
    assert without_computed(text) == (left or text)


def row(number: int, **more: object) -> dict[str, object]:
    plain = {"id": f"q{number}", "paper": "reservoir_sensors", "kind": "value", "half": "a", "group": f"g{number}",
             "wording": 0, "answerable": True, "gold": [["211"]], "says": None}  # fmt: skip
    return {**plain, "question": "How long did the network placed by LEAP last in Arden?", **more}


def test_the_plain_picker_gives_sentences(bundled_runs: Path) -> None:
    paper = open_library(bundled_runs)["reservoir_sensors"]
    found = plain_picker()(Question("q", "Which solar panels are banned?"), paper)
    assert "banned" in found.claims[0].text
    assert len(found.claims) == 3


@pytest.mark.parametrize("text", ["{", "[]", '{"id": 1}', '{"id": "q", "answerable": true}'])
def test_a_file_of_another_form(tmp_path: Path, text: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=r"q\.jsonl"):
        read_natural(file)
