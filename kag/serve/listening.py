"""A listening socket, opened before its address is announced."""

from __future__ import annotations

import errno
import socket

from kag.core.errors import BadValue

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
