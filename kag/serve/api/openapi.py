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
    kinds = [one.returns for one in operations if one.returns is not None] + [Problem]
    bodies = [one.body for one in operations if one.body is not None]
    made = _schemas(kinds, bodies)
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(f"{base}{one.path}", {})[one.method.lower()] = _operation(one, made.of)
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
        "tags": [{"name": name} for name in dict.fromkeys(one.tag for one in operations)],
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


def _operation(one: Operation, schemas: Mapping[Any, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.what.partition(". ")[0].rstrip("."),
        "description": one.what,
        "tags": [one.tag],
        "parameters": [_parameter(parameter, one) for parameter in one.parameters],
        "responses": _responses(one, schemas),
    }
    if one.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schemas[str(one.body)]}},
        }
    if one.name == "upload_papers":
        described["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": _FORM}}}
    if one.status == 202:
        described["parameters"].append(_KEY)
    if one.writes_paper:
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


def _parameter(one: Parameter, operation: Operation) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": one.kind}
    if one.choices:
        schema["enum"] = list(one.choices)
    if one.kind == "integer":
        schema |= {"minimum": one.least or 0, "maximum": one.most if one.most is not None else 10**9}
    if one.default is not None and one.default != "" and not one.many:
        schema["default"] = one.default
    if one.many:
        schema = {"type": "array", "items": schema, "maxItems": 100}
    inside = one.name in operation.in_path
    described = {"name": one.name, "in": "path" if inside else "query", "description": one.what, "schema": schema}
    return described | {"required": inside or one.required}


def _responses(one: Operation, schemas: Mapping[Any, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {} if one.returns is None else schemas[str(one.returns)]
    if one.paged:
        schema = {
            "type": "object",
            "required": ["items", "total", "cursor"],
            "properties": {
                "items": {"type": "array", "items": schema},
                "total": {"type": "integer"},
                "cursor": {"type": "string", "description": 'Of the next page; "" on the last.'},
            },
        }
    text: dict[str, Any] = {} if one.media == "*/*" else {"type": "string"}
    content: dict[str, Any] = {one.media: {"schema": schema if one.media.endswith("json") else text}}
    if one.name == "ask":
        content["text/event-stream"] = {"schema": {"type": "string"}}
    found: dict[str, Any] = {str(one.status): {"description": "Done.", "content": content}}
    found |= {str(status): {"description": words} for status, words in one.more.items()}
    if one.method == "GET" and one.own is None:
        found["304"] = {"description": "It is what the reader has already."}
    for status in sorted({*one.errors, *((409, 412, 428) if one.writes_paper else ()), 401, 403, 413, 421, 503, 500}):
        problem = {MEDIA: {"schema": schemas[str(Problem)]}}
        headers = {"headers": _TOO_MANY} if status in (429, 503) else {}
        found[str(status)] = {"description": HTTPStatus(status).phrase, "content": problem, **headers}
    return found
