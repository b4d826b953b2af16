"""Endpoints of another shape than JSON in, JSON out: uploads, and streams of server-sent events."""

from __future__ import annotations

import asyncio
import json
import queue
import re
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

from anyio import to_thread
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from kag.core.errors import BadValue, KagError
from kag.paper import as_question
from kag.qa.modes import mode_named
from kag.serve.api.bodies import AskBody
from kag.serve.api.table import Given
from kag.serve.guard.access import Gate
from kag.serve.jobs.journal import stage_of
from kag.serve.papers.asking import Asked, answer_events, ask, keep, step_words
from kag.serve.problems import Refusal, as_refusal, row
from kag.serve.service import Service

_BEAT = 15.0  # seconds after which a silent stream says that it is there
_LOOK = 0.25  # seconds between looks at a job
_LINE_ENDS = re.compile("[\x85\u2028\u2029]")
_LANGUAGE = re.compile(r"[a-z_]{2,20}(?:\+[a-z_]{2,20}){0,5}|")


def event(name: str, data: Mapping[str, Any], number: int | str = "") -> str:
    """One event as the wire has it: JSON on one line, so that nothing in it can be another event.

    Characters that some readers take for the end of a line are escaped, too.
    """
    line = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace").decode()
    line = _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)
    head = f"id: {number}\n" if number != "" else ""
    return f"{head}event: {name}\ndata: {line}\n\n"


def streamed(events: AsyncIterator[str]) -> StreamingResponse:
    """A response of events."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def upload(request: Request, service: Service, given: Given) -> Response:
    """Papers that are sent as a form: each becomes a job. Raises `Refusal`."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Refusal(415, "the body is to be a form with files", "Send it as multipart/form-data, fields `file`.")
    bounds = service.bounds
    await to_thread.run_sync(service.pool.require_room, given.client)
    try:
        async with request.form(max_files=bounds.files, max_fields=20, max_part_size=10_000) as form:
            files = [one for one in form.getlist("file") if isinstance(one, UploadFile) and one.filename]
            language = str(form.get("language", ""))
            if not files or not _LANGUAGE.fullmatch(language):
                raise Refusal(400, "there is no file in it", "Send at least one, in the field `file`.")
            options = {name: form.get(name) in ("1", "true", "on") for name in ("replace", "hold")}

            def take() -> list[dict[str, Any]]:
                sent = [(one.file, one.filename or "") for one in files]
                jobs = service.upload(sent, given.client, given.key, language=language, **options)
                return [service.job_row(job) for job in jobs]

            jobs = await to_thread.run_sync(take)
    except MultiPartException as error:
        raise Refusal(400, f"the form cannot be read: {error.message}"[:200], "Send it again.") from error
    if "text/html" in request.headers.get("accept", ""):
        return Response(status_code=303, headers={"Location": "/"})
    body = json.dumps(jobs, ensure_ascii=False).encode()
    return Response(body, 202, {"Location": f"/api/v1/jobs/{jobs[0]['id']}"}, "application/json")


async def stream_job(request: Request, service: Service, given: Given) -> Response:
    """Stream a job's progress until it is done, from the event after the last one that the client has seen."""
    name = given["job"]
    job = service.journal.get(name)
    seen = given.headers.get("last-event-id", "")
    after = int(seen) if re.fullmatch(r"[0-9]{1,6}", seen) else 0

    async def events() -> AsyncIterator[str]:
        number, began, last_sent, state = after, time.monotonic(), time.monotonic(), ""
        while time.monotonic() - began < service.bounds.stream:
            now = service.journal.get(name)
            for one in await to_thread.run_sync(service.journal.events, job, number):
                number, last_sent = one["number"], time.monotonic()
                yield event("stage", {**one, "stage_text": stage_of(one["stage"])[1]}, number)
            if now.state != state:
                state, last_sent = now.state, time.monotonic()
                yield event("state", service.job_row(now), number)
            if not now.open or await request.is_disconnected():
                return
            if time.monotonic() - last_sent > _BEAT:
                last_sent = time.monotonic()
                yield ": here\n\n"
            await asyncio.sleep(_LOOK)

    return streamed(events())


def asked_of(body: AskBody, service: Service) -> Asked:
    """Return a question with the settings as defaults; raises `BadValue` for a model that is not permitted, and for a
    question that is not in English."""
    settings = service.settings
    model = settings.model if body.model is None else body.model
    service.require_model(model)
    mode = mode_named(body.mode or (settings.mode if model else ""), model=bool(model))
    if mode == "agent" and not model:
        raise BadValue(f"the mode {mode} asks a model, and none is set", hint="Choose a model in the settings.")
    question = as_question(body.question).text
    return Asked(question, body.paper, mode, model, settings.max_usd, settings.max_calls)


async def stream_ask(request: Request, service: Service, given: Given, gate: Gate) -> Response | None:
    """Stream the events of answering a question; None if no stream was requested."""
    if "text/event-stream" not in request.headers.get("accept", "") or not given.body.wait:
        return None
    try:
        asked = asked_of(given.body, service)
        asked.options  # noqa: B018 - what cannot be asked is told before the stream begins
        if asked.paper:
            await to_thread.run_sync(service.reader.state.listed, asked.paper)
    except KagError as error:
        raise as_refusal(error, service.home.root) from error
    return streamed(_answering(service, asked, gate))


async def _answering(service: Service, asked: Asked, gate: Gate) -> AsyncIterator[str]:
    """The events of one question; an error is an event, too, since the stream has begun."""
    yield event("asked", {"question": asked.question, "paper": asked.paper, "model": asked.model})
    try:
        async with gate.entered():
            steps: queue.SimpleQueue[str] = queue.SimpleQueue()
            task = asyncio.ensure_future(to_thread.run_sync(ask, service.reader, asked, steps.put))
            while not task.done() or not steps.empty():
                while not steps.empty():
                    step = json.loads(steps.get())
                    yield event("step", {**step, "text": step_words(step)})
                await asyncio.wait([task], timeout=0.05)
            answer, lines = task.result()
        await to_thread.run_sync(keep, service.home, answer, lines)
        for name, data in await to_thread.run_sync(list, answer_events(answer, service.reader.state.library)):
            yield event(name, data)
        yield event("answer", json.loads(answer.to_json()))
    except KagError as error:
        yield event("problem", row(as_refusal(error, service.home.root)))
    except Refusal as refusal:
        yield event("problem", row(refusal))
