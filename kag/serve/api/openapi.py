"""The OpenAPI 3.1 document of the API, made from the table of operations and the types that they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from pydantic import TypeAdapter

from kag import __version__
from kag.serve.api.bodies import Problem
from kag.serve.api.table import Operation, Parameter
from kag.serve.problems import MEDIA

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
