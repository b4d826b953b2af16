"""Addresses of servers: data for a server goes to it alone, secrets only over connections that others cannot read."""

from __future__ import annotations

import re
import urllib.request
from email.message import Message
from typing import IO
from urllib.parse import SplitResult, urlsplit

_CHARACTERS = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")
LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))
"""This machine's own names: what goes to it does not leave it."""


def web_parts(url: str) -> SplitResult | None:
    """Return the parts of an http(s) address in RFC 3986's characters, with a host and a valid port; else None.

    >>> web_parts("https://a.org:8080/b?c").hostname
    'a.org'
    >>> [web_parts(url) for url in ("ftp://a.org", "http://", "http://[::1", "http://a.org:x", "http://a.org/<b>")]
    [None, None, None, None, None]
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    known = parts.scheme in ("http", "https") and bool(host) and port != 0
    return parts if known and _CHARACTERS.fullmatch(url) else None


def is_public(url: str) -> bool:
    """Whether a text is an http(s) address without a user or a password, which may be stored and shown."""
    parts = web_parts(url)
    return parts is not None and "@" not in parts.netloc


def is_private(parts: SplitResult) -> bool:
    """Whether others cannot read what is sent to an address.

    >>> from urllib.parse import urlsplit
    >>> [is_private(urlsplit(url)) for url in ("https://a.org", "http://[::1]:80", "http://LOCALHOST", "http://a.org")]
    [True, True, True, False]
    """
    return parts.scheme == "https" or parts.hostname in LOCAL


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Texts and credentials are for the server that was named, not for where that points."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None
