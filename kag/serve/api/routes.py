"""The operations as routes: a request is checked, done in a thread, and answered by JSON with an `ETag`.

The OpenAPI 3.1 document is made from the same operations and the types that they return.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from http import HTTPStatus
from typing import Any

from anyio import to_thread
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kag import __version__
from kag.core.errors import KagError
from kag.serve.api import of_papers, of_questions
from kag.serve.api.bodies import Problem
from kag.serve.api.table import Given, Operation, Page, Parameter, Reply, given_of
from kag.serve.guard.access import Gate
from kag.serve.problems import MEDIA, Refusal, as_refusal
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


_REF = "#/components/schemas/{model}"
_TOO_MANY = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}


def document(operations: Sequence[Operation], base: str) -> dict[str, Any]:
    """The whole document."""
    kinds = [operation.returns for operation in operations if operation.returns is not None] + [Problem]
    bodies = [operation.body for operation in operations if operation.body is not None]
    made = _schemas(kinds, bodies)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(f"{base}{operation.path}", {})[operation.method.lower()] = _operation(operation, made.of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "kag",
            "version": __version__,
            "summary": "Scientific papers as graphs, and answers that can be checked.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}, {"session": []}],
        "tags": [{"name": name} for name in dict.fromkeys(operation.tag for operation in operations)],
        "paths": paths,
        "components": {
            "schemas": made.shared,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "kag_session"},
            },
        },
    }


class _Made:
    """Schemas by type, and those that they share."""

    def __init__(self, of: Mapping[Any, Any], shared: dict[str, Any]) -> None:
        self.of, self.shared = of, shared


def _schemas(kinds: Sequence[Any], bodies: Sequence[Any]) -> _Made:
    wanted = [(str(n), "serialization", TypeAdapter(kind)) for n, kind in enumerate(kinds)]
    wanted += [(f"b{n}", "validation", TypeAdapter(kind)) for n, kind in enumerate(bodies)]
    found, shared = TypeAdapter.json_schemas(wanted, ref_template=_REF)  # type: ignore[arg-type]
    by_kind = {str(kind): found[(str(n), "serialization")] for n, kind in enumerate(kinds)}
    by_kind |= {str(kind): found[(f"b{n}", "validation")] for n, kind in enumerate(bodies)}
    return _Made(by_kind, dict(shared.get("$defs", {})))


def _operation(operation: Operation, schemas: Mapping[Any, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.what.partition(". ")[0].rstrip("."),
        "description": operation.what,
        "tags": [operation.tag],
        "parameters": [_parameter(parameter, operation) for parameter in operation.parameters],
        "responses": _responses(operation, schemas),
    }
    if operation.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schemas[str(operation.body)]}},
        }
    if operation.name == "upload_papers":
        described["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": _FORM}}}
    if operation.status == 202:
        described["parameters"].append(_KEY)
    if operation.writes_paper:
        described["parameters"].append(_MATCH)
    return described


_FORM = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1},
        "replace": {"type": "string", "enum": ["true", "false"], "description": "Take the place of a paper so called."},
        "hold": {"type": "string", "enum": ["true", "false"], "description": "Keep it, and build it with populate."},
        "language": {"type": "string", "description": "Of scanned pages: eng, deu, ..."},
    },
}
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key gives the job that was made for it before.",
    "schema": {"type": "string", "maxLength": 120, "pattern": "^[ -~]*$"},
}
_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "description": "The version that is changed: the ETag of the paper's corrections, or * for any.",
    "schema": {"type": "string", "minLength": 1, "pattern": "^[!-~]+$"},
}


def _parameter(parameter: Parameter, operation: Operation) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": parameter.kind}
    if parameter.choices:
        schema["enum"] = list(parameter.choices)
    if parameter.kind == "integer":
        schema |= {"minimum": parameter.least or 0, "maximum": parameter.most if parameter.most is not None else 10**9}
    if parameter.default is not None and parameter.default != "" and not parameter.many:
        schema["default"] = parameter.default
    if parameter.many:
        schema = {"type": "array", "items": schema, "maxItems": 100}
    inside = parameter.name in operation.in_path
    described = {
        "name": parameter.name,
        "in": "path" if inside else "query",
        "description": parameter.what,
        "schema": schema,
    }
    return described | {"required": inside or parameter.required}


def _responses(operation: Operation, schemas: Mapping[Any, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {} if operation.returns is None else schemas[str(operation.returns)]
    if operation.paged:
        schema = {
            "type": "object",
            "required": ["items", "total", "cursor"],
            "properties": {
                "items": {"type": "array", "items": schema},
                "total": {"type": "integer"},
                "cursor": {"type": "string", "description": 'Of the next page; "" on the last.'},
            },
        }
    text: dict[str, Any] = {} if operation.media == "*/*" else {"type": "string"}
    content: dict[str, Any] = {operation.media: {"schema": schema if operation.media.endswith("json") else text}}
    if operation.name == "ask":
        content["text/event-stream"] = {"schema": {"type": "string"}}
    found: dict[str, Any] = {str(operation.status): {"description": "Done.", "content": content}}
    found |= {str(status): {"description": words} for status, words in operation.more.items()}
    if operation.method == "GET" and operation.own is None:
        found["304"] = {"description": "It is what the reader has already."}
    for status in sorted(
        {*operation.errors, *((409, 412, 428) if operation.writes_paper else ()), 401, 403, 413, 421, 503, 500}
    ):
        problem = {MEDIA: {"schema": schemas[str(Problem)]}}
        headers = {"headers": _TOO_MANY} if status in (429, 503) else {}
        found[str(status)] = {"description": HTTPStatus(status).phrase, "content": problem, **headers}
    return found
