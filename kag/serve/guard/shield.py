"""Checks before every request: access, limits, and response headers for browsers.

It is plain ASGI, so that streams pass through it piece by piece. What goes wrong inside comes out as a problem, for a
program, or as a page, for a person; the words of an error nobody expected stay inside.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kag.core.secrets import hide_secrets
from kag.serve.bounds import Bounds
from kag.serve.guard.access import COOKIE, Access, Bucket, Guesses, too_many
from kag.serve.guard.connections import AUTHORISED
from kag.serve.problems import Refusal, lack

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with none at all a form would come from nowhere ("Origin: null")
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}
_OPEN = frozenset(("/healthz",))  # what anybody who reaches the server may know: that it is there
_UPLOADS = frozenset(("/api/v1/papers", "/upload"))
_COSTLY = ("/api/", "/search", "/ask", "/sparql", "/statistics")  # what a link from another site does not open
_WORDS = {
    "host": Refusal(421, "this server does not go by that name", "Call it by its own, or give --allow-host."),
    "origin": Refusal(403, "the request comes from another site", "Open the server's own page."),
    "token": Refusal(
        401, "a token is needed", "Open the address that was shown at the start.", {"WWW-Authenticate": "Bearer"}
    ),
}
BUG = Refusal(500, "this went wrong inside", "Report it, with what was asked.")
Show = Callable[[Request, Refusal], Response]


class Shield:
    """Looks at each request before the application does."""

    def __init__(
        self, app: ASGIApp, access: Access, bounds: Bounds, show: Show, note: Callable[[str], object] | None = None
    ) -> None:
        self._app, self._access, self._bounds, self._shown, self._note = app, access, bounds, show, note
        self._reads = Bucket(bounds.reads, bounds.burst)
        self._guesses = Guesses(bounds.keys, bounds.guesses)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing else is spoken here
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._guarded(scope, receive, send)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, began, sent = Request(scope), time.monotonic(), [0]

        async def out(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent[0] = message["status"]
                message = {**message, "headers": _with_headers(message.get("headers", []))}
            await send(message)

        try:
            response = self._refused(request)
            if response is None:
                await self._app(scope, self._bounded(request, receive), out)
            else:
                await response(scope, receive, out)
        except Refusal as refusal:
            await self._answer(request, refusal, scope, receive, out, sent[0])
        except Exception as error:  # a bug, which tells nobody of what is inside
            self._say(f"error: {type(error).__name__}: {error}")
            await self._answer(request, lack(error) or BUG, scope, receive, out, sent[0])
        self._say(f"{request.method} {scope['path'][:200]} {sent[0]} {1000 * (time.monotonic() - began):.0f} ms")

    async def _answer(
        self, request: Request, refusal: Refusal, scope: Scope, receive: Receive, out: Send, sent: int
    ) -> None:
        if not sent:
            await self._shown(request, refusal)(scope, receive, out)

    def _say(self, line: str) -> None:
        if self._note:
            self._note(hide_secrets(line.encode("unicode_escape").decode()))

    def _refused(self, request: Request) -> Response | None:
        """Return the response to a rejected request."""
        headers = single(request)
        client = request.client.host if request.client else ""
        given = _token_given(request, headers)
        wait = self._guesses.wait(client) if given else 0.0
        if wait:
            return self._shown(request, too_many(wait, "too many wrong tokens"))
        costly = request.url.path.startswith(_COSTLY)
        verdict = self._access.judge(request.method, headers, _cookie(headers), costly)
        if verdict == "token":
            return self._without_token(request, client, given)
        if verdict != "ok":
            return self._shown(request, _WORDS[verdict])
        if given:
            self._guesses.right(client)
        request.scope[AUTHORISED] = True
        wait = self._reads.take(client)
        if wait:
            return self._shown(request, too_many(wait, "too many requests"))
        return self._too_large(request, headers)

    def _without_token(self, request: Request, client: str, given: str) -> Response | None:
        """A token in the address becomes a cookie, and leaves the address; wrong ones are counted."""
        if request.url.path in _OPEN and request.method in ("GET", "HEAD"):
            return None
        if request.method == "GET" and self._access.knows(request.query_params.get("token", "")):
            self._guesses.right(client)
            return self._signed_in(request)
        wait = self._guesses.wrong(client) if given else 0.0
        return self._shown(request, too_many(wait, "too many wrong tokens") if wait else _WORDS["token"])

    def _signed_in(self, request: Request) -> Response:
        rest = [pair for pair in parse_qsl(request.url.query) if pair[0] != "token"]
        path = "/" + quote(request.scope["path"].lstrip("/\\"))  # one slash: "//host" would lead elsewhere
        response = Response(status_code=303, headers={"Location": path + (f"?{urlencode(rest)}" if rest else "")})
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, self._access.session, httponly=True, samesite="strict", secure=secure, path="/")
        return response

    def _limit(self, request: Request) -> int:
        upload = request.url.path in _UPLOADS and request.method == "POST"
        return self._bounds.file + self._bounds.body if upload else self._bounds.body

    def _too_large(self, request: Request, headers: Mapping[str, str]) -> Response | None:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self._limit(request):
            return self._shown(request, _large(self._limit(request)))
        return None

    def _bounded(self, request: Request, receive: Receive) -> Receive:
        """Yield the body until it exceeds its declared or permitted size."""
        left = self._limit(request)

        async def take() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _large(self._limit(request))
            return message

        return take


def _token_given(request: Request, headers: Mapping[str, str]) -> str:
    """The token that a request brings, right or wrong."""
    return headers.get("authorization", "") or request.query_params.get("token", "")


def _large(most: int) -> Refusal:
    return Refusal(413, f"a request may have {most} bytes here", "Send less, or several.")


def single(request: Request) -> dict[str, str]:
    """Return the headers in lower case; a repeated security header is joined, and so matches nobody."""
    found: dict[str, str] = {}
    for name, value in request.headers.items():
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def _cookie(headers: Mapping[str, str]) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return found[COOKIE].value if COOKIE in found else ""


def _with_headers(given: Any) -> list[tuple[bytes, bytes]]:
    """Return a response's headers with the common ones; its own take precedence."""
    own = {name.lower() for name, _ in given}
    more = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in own]
    return [*given, *more]
