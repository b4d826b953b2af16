"""Rows of any query as an answer: each row a claim, with what is printed of the nodes in it as evidence."""

from __future__ import annotations

from dataclasses import replace

from kag.corpus.exact.printed import Printed, find_printed
from kag.corpus.exact.schema_query import Run, SchemaQuery
from kag.corpus.sparql.query import Table
from kag.corpus.store import Corpus
from kag.questions.file import Question
from kag.read.checking.claim_check import judged
from kag.read.library import Library
from kag.text.plain import plain
from kag.values.evidence import EXACT, Answer, Claim, Dropped

SHOWN = 100  # rows that become claims


def answer_of_rows(
    question: Question, query: SchemaQuery, table: Table, corpus: Corpus, run: Run, label: str
) -> Answer:
    """The answer that rows are: a claim for each row whose nodes are printed.

    A row whose quotes do not hold, or that has numbers which its nodes do not print, is left out and named. `label`
    says who wrote the query.
    """
    library: Library = corpus.library()
    ids = {paper.iri: paper.id for paper in corpus.papers()}
    iris = [term["value"] for row in table.rows[:SHOWN] for term in row if term and term["type"] == "uri"]
    printed = find_printed(run, iris, ids)
    claims = dict.fromkeys(_claim([term for term in row if term], printed) for row in table.rows[:SHOWN])
    kept, dropped = list[Claim](), list[Dropped]()
    for claim in claims:
        issues, verdict = judged(claim, library, question.text)
        if issues:
            dropped.append(Dropped(claim.text, "; ".join(dict.fromkeys(issue.message for issue in issues))))
        else:
            kept.append(replace(claim, verdict=verdict))
    left = len(table.rows) - SHOWN
    if left > 0 or table.ended:
        dropped.append(
            Dropped(
                f"{max(left, 0)} rows more",
                f"at most {SHOWN} rows are shown; {table.ended or 'no'} limit cut the result",
            )
        )
    used = sorted({one.paper for claim in kept for one in claim.evidence})
    return Answer(
        question.id,
        question.text,
        EXACT,
        label,
        tuple(kept),
        dropped=tuple(dropped),
        searches=(query.asks, f"SPARQL: {' '.join(query.text.split())}"),
        papers=tuple(used),
    )


def _claim(row: list, printed: dict[str, Printed]) -> Claim:  # type: ignore[type-arg]
    """A row's values and the words of its nodes, with the nodes as evidence."""
    nodes = [printed[term["value"]] for term in row if term["type"] == "uri" and term["value"] in printed]
    values = [term["value"] for term in row if term["type"] != "uri"]
    places = [node.place() for node in dict.fromkeys(nodes)]
    said = values or [" ".join(plain(place.quote).split()) for place in places]
    return Claim("; ".join(" ".join(value.split()) for value in said), tuple(dict.fromkeys(places)))
