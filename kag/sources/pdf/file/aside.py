"""`Aside`: pictures that wait in a file without a name until they are written into a run."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Mapping
from tempfile import TemporaryFile
from typing import Any


class Aside(Mapping[str, bytes]):
    """Bytes by name, on disk: a long paper's figures would take as much room as its text.

    >>> aside = Aside()
    >>> aside.put("a", b"ice")
    >>> dict(aside)
    {'a': b'ice'}
    """

    def __init__(self) -> None:
        self._file = TemporaryFile(prefix="kag-")  # noqa: SIM115 - it goes with this object
        self._places: dict[str, tuple[int, int]] = {}
        weakref.finalize(self, self._file.close)

    def put(self, name: str, data: bytes) -> None:
        """Lay bytes aside under a name; raises `OSError` where the disk is full."""
        self._places[name] = self._file.seek(0, os.SEEK_END), len(data)
        self._file.write(data)

    def __getitem__(self, name: str) -> bytes:
        start, length = self._places[name]
        self._file.seek(start)
        return self._file.read(length)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __reduce__(self) -> Any:
        return _aside, (dict(self),)


def _aside(pictures: Mapping[str, bytes]) -> Aside:
    aside = Aside()
    for name, data in pictures.items():
        aside.put(name, data)
    return aside
