"""A SPARQL 1.1 store that graphs are pushed to, by the Graph Store Protocol or by SPARQL Update.

Only the address that the user names is asked; redirects are not followed. Credentials come from the environment alone:
`KAG_STORE_TOKEN`, or `KAG_STORE_USER` and `KAG_STORE_PASSWORD`, basic or digest as the store asks."""

from __future__ import annotations

import http.client
import os
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPResponse
from typing import Literal
from urllib.parse import quote
from urllib.request import Request, parse_http_list, parse_keqv_list

from kag.core.addresses import NoRedirect, is_private, web_parts
from kag.core.errors import BadValue, StoreError
from kag.core.secrets import hide_secrets, hold_secrets_of
from kag.export.rdf_datasets import NamedGraph, same_triples

TOKEN, USER, PASSWORD = "KAG_STORE_TOKEN", "KAG_STORE_USER", "KAG_STORE_PASSWORD"
HINT = f"Set {TOKEN}, or {USER} and {PASSWORD}, in the environment; they are not taken from the command line."


@dataclass(frozen=True, slots=True)
class Stated:
    """Credentials in the environment: a token, or user and password, or none."""

    token: str = field(default="", repr=False)
    user: str = ""
    password: str = field(default="", repr=False)


def stated(*, safe: bool) -> Stated:
    """The credentials; a token goes before a user. Raises `BadValue` where they are none, or the way is not safe."""
    token, user, password = (os.environ.get(name, "") for name in (TOKEN, USER, PASSWORD))
    if (token or user) and not safe:
        raise BadValue("the credentials would be sent unencrypted", hint="Use an https address, or unset them.")
    if any(not sign.isprintable() for sign in token):
        raise BadValue(f"{TOKEN} holds more than one line", hint="Set it to the token alone.")
    if bool(user) != bool(password) and not token:
        raise BadValue(f"only one of {USER} and {PASSWORD} is set", hint="Set both, or none.")
    return Stated(token) if token else Stated("", user, password)


def challenged(url: str, known: Stated) -> tuple[urllib.request.BaseHandler, ...]:
    """Answer the authentication challenge of a store; nothing is sent unasked."""
    if not known.user:
        return ()
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    passwords.add_password(None, url, known.user, known.password)
    return _Digest(passwords), _Basic(passwords)


class _Digest(urllib.request.HTTPDigestAuthHandler):
    """Answers the last challenge of a store beforehand: with a large body in the way, it cuts the connection on one."""

    _challenge = ""

    def retry_http_digest_auth(self, req: Request, auth: str) -> HTTPResponse | None:
        self._challenge = auth.partition(" ")[2]
        found: HTTPResponse | None = super().retry_http_digest_auth(req, auth)
        return found

    def http_request(self, req: Request) -> Request:
        if self._challenge and not req.has_header(self.auth_header):
            answer = self.get_authorization(req, parse_keqv_list(parse_http_list(self._challenge)))
            req.add_unredirected_header(self.auth_header, f"Digest {answer}")
        return req

    https_request = http_request


class _Basic(urllib.request.HTTPBasicAuthHandler):
    """The same with the password as it is: only to a store that asked for it so."""

    _answer = ""

    def retry_http_basic_auth(self, host: str, req: Request, realm: str) -> HTTPResponse | None:
        try:
            found: HTTPResponse | None = super().retry_http_basic_auth(host, req, realm)
            return found
        finally:  # the answer may be that there is no such graph
            self._answer = req.get_header(self.auth_header, "") or ""

    def http_request(self, req: Request) -> Request:
        if self._answer and not req.has_header(self.auth_header):
            req.add_unredirected_header(self.auth_header, self._answer)
        return req

    https_request = http_request


N_TRIPLES = "application/n-triples"
AT_ONCE = 2000
"""Triples of one update: with 5,000 Virtuoso's parser has no room left."""
LARGEST = 1 << 30  # bytes of an answer
_AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504))
_OF_THE_GRAPH = frozenset((400, 413, 422))  # the store takes others, but not this one
_HINTS = {
    301: "Give the address that the store itself has; redirects are not followed.",
    401: HINT,
    403: f"The store does not let this user write. Check {TOKEN}, or {USER} and {PASSWORD}.",
    404: "Give the address of its Graph Store Protocol (of Oxigraph: http://127.0.0.1:7878/store), or --update.",
    405: "The address takes no such request: is the store read-only, or is this its query address?",
    413: "The store takes no graph of this size at once: give its update address with --update.",
}
_HINTS |= dict.fromkeys((302, 303, 307, 308), _HINTS[301]) | {415: _HINTS[404], 501: _HINTS[405]}

State = Literal["pushed", "unchanged"]


