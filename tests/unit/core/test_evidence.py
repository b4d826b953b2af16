"""Answers as files: what is written is read back, and what is no answer is refused by name."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from kag.core import evidence
from kag.core.errors import EvidenceError
from kag.core.evidence import Answer, Claim, Dropped, Evidence, Passage, Shown, Value, read_answer, text_hash

ONE = Evidence("ice", "http://la3d.local/kag/doc/ice/b_p001_0006", 1, ((1, 2, 3, 4),), "fail", 8, 12, text_hash("x"))
PASSAGE = {"paper": "p", "nodes": ["n"], "kind": "Table", "section": "", "page": 1, "text": "Ice.", "start": 0,
           "end": 4, "evidence": []}  # fmt: skip
ANSWER = Answer(
    id="q1",
    question="What fails?",
    mode="agent",
    label="offline policy",
    claims=(Claim("Sensors fail.", (ONE,)), Claim("There is one.", (ONE,), 1.0, count=1)),
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


def test_notes_are_in_a_file_only_where_there_are_some(tmp_path: Path) -> None:
    assert "notes" not in json.loads(ANSWER.to_json())
    noted = replace(ANSWER, notes=("ranked by words alone",))
    assert read_answer(write(tmp_path, notes=["ranked by words alone"]))[0] == noted
    assert json.loads(noted.to_json())["notes"] == ["ranked by words alone"]


@pytest.mark.parametrize(
    ("mode", "value", "text"),
    [
        ("passages", None, "No exact answer, and no passage has the words of the question."),
        ("exact", None, "The graph has nothing of this kind."),
        ("exact", 0, "0."),
        ("exact", [], "None."),
        ("exact", "no", "No."),
        ("agent", None, "The paper does not say."),
    ],
)
def test_an_answer_without_claims_says_why(mode: str, value: Value, text: str) -> None:
    assert Answer("q", "?", mode, "no model", value=value, papers=("p",)).text == text


def test_passages_are_written_without_a_score_and_claims_without_a_confidence(tmp_path: Path) -> None:
    proof = ANSWER.claims[0].evidence[0]
    passage = Passage("p", (proof.node,), "Paragraph", "1 Ice > 1.1 Snow", 1, "Ice. Snow.", 5, 10, 7.5, (proof,))
    answer = Answer("q", "?", "passages", "no model", searches=("ice",), passages=(passage,))
    row = json.loads(answer.to_json())
    assert (row["answer"], row["found"]) == ("No exact answer. These passages may answer the question.", False)
    assert "score" not in row["passages"][0]
    assert "confidence" not in json.loads(ANSWER.to_json())["claims"][0]
    path = tmp_path / "a.json"
    path.write_text(answer.to_json(), encoding="utf-8")
    read, _ = read_answer(path)
    assert read == replace(answer, passages=(replace(passage, score=0.0),))


@pytest.mark.parametrize("version", [1, 2])
def test_older_formats_are_read(tmp_path: Path, version: int) -> None:
    row = json.loads(ANSWER.to_json())
    del row["passages"]
    row["format"] = f"kag-answer/{version}"
    for claim in row["claims"]:
        claim["confidence"] = 0.5
        if version == 1:
            del claim["verdict"]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(row), encoding="utf-8")
    read, shown = read_answer(path)
    assert [claim.text for claim in read.claims] == [claim.text for claim in ANSWER.claims]
    assert (shown.text, read.passages) == (ANSWER.text, ())
    row["claims"][0]["confidence"] = 2
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(EvidenceError, match="between 0 and 1"):
        read_answer(path)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"format": "kag-answer/9"}, "kag-answer/9"),
        ({"id": 3}, "id is a whole number where a text is expected"),
        ({"passages": [{}]}, "passages[0] has no paper"),
        ({"note": "as I said"}, "the unknown key 'note'"),
        ({"dropped": [{"text": "a", "why": "b", "who": "c"}]}, "dropped[0] has the unknown key 'who'"),
        ({"value": True}, "value is true or false where a number is expected"),
        ({"usage": {"calls": True}}, "usage.calls is true or false where a number is expected"),
        ({"id": "\ud800"}, "surrogates not allowed"),
        ({"claims": [{"text": "a", "evidence": [], "count": "3", "verdict": None}]}, "claims[0].count is a text"),
        (
            {
                "claims": [
                    {"text": "a", "evidence": [{**asdict(ONE), "boxes": [[1, 2, 3]]}], "count": None, "verdict": None}
                ]
            },
            "a box has four numbers",
        ),
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
    claim = {**json.loads(ANSWER.to_json())["claims"][0], "text": "a" * length}
    path = write(tmp_path, claims=[claim] * number)
    if not refused:
        assert len(read_answer(path)[0].claims) == number
        return
    with pytest.raises(EvidenceError, match="characters"):
        read_answer(path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"id": "q1"', '"id": "q0", "id": "q1"', "the key 'id' twice"),
        ('"tokens_in": 12', '"tokens_in": NaN', "NaN is not a JSON number"),
        ('"tokens_in": 12', '"tokens_in": 1e999', "1e999 is not a JSON number"),
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
