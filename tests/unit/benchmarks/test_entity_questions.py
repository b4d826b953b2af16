"""Entity questions: files that are read, answers that are marked by their kind, and the bundled set itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kag.values.errors import SourceError
from kag.values.evidence import Answer, Claim, Evidence
from scripts.benchmarks.__main__ import benchmarks
from scripts.benchmarks.entity_questions import EntityQuestion, Marked, _marked, read_entity_questions, rows

DATA = Path(__file__).parents[3] / "test_data"
ROW = {"id": "1", "kind": "papers", "question": "Which?", "half": "a", "answerable": True, "gold": ["p"]}


def asked(kind: str, gold: object) -> EntityQuestion:
    return EntityQuestion("1", kind, "Which?", "", "a", gold)


def said(*texts: str) -> Answer:
    place = Evidence("p", "urn:n", 1, (), "quote", 0, 5, "")
    return Answer("1", "Which?", "extractive", "", tuple(Claim(text, (place,), 0.9) for text in texts))


@pytest.mark.parametrize(
    ("kind", "gold", "answer", "right"),
    [
        ("papers", ["p"], said("a"), True),
        ("papers", ["p", "q"], said("a"), False),
        ("papers", None, said(), True),
        ("papers", None, said("a"), False),
        ("measured", [["3.1", "4"]], said("3.1 km", "4"), True),
        ("measured", [["3.1", "4"]], said("3.1 km"), False),
        ("measured", [["5"], ["3.1"]], said("3.1 km"), True),
        ("measured", [["5"]], said(), False),
    ],
)
def test_an_answer_is_right_by_its_kind(kind: str, gold: object, answer: Answer, right: bool) -> None:
    assert _marked(asked(kind, gold), answer).right is right


def test_rows_tell_kinds_and_all() -> None:
    marked = [Marked(asked("papers", ["p"]), right, "") for right in (True, True, False, True)]
    first, last = rows([*marked, Marked(asked("claims", [["x"]]), True, "")])[1:]
    assert (first["kind"], first["questions"], first["right"], first["share"]) == ("papers", 4, 3, "0.75")
    assert (last["kind"], last["questions"], last["right"]) == ("all", 5, 4)


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "{}", json.dumps({**ROW, "gold": []}), json.dumps({**ROW, "kind": "compare"}), '{"text": "x"}'],
)
def test_a_damaged_file_is_refused(tmp_path: Path, line: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(SourceError):
        read_entity_questions(file)


def test_both_sets_are_whole() -> None:
    own, texts = read_entity_questions(DATA / "entity_questions.jsonl")
    shared, none = read_entity_questions(DATA / "entity_questions_shared.jsonl")
    assert len(own) + len(shared) > 50
    assert len(texts) == 6
    assert not none
    assert len({one.id for one in (*own, *shared)}) == len(own) + len(shared)
    assert {one.kind for one in own} == {"measured", "papers", "opposed", "entities", "claims", "compare"}


def test_the_command_asks_small_papers_of_the_set(tmp_path: Path, bundled_runs: Path) -> None:
    lines = (DATA / "entity_questions.jsonl").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if '"text"' in line or '"own.25"' in line or '"own.16"' in line]
    (tmp_path / "q.jsonl").write_text("\n".join(kept), encoding="utf-8")
    out = tmp_path / "out.json"
    told = CliRunner().invoke(
        benchmarks, ["entity-questions", str(tmp_path / "q.jsonl"), str(bundled_runs), "--json", str(out)]
    )
    assert told.exit_code == 0, told.stderr
    kept[-1] = kept[-1].replace('"paper": "', '"paper": "other_')
    assert [one["right"] for one in json.loads(out.read_text(encoding="utf-8"))] == [True, True]
