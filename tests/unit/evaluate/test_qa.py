"""Marks: what counts as the same answer, and what does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.errors import EvidenceError
from kag.evaluate.qa import Gold, Marked, even, is_right, read_gold, results, rows, set_f1, to_json
from kag.evidence import Answer, Claim, Value


def said(value: Value, text: str = "words") -> Answer:
    return Answer("q", "?", "extractive", "none", claims=(Claim(text, ()),), value=value)


@pytest.mark.parametrize(
    ("value", "gold", "right"),
    [
        (["2. Methods", "Results"], Gold(["RESULTS", "Methods"]), True),
        (["2. Methods", "Results"], Gold(["Results", "Methods"], ordered=True), False),
        (["Methods", "Results"], Gold(["Methods", "Results"], ordered=True), True),
        (["Methods"], Gold(["Methods", "Results"]), False),
        (["1", "2"], Gold([2, 1]), True),
        (["1", "12"], Gold([2, 1]), False),
        ("Methods", Gold(["Methods"]), False),
        ({"figures": 2, "tables": 0}, Gold({"figures": 2, "tables": 0}), True),
        ({"figures": 2, "tables": 1}, Gold({"figures": 2, "tables": 0}), False),
        (28, Gold(28), True),
        (27, Gold(28), False),
        ("10–19", Gold("10-19"), True),
        ("Ice on rivers", Gold("ice  on Rivers."), True),
        ("Ice on lakes", Gold("Ice on rivers"), False),
        ("Losses by site. Bars are errors.", Gold("Losses by site.", caption="Losses by site. Bars are errors."), True),
        ("Losses by site", Gold("Losses by site.", caption="Losses by site. Bars are errors."), True),
        ("Bars are errors.", Gold("Losses by site.", caption="Losses by site. Bars are errors."), False),
        ("3 ± 1^B", Gold("3±1  \\( ^{B} \\)"), True),
    ],
)
def test_right(value: Value, gold: Gold, right: bool) -> None:
    assert is_right(said(value), gold) is right


def test_an_unanswerable_question_is_right_without_an_answer() -> None:
    nothing = Answer("q", "?", "extractive", "none", searches=("ice",))
    assert is_right(nothing, Gold(None))
    assert not is_right(said("ice"), Gold(None))


def test_f1_is_of_sets() -> None:
    assert set_f1(said(["a", "b"]), Gold(["b", "c"])) == 0.5
    assert set_f1(said([]), Gold([])) == 1.0
    assert set_f1(said(3), Gold(3)) is None


def test_spelling_is_evened_out() -> None:
    assert even("The PD‐1 – axis ") == even("the pd-1-axis.")
    assert even("PD-1") != even("PD-2")


def test_gold_is_read_beside_its_question(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    lines = [
        {
            "id": "a",
            "paper": "p",
            "type": "structural",
            "question": "?x",
            "answer": ["b"],
            "answer_kind": "ordered list",
        },
        {"id": "b", "paper": "p", "type": "content", "question": "?y"},
        {"id": "c", "question": "?z", "answer": "in words", "gold": None},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    (first, one), (_, two), (_, three) = read_gold(path)
    assert (first.type, one) == ("structural", Gold(["b"], ordered=True))
    assert not two.known
    assert three == Gold(None)
    with pytest.raises(EvidenceError):
        read_gold(tmp_path / "missing.json")


def test_results_are_by_type() -> None:
    def marked(kind: str, right: bool | None, found: bool, issues: int) -> Marked:
        return Marked("q", kind, "p", "?", right, None, found, issues, None, None)

    marks = [marked("a", True, True, 0), marked("a", False, True, 1), marked("b", None, False, 0)]
    found = results(marks)
    assert list(found) == ["a", "b", "all"]
    assert (found["a"].exact, found["a"].verified, found["b"].abstained) == (0.5, 1, 1.0)
    assert [row["asked"] for row in rows(found)] == [2, 1, 3]
    assert len(json.loads(to_json(marks))["questions"]) == 3
