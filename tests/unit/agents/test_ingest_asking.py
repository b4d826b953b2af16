"""What a model is told when it reads a document, and what becomes of what it gives again."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kag.agents.ingest.asking import ModelReader
from kag.agents.ingest.checking import validated
from kag.agents.ingest.prompts import domain_in_words
from kag.agents.ingest.rules import RUN
from kag.agents.ingest.values import Document, Draft
from kag.agents.model.budget import Ledger
from kag.agents.offline_policy import draft_reply
from kag.kgrag.files import domain_named

EMPTY: dict[str, list[Any]] = {"nodes": [], "edges": []}
FLOW = "The cleaning step reads plots.csv.\n\nThe letters are printed when cleaning is done."


def reader(replies: list[Any], monkeypatch: pytest.MonkeyPatch) -> tuple[ModelReader, list[list[str]]]:
    """A reader whose model gives these replies, and what it is asked."""
    asked: list[list[str]] = []

    def put(_: object, task: str, texts: list[str]) -> SimpleNamespace:
        asked.append([task, *texts])
        return SimpleNamespace(text=json.dumps(replies[len(asked) - 1]))

    monkeypatch.setattr("kag.agents.ingest.asking.put", put)
    return ModelReader(None, Ledger(), "model:stub", piece=40), asked


def test_every_piece_of_a_run_is_told_of_the_paper_and_not_of_what_it_cites(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "On Zinc. One cites Smith 2001.\n\nZinc binds to albumin in the blood.\n\nIt is told again."
    document = Document("zinc", text, "0", RUN, Path("zinc"))
    draft = Draft(document, "rule:paper")
    paper = draft.node("Paper", "On Zinc", (0, 7), {"title": "On Zinc"})
    draft.edge("cites", paper, draft.node("Paper", "Smith 2001", (19, 29), {"title": "Smith 2001"}), (9, 30))
    model, asked = reader([EMPTY] * 3, monkeypatch)
    model.read(document, domain_named("science"), draft.entries)
    told = [[json.loads(line)["names"] for line in texts[1].splitlines()[1:]] for texts in asked]
    assert told == [[["On Zinc"], ["Smith 2001"]], [["On Zinc"]], [["On Zinc"]]]


def test_a_task_of_an_earlier_piece_is_told_and_an_event_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    task = {"ref": "n1", "label": "Task", "name": "cleaning", "props": {}, "quote": "The cleaning step"}
    model, asked = reader([{"nodes": [task], "edges": []}, *[EMPTY] * 3], monkeypatch)
    model.read(Document("flow.txt", FLOW, "0", "text", Path("flow.txt")), domain_named("workflow"))
    assert '"id": "flow.txt/task-cleaning"' in asked[1][1]
    event = {"label": "Event", "name": "it rains", "props": {"told": 0, "chronology": 0}, "quote": "It rained"}
    model, asked = reader([{"nodes": [event], "edges": []}, *[EMPTY] * 3], monkeypatch)
    story = "It rained all day and all of the night.\n\nThen the sun came out again."
    model.read(Document("tale.txt", story, "0", "text", Path("tale.txt")), domain_named("story"))
    assert asked[1][1] == "Nothing is known so far."


def test_properties_by_which_rules_decide_are_told() -> None:
    told = domain_in_words(domain_named("workflow")).splitlines()
    assert '- DataAsset: name; "external": true where it needs no produces' in told
    assert '- Schedule: none; "cron", "interval_seconds"' in told
    assert "- Task: name" in told


def test_what_is_given_again_as_it_was_is_no_repair(monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"ref": "d", "label": "DataAsset", "name": "plots.csv", "props": {}, "quote": "plots.csv"}
    task = {"ref": "t", "label": "Task", "name": "cleaning", "props": {}, "quote": "The cleaning step"}
    edge = {"label": "consumes", "from": "t", "to": "d", "props": {}, "quote": "reads plots.csv"}
    again = {
        "flow.txt/dataasset-plots-csv": data | {"props": {"name": "plots.csv", "external": True}},
        "flow.txt/task-cleaning": task | {"props": {"name": "cleaning"}},
    }
    document, domain = Document("flow.txt", FLOW[:34], "0", "text", Path("flow.txt")), domain_named("workflow")
    model, asked = reader([{"nodes": [data, task], "edges": [edge]}, {"items": again}], monkeypatch)
    found = validated(domain, model.read(document, domain), model.mender(document, domain))
    assert len(asked) == 2
    assert [(one.rule, (one.before or {})["id"]) for one in found.repairs] == [
        ("missing_producer", "flow.txt/dataasset-plots-csv")
    ]
    assert not found.issues


def test_the_offline_policy_reads_names_beside_what_rules_look_at() -> None:
    told = json.loads(draft_reply(domain_in_words(domain_named("workflow")), "Text:\nBuild produces Wheel."))
    assert [(node["label"], node["props"]) for node in told["nodes"]] == [
        ("Task", {"name": "Build"}),
        ("DataAsset", {"name": "Wheel"}),
    ]
