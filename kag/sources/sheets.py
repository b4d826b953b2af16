"""The sheets of a paper as a converter measured them: its rectangles become boxes in thousandths of the page."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kag.core.types import Box, Repair
from kag.sources.boxes import NO_BOX, OUTSIDE, TURNED, read_boxes, repair_of

NO_SIZE = "the size of the page is not told"


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
        """What had to be repaired, in the order in which it was met."""
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
    sound = len(numbers) == len(listed) and all(math.isfinite(one) and abs(one) < 1e9 for one in numbers)
    return numbers if sound else []
