"""Operations that ask (search, questions, answers, SPARQL), and those that change something (uploads, jobs)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from kag.core.evidence import Answer, read_answer, stated
from kag.qa.checking.verify import UNCHECKED, checked
from kag.rdf.profile import KIND_CLASSES, ROLES
from kag.retrieval.facets import FACETS, chosen
from kag.serve.api.bodies import (
    AnswerRow,
    AskBody,
    JobRow,
    PopulateBody,
    SettingsBody,
    SparqlBody,
    Verified,
    VerifyBody,
)
from kag.serve.api.streams import asked_of, stream_ask, stream_job, upload
from kag.serve.api.table import PAGING, Given, Operation, Parameter, Reply, operation, page_of
from kag.serve.home import Settings, StartedWith, settings_from, write_settings
from kag.serve.papers import asking
from kag.serve.papers.reading import SearchPage, Wanted, find
from kag.serve.problems import Refusal
from kag.serve.service import SPARQL, Service

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
_ANSWER = Parameter("answer", "Its id.", required=True)


@operation(
    "GET /search",
    Parameter("query", "Words, or a question.", required=True),
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
    returns=SearchPage,
    heavy=True,
    tag="questions",
)
def search(service: Service, given: Given) -> SearchPage:
    """Passages of all papers, the best first, with facets over the first 200."""
    choice = chosen((name, value) for name in FACETS for value in given[name])
    span = given["from_year"], given["to_year"]
    reach = (given[name] or 0 for name in ("k", "k_prime", "hops"))
    wanted = Wanted(given["query"], given["plan"], choice, *span, given["references"], *reach)
    start = int(given["cursor"]) if given["cursor"].isdecimal() and len(given["cursor"]) < 6 else 0
    return find(service.reader, wanted, service.settings, start, given["limit"] or service.settings.hits)


@operation(
    "POST /ask",
    body=AskBody,
    returns=Answer,
    heavy=True,
    tag="questions",
    own=stream_ask,
    errors=(400, 404, 415, 422, 429, 502),
    more={202: "A job that answers it."},
)
def ask(service: Service, given: Given) -> Reply:
    """Answer a question; reported as it is answered with `Accept: text/event-stream`, a job with `wait` false."""
    body: AskBody = given.body
    asked = asked_of(body, service)
    if not body.wait:
        asked.options  # noqa: B018 - what cannot be asked is refused at once
        if asked.paper:
            service.reader.state.listed(asked.paper)
        job = service.submit("ask", body.question, asdict(asked), client=given.client, key=given.key)
        return Reply(service.job_row(job), 202, location=f"/api/v1/jobs/{job.id}")
    answer, steps = asking.ask(service.reader, asked)
    asking.keep(service.home, answer, steps)
    return Reply(text=answer.to_json())


@operation("GET /answers", *PAGING, returns=AnswerRow, paged=True, tag="questions")
def list_answers(service: Service, given: Given) -> Any:
    """Answers that were kept."""
    return page_of(asking.answers(service.home), given, _answer_row)


def _answer_row(path: Path) -> AnswerRow:
    answer, _ = read_answer(path)
    counts = answer.found, len(answer.claims), dict(answer.usage)
    return AnswerRow(path.stem, answer.question, list(answer.papers), answer.mode, answer.label, *counts)


@operation("GET /answers/{answer}", _ANSWER, returns=Answer, tag="questions")
def get_answer(service: Service, given: Given) -> Reply:
    """An answer that was kept."""
    return Reply(text=asking.kept_answer(service.home, given["answer"]).to_json())


@operation("GET /answers/{answer}/trajectory", _ANSWER, *PAGING, returns=dict[str, Any], paged=True, tag="questions")
def list_steps(service: Service, given: Given) -> Any:
    """List the steps that led to an answer."""
    return page_of(asking.kept_steps(service.home, given["answer"]), given)


@operation("POST /verify", body=VerifyBody, returns=Verified, heavy=True, tag="questions", errors=(400, 415, 422, 429))
def verify(service: Service, given: Given) -> Verified:
    """Check an answer against the papers of the corpus, without a model."""
    try:
        answer, shown = stated(given.body.model_dump())
    except ValueError as error:
        raise Refusal(422, f"this is not an answer: {error}", "Send an answer as `ask` gives it.") from error
    found = checked(answer, service.reader.state.library, shown)
    verdicts = [{"status": v.status, "checker": v.checker, "score": v.score} if v else None for v in found.verdicts]
    issues = [asdict(issue) for issue in found.report.issues]
    return Verified(found.report.conforms, found.quotes, found.quoted, verdicts, issues, list(UNCHECKED))


@operation(
    "POST /sparql",
    body=SparqlBody,
    returns=dict[str, Any],
    media="application/sparql-results+json",
    heavy=True,
    seconds=SPARQL.seconds,
    tag="questions",
    errors=(400, 415, 422, 429),
)
def query(service: Service, given: Given) -> Reply:
    """Put a read-only SPARQL query to all graphs, bounded in time, rows and bytes."""
    return Reply(text=service.sparql(given.body.query).to_json(), media="application/sparql-results+json")


@operation("GET /statistics", returns=dict[str, Any], heavy=True, tag="corpus")
def get_statistics(service: Service, given: Given) -> Any:
    """Counts of papers and their parts."""
    return service.statistics()


QUESTIONS = (*(search, ask, list_answers, get_answer, list_steps), *(verify, query, get_statistics))


_JOB = Parameter("job", "The id of a job.", required=True)
_STATES = ("queued", "running", "done", "failed", "cancelled")


@operation(
    "GET /jobs",
    Parameter("state", "Only these.", default="", choices=_STATES),
    *PAGING,
    returns=JobRow,
    paged=True,
    tag="jobs",
)
def list_jobs(service: Service, given: Given) -> Any:
    """Jobs, the newest first."""
    wanted = [job for job in service.journal.jobs() if not given["state"] or job.state == given["state"]]
    return page_of(wanted, given, service.job_row)


@operation("GET /jobs/{job}", _JOB, returns=JobRow, tag="jobs")
def get_job(service: Service, given: Given) -> Any:
    """A job."""
    return service.job_row(service.journal.get(given["job"]))


@operation("DELETE /jobs/{job}", _JOB, returns=JobRow, tag="jobs")
def cancel_job(service: Service, given: Given) -> Any:
    """Cancel a job in any state."""
    return service.job_row(service.pool.cancel(given["job"]))


@operation("POST /jobs/{job}/again", _JOB, returns=JobRow, status=202, tag="jobs", errors=(400, 404, 409, 429))
def repeat_job(service: Service, given: Given) -> Reply:
    """Begin a job anew that failed or was cancelled."""
    job = service.pool.again(given["job"])
    return Reply(service.job_row(job), 202, location=f"/api/v1/jobs/{job.id}")


@operation("POST /populate", body=PopulateBody, returns=JobRow, status=202, tag="jobs", errors=(400, 415, 422, 429))
def populate(service: Service, given: Given) -> Reply:
    """Build what is not built yet: papers that were kept, pictures, the search index and its graph (a job)."""
    wanted = given.body.model_dump()
    job = service.submit("populate", "What is missing", wanted, client=given.client, key=given.key)
    return Reply(service.job_row(job), 202, location=f"/api/v1/jobs/{job.id}")


@operation("GET /settings", returns=Settings, tag="corpus")
def get_settings(service: Service, given: Given) -> Settings:
    """The settings."""
    return service.settings


@operation("GET /settings/started-with", returns=list[StartedWith], tag="corpus")
def get_started_with(service: Service, given: Given) -> Any:
    """What the server was started with: flags, variables and files, as `kag config show --origin` says."""
    return list(service.started_with)


@operation("PUT /settings", body=SettingsBody, returns=Settings, tag="corpus", errors=(400, 415, 422, 429))
def set_settings(service: Service, given: Given) -> Settings:
    """Change settings."""
    settings = settings_from(given.body.model_dump(exclude_none=True), service.settings)
    service.require_model(settings.model)
    write_settings(service.home, settings)
    return settings


upload_papers = Operation(
    "upload_papers",
    "POST",
    "/papers",
    "Send papers (multipart/form-data, fields `file`); each becomes a job. `hold` keeps them for `populate`.",
    returns=list[JobRow],
    status=202,
    own=upload,
    tag="jobs",
    errors=(400, 409, 413, 415, 429),
)
watch_job = Operation(
    "watch_job",
    "GET",
    "/jobs/{job}/events",
    "How far a job is, as server-sent events; `Last-Event-ID` goes on behind an event.",
    parameters=(_JOB,),
    returns=str,
    media="text/event-stream",
    own=stream_job,
    tag="jobs",
)
JOBS = (
    *(upload_papers, list_jobs, get_job, cancel_job, repeat_job, watch_job),
    *(populate, get_settings, get_started_with, set_settings),
)
