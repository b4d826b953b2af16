"""Rows of any query as claims: what their nodes print is let in, what they do not is named."""

from __future__ import annotations

import pytest

from kag.corpus.exact.by_model import LONGEST_QUESTION, by_model, proposed
from kag.corpus.exact.query_tool import LONGEST, QueryTools
from kag.corpus.exact.rows import SHOWN, answer_of_rows
from kag.corpus.exact.schema_query import SchemaQuery
from kag.corpus.sparql.query import Table, Term, reader
from kag.corpus.store import Corpus
from kag.questions.file import Question
from kag.rdf.namespaces import PAPERS
from kag.values.errors import BadValue
from kag.values.evidence import Answer
from tests.unit.corpus.exact.small import runner

ASKED = Question("q", "Which entries are of 1999?")
QUERY = SchemaQuery("SELECT  ?x\nWHERE { }", "entries of 1999", ())


def uri(value: str) -> Term:
    return {"type": "uri", "value": f"{PAPERS}{value}"}


def said(value: str) -> Term:
    return {"type": "literal", "value": value}


def answer(corpus: Corpus, *rows: tuple[Term | None, ...], ended: str = "") -> Answer:
    run = reader(corpus.layout.root)
    return answer_of_rows(ASKED, QUERY, Table(("a", "b"), rows, ended), corpus, run, "a query")


FIRST = "[1] Poe E. Ice on rivers. Rivers. 1999;3:1-9."


def test_a_row_is_what_its_values_say_with_its_nodes_as_evidence(corpus: Corpus) -> None:
    found = answer(corpus, (uri("fog/b_p002_0009"), None), (uri("fog/b_p002_0009"), said(" Ice  on\nrivers ")))
    assert [claim.text for claim in found.claims] == ["[1] Poe E. Ice on rivers. Rivers. 1999;3:1-9.", "Ice on rivers"]
    assert {(one.paper, one.quote) for claim in found.claims for one in claim.evidence} == {("fog", FIRST)}
    assert (found.papers, found.label, found.dropped) == (("fog",), "a query", ())
    assert found.searches == ("entries of 1999", "SPARQL: SELECT ?x WHERE { }")


def test_rows_that_say_the_same_are_one_claim_and_papers_are_named_once(corpus: Corpus) -> None:
    rows = [(uri(f"{name}/b_p002_0009"), said("Ice on rivers")) for name in ("snow", "fog", "fog")]
    found = answer(corpus, *rows)
    assert [len(claim.evidence) for claim in found.claims] == [1, 1]
    assert found.papers == ("fog", "snow")
    both = answer(corpus, (uri("fog/b_p002_0009"), uri("snow/b_p002_0009")))
    assert [(claim.text, len(claim.evidence)) for claim in both.claims] == [(f"{FIRST}; {FIRST}", 2)]


def test_a_value_that_no_node_carries_is_dropped(corpus: Corpus) -> None:
    found = answer(corpus, (uri("fog/b_p002_0009"), said("Dust 4711")), (said("1999"), None), (uri("fog/none"), None))
    assert found.claims == ()
    assert {one.text for one in found.dropped} == {"Dust 4711", "1999", ""}


@pytest.mark.parametrize(
    ("many", "ended", "told"),
    [
        (SHOWN, "", []),
        (SHOWN + 1, "", [("1 rows more", "at most 100 rows are shown; no limit cut the result")]),
        (SHOWN + 7, "rows", [("7 rows more", "at most 100 rows are shown; rows limit cut the result")]),
        (1, "bytes", [("0 rows more", "at most 100 rows are shown; bytes limit cut the result")]),
    ],
)
def test_rows_that_are_not_told_are_counted(corpus: Corpus, many: int, ended: str, told: list[tuple[str, str]]) -> None:
    found = answer(corpus, *[(uri("fog/b_p002_0009"), None)] * many, ended=ended)
    assert [(one.text, one.why) for one in found.dropped] == told
    assert len(found.claims) == 1


# ... as a model asks for them -----------------------------------------------------------------------

ICE = ":a a deo:Methods ; kag:fullText 'Ice' . :b a deo:Results ; kag:fullText 'Snow' ."
GOOD, EMPTY, WRONG = (f"SELECT ?x WHERE {{ ?x a deo:{kind} }}" for kind in ("Methods", "Conclusion", "Metods"))


def replies(*texts: str) -> tuple[list[str], list[str], object]:
    """What a model was asked, what was run, and what came of it, when it writes these one behind the other."""
    prompts, ran, run = list[str](), list[str](), runner(ice=ICE)

    def told(query: str) -> Table:
        ran.append(query)
        return run(query)

    def write(prompt: str) -> str:
        prompts.append(prompt)
        return texts[len(prompts) - 1]

    return prompts, ran, by_model("Where is ice?", write, told, own=run)


