"""Boxes as OCR writes them: `[[x0, y0, x1, y1], ...]` in thousandths of the page.

Tags and figure metadata both carry them, and both may be broken. A box that can be read is kept, put
right where it must be; one that cannot is left out. Every change is named, so that it can be recorded.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import NoReturn

from kag.core.types import Box

_PYTHON_TUPLES = str.maketrans("()", "[]")
_LAST_COMMA = re.compile(r",\s*(?=\])")

UNREADABLE = "the box list cannot be read"
EMPTY = "the box list is empty"
NO_BOX = "a box is not four numbers"
TURNED = "a box ends before it begins"
OUTSIDE = "a box leaves the page"


def parse_boxes(text: str) -> tuple[tuple[Box, ...], tuple[str, ...]]:
    """Boxes from JSON or Python syntax, and the problems met, in order and each once."""
    try:
        value = json.loads(_LAST_COMMA.sub("", text.translate(_PYTHON_TUPLES)), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return (), (UNREADABLE,)
    return read_boxes(value)


def read_boxes(value: object) -> tuple[tuple[Box, ...], tuple[str, ...]]:
    """Boxes from a parsed list of boxes, or from one box that stands alone."""
    if not isinstance(value, list):
        return (), (UNREADABLE,)
    rows = [value] if value and not isinstance(value[0], list) else value
    boxes: list[Box] = []
    problems: list[str] = [] if rows else [EMPTY]
    for row in rows:
        box, found = _read_box(row)
        problems += found
        if box is not None:
            boxes.append(box)
    return tuple(boxes), tuple(dict.fromkeys(problems))


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a coordinate")


def _read_box(row: object) -> tuple[Box | None, list[str]]:
    if not isinstance(row, list) or len(row) != 4 or not all(map(_is_number, row)):
        return None, [NO_BOX]
    problems: list[str] = []
    x0, y0, x1, y1 = (round(number) for number in row)
    if x1 < x0 or y1 < y0:
        problems.append(TURNED)
        x0, x1, y0, y1 = *sorted((x0, x1)), *sorted((y0, y1))
    if x0 < 0 or y0 < 0 or x1 > 1000 or y1 > 1000:
        problems.append(OUTSIDE)
        x0, y0, x1, y1 = (min(max(number, 0), 1000) for number in (x0, y0, x1, y1))
    return Box(x0, y0, x1, y1), problems


def _is_number(value: object) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def repair_of(problems: Sequence[str]) -> str:
    """What was done about the problems of one box list."""
    done = {TURNED: "corners put in order", OUTSIDE: "box cut at the page's edge", NO_BOX: "that box left out"}
    return "; ".join(done.get(problem, "block kept without boxes") for problem in problems)
