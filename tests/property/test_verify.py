"""`kag verify` on a thousand true answers, and on a thousand that were changed in one place."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kag.core.evidence import Answer, Claim, Evidence, read_answer
from kag.qa.checking.verify import verify
from kag.qa.library import Library, open_library
from kag.qa.quote import evidence
from kag.text.plain import plain
from kag.text.sentences import sentences

COUNT = 1000
LONG = 30  # characters of a sentence that says something


@pytest.fixture(scope="module")
def library(bundled_runs: Path) -> Library:
    return open_library(bundled_runs)


@pytest.fixture(scope="module")
def true_answers(library: Library) -> list[Answer]:
    """A claim a sentence, taken from all over the papers."""
    spans = [
        (paper, node.iri, (start, end))
        for paper in library.values()
        for node in paper.of_kind("Paragraph", "Caption", "Footnote", "BibliographicReference")
        for start, end in sentences(node.text)
        if end - start > LONG
    ]
    chosen = random.Random(7).choices(spans, k=COUNT)
    return [
        Answer(
            id=f"q{number}",
            question="What is said?",
            mode="agent",
            label="a model",
            claims=(_said(evidence(paper, iri, *span)),),
            papers=(paper.id,),
        )
        for number, (paper, iri, span) in enumerate(chosen)
    ]


def _said(one: Evidence) -> Claim:
    return Claim(plain(one.quote), (one,))


def test_true_answers_pass(library: Library, true_answers: list[Answer], tmp_path: Path) -> None:
    for answer in true_answers:
        file = tmp_path / "answer.json"
        file.write_text(answer.to_json(), encoding="utf-8")
        read, shown = read_answer(file)
        assert read == answer
        assert verify(read, library, shown).issues == (), answer


def _evidence(answer: Answer, **changed: object) -> Answer:
    claim = answer.claims[0]
    return replace(answer, claims=(replace(claim, evidence=(replace(claim.evidence[0], **changed),)),))


def _quote(answer: Answer, dice: random.Random) -> Answer:
    quote = answer.claims[0].evidence[0].quote
    at = dice.randrange(len(quote))
    other = dice.choice([c for c in "abcxyz 0189" if c != quote[at]])
    return _evidence(answer, quote=quote[:at] + other + quote[at + 1 :])


def _span(answer: Answer, dice: random.Random) -> Answer:
    one = answer.claims[0].evidence[0]
    by = dice.choice([-3, -2, -1, 1, 2, 3, 5000])
    return _evidence(answer, start=one.start + by, end=one.end + by)


def _page(answer: Answer, dice: random.Random) -> Answer:
    return _evidence(answer, page=answer.claims[0].evidence[0].page + dice.choice([-1, 1, 7]))


def _box(answer: Answer, dice: random.Random) -> Answer:
    boxes = [list(box) for box in answer.claims[0].evidence[0].boxes]
    boxes[dice.randrange(len(boxes))][dice.randrange(4)] += dice.choice([-2, -1, 1, 2])
    return _evidence(answer, boxes=tuple(tuple(box) for box in boxes))


def _box_lost(answer: Answer, dice: random.Random) -> Answer:
    return _evidence(answer, boxes=answer.claims[0].evidence[0].boxes[1:])


def _hash(answer: Answer, dice: random.Random) -> Answer:
    digest = answer.claims[0].evidence[0].sha256
    at = dice.randrange(64)
    return _evidence(answer, sha256=digest[:at] + ("0" if digest[at] != "0" else "1") + digest[at + 1 :])


def _number(answer: Answer, dice: random.Random) -> Answer:
    claim = answer.claims[0]
    wrong = f"{dice.randrange(10**5, 10**6)}.{dice.randrange(1, 10)}"
    digits = list(re.finditer(r"\d+", claim.text))
    at = dice.choice(digits).span() if digits else (len(claim.text), len(claim.text))
    text = f"{claim.text[: at[0]]} {wrong} {claim.text[at[1] :]}"
    return replace(answer, claims=(replace(claim, text=text),))


def _paper(answer: Answer, dice: random.Random) -> Answer:
    others = [name for name in ("zirconium_tracers", "reservoir_sensors", "urban_pollinators", "none")]
    known = answer.claims[0].evidence[0].paper
    return _evidence(answer, paper=dice.choice([name for name in others if name != known]))


def _node(answer: Answer, dice: random.Random) -> Answer:
    return _evidence(answer, node=answer.claims[0].evidence[0].node + dice.choice(["0", "-m1", "x"]))


def _no_evidence(answer: Answer, dice: random.Random) -> Answer:
    return replace(answer, claims=(replace(answer.claims[0], evidence=()),))


FAULTS = (_quote, _span, _page, _box, _box_lost, _hash, _number, _paper, _node, _no_evidence)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__.strip("_"))
def test_changed_answers_are_refuted(
    library: Library, true_answers: list[Answer], fault: Callable[[Answer, random.Random], Answer]
) -> None:
    dice = random.Random(fault.__name__)
    for answer in true_answers[: COUNT // len(FAULTS)]:
        changed = fault(answer, dice)
        assert changed != answer
        assert not verify(changed, library).conforms, changed


def test_the_text_shown_is_the_claims(library: Library, true_answers: list[Answer], tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_text(true_answers[0].to_json().replace('"answer": "', '"answer": "By the way, ', 1), encoding="utf-8")
    answer, shown = read_answer(file)
    assert [issue.component for issue in verify(answer, library, shown).issues] == ["text"]
