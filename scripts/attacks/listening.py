"""A server on this machine's loopback that counts who connects, and hangs up."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Heard:
    """The port that listens, and how often something connected to it."""

    def __init__(self, port: int) -> None:
        self.port, self.count = port, 0


@contextmanager
def listening() -> Iterator[Heard]:
    """Listen until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        heard = Heard(server.getsockname()[1])
        thread = threading.Thread(target=_count, args=(server, heard), daemon=True)
        thread.start()
        try:
            yield heard
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def _count(server: socket.socket, heard: Heard) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        heard.count += 1
        connection.close()
