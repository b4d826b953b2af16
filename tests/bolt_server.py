"""A database for tests that speaks Bolt 5.4 to the official driver, and runs the statements in ladybug.

It stands in for Neo4j, which cannot be had here: the protocol, transactions, credentials and failures are those of
Bolt; what statements mean is what ladybug takes them for, and constraints are taken note of only.
"""

from __future__ import annotations

import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kag.export.cypher_databases import database_at

MAGIC, VERSION = b"\x60\x60\xb0\x17", b"\x00\x00\x04\x05"
SUCCESS, RECORD, IGNORED, FAILURE = 0x70, 0x71, 0x7E, 0x7F
HELLO, GOODBYE, RESET, RUN, BEGIN, COMMIT, ROLLBACK = 0x01, 0x02, 0x0F, 0x10, 0x11, 0x12, 0x13
PULL, LOGON = 0x3F, 0x6A
SIZES = {1: ">B", 2: ">H", 4: ">I"}
INTS = {0xC8: ">b", 0xC9: ">h", 0xCA: ">i", 0xCB: ">q"}


def packed(value: Any) -> bytes:
    """A value in PackStream; a tuple is a structure: its tag, and its fields."""
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        return struct.pack(">b", value) if -16 <= value < 128 else struct.pack(">Bq", 0xCB, value)
    if isinstance(value, float):
        return struct.pack(">Bd", 0xC1, value)
    if isinstance(value, str):
        text = value.encode()
        return _head(0x80, 0xD0, len(text)) + text
    if isinstance(value, list):
        return _head(0x90, 0xD4, len(value)) + b"".join(map(packed, value))
    if isinstance(value, dict):
        return _head(0xA0, 0xD8, len(value)) + b"".join(packed(key) + packed(one) for key, one in value.items())
    return bytes((0xB0 + len(value) - 1, value[0])) + b"".join(map(packed, value[1:]))


def _head(tiny: int, sized: int, size: int) -> bytes:
    if size < 16:
        return bytes((tiny + size,))
    place = 0 if size < 1 << 8 else 1 if size < 1 << 16 else 2
    return bytes((sized + place,)) + struct.pack(SIZES[1 << place], size)


class Unpacked:
    """Values read one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def _take(self, size: int) -> bytes:
        self._at += size
        return self._data[self._at - size : self._at]

    def next(self) -> Any:
        mark = self._take(1)[0]
        if mark in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[mark]
        if mark == 0xC1:
            return struct.unpack(">d", self._take(8))[0]
        if mark in INTS:
            return struct.unpack(INTS[mark], self._take(struct.calcsize(INTS[mark])))[0]
        if mark < 0x80 or mark >= 0xF0:
            return struct.unpack(">b", bytes((mark,)))[0]
        tiny, size = mark & 0xF0, mark & 0x0F
        if mark >= 0xD0:
            tiny = {0xD0: 0x80, 0xD4: 0x90, 0xD8: 0xA0}[mark & 0xFC]
            width = 1 << (mark & 3)
            size = struct.unpack(SIZES[width], self._take(width))[0]
        if tiny == 0x80:
            return self._take(size).decode()
        if tiny == 0x90:
            return [self.next() for _ in range(size)]
        if tiny == 0xA0:
            return {self.next(): self.next() for _ in range(size)}
        return (self._take(1)[0], *(self.next() for _ in range(size)))


class BoltServer(socketserver.ThreadingTCPServer):
    """`user` ("name:password") may come in; after `left` statements the connection is cut, where that is not None."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, database: Any) -> None:
        super().__init__(("127.0.0.1", 0), _Client)
        self.database, self.user, self.left = database, "", None
        self.statements: list[str] = []

    @property
    def url(self) -> str:
        return f"bolt://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


@contextmanager
def bolt(file: Path) -> Iterator[BoltServer]:
    """The stand-in over a file of ladybug's, with the schema in it."""
    with database_at(f"ladybug:{file}") as database:
        database.prepare()
        with BoltServer(database) as server:
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
            yield server
            server.shutdown()


class _Client(socketserver.StreamRequestHandler):
    server: BoltServer
    disable_nagle_algorithm = True

    def handle(self) -> None:
        if self.rfile.read(20)[:4] != MAGIC:
            return
        self.wfile.write(VERSION)
        self.rows: list[list[Any]] = []
        self.failed = self.inside = False
        try:
            while message := self._message():
                self._answer(*message)
        finally:
            if self.inside:
                self._run("ROLLBACK")

    def _message(self) -> tuple[Any, ...]:
        data = b""
        while True:
            size = int.from_bytes(self.rfile.read(2), "big")
            if not size and data:
                return Unpacked(data).next()
            if not size and not self.rfile.peek(1):
                return ()
            data += self.rfile.read(size)

    def _say(self, tag: int, *fields: Any) -> None:
        data = packed((tag, *fields))
        parts = (data[at : at + 60_000] for at in range(0, len(data), 60_000))
        self.wfile.write(b"".join(len(part).to_bytes(2, "big") + part for part in parts) + b"\x00\x00")

    def _fail(self, code: str, told: str) -> None:
        self.failed = True
        self._say(FAILURE, {"code": code, "message": told})

    def _answer(self, tag: int, *fields: Any) -> None:
        if self.failed and tag not in (RESET, GOODBYE):
            return self._say(IGNORED)
        if tag == RUN:
            return self._statement(*fields)
        if tag == LOGON and self.server.user:
            given = f"{fields[0].get('principal')}:{fields[0].get('credentials')}"
            if given != self.server.user:
                return self._fail("Neo.ClientError.Security.Unauthorized", f"not {given}")
        if tag == PULL:
            for row in self.rows:
                self._say(RECORD, row)
        self._transact(tag)
        return self._say(SUCCESS, {"server": "Neo4j/5.99", "connection_id": "1"} if tag == HELLO else {})

    def _transact(self, tag: int) -> None:
        self.failed = self.failed and tag != RESET
        if tag == BEGIN:
            self.inside = True
            self._run("BEGIN TRANSACTION")
        elif self.inside and tag in (COMMIT, ROLLBACK, RESET):
            self.inside = False
            self._run("COMMIT" if tag == COMMIT else "ROLLBACK")

    def _statement(self, text: str, given: dict[str, Any], _: Any) -> None:
        here = self.server
        if here.left is not None:
            here.left -= 1
            if here.left < 0:
                raise ConnectionAbortedError
        here.statements.append(text)
        try:
            self.rows = [] if text.startswith("CREATE CONSTRAINT") else self._run(text, given)
        except Exception as error:
            return self._fail("Neo.ClientError.Statement.SyntaxError", str(error))
        width = len(self.rows[0]) if self.rows else 0
        return self._say(SUCCESS, {"fields": [f"c{number}" for number in range(width)]})

    def _run(self, text: str, given: dict[str, Any] | None = None) -> list[list[Any]]:
        return [list(row) for row in self.server.database._connection.execute(text, given or {}).get_all()]
