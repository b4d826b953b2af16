"""`serve_corpus`: a server from what a person gives at the command line; `listening`: the socket it listens at."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from kag.core.errors import BadValue, needed_extra
from kag.serve.bounds import USUAL
from kag.serve.guard.access import access_for

_OF_THE_PORT = frozenset((errno.EADDRINUSE, errno.EACCES, errno.EPERM))


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; raises `BadValue` where the address is taken or is not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # said, so that small replies do not wait
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(socket.SOMAXCONN)  # who is told the address may come at once
    except OSError as error:
        made.close()
        hint = "Give another --port." if error.errno in _OF_THE_PORT else "Give as --host an address of this machine."
        raise BadValue(f"{host}:{port} cannot be bound: {error.strerror or error}", hint=hint) from error
    return made


SHORTEST = 16  # characters of a token


def serve_corpus(
    root: Path,
    *,
    host: str,
    port: int,
    token: str,
    names: tuple[str, ...],
    models: tuple[str, ...],
    workers: int,
    file_bytes: int,
    tell: Callable[[str], object],
    log: Callable[[str], object] | None,
    started_with: Sequence[Mapping[str, str]] = (),
    read_only: bool = False,
    proxies: tuple[str, ...] = (),
) -> None:
    """Serve a corpus until a signal comes, read-only on request.

    Raises `CorpusError`, `BadValue` for an address or token that will not do, `MissingExtra` without the packages.
    """
    with needed_extra("serve"):
        from kag.serve.app import Options, run
        from kag.serve.home import StartedWith
    if token and (len(token) < SHORTEST or not token.isascii() or not token.isprintable()):
        raise BadValue("the token is too short or has odd letters", hint=f"Give {SHORTEST} plain characters or more.")
    access = access_for(host, token, names)
    listener = listening(host, port)
    at = listener.getsockname()[1]
    starts = tuple(StartedWith(**row) for row in started_with)
    address = f"http://{f'[{host}]' if ':' in host else host}:{at}/"
    bounds = replace(USUAL, workers=workers, file=file_bytes)
    with TemporaryDirectory(prefix="kag-serve-") as own:
        where = Path(own) if read_only else None
        options = Options(root, access, bounds, models, log, listener, starts, where, _addresses(proxies))
        run(options, lambda: tell(f"{address}?token={access.token}" if access.token else address))


def _addresses(proxies: Sequence[str]) -> tuple[str, ...]:
    """Addresses of proxies as they are compared; raises `BadValue` for what is none."""
    try:
        return tuple(str(ipaddress.ip_address(proxy)) for proxy in proxies)
    except ValueError as error:
        raise BadValue(f"--proxy: {error}", hint="Give the IP address of the proxy, such as 127.0.0.1.") from error
