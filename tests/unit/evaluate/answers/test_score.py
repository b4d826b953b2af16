"""Marks: what counts as the same answer, what does not, and whether faults that are planted are seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kag.core.errors import EvidenceError
from kag.core.evidence import Answer, Claim, Value
from kag.evaluate.answers.gold import Asked, Gold, contains, even, hinted, is_right, read_gold, recalls, set_f1
from kag.evaluate.answers.score import Marked, compact, interval, mark, mark_one, results, rows
from kag.qa.answering import answer
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from kag.qa.quote import evidence
from tests.unit.qa.exact.conftest import ice  # noqa: F401


def said(value: Value, text: str = "words") -> Answer:
    return Answer("q", "?", "exact", "none", claims=(Claim(text, ()),), value=value)


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
    nothing = Answer("q", "?", "exact", "none", searches=("ice",))
    assert is_right(nothing, Gold(None))
    assert not is_right(said("ice"), Gold(None))


def test_f1_is_of_sets() -> None:
    assert set_f1(said(["a", "b"]), Gold(["b", "c"])) == 0.5
    assert set_f1(said([]), Gold([])) == 1.0
    assert set_f1(said(3), Gold(3)) is None


def test_spelling_is_evened_out() -> None:
    assert even("The PD‐1 – axis ") == even("the pd-1-axis.")
    assert even("PD-1") != even("PD-2")


def test_a_claim_contains_a_text_when_it_has_all_its_words() -> None:
    claims = (Claim("Twelve sites were chosen along the river.", ()), Claim("Ice hides sensors.", ()))
    assert contains(claims, Gold("twelve sites")) is True
    assert contains(claims, Gold("Sites: twelve.")) is True
    assert contains(claims, Gold("twelve sensors")) is False  # in two claims
    assert contains(claims, Gold("sites, sites")) is False
    assert contains(claims, Gold(["twelve"])) is None


def test_hints_are_looked_for_where_there_is_no_gold() -> None:
    answer = said("Ice", "River ice hides sensors.")
    assert hinted(answer, Gold(None, known=False, hints=("river ICE", "Snow"))) == 0.5
    assert hinted(answer, Gold(None, hints=("ice",))) is None
    assert hinted(answer, Gold(None, known=False)) is None


def test_gold_is_read_beside_its_question(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    kind = {"answer": ["b"], "answer_kind": "ordered list", "evidence_blocks": ["b_p001_0001"]}
    lines = [
        {"id": "a", "paper": "p", "type": "structural", "question": "?x", **kind},
        {"id": "b", "paper": "p", "type": "content", "question": "?y", "evidence_hints": ["ice"]},
        {"id": "c", "question": "?z", "answer": "in words", "gold": None},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    (first, one), (_, two), (_, three) = read_gold(path)
    assert (first.type, one) == ("structural", Gold(["b"], ordered=True, blocks=("b_p001_0001",)))
    assert two == Gold(None, known=False, hints=("ice",))
    assert three == Gold(None)
    with pytest.raises(EvidenceError):
        read_gold(tmp_path / "missing.json")


def test_questions_of_a_folder_are_about_the_papers_of_its_folders(tmp_path: Path) -> None:
    for name, given in (("ice", ""), ("snow", "other")):
        (tmp_path / name).mkdir()
        row = {"id": f"{name}_1", "question": "?", "paper": given, "gold": 1}
        (tmp_path / name / "questions.json").write_text(json.dumps([row]), encoding="utf-8")
    assert [question.paper for question, _ in read_gold(tmp_path)] == ["ice", "other"]
    with pytest.raises(EvidenceError, match="holds no"):
        read_gold(tmp_path / "ice")


def marked(kind: str, right: bool | None, found: bool = True, issues: int = 0, paper: str = "p") -> Marked:
    return Marked("q", kind, paper, "?", right, None, found, issues, None, None)


def test_results_are_by_type() -> None:
    found = results([marked("a", True), marked("a", False, issues=1), marked("b", None, found=False)])
    assert list(found) == ["a", "b", "all"]
    assert (found["a"].exact, found["a"].verified, found["b"].abstained) == (0.5, 1, 1.0)
    assert (found["b"].low, found["b"].contained, found["b"].recalls) == (None, None, None)
    assert [row["asked"] for row in rows(found)] == [2, 1, 3]


def test_columns_with_nothing_in_them_are_left_out() -> None:
    assert compact([{"a": 0.0, "b": None, "c": 1}, {"a": 0.0, "b": None, "c": None}]) == [
        {"a": 0.0, "c": 1},
        {"a": 0.0, "c": None},
    ]
    assert compact([]) == []


def test_the_interval_draws_papers() -> None:
    alike = interval((f"p{n}", n % 2 == 0) for n in range(100) for _ in range(10))
    alone = interval((f"p{n}", n % 2 == 0) for n in range(100))
    assert alike == alone  # ten questions of a paper that are right together tell no more than one
    low, high = alone
    assert low is not None
    assert high is not None
    assert 0.35 < low < 0.45
    assert 0.55 < high < 0.65
    assert interval([]) == (None, None)


Fault = Callable[[Answer], Answer]
QUESTIONS: tuple[Asked, ...] = (
    (Question("1", "What are the top-level sections?", "ice", "structural"),
     Gold(["Abstract", "Introduction", "Methods", "References"])),
    (Question("2", "Which references does the Introduction cite?", "ice", "citation"), Gold([1, 2])),
    (Question("3", "Which sections refer to Table 1?", "ice", "cross_ref"), Gold(["Introduction"])),
    (Question("4", "How many references are there?", "ice", "bibliography"), Gold(3)),
    (Question("5", "Which journal is reference 1 in?", "ice", "bibliography"), Gold("Rivers", blocks=("b_p002_0009",))),
)  # fmt: skip


def figures(paper: PaperGraph, fault: Fault) -> dict[str, float | None]:
    marks = mark(QUESTIONS, {paper.id: paper}, lambda question, one: fault(answer(question, one)))
    row = rows(results(marks))[-1]
    return {name: row[name] for name in ("exact", "contained", "recall", "verified", "abstained")}


def first_evidence(answer: Answer, **changed: object) -> Answer:
    claim = answer.claims[0]
    spoilt = replace(claim.evidence[0], **changed)  # type: ignore[arg-type]
    return replace(answer, claims=(replace(claim, evidence=(spoilt, *claim.evidence[1:])), *answer.claims[1:]))


def test_true_answers_have_full_marks(ice: PaperGraph) -> None:  # noqa: F811
    expected = {"exact": 1.0, "contained": 1.0, "recall": 1.0, "verified": 1.0, "abstained": 0.0}
    assert figures(ice, lambda given: given) == expected


def test_shuffled_values_are_seen(ice: PaperGraph) -> None:  # noqa: F811
    given = [answer(question, ice).value for question, _ in QUESTIONS]
    shuffled = iter([*given[1:], given[0]])
    found = figures(ice, lambda given: replace(given, value=next(shuffled)))
    assert found["exact"] == 0.0
    assert found["verified"] == 0.0  # a value of another answer is never what the claims tell
    assert found["recall"] == 1.0


@pytest.mark.parametrize(
    "changed", [{"page": 7}, {"boxes": ()}, {"quote": "ice"}, {"sha256": "0" * 64}, {"node": "x"}, {"paper": "snow"}]
)
def test_wrong_evidence_is_seen(ice: PaperGraph, changed: dict[str, object]) -> None:  # noqa: F811
    found = figures(ice, lambda given: first_evidence(given, **changed))
    assert (found["exact"], found["verified"]) == (1.0, 0.0)
    assert found["contained"] == 0.0  # a claim that does not verify contains nothing


def test_silence_is_seen(ice: PaperGraph) -> None:  # noqa: F811
    found = figures(ice, lambda answer: replace(answer, claims=(), value=None, searches=("x",)))
    assert found == {"exact": 0.0, "contained": 0.0, "recall": 0.0, "verified": None, "abstained": 1.0}


def test_recall_is_of_blocks_and_depth(ice: PaperGraph) -> None:  # noqa: F811
    nodes = [next(node for node in ice.nodes.values() if node.name == f"ex:b_p002_000{n}") for n in (4, 5)]
    claims = tuple(Claim(node.plain, (evidence(ice, node.iri),)) for node in nodes)
    answer = replace(said(None), claims=claims)
    gold = Gold("x", blocks=("b_p002_0005", "b_p001_0004"))
    assert recalls(answer, gold, ice) == (0.0, 0.5, 0.5, 0.5)
    assert recalls(answer, Gold("x"), ice) is None
    assert recalls(answer, Gold(None, blocks=("b_p002_0005",)), ice) is None


def test_what_a_model_took_is_summed(ice: PaperGraph) -> None:  # noqa: F811
    usage = {"tokens_in": 10, "tokens_out": 5, "usd": 0.25, "calls": 1}
    one = mark_one(*QUESTIONS[3], ice, replace(said(3, "3 references"), usage=usage))
    assert (one.tokens, one.usd) == (15, 0.25)
    found = results([one, one])["all"]
    assert (found.tokens, found.usd) == (30, 0.5)
