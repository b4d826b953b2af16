"""Access control: host, origin and token of a request. Values in, a verdict out.

A server on this machine's own address needs no token: whoever reaches it is on this machine. But a stranger's page in
the same browser reaches it, too, by a name that was made to lead here (DNS rebinding) or by a form that is sent here;
so the names of the host and of the page are looked at in every request.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from kag.core.addresses import LOCAL

COOKIE = "kag_session"
SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
Verdict = Literal["ok", "host", "origin", "token"]


@dataclass(frozen=True, slots=True)
class Access:
    """Whom a server answers: requests that name one of `hosts`; with a `token`, those that bring it."""

    hosts: frozenset[str]
    token: str = field(default="", repr=False)

    @property
    def session(self) -> str:
        """Return the cookie's value: it proves the token without revealing it."""
        return hmac.new(self.token.encode(), b"kag serve session", hashlib.sha256).hexdigest() if self.token else ""

    def knows(self, token: str) -> bool:
        """Whether it is the token, in the same time whatever is wrong with it."""
        return bool(self.token) and hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def judge(self, method: str, headers: Mapping[str, str], cookie: str = "", costly: bool = False) -> Verdict:
        """Whether a request is answered; `headers` have small letters, `cookie` is the session's, `costly` is work that
        no page of another site may cause."""
        if host_of(headers.get("host", "")) not in self.hosts:
            return "host"
        if not self._from_here(method, headers, costly):
            return "origin"
        if not self.token:
            return "ok"
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self.knows(given.strip()):
            return "ok"
        if not (cookie and hmac.compare_digest(cookie.encode("utf-8", "replace"), self.session.encode())):
            return "token"
        is_browser = "origin" in headers or "sec-fetch-site" in headers  # a browser tells it where something is changed
        return "ok" if method in SAFE or is_browser else "origin"

    def _from_here(self, method: str, headers: Mapping[str, str], costly: bool) -> bool:
        """Whether no page of another site is behind a request. A link from elsewhere may open a page that costs little;
        nothing else of here is loaded into another site."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and not _same(origin, headers.get("host", "")):
            return False
        if site is None:
            return not (costly and self._is_silent_browser(headers))
        if site in ("same-origin", "none"):
            return True
        opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return method in SAFE and opened and not costly

    def _is_silent_browser(self, headers: Mapping[str, str]) -> bool:
        """Whether a browser may be acting for another site without saying so: too old for Sec-Fetch-Site.

        Where a token is needed, the cookie (SameSite=Strict) keeps other sites out.
        """
        if self.token or not is_loopback(host_of(headers.get("host", ""))):
            return False
        referrer = headers.get("referer", "")
        elsewhere = bool(referrer) and not _same(referrer, headers.get("host", ""))
        return elsewhere or (not referrer and headers.get("user-agent", "").startswith("Mozilla/"))


def _same(origin: str, host: str) -> bool:
    """Whether an origin is that of the host that is named, port and all."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower() and bool(host)


def host_of(header: str) -> str:
    """The name in a Host header, without the port; "" where it is none.

    >>> host_of("LocalHost:8040"), host_of("[::1]:8040"), host_of("evil@localhost"), host_of("127.0.0.1:80:90")
    ('localhost', '::1', '', '')
    """
    try:
        parts = urlsplit(f"//{header}")
        port_is_number = parts.port is None or parts.port >= 0
    except ValueError:
        return ""
    plain = not (parts.username or parts.password or parts.path or parts.query or parts.fragment or "@" in header)
    return (parts.hostname or "").rstrip(".") if plain and port_is_number else ""


def is_loopback(host: str) -> bool:
    """Whether an address is a loopback address."""
    if host in LOCAL:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def access_for(host: str, token: str = "", names: tuple[str, ...] = ()) -> Access:
    """Access to a server that listens at an address: a token is made where others can reach it and none is given.

    `names` are further names that lead to it.
    """
    own = set(LOCAL) | {name.lower().rstrip(".") for name in names}
    if host not in ("0.0.0.0", "::"):
        own.add(host.lower())
    return Access(frozenset(own), token or ("" if is_loopback(host) else secrets.token_urlsafe(24)))
