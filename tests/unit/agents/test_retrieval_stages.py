"""The steps of retrieval by a model: what is taken of its replies, what is asked again, and when the rules do it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kag.agents.model.budget import Ledger, Limits
from kag.agents.retrieval_stages import MAX_TEXT, Metadata, ModelStages, described, stages_over
from kag.core.trajectory import Trajectory
from kag.retrieval.chunking import Chunk, Query
from kag.retrieval.graph.entities import entities
from kag.retrieval.index import Index
from kag.retrieval.plan import retrieve
from kag.retrieval.presets import preset
from kag.retrieval.steps.rank import Stages, best_sentences, clause_variants
from kag.retrieval.steps.seed import EntityGraph
from tests.unit.agents.readings import Replies, lm_over

TEXT = "Sensors of Lake Mjøsa were read weekly. They did not fail below 4 °C. Ice came in January, when Oslo was dark."
ASKED = "Which sensors of Lake Mjøsa fail in the cold, and why do they fail?"


def open_stages(*texts: str, limits: Limits | None = None, **more: Any) -> tuple[ModelStages, Replies, Trajectory]:
    engine, ledger, trajectory = Replies(*texts), Ledger(), Trajectory()
    return stages_over(lm_over(engine, ledger, limits), ledger, trajectory=trajectory, **more), engine, trajectory


def stood_in(trajectory: Trajectory) -> list[str]:
    return [step.data["why"] for step in trajectory if step.name == "rule_stood_in"]


def test_names_are_those_of_the_text_in_its_order() -> None:
    said = json.dumps(["Oslo", "lake mjøsa", "Bergen", "Lake Mjøsa", "4"])
    model, engine, _ = open_stages(f"Here they are: [1] {said}")
    assert model.stages.extract(TEXT) == ("lake mjøsa", "4", "Oslo")
    assert json.loads(engine.prompt(0)) == {"text": TEXT}
    assert model.usage()["calls"] == 1


def test_a_reply_of_no_use_is_asked_for_once_more_with_what_is_wrong() -> None:
    model, engine, trajectory = open_stages('["Bergen"]', '["Oslo"]')
    assert model.stages.extract(TEXT) == ("Oslo",)
    assert "none of its names is in the text" in engine.prompt(1)
    assert stood_in(trajectory) == []


@pytest.mark.parametrize("reply", ["", "I cannot.", "{}", "[1, 2]", '["' + "x" * 101 + '"]', "[" * 9000, '["Bergen"]'])
def test_after_two_such_replies_the_rule_stands_in_and_the_trajectory_says_so(reply: str) -> None:
    model, engine, trajectory = open_stages(reply)
    assert model.stages.extract(TEXT) == entities(TEXT)
    assert len(engine.requests) == (2 if reply else 1)
    assert len(stood_in(trajectory)) == 1
    assert model.stopped() == "", "the next text may fare better"


def test_other_names_are_few_and_not_the_name() -> None:
    model, _, _ = open_stages(json.dumps(["mjøsa", "Mjøsa", "Mjos", "Mjösen", "The Mjøsa", "M"]))
    assert model.stages.synonyms is not None
    assert model.stages.synonyms("Mjøsa", 2) == ("Mjos", "Mjösen")


def test_other_wordings_are_asked_for_and_bounded() -> None:
    said = [ASKED, "cold sensor failure", *(f"wording {n}" for n in range(9))]
    model, _, _ = open_stages(json.dumps(said))
    assert model.stages.variants(ASKED) == ("cold sensor failure", "wording 0", "wording 1", "wording 2", "wording 3")
    silent, _, trajectory = open_stages(json.dumps([ASKED]))
    assert silent.stages.variants(ASKED) == clause_variants(ASKED)
    assert "no other wording" in stood_in(trajectory)[0]


def test_a_note_holds_whole_sentences_of_the_chunk_and_nothing_else() -> None:
    said = ["Ice came in January", "Everything failed.", "fail below 4 °C"]
    model, _, _ = open_stages(json.dumps(said))
    assert model.stages.condense is not None
    kept = model.stages.condense(ASKED, TEXT)
    assert kept == "They did not fail below 4 °C. Ice came in January, when Oslo was dark."
    nothing, _, trajectory = open_stages("[]")
    assert nothing.stages.condense is not None
    assert (nothing.stages.condense(ASKED, TEXT), stood_in(trajectory)) == ("", [])
    liar, engine, trajectory = open_stages('["All of them fail."]')
    assert liar.stages.condense is not None
    assert liar.stages.condense(ASKED, TEXT) == best_sentences(ASKED, TEXT)
    assert (len(engine.requests), len(stood_in(trajectory))) == (2, 1)


def test_metadata_are_short_and_their_names_printed() -> None:
    said = {"topic": "sensor\nfailure in cold lakes", "title": "Sensors hold", "entities": ["Oslo", "Mars"]}
    model, _, _ = open_stages(f"```json\n{json.dumps(said)}\n```")
    assert model.metadata(TEXT) == Metadata("sensor failure in cold lakes", "Sensors hold", ("Oslo",))
    model, _, trajectory = open_stages(json.dumps({**said, "entities": "Oslo"}))
    assert model.metadata(TEXT) == Metadata(entities=entities(TEXT))
    assert "its list holds something that is no text" in stood_in(trajectory)[0]


def test_described_chunks_share_names_in_the_graph() -> None:
    said = json.dumps({"topic": "loss of instruments", "title": "Lost", "entities": ["the aft array"]})
    model, _, _ = open_stages(said)
    texts = ("We lost the aft array in spring.", "Divers brought the aft array home.")
    chunks = described((Chunk(f"c{n}", text, topic="Methods" * n) for n, text in enumerate(texts)), model.metadata)
    assert [(chunk.topic, chunk.entities) for chunk in chunks] == [
        ("loss of instruments", ("the aft array",)),
        ("Methods", ("the aft array",)),
    ]
    assert EntityGraph(chunks).near(["aft array"], 1) == ["aft array", "lost"]


def test_a_text_too_long_for_a_model_is_read_by_rule_as_a_whole() -> None:
    long = f"{'ice ' * MAX_TEXT} Oslo"
    model, engine, trajectory = open_stages('["ice"]')
    assert model.stages.extract(f"We saw {long}.") == entities(f"We saw {long}.")
    assert (engine.requests, len(stood_in(trajectory))) == ([], 1)


def test_a_budget_that_is_spent_leaves_the_rest_to_the_rules() -> None:
    model, engine, trajectory = open_stages('["Oslo"]', limits=Limits(calls=1))
    assert model.stages.extract(TEXT) == ("Oslo",)
    assert model.stages.extract(TEXT) == entities(TEXT)
    assert model.stages.variants(ASKED) == clause_variants(ASKED)
    assert len(engine.requests) == 1
    assert model.stopped().startswith("budget: the run's limit of 1 calls is reached")
    assert stood_in(trajectory) == [model.stopped()] * 2


def test_plans_take_the_model_s_stages() -> None:
    texts = {"a": "Mooring losses at the Dead Sea.", "b": "Buoys of Lake Mjøsa froze.", "c": "Cats sleep."}
    index = Index.build(Chunk(name, text) for name, text in texts.items())
    stages = Stages(
        extract=lambda text: ("Dead Sea",), variants=lambda text: ("froze",), condense=lambda question, text: text[:5]
    )
    by_name = retrieve(Query("Where were they lost?"), index, preset("entity", index, 2, stages))
    assert [hit.chunk for hit in by_name.hits] == ["a"]
    bundle = retrieve(Query("mooring"), index, preset("multi_query", index, 3, stages))
    assert dict(bundle.notes) == {"a": "Moori", "b": "Buoys"}
