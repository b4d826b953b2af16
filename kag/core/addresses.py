"""Addresses of servers: data for a server goes to it alone, secrets only over connections that others cannot read."""

from __future__ import annotations

import urllib.request
from email.message import Message
from typing import IO
from urllib.parse import SplitResult

LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))
"""This machine's own names: what goes to it does not leave it."""


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
