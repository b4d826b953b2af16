"""Boxes in thousandths of the page: from OCR's lists `[[x0, y0, x1, y1], ...]`, and from converters' own units.

A box that can be read is kept, corrected where needed; one that cannot is left out. Every change is recorded.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from kag.core.types import Box, Repair

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
    """Return the boxes of a parsed list of boxes, or of a single box."""
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
    """Return the repair of one box list."""
    done = {TURNED: "corners put in order", OUTSIDE: "box cut at the page's edge", NO_BOX: "that box left out"}
    return "; ".join(done.get(problem, "block kept without boxes") for problem in problems)


NO_SIZE = "the size of the page is unknown"


@dataclass(slots=True)
class Sheets:
    """Widths and heights by page, in the converter's own unit, and what was wrong with the rectangles so far."""

    sizes: dict[int, tuple[float, float]] = field(default_factory=dict)
    _repairs: dict[Repair, None] = field(default_factory=dict)

    def note(self, page: int, problem: str, action: str, line: int = 0) -> None:
        """Remember a repair, once."""
        self._repairs[Repair(page, line, problem, action)] = None

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Return the repairs in the order in which they were made."""
        return tuple(self._repairs)

    def size(self, page: int, width: object, height: object) -> None:
        """Remember the size of a page, where it is one."""
        sides = numbers_of([width, height])
        if len(sides) == 2 and min(sides) > 0:
            self.sizes[page] = (sides[0], sides[1])

    def boxes(
        self, page: int, rect: object, *, up: bool = False, of: tuple[float, float] | None = None
    ) -> tuple[Box, ...]:
        """The box of `[left, top, right, bottom]` on a page, none where it cannot be read.

        With `up` heights are counted from the bottom. `of` is the size of the page where that is always the same.
        """
        numbers = numbers_of(rect)
        if len(numbers) != 4:
            self.note(page, NO_BOX, "block kept without boxes")
            return ()
        wide, high = of or self.sizes.get(page, (0.0, 0.0))
        if not wide or not high:
            self.note(page, NO_SIZE, "blocks kept without boxes")
            return ()
        x0, y0, x1, y1 = numbers
        if up:
            y0, y1 = high - max(y0, y1), high - min(y0, y1)
        scaled = [1000 * x0 / wide, 1000 * y0 / high, 1000 * x1 / wide, 1000 * y1 / high]
        boxes, problems = read_boxes([scaled])
        for problem in problems:
            if problem == TURNED or (problem == OUTSIDE and max(-min(scaled), max(scaled) - 1000) > 1):
                self.note(page, problem, repair_of((problem,)))
        return boxes

    def points(self) -> tuple[tuple[float, float], ...]:
        """The sizes in the order of the pages, where they are known for all of them."""
        pages = sorted(self.sizes)
        return tuple(self.sizes[page] for page in pages) if pages == list(range(1, len(pages) + 1)) else ()


def numbers_of(values: object) -> list[float]:
    """A list of finite numbers from JSON; empty for anything else."""
    listed = values if isinstance(values, list | tuple) else []
    numbers = [float(one) for one in listed if isinstance(one, int | float) and not isinstance(one, bool)]
    sound = len(numbers) == len(listed) and all(math.isfinite(number) and abs(number) < 1e9 for number in numbers)
    return numbers if sound else []
