"""Pictures of pages and figures as part of the page: found beside the OCR output, made small, written as data URIs."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from kag.safety.files import shown
from kag.sources.pictures import Picture, picture_path, read_picture
from kag.values.errors import SourceError

SIDES = (1400, 1000, 700)  # pixels of the longer side, the largest that is small enough is taken
LARGEST = 400_000  # bytes of one picture
_PAGE = re.compile(r"page_0*([1-9][0-9]{0,5})\.(?:png|jpe?g|webp)", re.I)


@dataclass(frozen=True, slots=True)
class Pictures:
    """Data URIs of pages by number and of figures by path, and in words what could not be shown."""

    pages: Mapping[int, str] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def find_pictures(folder: Path, figures: Iterable[str], most_bytes: int, run: Path | None = None) -> Pictures:
    """The pictures `page_NNN.png` (or jpg, webp) of a paper's folder and those of its figures (paths in it or the run).

    Each gets an equal share of `most_bytes`, base64 included; one that cannot be made so small is left out.
    Raises `SourceError` when there is no such folder.
    """
    if not os.path.isdir(folder):
        raise SourceError(f"{shown(folder)} is not a folder", hint="Give the folder that holds the paper's pages.")
    pages: dict[int, str] = {}
    for name in sorted(os.listdir(folder)):
        if match := _PAGE.fullmatch(name):
            pages.setdefault(int(match[1]), name)
    paths = sorted({*pages.values(), *figures})
    share = min(LARGEST, most_bytes * 3 // 4 // max(len(paths), 1))
    found: dict[str, str] = {}
    problems = []
    for path in paths:
        try:
            found[path] = _data_uri(_small(picture_path(path, folder, run=run), share))
        except SourceError as error:
            problems.append(error.message)
    return Pictures(
        {number: found[name] for number, name in sorted(pages.items()) if name in found},
        {path: found[path] for path in sorted(set(figures)) if path in found},
        tuple(problems),
    )


def _small(path: Path, most_bytes: int) -> Picture:
    """The picture at the largest size that fits; raises `SourceError` when none does, or there is no picture."""
    for side in SIDES[:-1]:
        with suppress(SourceError):
            return read_picture(path, side, most_bytes)
    return read_picture(path, SIDES[-1], most_bytes)


def _data_uri(picture: Picture) -> str:
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"