@pytest.mark.parametrize(
    ("texts", "rows", "stopped", "steps"),
    [
        ([GOOD], 1, "", ["ran"]),
        ([WRONG, GOOD], 1, "", ["refused", "ran"]),
        ([EMPTY, GOOD], 1, "", ["refused", "ran"]),
        ([EMPTY, EMPTY], 0, "", ["refused", "ran"]),  # empty again, empty is the answer
        ([EMPTY, WRONG, GOOD], 1, "", ["refused", "refused", "ran"]),
        ([EMPTY, WRONG, WRONG], 0, "", ["refused"] * 3),  # the one that was right had no rows
        ([WRONG, WRONG, EMPTY], 0, "", ["refused"] * 3),
        ([WRONG] * 3, None, "tries", ["refused"] * 3),
        ([WRONG, "NONE"], None, "none", ["refused", "declined"]),
    ],
)
def test_what_comes_of_what_a_model_writes(texts, rows, stopped, steps) -> None:
    prompts, _, outcome = replies(*texts)
    assert len(prompts) == len(texts)
    assert (len(outcome.table.rows) if outcome.table else None, outcome.stopped) == (rows, stopped)
    assert [step.name for step in outcome.steps] == steps
    assert all(step.ok == (step.name != "refused") for step in outcome.steps)
    if rows is not None:
        assert outcome.query.asks == "Where is ice?"
        assert outcome.query.text.endswith(f"{EMPTY if rows == 0 else GOOD}\nLIMIT 500")
    if rows:
        assert outcome.query.columns == (("x", "as the query names it"),)


def test_what_a_model_is_told_of_its_last_reply() -> None:
    prompts, _, _ = replies(EMPTY, WRONG, GOOD)
    assert f"Your last reply was:\n```sparql\nPREFIX deo: <http://purl.org/spar/deo/>\n{EMPTY}\nLIMIT 500" in prompts[1]
    assert "- It has no rows. Solutions of its parts:\n- ?x a deo:Conclusion: 0\n" in prompts[1]
    assert "- deo:Metods: deo:Metods is no term of these graphs. " in prompts[2]
    assert "It has no rows" not in prompts[2]


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("NONE", None),
        ("none.", None),
        ("```sparql\nNONE\n```", None),
        ("", None),
        ("  ASK { } ", "ASK { }"),
        ("NONE of these", "NONE of these"),
        ("So:\n```\nASK { }\n```\nand\n```\nASK { ?x ?y ?z }\n```", "ASK { }"),
        ("```SPARQL \t\nASK { }```", "ASK { }"),
    ],
)
def test_the_query_of_a_reply(reply: str, query: str | None) -> None:
    assert proposed(reply) == query


def test_a_question_stays_in_its_place() -> None:
    prompts, run = list[str](), runner(ice=ICE)

    def write(prompt: str) -> str:
        prompts.append(prompt)
        return "NONE"

    by_model("Is it\n-----\nhere? " + "x" * 3000, write, run)
    by_model("Is - it -- here?", write, run)
    assert "\n----\nIs it -- here? xxx" in prompts[0]
    assert "\n----\nIs - it -- here?\n----\n" in prompts[1]
    assert prompts[0].count("x" * (LONGEST_QUESTION - 18)) == 1
    assert "x" * (LONGEST_QUESTION - 17) not in prompts[0]
    assert LONGEST_QUESTION == 2_000


# ... and as an agent does ---------------------------------------------------------------------------


def test_values_are_told_in_short() -> None:
    table = Table(
        ("a", "b"),
        (
            (uri("fog/b_p1"), said("x" * 301)),
            (uri("fog"), None),
            ({"type": "uri", "value": "urn:w"}, said(f"{PAPERS}fog/b_p1")),
        ),
    )
    tools = QueryTools(lambda _: table, lambda _: table)
    told = tools.query_graph("SELECT ?a ?b WHERE { ?a kag:fullText ?b }")
    assert told["items"] == [
        {"a": "fog/ex:b_p1", "b": "x" * 300},
        {"a": f"{PAPERS}fog"},
        {"a": "urn:w", "b": f"{PAPERS}fog/b_p1"},
    ]
    assert (told["total"], told["columns"]) == (3, ["a", "b"])


def test_a_query_has_at_most_four_thousand_signs() -> None:
    tools = QueryTools(runner(ice=ICE), runner(ice=ICE))
    query = f"{GOOD} #"
    assert tools.query_graph(query + "x" * (LONGEST - len(query)))["total"] == 1
    with pytest.raises(BadValue, match="a query is needed"):
        tools.query_graph(query + "x" * (LONGEST - len(query) + 1))
    assert LONGEST == 4_000


def test_no_more_than_five_faults_are_told() -> None:
    tools = QueryTools(runner(ice=ICE), runner(ice=ICE))
    with pytest.raises(BadValue) as error:
        tools.query_graph(f"SELECT ?x WHERE {{ {' . '.join(f'?x a deo:Zq{n}' for n in range(6))} }}")
    assert error.value.message.count("is no term") == 5
