"""The operations as routes: what is asked is looked at, done in a thread, and given back as JSON with an `ETag`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kag.core.errors import KagError
from kag.serve.api import of_papers, of_questions
from kag.serve.api.openapi import document
from kag.serve.api.table import Given, Operation, Page, Reply, given_of
from kag.serve.guard.access import Gate
from kag.serve.problems import Refusal, as_refusal
from kag.serve.service import Service

OPERATIONS = (*of_papers.OPERATIONS, *of_questions.QUESTIONS, *of_questions.JOBS)
BASE = "/api/v1"


def routes(service: Service, gate: Gate) -> list[Route]:
    """All routes of the API, and its document."""
    paths: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation
    found = [
        Route(f"{BASE}{path}", _endpoint(methods, service, gate), methods=list(methods))
        for path, methods in paths.items()
    ]
    schema = json.dumps(document(OPERATIONS, BASE), ensure_ascii=False, indent=1).encode()

    async def openapi(request: Request) -> Response:
        return tagged(request, Response(schema, media_type="application/json"))

    return [*found, Route(f"{BASE}/openapi.json", openapi, methods=["GET"])]


def _endpoint(methods: Mapping[str, Operation], service: Service, gate: Gate) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        operation = methods.get("GET" if request.method == "HEAD" else request.method)
        if operation is None:
            raise Refusal(405, "this is not done here", headers={"Allow": ", ".join(sorted(methods))})
        try:
            given = await given_of(operation, request, service.bounds.body)
            return await _done(operation, request, service, given, gate)
        except KagError as error:
            raise as_refusal(error, service.home.root) from error

    return endpoint


async def _done(operation: Operation, request: Request, service: Service, given: Given, gate: Gate) -> Response:
    if operation.own is not None:
        extra = (gate,) if operation.heavy else ()
        response: Response | None = await operation.own(request, service, given, *extra)
        if response is not None:
            return response
    assert operation.call is not None, "an operation has a call, or an endpoint of its own that always answers"
    if operation.heavy:
        async with gate.timed(given.client, operation.seconds):
            made = await to_thread.run_sync(_made, operation, service, given)
    else:
        made = await to_thread.run_sync(_made, operation, service, given)
    return tagged(request, made) if request.method in ("GET", "HEAD") else made


def _made(operation: Operation, service: Service, given: Given) -> Response:
    """Do what is asked, in a thread; large answers are written there, too."""
    assert operation.call is not None
    found = operation.call(service, given)
    reply = found if isinstance(found, Reply) else Reply(found, operation.status)
    headers = {"Location": reply.location} if reply.location else {}
    if reply.filename:
        headers["Content-Disposition"] = f'attachment; filename="{reply.filename}"'
    if reply.text is not None:
        body = reply.text.encode("utf-8", "replace") if isinstance(reply.text, str) else reply.text
    else:
        body = written(reply.value)
    if reply.tag:
        headers["ETag"] = f'"{reply.tag}"'
    if isinstance(found, Page) and found.cursor:
        headers["Link"] = f'<?cursor={found.cursor}>; rel="next"'
    return Response(body, reply.status, headers, reply.media)


def written(value: Any) -> bytes:
    """A value as JSON; dataclasses are objects of their fields.

    `asdict` copies whatever it comes to, for which a list of nodes took twice as long as for all else.
    """
    return json.dumps(value, default=_by_field, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _by_field(value: Any) -> dict[str, Any]:
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} is nothing that JSON has")
    return {field.name: getattr(value, field.name) for field in fields(value)}


def tagged(request: Request, response: Response) -> Response:
    """The response with its tag, or 304 where the reader has it already."""
    tag = response.headers.get("ETag") or f'W/"{hashlib.sha256(bytes(response.body)).hexdigest()[:20]}"'
    known = {one.strip() for one in request.headers.get("if-none-match", "").split(",")}
    if tag in known or "*" in known:
        return Response(status_code=304, headers={"ETag": tag, "Cache-Control": "private, no-cache"})
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    return response
