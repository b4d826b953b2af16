"""Operations that change something: uploads and other jobs, settings."""

from __future__ import annotations

from typing import Any

from kag.serve.api.bodies import JobRow, PopulateBody, SettingsBody
from kag.serve.api.streams import stream_job, upload
from kag.serve.api.table import PAGING, Given, Operation, Parameter, Reply, operation, page_of
from kag.serve.service import Service
from kag.serve.settings import Settings, StartedWith, settings_from, write_settings

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
    """End a job, whatever it does."""
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
OPERATIONS = (
    *(upload_papers, list_jobs, get_job, cancel_job, repeat_job, watch_job),
    *(populate, get_settings, get_started_with, set_settings),
)
