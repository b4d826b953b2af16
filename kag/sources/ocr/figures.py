"""The pictures cut from a paper's pages: files and places.

Boxes come from a `*figures_metadata.json` where there is one, else from the page's image blocks in
order. Paths inside the metadata are never followed: only their file names are looked up among the files found.
What is no regular file (a link, a pipe) is left out, and a folder inside that is a link is not entered: both are told.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import own_folder, read_regular, shown
from kag.core.types import Block, Box, FigureFile, Repair
from kag.sources.boxes import read_boxes
from kag.sources.labels import PICTURES
from kag.sources.loading import LARGEST_FILE, reason
from kag.sources.pictures import checked_image

_CROP = re.compile(r"fig_page([0-9]{1,6})_([0-9]{1,4})\.(?:png|jpe?g|webp|gif)", re.I)
_UPSTREAM = re.compile(r"([0-9]{1,6})_([0-9]{1,4})\.(?:png|jpe?g)", re.I)


@dataclass(frozen=True, slots=True, order=True)
class _Picture:
    """A picture file: page and place among the page's pictures, both from 1."""

    page: int
    place: int
    path: Path


def read_figures(
    folder: Path, blocks: Sequence[Block], figures: Path | None = None
) -> tuple[tuple[FigureFile, ...], list[Repair]]:
    """The paper's figure files in page order, and what had to be repaired.

    Looks in `figures` when given; else in the folder, in its `images/`, and in a sibling `<name>_figures`.
    Raises `SourceError` when `figures` is not a folder.
    """
    if figures is not None and not os.path.isdir(figures):
        raise SourceError(f"{figures} is not a folder", hint="Give the folder that holds the paper's figure files.")
    places, repairs = ([figures], []) if figures is not None else _places(folder)
    pictures, found = _find(places)
    repairs += found
    beside = figures if figures is not None else _sibling(folder)
    files = _metadata_files([folder, *places], beside)
    rows, found = _metadata(files, {picture.path.name for picture in pictures})
    repairs += found
    by_place = _image_boxes(blocks)
    result = []
    for picture in pictures:
        boxes = rows.get(picture.path.name) or by_place.get((picture.page, picture.place), ())
        figure, problem = _read_picture(picture, boxes, folder)
        if figure is not None:
            result.append(figure)
        if problem is None and not boxes:
            problem = Repair(picture.page, 0, f"{picture.path.name} fits no image block", "figure kept without boxes")
        repairs += [problem] if problem else []
    return tuple(result), repairs


def _sibling(folder: Path) -> Path:
    whole = Path(os.path.realpath(folder))
    return whole.parent / f"{whole.name.removesuffix('_ocr')}_figures"


def _places(folder: Path) -> tuple[list[Path], list[Repair]]:
    """The paper's folder and those of its figures that are there; a stranger may have led a link anywhere."""
    own = [folder / "images", _sibling(folder)]
    links = [path for path in own if os.path.islink(path)]
    repairs = [Repair(0, 0, f"{shown(path.name)} is a symbolic link", "the folder was not entered") for path in links]
    return [folder, *(path for path in own if own_folder(path))], repairs


def _find(places: Iterable[Path]) -> tuple[list[_Picture], list[Repair]]:
    pictures: dict[str, _Picture] = {}
    repairs = []
    for place in places:
        try:
            paths = [place / name for name in sorted(os.listdir(place))]
        except OSError as error:
            repairs.append(Repair(0, 0, f"{shown(place.name)} {reason(error)}", "the folder was not entered"))
            continue
        for path in paths:
            picture = _picture(path)
            if picture is None:
                continue
            if path.name in pictures:
                repairs.append(
                    Repair(picture.page, 0, f"{path.name} is there twice", f"the one in {place.name} left out")
                )
            else:
                pictures[path.name] = picture
    return sorted(pictures.values()), repairs


def _picture(path: Path) -> _Picture | None:
    crop, upstream = _CROP.fullmatch(path.name), _UPSTREAM.fullmatch(path.name)
    if crop:
        return _Picture(int(crop[1]), int(crop[2]), path)
    if upstream and path.parent.name == "images":
        return _Picture(int(upstream[1]) + 1, int(upstream[2]) + 1, path)
    return None


def _image_boxes(blocks: Iterable[Block]) -> dict[tuple[int, int], tuple[Box, ...]]:
    """Boxes by page and place among the page's image blocks, from 1."""
    found: dict[tuple[int, int], tuple[Box, ...]] = {}
    counts: dict[int, int] = {}
    for block in blocks:
        if block.label in PICTURES:
            counts[block.page] = counts.get(block.page, 0) + 1
            found[block.page, counts[block.page]] = block.boxes
    return found


def _metadata_files(places: Iterable[Path], figures: Path) -> list[Path]:
    inside = [path for place in places for path in place.glob("*figures_metadata.json")]
    beside = [
        place.parent / f"{place.name}_metadata.json" for place in (*places, figures) if place.name.endswith("_figures")
    ]
    return sorted({*inside, *(path for path in beside if os.path.lexists(path))})


def _metadata(files: Iterable[Path], names: set[str]) -> tuple[dict[str, tuple[Box, ...]], list[Repair]]:
    """Boxes by file name, several rows for one file joined in their order."""
    found: dict[str, tuple[Box, ...]] = {}
    repairs: list[Repair] = []
    for path in files:
        wrong = "is not a JSON list"
        try:
            rows = json.loads(read_regular(path, LARGEST_FILE))
        except OSError as error:
            rows, wrong = None, reason(error)
        except (ValueError, RecursionError):
            rows = None
        if not isinstance(rows, list):
            repairs.append(Repair(0, 0, f"{shown(path.name)} {wrong}", "figures placed by their order on the page"))
            continue
        for row in rows:
            name, boxes, problem = _metadata_row(row)
            if problem or name not in names:
                what = problem or f"names {name!r}, which is not there"
                repairs.append(Repair(0, 0, f"a row of {shown(path.name)} {what}", "row left out"))
            else:
                found[name] = tuple(dict.fromkeys((*found.get(name, ()), *boxes)))
    return found, repairs


def _metadata_row(row: object) -> tuple[str, tuple[Box, ...], str]:
    if not isinstance(row, dict) or not isinstance(row.get("image_path"), str):
        return "", (), "has no image path"
    boxes, problems = read_boxes(row.get("bbox_norm"))
    name = row["image_path"].replace("\\", "/").rpartition("/")[2]
    return name, boxes, "" if boxes else "has no box that can be read: " + "; ".join(problems)


def _read_picture(picture: _Picture, boxes: tuple[Box, ...], folder: Path) -> tuple[FigureFile | None, Repair | None]:
    name = picture.path.name
    try:
        data = read_regular(picture.path, LARGEST_FILE)
        width, height, _ = checked_image(data)
    except (OSError, ValueError) as error:
        problem = reason(error) if isinstance(error, OSError) else str(error)
        return None, Repair(picture.page, 0, f"{name} {problem}", "figure left out")
    path = Path(os.path.relpath(os.path.realpath(picture.path), os.path.realpath(folder))).as_posix()
    if shown(path) != path:
        return None, Repair(picture.page, 0, f"{shown(path)} is a name that is not UTF-8", "figure left out")
    return FigureFile(path, picture.page, boxes, hashlib.sha256(data).hexdigest(), width, height), None
