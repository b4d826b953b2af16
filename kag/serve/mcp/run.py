"""Transport of an MCP server: standard input and output, or HTTP at an address.

Over HTTP the library checks which host and which page a request names (DNS rebinding); at an address that others reach
a token is asked for as well.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import anyio
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from kag.core.errors import BadValue
from kag.serve.bounds import USUAL
from kag.serve.guard.access import is_loopback
from kag.serve.guard.connections import AUTHORISED, watched
from kag.serve.start import listening

BODY = 1_000_000  # bytes of a request
SESSIONS = 50
IDLE = 600.0  # seconds after which a session that says nothing is forgotten
SHORTEST = 16  # characters of a token
_NAMES = ("127.0.0.1", "localhost", "[::1]")

Application = Callable[[MutableMapping[str, Any], Callable[..., Awaitable[Any]], Callable[..., Awaitable[Any]]], Any]


def serve_stdio(server: Server[Any]) -> None:
    """Speak with the one who started this process, until they close standard input."""

    async def speak() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(speak)


def serve_http(
    server: Server[Any],
    host: str,
    port: int,
    token: str = "",
    names: tuple[str, ...] = (),
    *,
    tell: Callable[[str], Any],
) -> None:
    """Serve streamable HTTP at `/mcp` until a signal; `tell` receives the address, and the token if there is one.

    Raises `BadValue` for a token that is too easily guessed, and for an address that cannot be listened at.
    """
    if token and (len(token) < SHORTEST or not token.isascii() or not token.isprintable()):
        raise BadValue("the token is too short or has odd letters", hint=f"Give {SHORTEST} plain characters or more.")
    wanted = token or ("" if is_loopback(host) else secrets.token_urlsafe(24))
    listener = listening(host, port)
    config = watched(http_app(server, host, wanted, names), USUAL, log_level="warning")
    tell(f"http://{_bracketed(host)}:{listener.getsockname()[1]}/mcp")
    if wanted and not token:
        tell(f"Authorization: Bearer {wanted}")
    uvicorn.Server(config).run([listener])


def http_app(server: Server[Any], host: str, token: str = "", names: tuple[str, ...] = ()) -> Application:
    """The server as an ASGI application for those who name it rightly, and bring the token if it has one."""
    hosts = [*_NAMES, _bracketed(host), *names]
    pages = [f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts]
    security = TransportSecuritySettings(
        allowed_hosts=[*hosts, *(f"{name}:*" for name in hosts)],
        allowed_origins=[*pages, *(f"{page}:*" for page in pages)],
    )
    app = server.streamable_http_app(
        host=host,
        transport_security=security,
        max_request_body_size=BODY,
        max_sessions=SESSIONS,
        session_idle_timeout=IDLE,
    )
    return _guarded(app, token)


def _guarded(app: Application, token: str) -> Application:
    """The application for those who bring the token, if there is one."""
    expected = f"Bearer {token}".encode()

    async def answer(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "lifespan" or not token or hmac.compare_digest(given, expected):
            scope[AUTHORISED] = True
            await app(scope, receive, send)
            return
        headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"a token is needed"})

    return answer


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
