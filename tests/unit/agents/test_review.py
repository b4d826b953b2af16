"""The review: what is ambiguous, what is shown of it, which rows are refused, and what accepted rows change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.agents.build.ambiguities import Ambiguity, find_ambiguities
from kag.agents.build.outline import amend
from kag.agents.build.prompts import review_view
from kag.agents.model.options import REVIEW_TOKENS, AgentOptions
from kag.agents.offline_policy import OfflinePolicy
from kag.indexing.build_plan import plan_sections
from kag.indexing.pipeline import index_document, index_paper
from kag.sources.ocr.folder import read_document
from tests.papers import write_paper
from tests.unit.agents.runs import run
from tests.unit.agents.scripted import ScriptedEngine
from tests.unit.agents.test_outline import paper as unnumbered


def block(label: str, top: int, words: str) -> tuple[str, str, str]:
    return label, f"[[100, {top}, 900, {top + 30}]]", words


TITLE = block("title", 80, "# Frost on lakes")
AMBIGUOUS = {
    "describes": (
        (TITLE, block("sub_title", 150, "## Results"), block("image", 200, ""), block("text", 240, "One."),
         block("text", 280, "Two."), block("text", 320, "Three."), block("text", 360, "Four."),
         block("figure_title", 400, "Fig. 1. Frost in May.")),
        (block("image", 100, ""),),
    ),
    "caption": (
        (TITLE, block("sub_title", 150, "## Results"), block("text", 200, "Frost came early in all the lakes."),
         block("image", 300, "")),
    ),
    "continues": (
        (TITLE, block("sub_title", 150, "## Results"), block("text", 800, "Frost was measured in this way:")),
        (block("text", 100, "d(f)=4 in all the lakes of Upper Bavaria."),),
    ),
    "class": (
        (TITLE, block("text", 120, "A report, 3 May."), block("sub_title", 150, "## Results"),
         block("text", 200, "One.")),
    ),
    "entry": (
        (TITLE, block("sub_title", 150, "## References"), block("text", 200, "Lima A, Berg J (1999) Ice on rivers and"),
         block("text", 240, "on lakes. Rivers 3:1-9."), block("text", 280, "Roe E (2000) Snow. Rivers 4:1-2.")),
    ),
}  # fmt: skip


@pytest.fixture(params=list(AMBIGUOUS))
def question(request) -> str:
    return request.param


@pytest.fixture
def ambiguous(question: str, tmp_path: Path) -> Path:
    return write_paper(tmp_path / "frost", AMBIGUOUS[question])


def test_each_kind_of_ambiguity_is_found_with_the_baseline_s_choice_first(question: str, ambiguous: Path) -> None:
    document = read_document(ambiguous)
    plan = plan_sections(document)
    found = [one for one in find_ambiguities(document, plan) if one.question == question]
    assert len(found) == 1
    assert len(set(found[0].candidates)) == len(found[0].candidates) >= 2
    assert found[0].reason
    assert amend(plan, {found[0]: found[0].candidates[0]}) == plan, "its own choice changes nothing"


def test_every_answer_to_every_ambiguity_gives_a_graph_that_conforms(question: str, ambiguous: Path) -> None:
    document = read_document(ambiguous)
    before = index_document(document).files["knowledge_graph.ttl"]
    ambiguities = find_ambiguities(document, plan_sections(document))
    place = next(n for n, one in enumerate(ambiguities, start=1) if one.question == question)
    for answer in ambiguities[place - 1].candidates[1:]:
        submit = f'SUBMIT({{"d{place}": "{answer}"}})'
        done = run(ambiguous, ScriptedEngine(submit, submit), review=True)
        assert "stopped" not in done.indexed.facts
        assert done.indexed.facts["changed"] >= 1
        assert done.indexed.files["knowledge_graph.ttl"] != before


def test_a_paper_with_numbered_headings_and_no_ambiguity_costs_no_call(paper: Path) -> None:
    engine = ScriptedEngine()
    done = run(paper, engine, review=True)
    assert engine.requests == []
    assert done.indexed.facts == {"asked": {}, "changed": 0, "changes": []}
    assert done.indexed.files["knowledge_graph.ttl"] == index_paper(paper).files["knowledge_graph.ttl"]


def test_the_offline_policy_changes_nothing(ambiguous: Path) -> None:
    done = run(ambiguous, OfflinePolicy(), review=True)
    assert done.indexed.facts["iterations"] == 1
    assert done.indexed.facts["changed"] == 0
    assert done.indexed.files["knowledge_graph.ttl"] == index_paper(ambiguous).files["knowledge_graph.ttl"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('{"d1": "ex:s_p009_0001"}', "d1: 'ex:s_p009_0001' is not one of joined, apart"),
        ('{"d7": "none"}', "'d7': 'none' is not a row"),
        ('{"h1": True}', "'h1': True is not a row"),
        ('{"h9": "top"}', "'h9': 'top' is not a row"),
        ('{"h1": 4}', "h1 cannot lie at depth 4"),
        ("[]", "the answer is a list"),
        ("'all right'", "answer"),
    ],
)
def test_rows_that_cannot_be_are_refused_and_nothing_is_changed(tmp_path: Path, rows: str, message: str) -> None:
    paper = write_paper(tmp_path / "frost", AMBIGUOUS["entry"])
    done = run(paper, ScriptedEngine(f"SUBMIT({rows})"), review=True, max_iters=1)
    assert message in done.outputs[0]
    assert done.indexed.facts["cause"] == "iterations"
    assert done.indexed.files["knowledge_graph.ttl"] == index_paper(paper).files["knowledge_graph.ttl"]


def test_an_answer_changes_the_graph_and_is_on_record(tmp_path: Path) -> None:
    paper = write_paper(tmp_path / "frost", AMBIGUOUS["entry"])
    done = run(paper, ScriptedEngine('SUBMIT({"d7": "apart"})', 'SUBMIT({"d1": "apart"})'), review=True)
    assert done.indexed.facts["changed"] == 1
    changes = json.loads(done.indexed.files["summary.json"])["builder"]["changes"]
    assert changes == [{"block": "b_p001_0004", "kind": "with", "from": "b_p001_0003", "to": "b_p001_0004"}]
    notes = {step.name: step.data for step in done.steps if step.kind == "note"}
    assert notes["review"] == {"rows": {"d1": "apart"}, "blocks": ["b_p001_0004"]}
    assert "'d7'" in notes["refused rows"]["complaints"][0]


def test_headings_that_move_change_the_sections_of_the_graph(tmp_path: Path) -> None:
    source = unnumbered(tmp_path)
    done = run(source, ScriptedEngine('SUBMIT({"h7": "h6"})'), review=True)
    facts = json.loads(done.indexed.files["summary.json"])["builder"]
    assert facts["asked"] == {"outline": 1}
    assert facts["changed"] == 1
    assert [row["kind"] for row in facts["changes"]] == ["in"]


def test_what_is_named_no_heading_is_text_without_a_second_submit(tmp_path: Path) -> None:
    source = unnumbered(tmp_path)
    done = run(source, ScriptedEngine('SUBMIT({"h3": "none"})'), review=True)
    assert done.indexed.facts["iterations"] == 1
    titles = [
        files["knowledge_graph.ttl"].count(b"SectionTitle") for files in (index_paper(source).files, done.indexed.files)
    ]
    assert titles[0] > titles[1]
    assert json.loads(done.indexed.files["summary.json"])["validation"]["conforms"]


def test_the_view_shows_each_block_once_and_only_what_is_ambiguous(tmp_path: Path) -> None:
    pages = (*AMBIGUOUS["continues"], (block("text", 100, "But why? " * 30 + "No one knows."),))
    document = read_document(write_paper(tmp_path / "frost", pages))
    plan = plan_sections(document)
    ambiguities = {f"d{n}": one for n, one in enumerate(find_ambiguities(document, plan), start=1)}
    view = review_view(document, plan, ambiguities)
    assert view.count("Frost was measured") == 1
    assert view.count("d(f)=4 in all the lakes") == 1
    assert "No one knows" not in view
    assert "h1 Results" in view


def test_the_prompt_of_a_review_is_small(tmp_path: Path) -> None:
    engine = ScriptedEngine("SUBMIT({})")
    run(unnumbered(tmp_path), engine, review=True)
    request = engine.requests[0]
    text = request.system if isinstance(request.system, str) else "".join(part.text for part in request.system)
    assert len(text) < 4_000


def test_ambiguities_are_rare_on_real_papers(shared: Path) -> None:
    found: list[Ambiguity] = []
    blocks = 0
    for name in ("elife-00666", "jose.00240", "mdpi_1", "plos_2", "peerj_1", "journal.pone.0118342"):
        document = read_document(shared / "data" / "jats_gold" / name)
        blocks += len(document.blocks)
        found += find_ambiguities(document, plan_sections(document))
    assert 0 < len(found) < 0.01 * blocks


def test_a_review_has_a_token_limit_of_its_own() -> None:
    assert AgentOptions("review", "a/b").token_limit == REVIEW_TOKENS
    assert AgentOptions("review", "a/b", max_tokens=5).token_limit == 5
    assert AgentOptions("rlm", "a/b").token_limit is None
