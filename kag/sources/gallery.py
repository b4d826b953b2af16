"""The pictures that come with a converter's output: inside of it as base64, or in files beside it.

They go into the run. Only regular files in the folder of the output, or below it, are read.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from kag.core.files import read_regular, shown
from kag.core.types import Box, FigureFile, Repair
from kag.sources.loading import reason
from kag.sources.names import IN_RUN
from kag.sources.ocr.figures import open_image

LARGEST = 16 * 1024 * 1024  # bytes of one picture
MOST = 256 * 1024 * 1024  # and of all

_DATA = re.compile(r"data:image/[a-z+.-]{1,20};base64,", re.I)
_ENDS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif"}


@dataclass(slots=True)
class Gallery:
    """The pictures of one paper, whose output lies in `folder`."""

    folder: Path
    figures: list[FigureFile] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    repairs: list[Repair] = field(default_factory=list)
    _size: int = 0

    def add(self, page: int, boxes: tuple[Box, ...], where: object) -> None:
        """Take a picture that is printed in a box: a path, a data URI, or base64 alone; nothing for anything else."""
        if not isinstance(where, str) or not where or not boxes:
            return
        try:
            data = self._bytes(where)
        except (OSError, ValueError) as error:
            said = reason(error) if isinstance(error, OSError) else str(error)
            self._left_out(page, f"{shown(where[:80])} {said}")
            return
        try:
            with open_image(data) as image:
                (width, height), kind = image.size, image.format or ""
                image.verify()
        except Exception:  # pillow's readers raise whatever the broken bytes lead them to
            self._left_out(page, f"{shown(where[:80])} is not an image that can be read")
            return
        self._size += len(data)
        place = 1 + sum(figure.page == page for figure in self.figures)
        path = f"{IN_RUN}/fig_page{page:03d}_{place:02d}.{_ENDS.get(kind, 'png')}"
        self.pictures[path] = data
        self.figures.append(FigureFile(path, page, boxes, hashlib.sha256(data).hexdigest(), width, height))

    def _left_out(self, page: int, problem: str) -> None:
        self.repairs.append(Repair(page, 0, problem, "picture left out"))

    def _bytes(self, where: str) -> bytes:
        coded = _DATA.match(where)
        if coded or (len(where) > 1000 and "." not in where[:100]):
            try:
                data = base64.b64decode(where[coded.end() if coded else 0 :], validate=True)
            except binascii.Error as error:
                raise ValueError("is no base64 that can be read") from error
        else:
            data = read_regular(self._inside(where), LARGEST)
        if len(data) > LARGEST or self._size + len(data) > MOST:
            raise ValueError("is too large, or all pictures together are")
        return data

    def _inside(self, where: str) -> Path:
        """The file that a path names, if it lies in the folder and no link is on the way."""
        whole = Path(os.path.realpath(self.folder))
        path = Path(os.path.normpath(whole / where.replace("\\", "/").removeprefix("file://")))
        if "\0" in where or not path.is_relative_to(whole) or os.path.realpath(path) != str(path):
            raise ValueError("lies outside of the folder, or a link leads to it")
        return path
