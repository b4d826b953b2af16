"""Operations that ask: search, questions, their streams, answers, verifying, SPARQL, statistics."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kag.core.evidence import Answer, read_answer
from kag.core.verdict import Verdict
from kag.qa.checking.verify import UNCHECKED, checked
from kag.rdf.profile import KIND_CLASSES, ROLES
from kag.retrieval.faceted import DEEP
from kag.retrieval.facets import FACETS, chosen
from kag.serve.api.bodies import AnswerRow, AskBody, SearchPage, SparqlBody, Verified, VerifyBody
from kag.serve.api.streams import asked_of, stream_ask
from kag.serve.api.table import PAGING, Given, Operation, Parameter, Reply, page_of
from kag.serve.papers.asking import answers, ask, keep, kept_answer, kept_steps
from kag.serve.papers.search import Wanted, find
from kag.serve.problems import Refusal
from kag.serve.service import SPARQL, Service


def _search(service: Service, given: Given) -> SearchPage:
    choice = chosen((name, value) for name in FACETS for value in given[name])
    span = given["from_year"], given["to_year"]
    reach = (given[name] or 0 for name in ("k", "k_prime", "hops"))
    wanted = Wanted(given["query"], given["plan"], choice, *span, given["references"], *reach)
    start = int(given["cursor"]) if given["cursor"].isdecimal() and len(given["cursor"]) < 6 else 0
    settings = service.settings
    count = given["limit"] or settings.hits
    found = find(service.reader, wanted, settings, start, count)
    more = str(start + count) if start + count < found.total else ""
    return SearchPage(
        found.query,
        found.plan,
        list(found.notes),
        found.total,
        list(found.places),
        {name: dict(counts) for name, counts in found.facets.items()},
        {name: list(values) for name, values in found.chosen.items()},
        list(found.facet_notes),
        more,
    )


def _ask(service: Service, given: Given) -> Reply:
    body: AskBody = given.body
    asked = asked_of(body, service)
    if not body.wait:
        asked.options  # noqa: B018 - what cannot be asked is told at once
        if asked.paper:
            service.reader.state.listed(asked.paper)
        job = service.submit("ask", body.question, asdict(asked), client=given.client, key=given.key)
        return Reply(service.job_row(job), 202, location=f"/api/v1/jobs/{job.id}")
    answer, steps = ask(service.reader, asked)
    keep(service.home, answer, steps)
    return Reply(text=answer.to_json())


def _answers(service: Service, given: Given) -> Any:
    return page_of(answers(service.home), given, _answer_row)


def _answer_row(path: Path) -> dict[str, Any]:
    answer, _ = read_answer(path)
    row = AnswerRow(
        path.stem,
        answer.question,
        list(answer.papers),
        answer.mode,
        answer.label,
        answer.found,
        len(answer.claims),
        dict(answer.usage),
    )
    return asdict(row)


def _answer(service: Service, given: Given) -> Reply:
    return Reply(text=kept_answer(service.home, given["answer"]).to_json())


def _steps(service: Service, given: Given) -> Any:
    return page_of(kept_steps(service.home, given["answer"]), given)


def _verify(service: Service, given: Given) -> Verified:
    body: VerifyBody = given.body
    with TemporaryDirectory(prefix="kag-") as folder:
        path = Path(folder) / "answer.json"
        path.write_text(json.dumps(body.model_dump(), ensure_ascii=False), "utf-8", "replace")
        answer, shown = _read(path)
    found = checked(answer, service.reader.state.library, shown)
    return Verified(
        found.report.conforms,
        found.quotes,
        found.quoted,
        [_verdict(verdict) for verdict in found.verdicts],
        [asdict(issue) for issue in found.report.issues],
        list(UNCHECKED),
    )


def _verdict(verdict: Verdict | None) -> dict[str, Any] | None:
    return None if verdict is None else {"status": verdict.status, "checker": verdict.checker, "score": verdict.score}


def _read(path: Path) -> Any:
    from kag.core.errors import EvidenceError

    try:
        return read_answer(path)
    except EvidenceError as error:
        raise Refusal(422, error.message.replace(str(path), "this"), "Send an answer as `ask` gives it.") from error


def _sparql(service: Service, given: Given) -> Reply:
    query = given.body.query if given.body else given["query"]
    return Reply(text=service.sparql(query).to_json(), media="application/sparql-results+json")


def _statistics(service: Service, given: Given) -> Any:
    return service.statistics()


_QUERY = Parameter("query", "Words, or a question.", required=True)
_NARROWED = {
    "paper": "Only in this paper.",
    "year": "Only papers of this year.",
    "kind": "Only texts of this kind.",
    "section": "Only in sections of this type (Introduction, Methods, ...).",
    "entity_kind": "Only where something of this kind is named; papers have it from their entity layer.",
    "entity": "Only where this is named, as `species:people`, or by a name alone.",
    "role": "Only where a claim of this role stands; papers have it from their claim layer.",
}
_CHOICES = {"entity_kind": tuple(KIND_CLASSES), "role": ROLES}
OPERATIONS = (
    Operation(
        "search",
        "GET",
        "/search",
        f"Passages of all papers, the best first, with facets over the first {DEEP}.",
        _search,
        (
            _QUERY,
            Parameter("plan", "How to search; nothing is what the settings say.", default=""),
            *(Parameter(name, what, many=True, choices=_CHOICES.get(name, ())) for name, what in _NARROWED.items()),
            Parameter("from_year", "Only papers of this year or later.", "integer", None, 0, 9999),
            Parameter("to_year", "Only papers of this year or earlier.", "integer", None, 0, 9999),
            Parameter("references", "Entries of reference lists, too.", "boolean", False),
            Parameter("k", "Hits at most on all pages; seeds where k_prime is given.", "integer", None, 1, 100),
            Parameter("k_prime", "So many more by expansion, behind the first k.", "integer", None, 1, 100),
            Parameter("hops", "How far a plan walks.", "integer", None, 1, 3),
            Parameter("limit", "Hits of a page at most; nothing is what the settings say.", "integer", None, 1, 100),
            Parameter("cursor", "Where to go on.", default=""),
        ),
        returns=SearchPage,
        heavy=True,
        tag="questions",
    ),
    Operation(
        "ask",
        "POST",
        "/ask",
        "Answer a question; told as it is answered with `Accept: text/event-stream`, a job with `wait` false.",
        _ask,
        (),
        AskBody,
        Answer,
        heavy=True,
        tag="questions",
        own=stream_ask,
        errors=(400, 404, 415, 422, 429, 502),
        more={202: "A job that answers it."},
    ),
    Operation(
        "list_answers",
        "GET",
        "/answers",
        "Answers that were kept.",
        _answers,
        PAGING,
        returns=AnswerRow,
        paged=True,
        tag="questions",
    ),
    Operation(
        "get_answer",
        "GET",
        "/answers/{answer}",
        "An answer that was kept.",
        _answer,
        (Parameter("answer", "Its id.", required=True),),
        returns=Answer,
        tag="questions",
    ),
    Operation(
        "list_steps",
        "GET",
        "/answers/{answer}/trajectory",
        "How an answer came about, step by step.",
        _steps,
        (Parameter("answer", "Its id.", required=True), *PAGING),
        returns=dict[str, Any],
        paged=True,
        tag="questions",
    ),
    Operation(
        "verify",
        "POST",
        "/verify",
        "Check an answer against the papers of the corpus, without a model.",
        _verify,
        (),
        VerifyBody,
        Verified,
        heavy=True,
        tag="questions",
        errors=(400, 415, 422, 429),
    ),
    Operation(
        "query",
        "POST",
        "/sparql",
        "Put a read-only SPARQL query to all graphs, bounded in time, rows and bytes.",
        _sparql,
        (),
        SparqlBody,
        dict[str, Any],
        media="application/sparql-results+json",
        heavy=True,
        seconds=SPARQL.seconds,
        tag="questions",
        errors=(400, 415, 422, 429),
    ),
    Operation(
        "get_statistics",
        "GET",
        "/statistics",
        "How much there is.",
        _statistics,
        returns=dict[str, Any],
        heavy=True,
        tag="corpus",
    ),
)
