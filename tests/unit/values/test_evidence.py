"""Answers as files: what is written is read back, and what is no answer is refused by name."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from kag.values import evidence
from kag.values.errors import EvidenceError
from kag.values.evidence import NOT_FOUND, Answer, Claim, Dropped, Evidence, Shown, read_answer, text_hash

ONE = Evidence("ice", "http://la3d.local/kag/doc/ice/b_p001_0006", 1, ((1, 2, 3, 4),), "fail", 8, 12, text_hash("x"))
ANSWER = Answer(
    id="q1",
    question="What fails?",
    mode="agent",
    label="offline policy",
    claims=(Claim("Sensors fail.", (ONE,), 0.5), Claim("There is one.", (ONE,), 1.0, count=1)),
    value=["Sensors"],
    dropped=(Dropped("Ice fails.", "no evidence"),),
    searches=("fail",),
    papers=("ice",),
    usage={"tokens_in": 12},
    stopped="",
)


def write(tmp_path: Path, **changed: object) -> Path:
    row = {**json.loads(ANSWER.to_json()), **changed}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(row), encoding="utf-8")
    return path


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    assert read_answer(write(tmp_path)) == (ANSWER, Shown("Sensors fail.\nThere is one.", True))


def test_the_same_answer_is_the_same_bytes() -> None:
    assert ANSWER.to_json() == ANSWER.to_json()
    assert json.loads(ANSWER.to_json())["answer"] == ANSWER.text


def test_no_claim_is_no_finding() -> None:
    answer = Answer("q", "?", "extractive", "offline", searches=("a",))
    assert answer.text == NOT_FOUND
    assert not answer.found


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"format": "kag-answer/9"}, "kag-answer/9"),
        ({"id": 3}, "'3' is not a text"),
        ({"claims": [{}]}, "a claim has no 'confidence'"),
        ({"claims": {}}, "is no list"),
        ({"found": 1}, "is no true or false"),
        ({"note": "as I said"}, "the answer has the unknown key 'note'"),
        ({"dropped": [{"text": "a", "why": "b", "who": "c"}]}, "the unknown key 'who'"),
        ({"value": True}, "is not a number"),
        ({"value": [1]}, "1' is not a text"),
        ({"value": {"figures": 1.0}}, "not a whole number"),
        ({"usage": {"calls": True}}, "not a number"),
        ({"id": "\ud800"}, "surrogates not allowed"),
        (
            {"claims": [{"text": "a", "evidence": [], "confidence": 2, "count": None, "verdict": None}]},
            "between 0 and 1",
        ),
        (
            {"claims": [{"text": "a", "evidence": [], "confidence": True, "count": None, "verdict": None}]},
            "is not a number",
        ),
        ({"claims": [{"text": "a", "evidence": [], "confidence": 1, "count": "3", "verdict": None}]}, "whole number"),
        ({"claims": 5}, "is no list"),
        ({"searches": [None]}, "not a text"),
    ],
)
def test_what_is_no_answer_is_refused(tmp_path: Path, changed: dict[str, object], words: str) -> None:
    path = write(tmp_path, **changed)
    with pytest.raises(EvidenceError) as error:
        read_answer(path)
    assert str(path) in error.value.message
    assert words in error.value.message


@pytest.mark.parametrize(("length", "number", "refused"), [(10, 3, False), (10, 4, True), (11, 1, True)])
def test_claims_are_as_long_as_can_be_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int, number: int, refused: bool
) -> None:
    monkeypatch.setattr(evidence, "LONGEST_CLAIM", 10)
    monkeypatch.setattr(evidence, "LONGEST_CLAIMS", 30)
    claim = {"text": "a" * length, "evidence": [], "confidence": 1, "count": None, "verdict": None}
    path = write(tmp_path, claims=[claim] * number)
    if not refused:
        assert len(read_answer(path)[0].claims) == number
        return
    with pytest.raises(EvidenceError, match="characters"):
        read_answer(path)


@pytest.mark.parametrize("name", ["format", "answer", "found", *(one.name for one in fields(Answer))])
def test_a_key_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    row = {key: value for key, value in json.loads(ANSWER.to_json()).items() if key != name}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(EvidenceError, match=name):
        read_answer(path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"id": "q1"', '"id": "q0", "id": "q1"', "the key 'id' twice"),
        ('"tokens_in": 12', '"tokens_in": NaN', "NaN is no JSON number"),
        ('"tokens_in": 12', '"tokens_in": 1e999', "1e999 is no JSON number"),
        ('"tokens_in": 12', '"tokens_in": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_what_readers_may_differ_on_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(ANSWER.to_json().replace(old, new, 1), encoding="utf-8")
    with pytest.raises(EvidenceError) as error:
        read_answer(path)
    assert words in error.value.message


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(write(tmp_path))
    with pytest.raises(EvidenceError, match="symbolic link"):
        read_answer(tmp_path / "link.json")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "\udcff"])
def test_broken_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(EvidenceError, match=r"a\.json"):
        read_answer(path)


def test_evidence_with_a_box_of_three_sides_is_refused(tmp_path: Path) -> None:
    claims = json.loads(ANSWER.to_json())["claims"]
    claims[0]["evidence"][0]["boxes"] = [[1, 2, 3]]
    with pytest.raises(EvidenceError, match="four numbers"):
        read_answer(write(tmp_path, claims=claims))
