"""How dark the parts of a page's picture are: in bold type more of a line is ink."""

from __future__ import annotations

import io
from collections.abc import Iterable

from PIL import Image


def darkness(png: bytes, groups: Iterable[Iterable[tuple[int, int, int, int]]]) -> list[float]:
    """For each group of boxes, in pixels, the share of their area that is ink: 0 white, 1 black."""
    with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
        grey = image.convert("L")
    return [_dark([grey.crop(box) for box in boxes if box[0] < box[2] and box[1] < box[3]]) for boxes in groups]


def _dark(parts: list[Image.Image]) -> float:
    area = sum(part.width * part.height for part in parts)
    ink = sum(count * (255 - shade) for part in parts for shade, count in enumerate(part.histogram()))
    return ink / 255 / area if area else 0.0