@dataclass(frozen=True, slots=True)
class Way:
    """How a store is addressed: by `update` in place of the Graph Store Protocol, whose parameter for a graph's name is
    `parameter`. A request times out after `seconds`, and is made `attempts` times with waits of `wait` s, doubled."""

    update: bool = False
    parameter: str = "graph"
    seconds: float = 60.0
    attempts: int = 3
    wait: float = 1.0


class Store:
    """A store at an address. Raises `BadValue` for one that is none, `StoreError` for all that goes wrong with it."""

    def __init__(self, url: str, way: Way | None = None) -> None:
        hold_secrets_of(url)
        parts = web_parts(url)
        if parts is None:
            raise BadValue(f"{url!r:.200} is not a web address", hint="Give one such as http://127.0.0.1:7878/store.")
        if "@" in parts.netloc:
            raise BadValue("the address holds a user or a password", hint=f"Set {USER} and {PASSWORD} in their place.")
        self.url = url.partition("#")[0]
        self.name = f"{parts.netloc}{parts.path}"
        self._way = way or Way()
        known = stated(safe=is_private(parts))
        self._headers = {"Authorization": f"Bearer {known.token}"} if known.token else {}
        self._opener = urllib.request.build_opener(NoRedirect(), *challenged(self.url, known))

    def push(self, graph: NamedGraph) -> State:
        """Make the store's graph of this name hold these triples and no others.

        By the Graph Store Protocol the graph is put as a whole, and left alone where it is there already. An update of
        more than `AT_ONCE` triples takes several requests; where one fails the graph is in part, until it is pushed
        again.
        """
        if self._way.update:
            for text in updates(graph):
                self.asked("POST", self.url, text.encode(), {"Content-Type": "application/sparql-update"})
            return "pushed"
        address = self._address(graph.name)
        if self._holds(address, graph):
            return "unchanged"
        body = "".join(f"{line} .\n" for line in graph.lines).encode()
        self.asked("PUT", address, body, {"Content-Type": N_TRIPLES})
        return "pushed"

    def _holds(self, address: str, graph: NamedGraph) -> bool:
        try:
            return same_triples(graph, self.asked("GET", address, None, {"Accept": N_TRIPLES}))
        except StoreError as error:
            if error.status in (404, 406):  # it has no such graph, or does not tell it
                return False
            raise

    def _address(self, graph: str) -> str:
        sign = "&" if "?" in self.url else "?"
        return f"{self.url}{sign}{quote(self._way.parameter)}={quote(graph, safe='')}"

    def asked(self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]) -> bytes:
        """The answer to a request; tries again where that may help."""
        problem, status, wait = "", 0, self._way.wait
        for attempt in range(self._way.attempts):
            if attempt:
                time.sleep(wait)
                wait *= 2
            request = urllib.request.Request(
                address, body, {"User-Agent": "kag", **headers, **self._headers}, method=method
            )
            try:
                with self._opener.open(request, timeout=self._way.seconds) as answer:
                    return bytes(answer.read(LARGEST))
            except urllib.error.HTTPError as error:
                problem, status = _problem_of(error), error.code
                if status not in _AGAIN:
                    hint = _HINTS.get(status, "The store tells above what it does not like.")
                    raise self._error(problem, hint, status) from None
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                problem, status = hide_secrets(str(reason) or type(reason).__name__), 0
            except ValueError:  # the standard library on a challenge that it cannot read
                raise self._error("a challenge that is not understood", _HINTS[401], 401) from None
        raise self._error(problem, f"It was asked {self._way.attempts} times. Is the store running?", status)

    def _error(self, problem: str, hint: str, status: int) -> StoreError:
        return StoreError(f"{self.name}: {problem}", hint=hint, status=status, goes_on=status in _OF_THE_GRAPH)


def updates(graph: NamedGraph, at_once: int = AT_ONCE) -> Iterator[str]:
    r"""The updates that give a graph its triples in place of what it holds.

    SPARQL reads \uXXXX before all else, N-Triples within a text only: a backslash of the text before a "u" must not
    become one, in whatever engine.
    """
    drop = f"DROP SILENT GRAPH <{graph.name}> ;\n"
    for start in range(0, max(len(graph.lines), 1), at_once):
        lines = "".join(f"{line} .\n" for line in graph.lines[start : start + at_once])
        lines = lines.replace("\\\\u", "\\\\\\u0075").replace("\\\\U", "\\\\\\u0055")
        yield f"{drop}INSERT DATA {{ GRAPH <{graph.name}> {{\n{lines}}} }}\n"
        drop = ""


def _problem_of(error: urllib.error.HTTPError) -> str:
    """Status and the store's own words, shortened, without secrets."""
    try:
        words = error.read(2000).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        words = ""
    return f"status {error.code} {' '.join(hide_secrets(words).split())[:200]}".strip()
