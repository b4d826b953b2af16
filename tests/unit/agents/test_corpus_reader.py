"""The agent that answers from many papers: real loop, sandbox, search and views, a script in the place of a model."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from kag.agents.model.budget import Ledger
from kag.agents.offline_policy import OfflinePolicy
from kag.agents.read.answerer import MAX_BYTES, ask_agent, papers_context, papers_overview
from kag.agents.read.claims import judge
from kag.agents.sandbox.sandbox import sandbox_factory
from kag.core.errors import BadValue
from kag.core.evidence import Answer
from kag.core.tool import toolset
from kag.core.trajectory import Trajectory
from kag.qa.checking.verify import verify
from kag.qa.library import Shelf
from kag.qa.pipeline import Reading
from kag.qa.questions.file import Question
from kag.qa.questions.papers import KnownPaper
from kag.qa.views.views import MAX_OPEN, CorpusViews
from kag.rdf.namespaces import PAPERS
from tests.unit.agents.readings import TRUE, Replies, action, lm_over
from tests.unit.agents.shelves import ICE, shelf

QUESTION = Question("q1", "How much charge did lithium cells lose?")


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return shelf(tmp_path_factory.mktemp("shelf"))


def draft(*rows: tuple[str, str, str, str]) -> dict[str, Any]:
    """A draft of claims, each (paper, text, node, quote)."""
    found = [
        {"text": text, "evidence": [{**({"paper": paper} if paper else {}), "node": node, "quote": quote}]}
        for paper, text, node, quote in rows
    ]
    return {"claims": found}


def ask(papers: Shelf, engine: Any, question: Question = QUESTION) -> tuple[Reading, Trajectory]:
    ledger, trajectory = Ledger(), Trajectory()
    interpreters = partial(sandbox_factory, "monty")
    context = papers_context(papers, question.text)
    lm = lm_over(engine, ledger)
    return ask_agent(lm, question, context, trajectory, ledger, interpreters=interpreters, max_iters=6), trajectory


VIEWS = {"g_search", "g_section_content", "g_node_detail", "g_figure_info", "g_node_refs"}
BOTH = draft(("batteries", *TRUE), ("ice", *ICE))


def test_papers_that_disagree_are_searched_read_and_quoted_each(papers: Shelf) -> None:
    look = """
for item in search_knowledge_graph("lithium cells charge")["items"]:
    print(item["paper"], g_node_detail(item["paper"], item["node"])["text"])
print(g_search("ice", "moorings")["total"])
"""
    engine = Replies(action(look), action(f"SUBMIT(answer=json.loads({json.dumps(BOTH)!r}))"))
    reading, _ = ask(papers, engine)
    assert [(c.text, c.evidence[0].paper) for c in reading.claims] == [(TRUE[0], "batteries"), (ICE[0], "ice")]
    assert reading.searches == (QUESTION.text, "lithium cells charge", "moorings (in ice)")
    assert "ice Under the ice of the lake" in engine.prompt(1)
    answer = Answer("q", QUESTION.text, "agent", "m", reading.claims, papers=("batteries", "ice"))
    assert verify(answer, papers.library).issues == ()
    assert "Cells under lake ice" in engine.prompt(0), "the model is told which papers there are"
    system = str(engine.requests[0].system)
    assert "export_json_ld" not in system
    assert '"evidence": [{"paper": "...", "node": "ex:..."' in system
    assert "Where papers disagree" in system
    assert len(system) <= 3_600, "900 tokens"
    shown = engine.prompt(0)
    assert "[batteries ex:b_p001_0006 p1, 2 Results] Lithium cells lost 31 %" in shown
    assert "[ice ex:b_p001_0003 p1, 1 Results] Under the ice of the lake" in shown
    assert "2 papers\n" in engine.prompt(0)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("", *ICE), "names no paper"),
        (("lake", *ICE), "'lake' is no paper here"),
        (("batteries", *ICE), "is not in ex:b_p001_0003"),
        (("ice", "Lithium cells lost 31 % of their charge.", *ICE[1:]), "the number '31 %' is neither printed"),
    ],
)
def test_a_claim_must_name_the_paper_that_says_so(papers: Shelf, row: tuple[str, str, str, str], said: str) -> None:
    judged = judge(draft(row), papers.library, QUESTION.text)
    assert judged.claims == ()
    assert said in judged.complaints[0]


def test_a_node_s_iri_names_its_paper(papers: Shelf) -> None:
    row = ("", ICE[0], f"{PAPERS}ice/b_p001_0003", ICE[2])
    (claim,) = judge(draft(row), papers.library, QUESTION.text).claims
    assert claim.evidence[0].paper == "ice"


def test_one_claim_may_rest_on_two_papers(papers: Shelf) -> None:
    rows = [
        {"paper": paper, "node": node, "quote": quote}
        for paper, (_, node, quote) in (("batteries", TRUE), ("ice", ICE))
    ]
    text = "Lithium cells lost 31 % and 8 % of their charge."
    (claim,) = judge({"claims": [{"text": text, "evidence": rows}]}, papers.library, QUESTION.text).claims
    assert [one.paper for one in claim.evidence] == ["batteries", "ice"]


def test_the_policy_answers_from_many_papers_through_the_same_loop(papers: Shelf) -> None:
    question = Question("q1", "How much charge did lithium cells lose under the lake?")
    reading, trajectory = ask(papers, OfflinePolicy(), question)
    assert "lost 8 %" in reading.claims[0].text
    assert reading.claims[0].evidence[0].paper == "ice"
    used = {step.name for step in trajectory if step.kind == "tool"}
    assert used >= {"search_knowledge_graph", *VIEWS} - {"g_figure_info"}, "the paper has no figure"
    assert all(step.ok for step in trajectory), "no call fails"
    nothing, _ = ask(papers, OfflinePolicy(), Question("q2", "Which telescope observed nebulae?"))
    assert (nothing.claims, nothing.stopped) == ((), "")
    assert nothing.searches


def test_the_list_of_papers_is_bounded_and_says_what_it_leaves_out(papers: Shelf) -> None:
    many = Shelf(tuple(KnownPaper(f"p{n}", "Ünder ice " * 30, "1999") for n in range(1000)), {}, papers.index)
    told = papers_overview(many)
    head, *named, left = told.splitlines()
    assert len(told.encode()) <= MAX_BYTES
    assert (head, left) == ("1000 papers", f"and {1000 - len(named)} more")
    assert 10 < len(named) < 1000
    assert named[0].startswith("p0: Ünder ice Ünder ice")
    assert named[0].endswith("(1999)")


def test_an_unknown_paper_is_told_its_neighbours(papers: Shelf) -> None:
    with pytest.raises(BadValue, match="there is no paper 'batterie'") as error:
        CorpusViews(papers.library).g_search("batterie", "ice")
    assert "batteries" in error.value.hint


def test_views_of_a_paper_are_those_of_the_paper_and_few_stay_open(papers: Shelf) -> None:
    several = {f"copy{n}": papers.library["ice"] for n in range(MAX_OPEN + 3)}
    views = CorpusViews(several)
    for name in several:
        assert views.g_search(name, "moorings")["total"] == 1
    assert len(views._open) == MAX_OPEN
    assert {tool.name for tool in toolset(views)} == {
        "g_overview",
        "g_search",
        "g_section_content",
        "g_node_detail",
        "g_figure_info",
        "g_node_refs",
    }
    assert views.g_overview("copy0")["title"] == "Cells under lake ice"
    assert views.g_section_content("copy0", "Results")["total"] == 2
