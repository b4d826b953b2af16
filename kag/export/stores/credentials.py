"""Who pushes to a store: what the environment states, and the answers to a store that asks.

`KAG_STORE_TOKEN`, or `KAG_STORE_USER` and `KAG_STORE_PASSWORD`; they are taken from nowhere else.
"""

from __future__ import annotations

import os
import urllib.request
from dataclasses import dataclass, field
from http.client import HTTPResponse
from urllib.request import Request, parse_http_list, parse_keqv_list

from kag.core.errors import BadValue

TOKEN, USER, PASSWORD = "KAG_STORE_TOKEN", "KAG_STORE_USER", "KAG_STORE_PASSWORD"
HINT = f"Set {TOKEN}, or {USER} and {PASSWORD}, in the environment; they are not taken from the command line."


@dataclass(frozen=True, slots=True)
class Stated:
    """What the environment states: a token, or user and password, or nothing."""

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
    """What answers a store that asks who it is; nothing is answer unasked."""
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
