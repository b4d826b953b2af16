"""An operation of the API as a value: where it is, what it takes and gives; and how a request becomes its arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from kag.serve.problems import Refusal
from kag.serve.service import Service

Kind = Literal["string", "integer", "boolean", "number"]
_TRUE = {"true": True, "1": True, "false": False, "0": False}
_LONGEST = 4_000  # characters of a parameter


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter in the path or the query. `many` may come several times; `least` and `most` bound numbers."""

    name: str
    what: str
    kind: Kind = "string"
    default: Any = None
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    many: bool = False
    required: bool = False

    def read(self, given: Sequence[str]) -> Any:
        """The value; raises `Refusal` 400."""
        if not given:
            if self.required:
                raise Refusal(400, f"{self.name} is needed", self.what)
            return () if self.many else self.default
        if len(given) > (100 if self.many else 1):
            raise Refusal(400, f"{self.name} is given {len(given)} times", self.what)
        values = tuple(self._one(text) for text in given)
        return values if self.many else values[0]

    def _one(self, text: str) -> Any:
        if len(text) > _LONGEST or "\0" in text:
            raise Refusal(400, f"{self.name} is too long, or no text", self.what)
        if self.choices and text not in self.choices:
            raise Refusal(400, f"{self.name} is {text[:40]!r}", f"Give one of {', '.join(self.choices)}.")
        if self.kind == "boolean":
            if text.lower() not in _TRUE:
                raise Refusal(400, f"{self.name} is {text[:40]!r}", "Give true or false.")
            return _TRUE[text.lower()]
        return self._whole(text) if self.kind == "integer" else text

    def _whole(self, text: str) -> int:
        low, high = self.least if self.least is not None else 0, self.most if self.most is not None else 10**9
        if not re.fullmatch(r"[0-9]{1,10}", text) or not low <= int(text) <= high:
            raise Refusal(400, f"{self.name} is {text[:40]!r}", f"Give a whole number from {low} to {high}.")
        return int(text)


@dataclass(frozen=True, slots=True)
class Given:
    """A request: parameters by name, the body, the client, and its headers in lower case."""

    values: Mapping[str, Any]
    body: Any
    client: str
    headers: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def key(self) -> str:
        """The idempotency key, "" for none; raises `Refusal` 400 for one that is none."""
        key = self.headers.get("idempotency-key", "").strip('"')
        if len(key) > 120 or not key.isprintable():
            raise Refusal(400, "the Idempotency-Key is too long", "Give at most 120 characters.")
        return key

    @property
    def versions(self) -> frozenset[str]:
        """The versions that `If-Match` names, "*" for any; raises `Refusal` 428 where a write names none."""
        wanted = self.headers.get("if-match", "").strip()
        if not wanted:
            hint = "Send If-Match with the ETag of the paper's corrections, or * for any version."
            raise Refusal(428, "a change of a paper names the version that it is made to", hint)
        return frozenset(one.strip().removeprefix("W/").strip('"') for one in wanted.split(","))


@dataclass(frozen=True, slots=True)
class Reply:
    """A response: a value that becomes JSON, or a text of another kind; `location` where what was made is found,
    `tag` the version that it shows."""

    value: Any = None
    status: int = 200
    text: str | bytes | None = None
    media: str = "application/json"
    filename: str = ""
    location: str = ""
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list, as all lists are given."""

    items: list[Any]
    total: int
    cursor: str


Call = Callable[[Service, Given], Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that the API does. `returns` is the type of what it gives, from which its schema is made; `body` the
    model of what it takes. `heavy` ones wait for their turn; `seconds` is what one may take of its client's budget.
    `writes_paper` ones need `If-Match`. `own` is an endpoint of another shape (streams, uploads)
    that takes request and service."""

    name: str
    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    what: str
    call: Call | None = None
    parameters: tuple[Parameter, ...] = ()
    body: type[BaseModel] | None = None
    returns: Any = None
    status: int = 200
    media: str = "application/json"
    paged: bool = False
    heavy: bool = False
    seconds: float = 0.0
    own: Callable[..., Any] | None = None
    writes_paper: bool = False
    tag: str = "papers"
    errors: tuple[int, ...] = (400, 404, 429)
    more: Mapping[int, str] = field(default_factory=dict)

    @property
    def in_path(self) -> tuple[str, ...]:
        """The names in its path."""
        return tuple(re.findall(r"\{(\w+)\}", self.path))


def operation(route: str, *parameters: Parameter, **how: Any) -> Callable[[Call], Operation]:
    """Make an operation of a function: `route` is as in "GET /papers", name and words are the function's own."""
    method, _, path = route.partition(" ")

    def make(call: Call) -> Operation:
        words = " ".join((call.__doc__ or "").split())
        return Operation(call.__name__, method, path, words, call, parameters, **how)  # type: ignore[arg-type]

    return make


async def given_of(operation: Operation, request: Request, most: int) -> Given:
    """Validate a request for an operation; raises `Refusal`."""
    known = {parameter.name: parameter for parameter in operation.parameters}
    query = request.query_params
    if unknown := sorted(set(query.keys()) - known.keys() - {"token"}):
        raise Refusal(400, f"there is no parameter {unknown[0][:40]!r}", f"There are {', '.join(known) or 'none'}.")
    values: dict[str, Any] = {name: str(value) for name, value in request.path_params.items()}
    for name, parameter in known.items():
        values[name] = parameter.read([values[name]] if name in values else query.getlist(name))
    body = await _body(operation.body, request, most) if operation.body else None
    return Given(values, body, client_of(request), {name.lower(): value for name, value in request.headers.items()})


async def _body(model: type[BaseModel], request: Request, most: int) -> BaseModel:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "the body is to be JSON", "Send it with Content-Type: application/json.")
    data = await request.body()
    try:
        json.loads(data)  # a wrong encoding is told as such
        return model.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Refusal(
            422, f"{where or 'the body'}: {first['msg']}"[:300], "The document of the API has its form."
        ) from None
    except (ValueError, RecursionError):
        raise Refusal(400, "the body is no JSON", "Send an object, as the document of the API says.") from None


def client_of(request: Request) -> str:
    """Return the client's address."""
    return request.client.host if request.client else "unknown"


def page_of(items: Sequence[Any], given: Given, row: Callable[[Any], Any] = lambda one: one) -> Page:
    """One page of a list; raises `Refusal` 400 for a cursor that no page gave."""
    cursor, limit = given["cursor"], given["limit"]
    start = int(cursor) if re.fullmatch(r"[0-9]{1,9}", cursor) else (0 if not cursor else -1)
    if start < 0 or (start and start >= len(items)):
        raise Refusal(400, f"the cursor {cursor[:20]!r} is of no page", "Take the cursor that the page before gave.")
    end = start + limit
    return Page([row(item) for item in items[start:end]], len(items), str(end) if end < len(items) else "")


PAGING = (
    Parameter("limit", "How many items at most, 1 to 100.", "integer", 50, 1, 100),
    Parameter("cursor", "Where to go on: the cursor of the page before.", "string", ""),
)
