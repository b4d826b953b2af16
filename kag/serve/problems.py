"""Errors as `application/problem+json` (RFC 9457): all of kag's, and those of HTTP itself."""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

from starlette.responses import Response

from kag.core.errors import (
    BudgetExceeded,
    CorpusBusy,
    CorpusReadOnly,
    KagError,
    MissingExtra,
    ModelError,
    NotConforming,
    UnknownBlock,
    UnknownNode,
)

MEDIA = "application/problem+json"
_STATUS: tuple[tuple[type[KagError], int], ...] = (
    (UnknownNode, 404),
    (UnknownBlock, 404),
    (NotConforming, 409),
    (CorpusBusy, 503),
    (CorpusReadOnly, 409),
    (MissingExtra, 501),
    (BudgetExceeded, 429),
    (ModelError, 502),
)


_LACKS = {
    errno.ENOSPC: "the disk of the server is full",
    errno.EDQUOT: "the disk of the server is full",
    errno.EFBIG: "the server may not write so large a file",
    errno.EROFS: "the disk of the server can only be read",
    errno.EIO: "the disk of the server reports an error",
    errno.EMFILE: "the server has too many files open",
    errno.ENFILE: "the server has too many files open",
    errno.ENOMEM: "the server has too little memory",
}


class Refusal(Exception):
    """A request that is not carried out, with its status, the words for it, and headers that belong to it."""

    def __init__(self, status: int, detail: str, hint: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.hint = status, detail, hint
        self.headers = dict(headers or {})


def lack(error: Exception) -> Refusal | None:
    """Return the refusal for an error about a missing part of the server; None for any other."""
    words = _LACKS.get(error.errno or 0) if isinstance(error, OSError) else None
    return Refusal(503, words, "Try again later.", {"Retry-After": "30"}) if words else None


def status_of(error: KagError) -> int:
    """Return the HTTP status of an error: 400 unless its kind has another one."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 400)


def as_refusal(error: KagError, root: Path) -> Refusal:
    """Return an error of kag as a response, without paths of the machine."""
    status = status_of(error)
    headers = {"Retry-After": "2"} if status == 503 else {}
    return Refusal(status, without(error.message, root), without(error.hint, root), headers)


def without(text: str, *folders: Path) -> str:
    """Words without the paths of some folders before those of files in them.

    >>> without("/srv/library/corpus.db is damaged in /srv/library", Path("/srv/library"))
    'corpus.db is damaged in library'
    """
    for folder in folders:
        text = text.replace(f"{folder}/", "").replace(str(folder), folder.name)
    return text


def row(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal as a row; `hint` says how to correct it."""
    title = HTTPStatus(refusal.status).phrase
    found = {"type": "about:blank", "title": title, "status": refusal.status, "detail": refusal.detail}
    return found | ({"hint": refusal.hint} if refusal.hint else {})


def problem(refusal: Refusal) -> Response:
    """The response for programs."""
    body = json.dumps(row(refusal), ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, refusal.status, refusal.headers, MEDIA)
