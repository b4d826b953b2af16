"""The whole paper in one call: what is asked, what is repaired, and every way it can fail."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kag.agents.model.budget import Limits
from kag.agents.model.token_ledger import Ledger
from kag.agents.read.single import ask_whole, draft_of
from kag.questions.file import Question
from kag.read.library import open_library
from kag.read.paper import PaperGraph
from kag.read.quote import find_quote
from kag.read.story import Reading
from kag.read.whole import ENTRY, entry_text, is_on_entries, text_tokens, whole_text
from kag.values.trajectory import Trajectory
from tests.unit.agents.readings import DESCRIBED, FALSE, INVENTED, QUESTION, TRUE, Replies, batteries, claims, lm_over


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> PaperGraph:
    return batteries(tmp_path_factory.mktemp("batteries"))


def read(paper: PaperGraph, engine: Any, limits: Limits | None = None) -> tuple[Reading, Trajectory]:
    ledger, trajectory = Ledger(), Trajectory()
    return ask_whole(lm_over(engine, ledger, limits), QUESTION, paper, trajectory, ledger), trajectory


def texts(reading: Reading) -> list[str]:
    return [claim.text for claim in reading.claims]


def test_the_paper_comes_whole_and_before_the_question(paper: PaperGraph) -> None:
    engine = Replies(claims(TRUE))
    reading, trajectory = read(paper, engine)
    assert (texts(reading), reading.stopped) == ([TRUE[0]], "")
    (request,) = engine.requests
    first, last = ("".join(part.text for part in message.parts) for message in request.messages)
    assert first == whole_text(paper)
    assert last == "Question: How much charge did the cells lose?"
    assert "Question" not in first
    (step,) = trajectory
    assert (step.kind, step.name, step.data["reply"]) == ("call", "read", claims(TRUE))


def test_the_text_names_every_printed_node_and_no_machine_words(paper: PaperGraph) -> None:
    text = whole_text(paper)
    lines = text.splitlines()
    assert "[ex:b_p001_0002 p1] # 1 Methods" in lines
    assert "[ex:b_p002_0002 p2] Snow depth at the pier was 61 cm in March." in lines
    assert any(line.startswith("[ex:b_p001_0007 p1 Fig. 1]") for line in lines)
    assert DESCRIBED not in text
    assert text_tokens("a" * 8) == 3


def test_whatever_is_shown_can_be_quoted(bundled_runs: Path) -> None:
    for paper in open_library(bundled_runs).values():
        text = "\n".join([whole_text(paper), *(entry_text(paper, whole=whole) for whole in (True, False))])
        node = next(iter(paper.nodes.values()))
        for line in text.splitlines():
            name, words = re.fullmatch(r"(?:\[(ex:\S+) p\d+[^\]]*\] ?)?(?:#+ )?(.*)", line).groups()
            node = paper.nodes[paper.resolve(name)] if name else node  # a row below the first of a table
            assert not words or find_quote(node.text, words), line


def test_a_table_has_a_line_for_each_row_and_the_references_stand_apart(bundled_runs: Path) -> None:
    paper = open_library(bundled_runs)["reservoir_sensors"]
    text, entries = whole_text(paper), paper.of_kind(ENTRY)
    assert "Arden | 3.8 | 31 | 60 | 2.4" in text.splitlines()
    assert not any(node.name in text for node in entries)
    short, whole = (entry_text(paper, whole=whole).splitlines() for whole in (False, True))
    assert len(short) == len(whole) == len(entries)
    assert all(line.startswith(first) for first, line in zip(short, whole, strict=True))
    assert max(map(len, short)) < 100 < max(map(len, whole))


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("Which journal is reference 3 from?", True),
        ("Who introduced submodular placement?", True),
        ("What did Krause find?", False),
        ("How deep is the reservoir of Arden?", False),
    ],
)
def test_the_reference_list_is_given_whole_to_a_question_about_it(
    bundled_runs: Path, question: str, whole: bool
) -> None:
    paper, engine = open_library(bundled_runs)["reservoir_sensors"], Replies('{"not_found": true}')
    ledger = Ledger()
    reading = ask_whole(lm_over(engine, ledger, Limits()), Question("q", question), paper, Trajectory(), ledger)
    assert is_on_entries(question) == whole
    parts = ["".join(part.text for part in message.parts) for message in engine.requests[0].messages]
    assert parts[1].partition("\n")[2] == entry_text(paper, whole=whole)
    assert reading.searches[0].endswith("of its references the first words") != whole


def test_a_refused_claim_is_repaired_once_without_the_paper(paper: PaperGraph) -> None:
    engine = Replies(claims(FALSE), claims(TRUE))
    reading, trajectory = read(paper, engine)
    assert texts(reading) == [TRUE[0]]
    assert len(engine.requests) == 2
    repair = engine.prompt(1)
    assert "the number 13 is not in the evidence" in repair
    assert "[ex:b_p001_0006 p1] Lithium cells lost 31 %" in repair
    assert "Snow depth" not in repair
    assert [step.name for step in trajectory] == ["read", "refused", "repair"]


def test_what_still_does_not_hold_is_left_out_aloud(paper: PaperGraph) -> None:
    reading, _ = read(paper, Replies(claims(TRUE, FALSE)))
    assert texts(reading) == [TRUE[0]]
    assert [one.text for one in reading.dropped] == [FALSE[0]]


def test_a_repair_that_holds_less_is_not_taken(paper: PaperGraph) -> None:
    reading, _ = read(paper, Replies(claims(TRUE, FALSE), claims(INVENTED)))
    assert texts(reading) == [TRUE[0]]


def test_lies_alone_are_no_answer(paper: PaperGraph) -> None:
    reading, _ = read(paper, Replies(claims(FALSE), claims(INVENTED)))
    assert (texts(reading), reading.cause) == ([], "unverified")
    assert "no claim of the model holds" in reading.stopped
    assert reading.dropped


def test_not_found_says_what_was_read(paper: PaperGraph) -> None:
    reading, _ = read(paper, Replies('{"not_found": true}'))
    assert (reading.claims, reading.stopped) == ((), "")
    assert reading.searches == (
        f"the whole paper was read: {len(paper.nodes)} nodes, {len(whole_text(paper))} characters",
    )


@pytest.mark.parametrize(("limits", "cause"), [(Limits(calls=0), "budget"), (Limits(tokens=50), "budget")])
def test_a_limit_stops_it(paper: PaperGraph, limits: Limits, cause: str) -> None:
    reading, trajectory = read(paper, Replies(claims(TRUE)), limits)
    assert (reading.claims, reading.cause) == ((), cause)
    assert "limit" in reading.stopped
    assert [step.name for step in trajectory] == ["stopped"]


def test_a_repair_beyond_the_limit_keeps_what_held(paper: PaperGraph) -> None:
    reading, trajectory = read(paper, Replies(claims(TRUE, FALSE)), Limits(calls=1))
    assert texts(reading) == [TRUE[0]]
    assert [step.name for step in trajectory] == ["read", "refused", "no_repair"]


def test_an_engine_that_breaks_is_told(paper: PaperGraph) -> None:
    class Broken:
        def complete(self, request: object) -> object:
            raise RuntimeError("no such wire")

    reading, _ = read(paper, Broken())
    assert reading.cause == "model"
    assert "no such wire" in reading.stopped


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('{"not_found": true}', {"not_found": True}),
        ('Sure!\n```json\n{"claims": []}\n```', {"claims": []}),
        ('{"a": {"claims": [1]}} {"claims": [2]}', {"claims": [1]}),
        ('{oh} {"not_found": false}', {"not_found": False}),
        ("no JSON", "no JSON"),
        ("{" * 100_000, "{" * 100_000),
    ],
)
def test_the_answer_in_a_reply(reply: str, found: object) -> None:
    assert draft_of(reply) == found


def test_deeply_nested_json_is_no_answer() -> None:
    deep = '{"claims": ' + "[" * 100_000
    assert draft_of(deep) == deep
    assert json.dumps(draft_of('x {"claims": [[[]]]}')) == '{"claims": [[[]]]}'
