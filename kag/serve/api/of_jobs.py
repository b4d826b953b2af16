"""Operations that change something: uploads and other jobs, settings."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from kag.serve.api.bodies import JobRow, PopulateBody, SettingsBody
from kag.serve.api.streams import stream_job, upload
from kag.serve.api.table import PAGING, Given, Operation, Parameter, Reply, page_of
from kag.serve.service import Service
from kag.serve.settings import Settings, StartedWith, settings_from, write_settings

_JOB = Parameter("job", "The id of a job.", required=True)


def _jobs(service: Service, given: Given) -> Any:
    wanted = [job for job in service.journal.jobs() if not given["state"] or job.state == given["state"]]
    return page_of(wanted, given, service.job_row)


def _job(service: Service, given: Given) -> Any:
    return service.job_row(service.journal.get(given["job"]))


def _cancel(service: Service, given: Given) -> Any:
    return service.job_row(service.pool.cancel(given["job"]))


def _again(service: Service, given: Given) -> Reply:
    job = service.pool.again(given["job"])
    return Reply(service.job_row(job), 202, location=f"/api/v1/jobs/{job.id}")


def _populate(service: Service, given: Given) -> Reply:
    wanted = given.body.model_dump()
    job = service.submit("populate", "What is missing", wanted, client=given.client, key=given.key)
    return Reply(service.job_row(job), 202, location=f"/api/v1/jobs/{job.id}")


def _settings(service: Service, given: Given) -> Any:
    return asdict(service.settings)


def _started_with(service: Service, given: Given) -> Any:
    return [asdict(one) for one in service.started_with]


def _set(service: Service, given: Given) -> Any:
    changed = given.body.model_dump(exclude_none=True)
    settings = settings_from(changed, service.settings)
    service.require_model(settings.model)
    write_settings(service.home, settings)
    return asdict(settings)


OPERATIONS = (
    Operation(
        "upload_papers",
        "POST",
        "/papers",
        "Send papers (multipart/form-data, fields `file`); each becomes a job. `hold` keeps them for `populate`.",
        None,
        (),
        None,
        list[JobRow],
        202,
        own=upload,
        tag="jobs",
        errors=(400, 409, 413, 415, 429),
    ),
    Operation(
        "list_jobs",
        "GET",
        "/jobs",
        "Jobs, the newest first.",
        _jobs,
        (
            Parameter("state", "Only these.", default="", choices=("queued", "running", "done", "failed", "cancelled")),
            *PAGING,
        ),
        returns=JobRow,
        paged=True,
        tag="jobs",
    ),
    Operation("get_job", "GET", "/jobs/{job}", "A job.", _job, (_JOB,), returns=JobRow, tag="jobs"),
    Operation(
        "cancel_job",
        "DELETE",
        "/jobs/{job}",
        "End a job, whatever it does.",
        _cancel,
        (_JOB,),
        returns=JobRow,
        tag="jobs",
    ),
    Operation(
        "repeat_job",
        "POST",
        "/jobs/{job}/again",
        "Begin a job anew that failed or was cancelled.",
        _again,
        (_JOB,),
        returns=JobRow,
        status=202,
        tag="jobs",
        errors=(400, 404, 409, 429),
    ),
    Operation(
        "watch_job",
        "GET",
        "/jobs/{job}/events",
        "How far a job is, as server-sent events; `Last-Event-ID` goes on behind an event.",
        None,
        (_JOB,),
        returns=str,
        media="text/event-stream",
        own=stream_job,
        tag="jobs",
    ),
    Operation(
        "populate",
        "POST",
        "/populate",
        "Build what is not built yet: papers that were kept, pictures, the search index and its graph (a job).",
        _populate,
        (),
        PopulateBody,
        JobRow,
        202,
        tag="jobs",
        errors=(400, 415, 422, 429),
    ),
    Operation("get_settings", "GET", "/settings", "The settings.", _settings, returns=Settings, tag="corpus"),
    Operation(
        "get_started_with",
        "GET",
        "/settings/started-with",
        "What the server was started with: flags, variables and files, as `kag config show --origin` says.",
        _started_with,
        returns=list[StartedWith],
        tag="corpus",
    ),
    Operation(
        "set_settings",
        "PUT",
        "/settings",
        "Change settings.",
        _set,
        (),
        SettingsBody,
        Settings,
        tag="corpus",
        errors=(400, 415, 422, 429),
    ),
)
